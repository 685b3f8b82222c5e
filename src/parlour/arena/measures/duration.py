"""Measures of length: how long games last."""

from __future__ import annotations

from functools import partial

import numpy as np

from parlour.arena.measures.kinds import SPREAD, mean_of
from parlour.arena.measures.registry import DURATION
from parlour.arena.measures.registry import measure as register
from parlour.arena.setting.game_specs import Played

measure = partial(register, group=DURATION)


@measure(
    "plies",
    traced=False,
    title="Length",
    kind=mean_of("plies", low=0),
    tested=True,
    cut=True,
    source="Ludii, DurationMoves",
)
def plies(game: Played) -> int:
    """Plies per game."""
    return game.plies


measure(
    "plies_spread",
    traced=False,
    title="Spread of length",
    kind=SPREAD,
    source="Ludii, DurationTurnsStdDev, in plies",
    meaning="the standard deviation of the plies per game",
)(plies)


@measure(
    "plies_decided",
    traced=False,
    title="Length of decided games",
    kind=mean_of("plies", low=0),
    source="Ludii, DurationTurnsNotTimeouts, in plies",
)
def plies_decided(game: Played) -> int | None:
    """Plies per game that a seat won."""
    return game.plies if game.winner >= 0 else None


@measure("turns", title="Turns", kind=mean_of("", low=1), cut=True, source="Ludii, DurationTurns")
def turns(game: Played) -> int:
    """Changes of the seat that acts, plus one."""
    return 1 + int(np.count_nonzero(np.diff(game.trace.seats)))
