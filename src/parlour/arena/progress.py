"""The progress bar of runs, and what is said when one is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from parlour.arena.fixtures import Played
from parlour.arena.journal import count_kept


@contextmanager
def progress_bar(*columns: ProgressColumn, shown: bool | None = None) -> Iterator[Progress]:
    """A bar on standard error; rich's own columns by default. ``shown``: whether it is drawn; None: if that is a
    terminal."""
    drawn = sys.stderr.isatty() if shown is None else shown
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not drawn)
    with nullcontext() if bar.disable else bar:  # rich before 15 ends one that is disabled with an empty line
        yield bar


class Watch:
    """A progress bar of a run: to be called with finished games."""

    def __init__(self, bar: Progress, games: int) -> None:
        """``games``: how many the run has at most."""
        self._bar, self._task = bar, bar.add_task("games", total=games)

    def __call__(self, played: list[Played]) -> None:
        """Some games have finished."""
        self._bar.advance(self._task, len(played))

    def say(self, text: str) -> None:
        """Shows a text before the bar."""
        self._bar.update(self._task, description=text)


@contextmanager
def watched(games: int, folder: Path | None, shown: bool | None = None) -> Iterator[Watch]:
    """A progress bar with the time left, to be told of finished games. Ctrl-C then says what is kept in ``folder``."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with progress_bar(*columns, shown=shown) as bar:
        try:
            yield Watch(bar, games)
        except KeyboardInterrupt:
            raise KeyboardInterrupt(f"interrupted; {_kept(games, folder)}") from None


def _kept(games: int, folder: Path | None) -> str:
    """What is left of a run that was stopped, as its journal has it: the bar is told of a game only after that."""
    if folder is None:
        return "nothing is kept without a folder"
    return f"{count_kept(folder)} of {games} games are kept in {folder}; rerun to resume"
