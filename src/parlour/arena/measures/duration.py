"""Measures of length: how long games last."""

from __future__ import annotations

import numpy as np

from parlour.arena.fixtures import Played
from parlour.arena.measures.kinds import SPREAD, mean_of
from parlour.arena.measures.registry import DURATION, measure


@measure(
    "plies",
    group=DURATION,
    traced=False,
    title="Length",
    meaning="plies per game",
    kind=mean_of("plies", low=0),
    tested=True,
    source="Ludii, DurationMoves",
)
def plies(game: Played) -> int:
    """The number of plies of the game."""
    return game.plies


measure(
    "plies_spread",
    group=DURATION,
    traced=False,
    title="Spread of length",
    kind=SPREAD,
    source="Ludii, DurationTurnsStdDev, in plies",
    meaning="the standard deviation of the plies per game",
)(plies)


@measure(
    "plies_decided",
    group=DURATION,
    traced=False,
    title="Length of decided games",
    meaning="plies per game that a seat won",
    kind=mean_of("plies", low=0),
    source="Ludii, DurationTurnsNotTimeouts, in plies",
)
def plies_decided(game: Played) -> int | None:
    """The number of plies of the game, if a seat won it."""
    return game.plies if game.winner >= 0 else None


@measure(
    "turns",
    group=DURATION,
    title="Turns",
    meaning="changes of the seat that acts, plus one",
    kind=mean_of("", low=1),
    source="Ludii, DurationTurns",
)
def turns(game: Played) -> int:
    """How often the seat to act changed, plus one."""
    return 1 + int(np.count_nonzero(np.diff(game.trace.seats)))
