"""What the commands that play many games share: who plays, where it is written down, the progress bar, Ctrl-C."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import Any, TypeVar

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from parlour.arena.cluster import LOCAL, Cluster
from parlour.arena.journal import count_kept
from parlour.arena.playing import Threads, Told, Workers
from parlour.cli.common import thread_count

Function = TypeVar("Function", bound=Callable[..., Any])


def worker_options(command: Function) -> Function:
    """``--threads`` and ``--ray``: see `workers_of`."""
    threads = click.option(
        "--threads", type=thread_count, help="Threads; one a core by default. Results do not change."
    )
    ray = click.option(
        "--ray",
        is_flag=False,
        flag_value=LOCAL,
        metavar="[ADDRESS]",
        help="Play on a Ray cluster (a local one by default).",
    )
    return threads(ray(command))


def workers_of(threads: int | None, ray: str | None) -> Workers:
    """Who plays. ValueError for both at once, or for a cluster that is not there."""
    if threads is not None and ray is not None:
        raise ValueError("--threads and --ray can't be given together")
    return Threads(threads) if ray is None else Cluster(ray)


@contextmanager
def progress_bar(*columns: ProgressColumn) -> Iterator[Progress]:
    """A bar on standard error, drawn where that is a terminal; rich's own columns by default."""
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
    with nullcontext() if bar.disable else bar:  # rich before 15 ends one that is disabled with an empty line
        yield bar


@contextmanager
def watched(games: int, folder: Path | None) -> Iterator[Told]:
    """A bar with the time left, moved on by what is given. Ctrl-C then says what is kept in ``folder``."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with progress_bar(*columns) as bar:
        task = bar.add_task("games", total=games)
        try:
            yield lambda played: bar.advance(task, len(played))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted; {_kept(games, folder)}") from None


def _kept(games: int, folder: Path | None) -> str:
    """What is left of a run that was stopped. Its journal knows: the bar hears of a game only after it is written."""
    if folder is None:
        return "nothing is kept without --out"
    return f"{count_kept(folder)} of {games} games are kept in {folder}; the same command goes on from there"
