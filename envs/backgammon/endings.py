"""Positions before a throw as numbers, for `parlour.solve`: both seats have at most `LIMIT` men that are not borne off.

With the set-up of hypergammon these stand anywhere, so that three men are the whole game. With the other set-ups they
are all at home: two seats that bear off and can't meet any more.

A tier holds the positions in which the seats have m and n men left, whichever of the two is to act; men are borne off
for good.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

import numpy as np

from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE, HOLE, PLACED, Tier, pair_number, pair_of, pair_tiers
from parlour.rulebook.options import Count
from parlour.rulebook.points import STEPS, TABLE, place_on_points, put_men, rank_on_points
from parlour.rulebook.protocol import Record

from .rules import MEN, WHITE, all_home, clear_board
from .variants import SETUP

LIMIT = Count("men", 3, "the most men of a seat that are not borne off; without hypergammon's set-up all at home", 1, 8)
MOST = LIMIT.maximum
HYPER = SETUP.number("hyper")
AT_HOME = STEPS - TABLE + 1
"""The first step after the farthest one at home: men on that one wait, as those on the bar do in hypergammon."""
FIRST = np.array([0 if setup == HYPER else AT_HOME for setup in range(len(SETUP.values))], np.int64)
"""[setup]: men that wait are before this step."""


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """One for each pair of numbers of men left."""
    setup = SETUP.number(values["setup"])
    steps, most = STEPS - int(FIRST[setup]), min(limit, int(MEN[setup]))
    return pair_tiers(most, lambda more, less: comb(steps + more, more) * comb(steps + less, less))


@kernel
def rank_men(state: Record, seat: int, start: int) -> int:
    """The number of a seat's men among all ways to have so many."""
    waiting = np.int64(state.bar[seat])
    if start == AT_HOME:
        waiting = np.int64(state.men[seat, AT_HOME - 1])
    return rank_on_points(state, seat, start, waiting)


@kernel
def place_men(index: int, men: int, state: Record, seat: int, start: int) -> None:
    """The inverse of `rank_men`, on a board without men of the seat."""
    waiting = place_on_points(index, men, state, seat, start)
    if start == AT_HOME:
        put_men(state, seat, AT_HOME - 1, waiting)
    else:
        state.bar[seat] = waiting


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    seat, start, all_men = np.int64(state.to_act), FIRST[variant.setup], np.int64(MEN[variant.setup])
    men, others = all_men - np.int64(state.off[seat]), all_men - np.int64(state.off[1 - seat])
    if max(men, others) > MOST or state.opening >= 0:
        return -1, 0
    if start == AT_HOME and not (all_home(state, 0) and all_home(state, 1)):
        return -1, 0
    steps = STEPS - start
    ways = CHOOSE[steps + others, others]
    index = rank_men(state, seat, start) * ways + rank_men(state, 1 - seat, start)
    if men < others:
        index += CHOOSE[steps + men, men] * ways
    return pair_number(men, others), index


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`. Men of both seats can't stand on the same point."""
    men, others = pair_of(tier)
    start, all_men = FIRST[variant.setup], np.int64(MEN[variant.setup])
    steps = STEPS - start
    ways = CHOOSE[steps + men, men] * CHOOSE[steps + others, others]
    if index >= ways:
        index -= ways
        men, others = others, men
    ways = CHOOSE[steps + others, others]
    clear_board(state)
    place_men(index // ways, men, state, 0, start)
    place_men(index % ways, others, state, 1, start)
    state.off[0], state.off[1] = all_men - men, all_men - others
    state.due = 2
    state.to_act = WHITE
    for step in range(STEPS):
        if state.men[0, step] > 0 and state.men[1, STEPS - 1 - step] > 0:
            return HOLE
    return PLACED
