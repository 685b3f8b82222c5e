"""Players with one planted weakness each, six in each of three games: `python:tests.support.crippled:ur_ignores_twos`.

Each plays as the champion does (two plies deep in Checkers), except where its flaw forbids that move and allows
another. Then it plays the first legal move that the flaw allows.

Axis letters: K moves of a position, C planes, H × W board.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.view import GamesView, games_of
from parlour.players import Player, parse_player

Planes = NDArray[np.int8]
Flaw = Callable[[Planes, Planes], NDArray[np.bool_]]
"""``(before, after) -> allowed``: what the seat sees, (C, H, W), and what it sees after each move, (K, C, H, W); which
of these it plays, (K,)."""


class Crippled:
    """A player with a flaw."""

    deterministic = True
    version = "1"

    def __init__(self, base: str, flaw: Flaw) -> None:
        self.base, self.flaw = base, flaw
        self.name = f"python:{__name__}:{flaw.__name__}"
        self._player: Player | None = None

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        if self._player is None:
            self._player = parse_player(self.base, games_of(view).game)
        before = view.observation.copy()
        self._player.choose(view, row_mask, actions)
        row_ids = np.flatnonzero(row_mask)
        after = view.after_states(row_ids)
        for row in row_ids.tolist():
            own = after.row_ids == row
            allowed = after.actions[own][self.flaw(before[row], after.observation[own])]
            if len(allowed) and actions[row] not in allowed:
                actions[row] = allowed[0]


def flawed(base: str) -> Callable[[Flaw], Crippled]:
    """Makes a player of a flaw, which otherwise plays as ``base``."""
    return partial(Crippled, base)


def first_if(careless: Any, count: int) -> NDArray[np.bool_]:
    """Only the first of ``count`` moves if ``careless``; else all of them."""
    return np.arange(count) == 0 if careless else np.ones(count, np.bool_)


def total(planes: Planes, *numbers: int) -> NDArray[np.int64]:
    """The sum of some planes, (…, C, H, W) to (…,)."""
    return np.asarray(planes[..., list(numbers), :, :].sum(axis=(-3, -2, -1), dtype=np.int64))


def put_on(before: Planes, after: Planes, *numbers: int) -> NDArray[np.int64]:
    """By how much the sum of some planes has grown on each field: (K, H, W)."""
    return np.asarray(after[:, list(numbers)].sum(axis=1, dtype=np.int64) - before[list(numbers)].sum(axis=0))


# --- the Royal Game of Ur: planes 0 and 1 own men, 2, 3 the other's; 4, 5 in hand; 6, 7 off; 8 rosettes; 10 a 2 ---


@flawed("champion")
def ur_never_captures(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Takes no man."""
    return total(after, 2, 3) == total(before, 2, 3)


@flawed("champion")
def ur_never_captures_on_one_side(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Takes no man on the half of the board where most tiles are shared."""
    lost = -put_on(before, after, 2, 3)
    return ~(lost[:, :, : lost.shape[2] // 2] > 0).any(axis=(1, 2))


@flawed("champion")
def ur_avoids_rosettes(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Lands on no rosette."""
    return ~((put_on(before, after, 0, 1) > 0) & (before[8] > 0)).any(axis=(1, 2))


@flawed("champion")
def ur_ignores_twos(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """With a 2, the first move that there is."""
    return first_if(before[10].any(), len(after))


@flawed("champion")
def ur_idles_when_ahead(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """The first move that there is while fewer of its men are in hand."""
    return first_if(total(before, 4) < total(before, 5), len(after))


@flawed("champion")
def ur_lingers(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Bears no man off."""
    return total(after, 6) <= total(before, 6)


# --- Acey Ducey: planes 0 and 1 men on points; 2, 3 not entered; 4, 5 in the Dog House; 6, 7 off; 14, 15 the dice ---


@flawed("champion")
def acey_never_hits(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Hits no man."""
    return total(after, 5) <= total(before, 5)


@flawed("champion")
def acey_never_hits_on_one_side(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Hits no man on the second half of its way."""
    lost = -put_on(before, after, 1)
    return ~(lost[:, :, 12:] > 0).any(axis=(1, 2))


@flawed("champion")
def acey_ignores_sixes(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """With a 6, the first move that there is."""
    return first_if((before[[14, 15]] == 6).any(), len(after))


@flawed("champion")
def acey_idles_when_ahead(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """The first move that there is while fewer of its men are yet to be entered."""
    return first_if(total(before, 2, 4) < total(before, 3, 5), len(after))


@flawed("champion")
def acey_spreads(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Leaves as many men alone on a point as it can."""
    alone = (after[:, 0] == 1).sum(axis=(1, 2)) // max(before.shape[1], 1)
    return np.asarray(alone == alone.max())


@flawed("champion")
def acey_runs(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Moves a man as far on its way as it can."""
    fields = (put_on(before, after, 0) > 0)[:, 0]
    reached = np.where(fields.any(axis=1), fields.shape[1] - fields[:, ::-1].argmax(axis=1), 0)
    return np.asarray(reached == reached.max())


# --- Checkers: planes 0 and 1 own men and kings, 2 and 3 the other's ---


@flawed("champion:2")
def checkers_shuffles_when_ahead(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """The first move that there is while it has more pieces."""
    return first_if(total(before, 0, 1) > total(before, 2, 3), len(after))


@flawed("champion:2")
def checkers_never_captures_on_one_side(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Takes no piece on the left half if it may take another, or none."""
    lost = -put_on(before, after, 2, 3)
    return ~(lost[:, :, :4] > 0).any(axis=(1, 2))


@flawed("champion:2")
def checkers_moves_on_one_side(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Moves pieces on the left half while it can."""
    return (put_on(before, after, 0, 1)[:, :, :4] < 0).any(axis=(1, 2))


@flawed("champion:2")
def checkers_never_crowns(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Crowns no man."""
    return total(after, 1) <= total(before, 1)


@flawed("champion:2")
def checkers_rests_kings(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Moves no king."""
    return ~(put_on(before, after, 1) < 0).any(axis=(1, 2))


@flawed("champion:2")
def checkers_rushes(before: Planes, after: Planes) -> NDArray[np.bool_]:
    """Moves a man as near to the last row as it can."""
    rows = (put_on(before, after, 0, 1) > 0).any(axis=2)
    reached = np.where(rows.any(axis=1), rows.argmax(axis=1), 8)
    return np.asarray(reached == reached.min())


PLAYERS = {
    "royal_ur": (
        ur_never_captures, ur_never_captures_on_one_side, ur_avoids_rosettes, ur_ignores_twos, ur_idles_when_ahead,
        ur_lingers,
    ),
    "acey_ducey": (
        acey_never_hits, acey_never_hits_on_one_side, acey_ignores_sixes, acey_idles_when_ahead, acey_spreads,
        acey_runs,
    ),
    "checkers": (
        checkers_shuffles_when_ahead, checkers_never_captures_on_one_side, checkers_moves_on_one_side,
        checkers_never_crowns, checkers_rests_kings, checkers_rushes,
    ),
}  # fmt: skip
