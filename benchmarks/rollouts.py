"""Rollouts from each row: plies per second by `Batch.rollouts`, and by stepping the batch, in the same run.

One thread. Times are processor time, so other work on the machine has little influence.

python benchmarks/rollouts.py [--game checkers-v0] [--rounds 9]
"""

from __future__ import annotations

import time

import click
from peers import rounds, show
from rich.table import Table

import parlour
from parlour.batch import Batch

NUM_GAMES, PLIES, MIN_SECONDS = 1024, 20, 0.2
"""The number of rows; random plies before measuring; the least seconds of a measurement."""


def stepping(batch: Batch) -> float:
    """Plies per second of ``step(sample_actions())``."""
    began, plies = time.process_time(), 0
    while (spent := time.process_time() - began) < MIN_SECONDS:
        batch.step(batch.sample_actions())
        plies += batch.num_games
    return plies / spent


def rolling(batch: Batch, policy: str) -> float:
    """Plies per second of `Batch.rollouts`."""
    began, plies = time.process_time(), 0
    while (spent := time.process_time() - began) < MIN_SECONDS:
        plies += int(batch.rollouts(policy).plies.sum())
    return plies / spent


@click.command()
@click.option("--game", "games", multiple=True, help="Only this game; repeatable. Default: all.")
@click.option("--rounds", "count", default=9, show_default=True)
def main(games: tuple[str, ...], count: int) -> None:
    """Prints medians and ratios."""
    title = f"{NUM_GAMES} rows, one thread, millions of plies a second; median of {count} rounds"
    grid = Table(title=title, title_justify="left")
    for heading in ("game", "stepping", "random roll-outs", "×", "greedy roll-outs"):
        grid.add_column(heading, justify="left" if heading == "game" else "right")
    for game in games or parlour.games():
        batch = parlour.make_batch(game, NUM_GAMES, seed=0)
        batch.reset()
        for _ in range(PLIES):
            batch.step(batch.sample_actions())
        measures = [
            lambda batch=batch: stepping(batch),
            lambda batch=batch: rolling(batch, "random"),
            lambda batch=batch: rolling(batch, "greedy"),
        ]
        for measure in measures:
            measure()
        stepped, rolled, greedy = (rate / 1e6 for rate in rounds(measures, count))
        grid.add_row(game, f"{stepped:.2f}", f"{rolled:.2f}", f"{rolled / stepped:.2f}", f"{greedy:.2f}")
    show(grid)


if __name__ == "__main__":
    main()
