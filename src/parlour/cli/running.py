"""What the commands that play many games share: workers, openings, the folder, the progress bar, Ctrl-C."""

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
from parlour.arena.openings import AUTO
from parlour.arena.playing import OnPlayed, Threads, Workers
from parlour.cli.common import thread_count

Function = TypeVar("Function", bound=Callable[..., Any])


openings_option = click.option(
    "--openings",
    default=AUTO,
    show_default=True,
    metavar="OPENINGS",
    help="How games begin: none, random:PLIES, a file of positions, or auto: random:8 between players without chance.",
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder that keeps every game; rerun to resume, also with more games.",
)


def worker_options(command: Function) -> Function:
    """``--threads`` and ``--ray``: see `workers_of`."""
    threads = click.option("--threads", type=thread_count, help="One per core by default. Results do not change.")
    ray = click.option(
        "--ray",
        is_flag=False,
        flag_value=LOCAL,
        metavar="[ADDRESS]",
        help="Play on a Ray cluster (a local one by default).",
    )
    return threads(ray(command))


def workers_of(threads: int | None, ray: str | None) -> Workers:
    """The workers. ValueError for both at once, or for a cluster that does not answer."""
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
def watched(games: int, folder: Path | None) -> Iterator[OnPlayed]:
    """A progress bar with the time left. Gives a function to be told of finished games, which moves it on. Ctrl-C then
    says what is kept in ``folder``."""
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
    """What is left of a run that was stopped, as its journal has it: the bar is told of a game only after that."""
    if folder is None:
        return "nothing is kept without --out"
    return f"{count_kept(folder)} of {games} games are kept in {folder}; rerun to resume"
