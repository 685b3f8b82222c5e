# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""Many variants of one game in one run: each episode has its own variant, chosen by weights or by a curriculum.

python examples/choose_variants.py --game agon-v0 --games 2000

A batch draws a variant for every new game; its infos have the variant of each row. The wrapper VariantSelector does the
same for a single environment. Extra planes show the variant, so that one network can learn all of them.
"""

from __future__ import annotations

import argparse
import textwrap
from collections import Counter

import numpy as np

import parlour
from parlour.wrappers import VariantSelector


def count_by_variant(game: str, names: list[str], games: int, seed: int) -> None:
    """Plays one random game in each row of a batch. Prints the results for each variant.

    With ``autoreset="disabled"`` a row stops when its game is over. (If rows began new games until a number of games
    had ended, variants with short games would be counted too often.)
    """
    batch = parlour.make_batch(game, games, variant=names, variant_planes="options", seed=seed, autoreset="disabled")
    seen, infos = batch.reset()
    print(f"{game}: int8 {seen['observation'].shape[1:]} with the planes that show the variant")
    variant, over = infos["variant"].copy(), np.zeros(games, np.bool_)
    plies, returns = np.zeros(games, np.int64), np.zeros((games, batch.num_seats))
    while not over.all():
        plies[~over] += 1
        _, rewards, terminations, truncations, _ = batch.step(batch.sample_actions())
        returns[~over] += rewards[~over]
        over = terminations | truncations
    print(f"{'variant':<24}{'games':>7}{'plies a game':>14}  games with a gain, by seat")
    for k, name in enumerate(names):
        rows = variant == k
        if rows.any():
            shares = " ".join(f"{share:6.1%}" for share in (returns[rows] > 0).mean(axis=0))
            print(f"{name:<24}{rows.sum():>7}{plies[rows].mean():>14.1f}  {shares}")


def follow_a_curriculum(game: str, names: list[str], episodes: int, seed: int) -> None:
    """Runs an environment that plays only the first variant in its first half of episodes, then all variants."""
    first = [1.0] + [0.0] * (len(names) - 1)
    schedule = {0: first, episodes // 2: [1.0] * len(names)}
    env = VariantSelector(parlour.make(game, max_plies=200), names, schedule=schedule)
    halves = [Counter(), Counter()]
    for episode in range(episodes):
        env.reset(seed=seed if episode == 0 else None)
        halves[episode >= episodes // 2][env.labels[env.infos["player_0"]["variant"]]] += 1
    for half, played in zip(("first", "second"), halves):
        counts = ", ".join(f"{name} {played[name]}" for name in names if played[name])
        print(textwrap.fill(f"{half} half of {episodes} episodes: {counts}", 80, subsequent_indent="  "))


def main() -> None:
    """Shows a batch with variants, and a curriculum."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="agon-v0", choices=parlour.games())
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="40 games, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")

    names = list(parlour.variants(args.game))
    count_by_variant(args.game, names, 40 if args.quick else args.games, args.seed)
    follow_a_curriculum(args.game, names, 20 if args.quick else 200, args.seed)


if __name__ == "__main__":
    main()
