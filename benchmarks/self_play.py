"""Self-play of every game: steps of the learner per second with sampled actions, on one thread and two.

The opponents are built-in ones, and a Python function. Compared, in the same run, with a single `SelfPlayEnv` and with
the plies of the batch engine.

python benchmarks/self_play.py [--rounds 9] [--steps 300000] [--games 1024]
"""

from __future__ import annotations

import time

import click
import numpy as np
from numpy.typing import NDArray
from peers import batch_loop, in_play, rounds, rounds_option, show, table

import parlour
from parlour.wrappers import SelfPlayEnv, SelfPlayVectorEnv


def single_loop(env: SelfPlayEnv, steps: int) -> float:
    """Steps of the learner per second in a single environment."""
    generator = np.random.default_rng(0)
    observation, _ = env.reset(seed=0)
    began = time.perf_counter()
    for _ in range(steps):
        legal = observation["action_mask"].nonzero()[0]
        observation, _, terminated, truncated, _ = env.step(legal[int(generator.random() * len(legal))])
        if terminated or truncated:
            observation, _ = env.reset()
    return steps / (time.perf_counter() - began)


def first_legal(observation: NDArray[np.int8], mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """The cheapest opponent that is a Python function: the first legal action of each row."""
    return mask.argmax(axis=1)


@click.command()
@rounds_option(9)
@click.option("--steps", default=300_000, show_default=True)
@click.option("--games", "num_games", default=1024, show_default=True)
def main(count: int, steps: int, num_games: int) -> None:
    """Prints steps of the learner per second (medians) and ratios."""
    grid = table(
        f"Self-play, {num_games} games, learner's steps a second, median of {count} rounds of {steps}",
        "game", "opponent", "one thread", "ns a step", "batch, ns a ply", "two threads ×", "one SelfPlayEnv",
    )  # fmt: skip
    for game in parlour.games():
        batch = in_play(game, num_games, 0)
        for opponent in ("random", "greedy", first_legal):
            alone, double = (
                SelfPlayVectorEnv(game, num_games, opponent, seed=0, threads=threads) for threads in (1, 2)
            )
            single = SelfPlayEnv(parlour.make(game), opponent)
            for env in (alone, double):
                env.reset()
                batch_loop(env, steps // 4)
            measures = [
                lambda env=alone: batch_loop(env, steps),
                lambda env=double: batch_loop(env, steps),
                lambda batch=batch: batch_loop(batch, steps),
                lambda single=single: single_loop(single, 500),
            ]
            one_thread, two_threads, plies, single_env = rounds(measures, count)
            grid.add_row(
                game, getattr(opponent, "__name__", opponent), f"{one_thread:,.0f}",
                f"{1e9 / one_thread:.0f}", f"{1e9 / plies:.0f}", f"{two_threads / one_thread:.2f}",
                f"{single_env:,.0f}",
            )  # fmt: skip
    show(grid)


if __name__ == "__main__":
    main()
