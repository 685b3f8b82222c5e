"""The protocol of players, and what may be given in place of a player."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeAlias, TypeGuard, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis
from parlour.engine.view import GamesView
from parlour.support.arguments import shown

ANY_ROWS = 1 << 30
"""More games than are ever played side by side."""


class Player(Protocol):
    """Chooses actions."""

    @property
    def name(self) -> str:
        """The text by which `parlour.players.parse_player` finds it."""

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action into ``actions`` (N,) for each row of ``row_mask`` (bool (N,)); these games are
        running.

        ``view`` shows the N games. Random numbers come from the rows' own streams (`GamesView.sample`,
        `GamesView.random_numbers`), so that a game does not depend on the games beside it.
        """


def is_player(player: object) -> TypeGuard[Player]:
    """Whether it is a player. NumPy's arrays and numbers have a method ``choose`` too, and are none."""
    return hasattr(player, "choose") and not isinstance(player, (np.ndarray, np.generic))


def require_player(player: object) -> None:
    """ValueError for anything but a player, such as the name of one."""
    if not is_player(player):
        raise ValueError(
            f"{shown(player)} is no player; valid: one that parlour.players.parse_player gives, or of your own"
        )


@runtime_checkable
class Considering(Protocol):
    """Players that can say what they think of a position: all built-in ones, searches and networks."""

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """What the player thinks of the position in a row, after the same search as in `Player.choose`.

        Random numbers come from the row's own stream, as there. ValueError if there is no such row or its game is over.
        """


@runtime_checkable
class Estimating(Protocol):
    """Players that value the positions in which they choose: searches and networks."""

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """The value of each row's position for each seat, by the latest choice there: float64 (N, P), as
        `parlour.players.Analysis.values`; NaN where it is not known. Only rows that have chosen in this ply count."""


def max_rows_of(player: object) -> int:
    """How many games a player takes side by side at most, to limit memory: its ``max_rows``, else `ANY_ROWS`."""
    return int(getattr(player, "max_rows", ANY_ROWS))


Function: TypeAlias = Callable[[Any, NDArray[np.int8]], Any]
"""``(observation, action_mask) -> actions``: arrays of the M rows that wait, such as int8 (M, C, H, W) and int8 (M, A),
to whole numbers (M,)."""
PlayerLike: TypeAlias = "str | Player | Function"
"""A name as `parlour.players.parse_player` reads it, a player, or a function."""
