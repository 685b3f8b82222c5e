"""After-states and turn ends: how many per second on one thread, and how many microseconds for a single position.

They are compared, in the same run, with a slower way to get them: each row is copied to a second batch once for every
legal action (`Batch.copy_rows`), and the copies are stepped. Times are processor time, so other work on the machine has
little influence.

python benchmarks/after_states.py [--game checkers-v0] [--rounds 9]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import click
import numpy as np
from peers import rounds, show
from rich.table import Table

import parlour
from parlour.batch import Batch

NUM_GAMES, PLIES, CALLS = 1024, 60, 200
"""The number of rows; random plies before measuring; calls in a measurement of a single position."""


def rate(call: Callable[[], int]) -> float:
    """Items per second. ``call`` makes some items and returns how many."""
    began = time.process_time()
    made = call()
    return made / (time.process_time() - began)


def microseconds(call: Callable[[], Any]) -> float:
    """Microseconds per call."""
    began = time.process_time()
    for _ in range(CALLS):
        call()
    return (time.process_time() - began) / CALLS * 1e6


def by_copies(batch: Batch, spare: Batch) -> int:
    """Copies a row and steps the copy, for every legal action of every row. Copies are made in blocks of as many as
    ``spare`` has rows. Returns the number of legal actions."""
    row_ids, actions = np.nonzero(batch.games.action_mask)
    places = np.arange(spare.num_games)
    padded = -len(row_ids) % spare.num_games
    row_ids, actions = np.pad(row_ids, (0, padded), "edge"), np.pad(actions, (0, padded), "edge")
    for first in range(0, len(row_ids), spare.num_games):
        part = slice(first, first + spare.num_games)
        spare.copy_rows(batch, row_ids[part], places, streams=False)
        spare.step(actions[part])
    return len(row_ids) - padded


def batch_in_play(game: str, **options: Any) -> Batch:
    """A batch of games after `PLIES` random plies each."""
    batch = parlour.make_batch(game, NUM_GAMES, seed=0, **options)
    batch.reset()
    for _ in range(PLIES):
        batch.step(batch.sample_actions())
    return batch


@click.command()
@click.option("--game", "games", multiple=True, help="Only this game; repeatable. Default: all.")
@click.option("--rounds", "count", default=9, show_default=True)
def main(games: tuple[str, ...], count: int) -> None:
    """Prints medians and ratios."""
    title = f"{NUM_GAMES} rows, one thread, millions a second; median of {count} rounds"
    grid = Table(title=title, title_justify="left")
    headings = ("game", "after-states", "by copy_rows", "×", "turn ends", "one position, µs", "its turn ends, µs")
    for heading in headings:
        grid.add_column(heading, justify="left" if heading == "game" else "right")
    for game in games or parlour.games():
        batch, spare = batch_in_play(game), batch_in_play(game, autoreset="disabled")
        env = parlour.make(game)
        env.reset(seed=0)
        measures = [
            lambda batch=batch: rate(lambda: len(batch.after_states().actions)),
            lambda batch=batch, spare=spare: rate(lambda: by_copies(batch, spare)),
            lambda batch=batch: rate(lambda: len(batch.turn_ends().lengths)),
            lambda env=env: microseconds(env.after_states),
            lambda env=env: microseconds(env.turn_ends),
        ]
        for measure in measures:
            measure()
        states, copied, ends, one, one_turn = rounds(measures, count)
        grid.add_row(
            game, f"{states / 1e6:.1f}", f"{copied / 1e6:.1f}", f"{states / copied:.1f}", f"{ends / 1e6:.1f}",
            f"{one:.1f}", f"{one_turn:.1f}",
        )  # fmt: skip
    show(grid)


if __name__ == "__main__":
    main()
