"""Built-in players, for every game, through its rule kernels: each chooses for all its rows in one call."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.engine.view import GamesView, table_of


class Random:
    """A legal action, uniformly at random."""

    name = "random"
    deterministic = False

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        view.sample(row_mask, actions)


class Greedy:
    """The action that scores highest one ply ahead by the game's ``evaluation.py``; ties are broken uniformly at
    random."""

    name = "greedy"
    deterministic = False

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        table_of(view).greedy(actions, row_mask)


class OnePly:
    """A player of one game alone, from its ``evaluation.PLAYERS``: like `Greedy`, with another score."""

    deterministic = False

    def __init__(self, name: str) -> None:
        """``name``: one of `parlour.engine.game.Game.own_players`."""
        self.name = name

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        table_of(view).greedy(actions, row_mask, self.name)
