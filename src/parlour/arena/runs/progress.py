"""The progress bar of runs, and the message when a run is interrupted."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn

from parlour.arena.runs.journal import count_kept
from parlour.arena.setting.game_specs import OnPlayed, Played


@contextmanager
def progress_bar(*columns: ProgressColumn, shown: bool | None = None) -> Iterator[Progress]:
    """A bar on standard error, by default with rich's own columns. ``shown``: whether it is drawn; None: only if
    standard error is a terminal."""
    drawn = sys.stderr.isatty() if shown is None else shown
    bar = Progress(*columns, console=Console(stderr=True), transient=True, disable=not drawn)
    with nullcontext() if bar.disable else bar:  # rich before 15 ends one that is disabled with an empty line
        yield bar


class RunProgress:
    """A progress bar of a run. Call it with finished games."""

    def __init__(self, bar: Progress, games: int, on_played: OnPlayed) -> None:
        """``games``: the largest number of games that the run can have; ``on_played`` is called with them, too."""
        self._bar, self._task = bar, bar.add_task("games", total=games)
        self._on_played = on_played

    def __call__(self, played: list[Played]) -> None:
        """Some games have finished."""
        self._bar.advance(self._task, len(played))
        self._on_played(played)

    def describe(self, text: str) -> None:
        """Shows a text in front of the bar."""
        self._bar.update(self._task, description=text)


@contextmanager
def run_progress(
    games: int, folder: Path | None, shown: bool | None = None, on_played: OnPlayed = lambda played: None
) -> Iterator[RunProgress]:
    """A progress bar with the time left. After Ctrl-C the error message says how many games ``folder`` has."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("left:"),
        TimeRemainingColumn(),
    )
    with progress_bar(*columns, shown=shown) as bar, saying_what_is_kept(folder, f" of {games}"):
        yield RunProgress(bar, games, on_played)


@contextmanager
def saying_what_is_kept(folder: Path | None, of: str = "") -> Iterator[None]:
    """After Ctrl-C the error message says how many games ``folder`` has, ``of`` how many. The journal is counted, since
    a bar can lag behind it."""
    try:
        yield
    except KeyboardInterrupt:
        kept = f"{count_kept(folder)}{of} games are kept in {folder}; rerun to resume" if folder else ""
        raise KeyboardInterrupt(f"interrupted; {kept or 'nothing is kept without a folder'}") from None
