"""A weaker form of any player: `Blundering` plays some of its plies at random. So there are opponents of every strength
between `random` and the strongest player, as fast as that player."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.player import Considering, Estimating, Player, max_rows_of
from parlour.engine.view import GamesView


class Blundering:
    """Plays a legal action, uniformly at random, in a share of its plies, and else what another player chooses."""

    deterministic = False

    def __init__(self, percent: int, player: Player) -> None:
        """``percent``: of its plies, on average, that are random, 1 to 99; ``player``: what it plays otherwise."""
        self.percent, self.player = percent, player
        self.name = f"blunder:{percent}:{player.name}"
        self.identity: dict[str, str] = dict(getattr(player, "identity", {}))
        self._asked = np.zeros(0, np.bool_)

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, to limit memory."""
        return max_rows_of(self.player)

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
