"""Kinds of players that have names, and the budgets in these names: ``200`` simulations, ``6`` plies, ``0.5s``."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, cast

from parlour.engine.game import Game
from parlour.engine.player import Player
from parlour.support.arguments import is_number, is_whole, shown
from parlour.support.paths import Paths

TEXT = re.compile(r"(?P<count>[0-9]{1,18})|(?P<seconds>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)s")


class NotInForm(ValueError):
    """A text, or a number, by which no player of its kind can be named."""


class PlayerKind:
    """Players named ``KIND`` or ``KIND:text``: one class in one file, entered in `parlour.players.names.KINDS`."""

    KIND: ClassVar[str]
    NAMES: ClassVar[Mapping[str, str]]
    """The names as they may be typed, such as ``mcts:200``, and what each plays. ``FILE``, ``FOLDER`` and ``PLAYER``
    stand for others'. It is what ``parlour players`` prints"""

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> Player:
        """The player with this text (None for ``KIND`` alone), for this game, if it is known. Each path in the text is
        opened where ``paths`` says. NotInForm if no such name is possible, ValueError if it names nothing that there
        is. Here: names of one word."""
        if text is not None:
            raise NotInForm("nothing follows the name")
        return cast(Player, cls())


@dataclass(frozen=True)
class Budget:
    """A number, or a time.

    Attributes:
        count: simulations or plies; None if there is a time.
        seconds: for each ply; None if there is a number.
    """

    count: int | None = None
    seconds: float | None = None

    def __str__(self) -> str:
        """As it stands in a name."""
        return str(self.count) if self.seconds is None else f"{self.seconds:g}s"

    def checked(self, player: str, unit: str, most: int) -> Budget:
        """Itself. NotInForm unless it is a number of ``unit`` from 1 to ``most``, or a time above 0."""
        if (self.count is None) == (self.seconds is None):
            raise NotInForm(f"{player} takes either a number of {unit} or a time")
        if self.seconds is None and not (is_whole(self.count) and 1 <= self.count <= most):
            raise NotInForm(f"{player} takes 1 to {most} {unit}, not {shown(self.count)}")
        if self.count is None and not (is_number(self.seconds) and self.seconds > 0):
            raise NotInForm(f"{player} takes a time above 0 seconds, not {shown(self.seconds)}")
        return self


def find_budget(text: str) -> Budget | None:
    """The budget that a text is; None if it is none."""
    match = TEXT.fullmatch(text)
    if match is None or not math.isfinite(float(match["seconds"] or 0)):
        return None
    return Budget(seconds=float(match["seconds"])) if match["seconds"] else Budget(int(match["count"]))


def read_budget(text: str) -> Budget:
    """`find_budget`. NotInForm if the text is no budget."""
    budget = find_budget(text)
    if budget is None:
        raise NotInForm(f"{text[:80]!r} is no budget" if text else "a budget is missing")
    return budget
