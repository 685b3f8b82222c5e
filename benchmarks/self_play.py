"""Self-play of every game: steps of the learner per second with sampled actions, on one thread and two.

The opponents are built-in ones, and a Python function. Compared, in the same run, with a single `SelfPlayEnv` and with
the plies of the batch engine.

python benchmarks/self_play.py [--rounds 9] [--steps 300000] [--games 1024]
"""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray
from peers import rounds, show
from rich.table import Table

import parlour
from parlour.wrappers import SelfPlayEnv, SelfPlayVectorEnv


def vector_loop(env: Any, steps: int) -> float:
    """Steps per second of ``step(sample_actions())``, counted over all rows, of a batch or a `SelfPlayVectorEnv`."""
    calls = max(steps // env.num_envs, 1)
    began = time.perf_counter()
    for _ in range(calls):
        env.step(env.sample_actions())
    return calls * env.num_envs / (time.perf_counter() - began)


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
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--steps", default=300_000, show_default=True)
@click.option("--games", "num_games", default=1024, show_default=True)
def main(count: int, steps: int, num_games: int) -> None:
    """Prints steps of the learner per second (medians) and ratios."""
    title = f"Self-play, {num_games} games, learner's steps a second, median of {count} rounds of {steps}"
    grid = Table(title=title, title_justify="left")
    for heading in (
        "game",
        "opponent",
        "one thread",
        "ns a step",
        "batch, ns a ply",
        "two threads ×",
        "one SelfPlayEnv",
    ):
        grid.add_column(heading, justify="left" if heading in ("game", "opponent") else "right")
    for game in parlour.games():
        batch = parlour.make_batch(game, num_games, seed=0)
        batch.reset()
        for opponent in ("random", "greedy", first_legal):
            one, two = (SelfPlayVectorEnv(game, num_games, opponent, seed=0, threads=threads) for threads in (1, 2))
            single = SelfPlayEnv(parlour.make(game), opponent)
            for env in (one, two):
                env.reset()
                vector_loop(env, steps // 4)
            measures = [
                lambda one=one: vector_loop(one, steps),
                lambda two=two: vector_loop(two, steps),
                lambda batch=batch: vector_loop(batch, steps),
                lambda single=single: single_loop(single, 500),
            ]
            alone, double, plies, by_itself = rounds(measures, count)
            grid.add_row(
                game, getattr(opponent, "__name__", opponent), f"{alone:,.0f}", f"{1e9 / alone:.0f}",
                f"{1e9 / plies:.0f}", f"{double / alone:.2f}", f"{by_itself:,.0f}",
            )  # fmt: skip
    show(grid)


if __name__ == "__main__":
    main()
