"""A recorded game as plain data. `parlour.records` reads and writes records, plays them again and shows them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import MISSING, dataclass, field, fields
from importlib.metadata import version
from pathlib import Path
from typing import Protocol, TypeAlias

from parlour.rulebook.options import Value

VERSION = version("parlour")
"""Of this package: read once, since that means reading its metadata."""
ThoughtEntries: TypeAlias = dict[str, float | list[str | list[str | float]] | None]
"""See `parlour.records.replaying.thought_entries`."""
WrittenOptions: TypeAlias = dict[str, Value | list[Value]]
"""What a file of records may have as option values: a game refuses a list by the option's name."""
RESULTS = {"1-0": (1.0, -1.0), "0-1": (-1.0, 1.0), "1/2-1/2": (0.0, 0.0), "0-0": (-1.0, -1.0)}
"""Words for results of two seats, the first one's first: won, lost, drawn, lost by both."""


def seat_names(players: object, agents: Sequence[str]) -> list[str]:
    """The names of the players of all seats, which are those of the ``agents`` if None are given. ValueError for
    anything but a text per seat."""
    names = agents if players is None else players
    listed = [] if isinstance(names, str) or not isinstance(names, Sequence) else list(names)
    if len(listed) != len(agents) or not all(isinstance(name, str) for name in listed):
        raise ValueError(f"players must be {len(agents)} texts, one per seat, not {players!r}")
    return listed


@dataclass(frozen=True)
class GameRecord:
    """One game.

    Attributes:
        game: the id, such as ``"agon-v0"``.
        parlour: the version of this package that wrote it.
        variant: the variant's name.
        options: the value of every option.
        seed: the environment's seed, which reproduces the dice; None for a game that was begun without one, as a
            further game of the same environment.
        players: the name of each seat's player.
        moves: the names of all actions, in order. A file may have whole turns as well, such as ``8/5 6/5``.
        returns: each seat's sum of rewards.
        end: how it ended.
        position: the text of its first position; empty for a new game.
        dice: all throws, in order, including those before the first ply; None in a game without dice, or if the seed
            is to produce them.
        thoughts: for each ply what its player thought, as `thought_entries` writes it, or None where it could not say;
            None if nothing was recorded.
        tags: what the file that the game was read from says of it, such as ``Event``, ``Date`` and ``Result``; empty
            for a game that was played here.
        comments: what that file says of the game's course: a text by the number of plies before it.
    """

    game: str
    parlour: str
    variant: str
    options: dict[str, Value]
    seed: int | None
    players: list[str]
    moves: list[str]
    returns: list[float]
    end: str
    position: str = ""
    dice: list[list[int]] | None = None
    thoughts: list[ThoughtEntries | None] | None = None
    tags: dict[str, str] = field(default_factory=dict)
    comments: dict[int, str] = field(default_factory=dict)

    def told(self) -> str:
        """The result that the file tells, one of `RESULTS`; empty if it tells none, or not of two seats."""
        word = self.tags.get("Result", "")
        return word if word in RESULTS and len(self.players) == 2 else ""

    def result(self) -> list[float] | None:
        """Each seat's result, to learn from or to count: what the file tells (1 won, 0 drawn, −1 lost), as most games
        between people end before the rules end them; else the returns by the rules; None for a game that has not ended
        and of which no result is told."""
        if self.told():
            return list(RESULTS[self.told()])
        return list(self.returns) if self.end else None

    def line(self) -> str:
        """The record as JSON in one line; all that follows ``end`` is left out where it is empty."""
        fields = {name: value for name, value in vars(self).items() if name in REQUIRED or value}
        return json.dumps(fields, ensure_ascii=False)

    def append_to(self, path: Path) -> None:
        """Appends the record to a file as a line, in one write, so that others may append too. OSError if it fails."""
        line = (self.line() + "\n").encode()
        file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        try:
            written = os.write(file, line)
        finally:
            os.close(file)
        if written < len(line):
            raise OSError(f"{path}: only {written} of {len(line)} bytes of a record could be written")

    def html(self) -> str:
        """The game as one HTML page (see `parlour.records.page`). ValueError if the record contradicts the rules."""
        return _PAGES[0]().replay_page([self])

    def _repr_html_(self) -> str:
        return _PAGES[0]().replay_frame(self)


REQUIRED = [each.name for each in fields(GameRecord) if each.default is MISSING and each.default_factory is MISSING]


class Pages(Protocol):
    """What draws records as HTML. It plays games again, so it stands above environments, and is handed down here."""

    def replay_page(self, records: Sequence[GameRecord]) -> str:
        """A whole page."""

    def replay_frame(self, record: GameRecord) -> str:
        """A frame within the page of a notebook."""


_PAGES: list[Callable[[], Pages]] = []


def draw_pages_with(pages: Callable[[], Pages]) -> None:
    """Says what draws records. ``pages`` is called at the first page."""
    _PAGES[:] = [pages]
