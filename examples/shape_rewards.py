# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""The reward wrappers on the same games: shaping by potential, rewards for events, and discounted wins.

python examples/shape_rewards.py --game acey_ducey-v0 --event hit --games 1000

Each wrapper is applied to the same random games. The columns:

* "plies with rewards": the share of plies that give any seat a reward
* "known half-way": the share of games whose winner has the highest sum of rewards after half of the plies
* "return of the winner": its mean in the shortest and in the longest fifth of the games

Each wrapper exists also for single environments, by the same name without "Batch".
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np

import parlour
from parlour.wrappers import BatchDiscountedWin, BatchEventReward, BatchPotentialShaping


def play(game: str, games: int, seed: int, wrap: Callable[[Any], Any]) -> tuple[np.ndarray, np.ndarray]:
    """Plays one random game per row; the games don't depend on the rewards. Returns the sums of rewards after each ply
    (T, N, P), and the number of plies of each game (N,)."""
    batch = wrap(parlour.make_batch(game, games, seed=seed, autoreset="disabled"))
    batch.reset()
    over, plies, sums = np.zeros(games, np.bool_), np.zeros(games, np.int64), [np.zeros((games, batch.num_seats))]
    while not over.all():
        plies[~over] += 1
        _, rewards, terminations, truncations, _ = batch.step(batch.sample_actions())
        sums.append(sums[-1] + np.where(over[:, None], 0, rewards))
        over = terminations | truncations
    return np.array(sums), plies


def main() -> None:
    """Prints a line for each kind of reward."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--event", default="hit", help="an event of the game, from its README")
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="50 games, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")
    games = 50 if args.quick else args.games

    kinds: dict[str, Callable[[Any], Any]] = {
        "the game's own": lambda batch: batch,
        "BatchPotentialShaping": lambda batch: BatchPotentialShaping(batch, gamma=1.0),  # keeps the optimal policy
        "BatchEventReward": lambda batch: BatchEventReward(batch, {args.event: 0.05}),  # can change the optimal policy
        "BatchDiscountedWin": lambda batch: BatchDiscountedWin(batch, 0.997),  # an earlier win is worth more
    }
    print(f"{games} random games of {args.game}")
    print(f"{'rewards':<24}{'plies with rewards':>19}{'known half-way':>16}   return of the winner")
    for name, wrap in kinds.items():
        sums, plies = play(args.game, games, args.seed, wrap)
        if name == "the game's own":
            winner = sums[-1].argmax(axis=1)
        rows = np.arange(games)
        rewarded = np.count_nonzero(np.diff(sums, axis=0).any(axis=2)) / plies.sum()
        half = sums[plies // 2, rows]
        known = (half.argmax(axis=1) == winner) & (half.max(axis=1) > half.min(axis=1))
        returns = sums[-1][rows, winner]
        order = plies.argsort(kind="stable")
        short, long = returns[order[: games // 5]].mean(), returns[order[-(games // 5) :]].mean()
        print(f"{name:<24}{rewarded:>19.1%}{known.mean():>16.1%}   {short:+.3f} short, {long:+.3f} long")


if __name__ == "__main__":
    main()
