"""Files of many records: where each game stands is found once, and a game is read when it is asked for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from parlour.records.files import find_games, read_games_at, read_text
from parlour.rulebook.protocol import ReadGame, Span

MAX_KEPT = 16
"""How many files' places of games are remembered."""


class Archive:
    """The games of a file of records. ValueError for a file without games or in no form of record, OSError for an
    unreadable one.

    Attributes:
        notes: what a reader should know of the file as a whole.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        status = path.stat()
        self._spans, self.notes = _places(path, Path.cwd(), status.st_mtime_ns, status.st_size)

    def __len__(self) -> int:
        return len(self._spans)

    def read(self, numbers: Iterable[int]) -> Iterator[ReadGame]:
        """The games with these numbers, counted from 1, each by itself. IndexError for a number that there is not."""
        spans = [self._spans[number - 1] for number in numbers]
        content, _ = read_text(self.path)
        return read_games_at(content, str(self.path), self.path.suffix, spans)


def read_selected(path: Path, number: int | None) -> tuple[list[ReadGame], list[str]]:
    """The games of a file, or only the one with the ``number``, and notes on the file. ValueError if there is none."""
    archive = Archive(path)
    if number is not None and number > len(archive):
        raise ValueError(f"{path} has {len(archive)} games; there is no game {number}")
    return list(archive.read(range(1, len(archive) + 1) if number is None else [number])), archive.notes


@lru_cache(MAX_KEPT)
def _places(path: Path, folder: Path, changed: int, size: int) -> tuple[list[Span], list[str]]:
    """Where the games of a file are, and notes on it. ``folder``: from which the path leads; ``changed``: when the file
    was changed last, in nanoseconds."""
    content, notes = read_text(path)
    return find_games(content, str(path), path.suffix), notes
