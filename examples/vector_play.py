# /// script
# requires-python = ">=3.10"
# dependencies = ["parlour"]
# ///
"""A thousand games in one compiled call: the batch engine with random actions, and how many plies a second it does.

python examples/vector_play.py --games 1024 --steps 1000 --threads 2
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import parlour


def main() -> None:
    """Steps a batch and prints its speed and results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--game", default="swords_and_shields-v0", choices=parlour.games())
    parser.add_argument("--variant", help="a variant's name; the game's first by default")
    parser.add_argument("--games", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--quick", action="store_true", help="20 steps, to see that it runs")
    args = parser.parse_args()

    batch = parlour.make_batch(args.game, args.games, variant=args.variant, seed=args.seed, threads=args.threads)
    batch.reset()
    batch.step(batch.sample_actions())  # what must be compiled is not timed
    returns, gained, finished = np.zeros((args.games, batch.num_seats)), np.zeros(batch.num_seats, np.int64), 0
    steps = 20 if args.quick else args.steps
    began = time.perf_counter()
    for _ in range(steps):
        # The first thing returned is what a network reads: ["observation"] and ["action_mask"], a row a game; the last,
        # the infos, have "to_act", whose turn it is.
        _, rewards, terminations, truncations, _ = batch.step(batch.sample_actions())
        returns += rewards
        over = terminations | truncations  # a new game has begun in these rows already
        finished += np.count_nonzero(over)
        gained += (returns[over] > 0).sum(axis=0)
        returns[over] = 0
    seconds = time.perf_counter() - began
    speed = steps * args.games / seconds
    print(f"{speed:,.0f} plies a second; {finished} games, so many with a gain for each seat: {gained.tolist()}")


if __name__ == "__main__":
    main()
