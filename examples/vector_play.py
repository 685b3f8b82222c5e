# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""A thousand games in one compiled call: the batch engine with random actions, and its plies per second.

python examples/vector_play.py --games 1024 --steps 1000 --threads 2
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import parlour


def main() -> None:
    """Steps a batch, and prints its speed and the results of the games."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="swords_and_shields-v0", choices=parlour.games())
    parser.add_argument("--variant", help="the variant; default: the game's first")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="20 steps, to check that it runs")
    args = parser.parse_args()
    if args.quick:
        print("--quick is a smoke test: its results mean nothing")

    batch = parlour.make_batch(args.game, args.games, variant=args.variant, seed=args.seed, threads=args.threads)
    batch.reset()
    batch.step(batch.sample_actions())  # a warm-up: compiling is not timed
    returns, gained, finished = np.zeros((args.games, batch.num_seats)), np.zeros(batch.num_seats, np.int64), 0
    steps = 20 if args.quick else args.steps
    began = time.perf_counter()
    for _ in range(steps):
        # `step` returns first what a network reads: ["observation"] and ["action_mask"], with one row per game. The
        # infos, which come last, have "to_act": the seat to act in each game.
        _, rewards, terminations, truncations, _ = batch.step(batch.sample_actions())
        returns += rewards
        over = terminations | truncations  # a new game has begun in these rows already
        finished += np.count_nonzero(over)
        gained += (returns[over] > 0).sum(axis=0)
        returns[over] = 0
    seconds = time.perf_counter() - began
    counts = ", ".join(f"player_{seat} {count}" for seat, count in enumerate(gained))
    print(f"{args.games} games of {args.game} side by side: {steps * args.games / seconds:,.0f} plies per second")
    print(f"{finished} games ended, with a gain: {counts}")


if __name__ == "__main__":
    main()
