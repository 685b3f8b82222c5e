"""Two threads beside one while other processes want the processors: plies a second of the batch engine.

Each busy process counts and nothing else; the first is kept on the last processor, as somebody else's program would
be, the second is free to go anywhere. "With help always" is what two threads reach when the calling thread never does
without its helper: see `parlour.engine.pace`. Run it on a machine that is idle otherwise.

python benchmarks/busy_machine.py [--rounds 9] [--seconds 0.5] [--games 1024] [--game checkers-v0]
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click
from peers import rounds, show
from rich.table import Table

import parlour
from parlour.batch import Batch
from parlour.engine.pace import Pace

BUSY = "while True: pass"


class Always(Pace):
    """Help, whatever it costs."""

    def begin(self) -> tuple[bool, float]:
        """See `Pace.begin`."""
        return True, 0.0


class AlwaysPaces(dict[object, Pace]):
    """What a pool that never does without help goes by."""

    def get(self, call: object, default: object = None) -> Pace:  # type: ignore[override]
        """The same for every call."""
        return Always()


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Processes that do nothing but count."""
    started = [subprocess.Popen([sys.executable, "-c", BUSY]) for _ in range(count)]
    try:
        if started and hasattr(os, "sched_setaffinity"):
            os.sched_setaffinity(started[0].pid, {max(os.sched_getaffinity(0))})
        time.sleep(0.3 if started else 0)
        yield
    finally:
        for process in started:
            process.kill()
            process.wait()


def plies_a_second(batch: Batch, seconds: float) -> float:
    """Of ``step(sample_actions())``, by the clock on the wall."""
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        for _ in range(8):
            batch.step(batch.sample_actions())
        steps += 8
    return steps * batch.num_games / (time.perf_counter() - began)


def begun(game: str, num_games: int, threads: int, always: bool = False) -> Batch:
    """A batch whose caches are warm and whose code is compiled."""
    batch = parlour.make_batch(game, num_games, seed=0, threads=threads)
    if always:
        batch.games._pool._paces = AlwaysPaces()
    batch.reset()
    plies_a_second(batch, 0.5)
    return batch


@click.command()
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--seconds", default=0.5, show_default=True, help="Of each measurement.")
@click.option("--games", "num_games", default=1024, show_default=True)
@click.option("--game", "game_ids", multiple=True, help="Only these games.")
def main(count: int, seconds: float, num_games: int, game_ids: tuple[str, ...]) -> None:
    """Prints ratios of medians, all of a line from the same rounds."""
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    title = f"{num_games} games, median of {count} rounds; load before: {load}, processors: {os.cpu_count()}"
    grid = Table(title=title, title_justify="left")
    for heading in ("game", "busy processes", "one thread", "two threads ×", "with help always ×"):
        grid.add_column(heading, justify="left" if heading == "game" else "right")
    for game in game_ids or parlour.games():
        batches = [begun(game, num_games, 1), begun(game, num_games, 2), begun(game, num_games, 2, always=True)]
        for busy in (0, 1, 2):
            with busy_processes(busy):
                measures = [lambda batch=batch: plies_a_second(batch, seconds) for batch in batches]
                one, two, always = rounds(measures, count)
            grid.add_row(game, str(busy), f"{one:,.0f}", f"{two / one:.2f}", f"{always / one:.2f}")
    show(grid)


if __name__ == "__main__":
    main()
