"""The batch engine on two threads and on one, while other processes use the processors: plies per second.

Each busy process runs an endless loop. The first one is pinned to the last processor, as another user's program might
be; the second may run on any processor. "With help always" is the speed of two threads when the helper thread is used
in every call: see `parlour.engine.pace`. Run it on a machine that is otherwise idle.

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
    """A pace that uses helpers in every call."""

    def begin(self) -> tuple[bool, float]:
        """See `Pace.begin`."""
        return True, 0.0


class AlwaysPaces(dict[object, Pace]):
    """The paces of a pool that uses helpers in every call."""

    def get(self, call: object, default: object = None) -> Pace:  # type: ignore[override]
        """The same for every call."""
        return Always()


@contextmanager
def busy_processes(count: int) -> Iterator[None]:
    """Runs ``count`` processes with an endless loop each."""
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
    """Plies per second of ``step(sample_actions())``, in wall-clock time."""
    began, steps = time.perf_counter(), 0
    while time.perf_counter() - began < seconds:
        for _ in range(8):
            batch.step(batch.sample_actions())
        steps += 8
    return steps * batch.num_games / (time.perf_counter() - began)


def warm_batch(game: str, num_games: int, threads: int, always: bool = False) -> Batch:
    """A batch after a warm-up: its code is compiled. ``always``: whether helpers are used in every call."""
    batch = parlour.make_batch(game, num_games, seed=0, threads=threads)
    if always:
        batch.games._pool._paces = AlwaysPaces()
    batch.reset()
    plies_a_second(batch, 0.5)
    return batch


@click.command()
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--seconds", default=0.5, show_default=True, help="Seconds of each measurement.")
@click.option("--games", "num_games", default=1024, show_default=True)
@click.option("--game", "game_ids", multiple=True, help="Only these games.")
def main(count: int, seconds: float, num_games: int, game_ids: tuple[str, ...]) -> None:
    """Prints plies per second (medians) and ratios. All figures of a line are from the same rounds."""
    load = ", ".join(f"{part:.1f}" for part in os.getloadavg()) if hasattr(os, "getloadavg") else "unknown"
    title = f"{num_games} games, median of {count} rounds; load before: {load}, processors: {os.cpu_count()}"
    grid = Table(title=title, title_justify="left")
    for heading in ("game", "busy processes", "one thread", "two threads ×", "with help always ×"):
        grid.add_column(heading, justify="left" if heading == "game" else "right")
    for game in game_ids or parlour.games():
        batches = [
            warm_batch(game, num_games, 1), warm_batch(game, num_games, 2), warm_batch(game, num_games, 2, always=True)
        ]  # fmt: skip
        for busy in (0, 1, 2):
            with busy_processes(busy):
                measures = [lambda batch=batch: plies_a_second(batch, seconds) for batch in batches]
                one, two, always = rounds(measures, count)
            grid.add_row(game, str(busy), f"{one:,.0f}", f"{two / one:.2f}", f"{always / one:.2f}")
    show(grid)


if __name__ == "__main__":
    main()
