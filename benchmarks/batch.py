"""The batch engine of every game: plies per second with observations, masks and sampled actions, on one thread and two.

Compared, in the same run, with PettingZoo's connect_four_v3.env() and with the time that it takes to write the outputs
alone.

python benchmarks/batch.py [--game agon-v0] [--num-games 65536] [--rounds 9] [--plies 1000000]
"""

from __future__ import annotations

import time

import click
import numpy as np
from peers import aec_loop, by_numpy, rounds, show
from pettingzoo.classic import connect_four_v3
from rich.table import Table

import parlour
from parlour.batch import Batch


def batch_loop(batch: Batch, plies: int) -> float:
    """Plies per second of ``step(sample_actions())``, after a warm-up. On one thread it uses processor time, so that
    other work on the machine has little influence."""
    clock = time.thread_time if batch.games.threads == 1 else time.perf_counter
    for _ in range(20):
        batch.step(batch.sample_actions())
    steps = max(plies // batch.num_games, 1)
    began = clock()
    for _ in range(steps):
        batch.step(batch.sample_actions())
    return steps * batch.num_games / (clock() - began)


def filling(batch: Batch, plies: int) -> float:
    """Plies per second if a step only filled mask and observation with one number, without any rules."""
    outputs = [np.zeros_like(batch.games.masks), np.zeros_like(batch.games.planes)]
    steps = max(plies // batch.num_games, 1)
    began = time.perf_counter()
    for step in range(steps):
        for array in outputs:
            array.fill(step & 1)
    return steps * batch.num_games / (time.perf_counter() - began)


@click.command()
@click.option("--game", "games", multiple=True, help="Only this game; repeatable. Default: all.")
@click.option(
    "--num-games",
    "sizes",
    multiple=True,
    type=click.IntRange(min=1),
    default=(1024, 8192),
    show_default=True,
    help="The number of games in the batch; repeatable.",
)
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--plies", default=1_000_000, show_default=True)
def main(games: tuple[str, ...], sizes: tuple[int, ...], count: int, plies: int) -> None:
    """Prints plies per second (medians) and ratios."""
    grid = Table(title=f"Batch, plies a second, median of {count} rounds of {plies}", title_justify="left")
    headings = (
        "game", "variant", "games", "one thread", "ns a ply", "outputs alone, ns", "× connect four", "two threads ×",
        "bytes a game",
    )  # fmt: skip
    for heading in headings:
        grid.add_column(heading, justify="left" if heading in ("game", "variant") else "right")
    four = connect_four_v3.env()
    for game in games or parlour.games():
        for variant in parlour.variants(game):
            for num_games in sizes:
                one, two = (
                    parlour.make_batch(game, num_games, variant=variant, seed=0, threads=threads) for threads in (1, 2)
                )
                for batch in (one, two):
                    batch.reset()
                    batch_loop(batch, plies // 4)
                measures = [
                    lambda: aec_loop(four, 1000, by_numpy),
                    lambda one=one: batch_loop(one, plies),
                    lambda two=two: batch_loop(two, plies),
                    lambda one=one: filling(one, plies),
                ]
                slow, single, double, fill = rounds(measures, count)
                grid.add_row(
                    game, variant, str(num_games), f"{single:,.0f}", f"{1e9 / single:.0f}", f"{1e9 / fill:.0f}",
                    f"{single / slow:.0f}", f"{double / single:.2f}", str(one.games.states.itemsize),
                )  # fmt: skip
    show(grid)


if __name__ == "__main__":
    main()
