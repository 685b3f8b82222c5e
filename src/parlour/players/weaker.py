"""Weaker forms of other players. `Blundering` plays some of its plies at random, so there are opponents of every
strength between `random` and the strongest player, as fast as that player."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.player import Considering, Estimating, Player, max_rows_of
from parlour.engine.view import GamesView
from parlour.players.kind import NotInForm, PlayerKind


class Weaker(PlayerKind):
    """Players named ``KIND:NUMBER:PLAYER``: another player, and by a number how much weaker."""

    deterministic = False

    def __init__(self, number: float, player: Player) -> None:
        """``number``: as it stands in the name; ``player``: the one that is weakened. NotInForm for a number, or a
        player, that it can't take."""
        self.player: Any = player
        self.name = f"{self.KIND}:{number:g}:{player.name}"
        self.identity: dict[str, str] = dict(getattr(player, "identity", {}))

    @classmethod
    def read_number(cls, text: str) -> float:
        """The number of a name. NotInForm for a text that is none."""
        raise NotImplementedError

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, to limit memory."""
        return max_rows_of(self.player)


class Blundering(Weaker):
    """Plays a legal action, uniformly at random, in a share of its plies, and else what another player chooses."""

    KIND, NAMES = "blunder", {
        "blunder:20:PLAYER": "another player, with 20 % of its plies at random: opponents of every strength"
    }  # fmt: skip

    def __init__(self, percent: float, player: Player) -> None:
        """``percent``: of its plies, on average, that are random, 1 to 99; ``player``: what it plays otherwise."""
        super().__init__(percent, player)
        self.percent = int(percent)
        self._asked = np.zeros(0, np.bool_)

    @classmethod
    def read_number(cls, text: str) -> float:
        """See `Weaker`."""
        if not (text.isascii() and text.isdecimal() and 1 <= int(text) <= 99):
            raise NotInForm("it takes 1 to 99 percent and a player")
        return int(text)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        rows = row_mask.nonzero()[0]
        blunders = np.zeros_like(row_mask)
        blunders[rows] = view.random_numbers(rows) < self.percent / 100
        if blunders.any():
            view.sample(blunders, actions)
        self._asked = row_mask & ~blunders
        if self._asked.any():
            self.player.choose(view, self._asked, actions)

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """See `parlour.players.Estimating`: by the other player; NaN where it was not asked, or can't say it."""
        values = np.full((view.num_games, view.num_seats), np.nan)
        if self._asked.any() and isinstance(self.player, Estimating):
            values[self._asked] = self.player.values(view)[self._asked]
        return values

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """What the other player thinks; see `parlour.players.Considering`. ValueError if that can't say it."""
        only(view, row)
        if not isinstance(self.player, Considering):
            raise ValueError(f"player {self.player.name!r} can't say what it thinks of a position")
        return self.player.consider(view, row)
