"""The built-in players. They play every game by its rule kernels, and choose for all their rows in one call."""

from __future__ import annotations

from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, in_proportion, only
from parlour.engine.view import GamesView, games_of
from parlour.players.kind import PlayerKind


class Random(PlayerKind):
    """A legal action, uniformly at random."""

    name = KIND = "random"
    NAMES = MappingProxyType({name: "a legal action, uniformly at random"})
    deterministic = False

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        view.sample(row_mask, actions)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`."""
        only(view, row)
        return in_proportion(view.action_mask[row].astype(np.float64))


class OnePly:
    """The action that scores highest one ply ahead; ties are broken uniformly at random."""

    deterministic = False

    def __init__(self, name: str, score: str | None) -> None:
        """``name``: the player's name; ``score``: the name of its score in `parlour.engine.game.Game.own_players`, or
        None for the greedy score of the game's ``evaluation.py``."""
        self.name, self.score = name, score

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        games_of(view).greedy(actions, row_mask, self.score)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`."""
        only(view, row)
        scores = games_of(view).greedy_scores(row, self.score)
        return in_proportion((scores == scores.max()).astype(np.float64))


class Greedy(OnePly, PlayerKind):
    """`OnePly` by the greedy score, for every game."""

    name = KIND = "greedy"
    NAMES = MappingProxyType({name: "the best ply by the game's own score, one ply ahead; ties are broken at random"})

    def __init__(self) -> None:
        super().__init__(self.KIND, None)
