# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""How to call a game's compiled rules from your own Numba code. The example is a player that looks one ply ahead and
averages over all throws that may follow, in all games of a batch at once; it plays against random opponents.
docs/own_kernels.md lists the functions that may be called.

python examples/own_kernels.py --game acey_ducey-v0 --games 200
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numba
import numpy as np

import parlour
from parlour.interfaces.batch import Batch


def make_chooser(batch: Batch) -> Callable[[], np.ndarray[Any, Any]]:
    """Returns a function that chooses an action for each running game of ``batch``: the one with the highest value for
    the seat to act. The value is the reward of the ply plus the potential of the position after it, averaged over the
    throw that follows."""
    rules, evaluation = batch.game.rules, batch.game.evaluation  # Numba compiles their kernels into those below

    @numba.njit
    def value_of(state: Any, variant: Any, seat: int) -> float:
        """The potential; 0 for a game that is over, since its rewards have been paid."""
        return evaluation.potential(state, variant, seat) if state.end == 0 else 0.0

    @numba.njit
    def choose(
        states: Any, variants: Any, masks: Any, faces: Any, probabilities: Any, scratch: Any, rewards: Any, actions: Any
    ) -> None:
        """Writes the actions (int64 (N,)). The other arrays are described below, where they are created."""
        for i in range(len(states)):
            seat, variant, best = states[i].to_act, variants[i], -np.inf
            for action in range(masks.shape[1]):
                if masks[i, action] == 0:
                    continue
                scratch[0] = states[i]  # a copy: don't write to the batch's own states
                rewards[:] = 0
                rules.apply(scratch[0], variant, action, rewards)
                value = rewards[seat]
                if scratch[0].end == 0 and 0 < rules.dice_due(scratch[0], variant) == faces.shape[1]:
                    for m in range(len(faces)):
                        scratch[1] = scratch[0]
                        rewards[:] = 0
                        rules.throw(scratch[1], variant, faces[m], rewards)
                        value += probabilities[m] * (rewards[seat] + value_of(scratch[1], variant, seat))
                else:
                    value += value_of(scratch[0], variant, seat)
                if value > best:
                    best = value
                    actions[i] = action

    outcomes = batch.chance_outcomes(0)  # the same for every row while its game runs
    faces = np.array([outcome for outcome, _ in outcomes], np.int8).reshape(-1, max(len(rules.DICE), 1))  # (M, dice)
    probabilities = np.array([probability for _, probability in outcomes], np.float64)  # (M,)
    scratch = batch.games.states[:1].repeat(2)  # two states, for trying plies and throws
    rewards = np.zeros(batch.num_seats)  # (P,), `apply` and `throw` add to it
    actions = np.full(batch.num_games, -1)

    def choose_for_batch() -> np.ndarray[Any, Any]:
        games = batch.games
        choose(games.states, games.variants, games.action_mask, faces, probabilities, scratch, rewards, actions)
        return actions

    return choose_for_batch


def main() -> None:
    """The chooser plays one seat, random players the others. Prints how often it had a positive or negative return."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="acey_ducey-v0", choices=parlour.games())
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="ten games of 50 plies, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")

    num_games = 10 if args.quick else args.games
    options = {"max_plies": 50} if args.quick else {}
    batch = parlour.make_batch(args.game, num_games, seed=args.seed, autoreset="disabled", **options)
    _, infos = batch.reset()
    choose, seats = make_chooser(batch), np.arange(num_games) % batch.num_seats  # the chooser's seat in each game
    returns, over = np.zeros((num_games, batch.num_seats)), np.zeros(num_games, np.bool_)
    while not over.all():
        mine = (infos["to_act"] == seats) & ~over
        _, rewards, terminations, truncations, infos = batch.step(np.where(mine, choose(), batch.sample_actions()))
        returns += rewards
        over = terminations | truncations
    results = returns[np.arange(num_games), seats]
    print(f"{num_games} games of {args.game}: the kernel that looks a ply ahead, against random players")
    print(f"it ended with a gain in {np.count_nonzero(results > 0)}, with a loss in {np.count_nonzero(results < 0)}")


if __name__ == "__main__":
    main()
