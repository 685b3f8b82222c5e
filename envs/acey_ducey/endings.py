"""Positions before a throw as numbers, for `parlour.solve`: both seats have at most `LIMIT` men that are not borne off.

A tier holds the positions in which the seats have m and n men left, whichever of the two is to act; men are borne off
for good. Each man left is in the Dog House or on a step.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

import numpy as np

from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE, HOLE, PLACED, Tier, pair_number, pair_of, pair_tiers
from parlour.rulebook.options import Count
from parlour.rulebook.points import STEPS, place_on_points, rank_on_points
from parlour.rulebook.protocol import Record

from .rules import MEN, RED, clear_board

LIMIT = Count("men", 2, "the most men of a seat that are not borne off", 1, 3)
MOST = LIMIT.maximum


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """One for each pair of numbers of men left. ValueError for a penalty, and where the turn's beginning counts."""
    if values["dog_house_penalty"] or values["bear_off_from"] != "at_once":
        raise ValueError("endings of acey_ducey are solved with dog_house_penalty=0 and bear_off_from='at_once'")
    return pair_tiers(limit, lambda more, less: comb(STEPS + more, more) * comb(STEPS + less, less))


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    seat = np.int64(state.to_act)
    mine, others = MEN - np.int64(state.off[seat]), MEN - np.int64(state.off[1 - seat])
    if max(mine, others) > MOST or state.unentered[0] + state.unentered[1] > 0 or state.opening >= 0:
        return -1, 0
    ways = CHOOSE[STEPS + others, others]
    index = rank_on_points(state, seat, 0, np.int64(state.dog_house[seat])) * ways + rank_on_points(
        state, 1 - seat, 0, np.int64(state.dog_house[1 - seat])
    )
    if mine < others:
        index += CHOOSE[STEPS + mine, mine] * ways
    return pair_number(mine, others), index


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`. Men of both seats can't stand on the same point."""
    men, others = pair_of(tier)
    ways = CHOOSE[STEPS + men, men] * CHOOSE[STEPS + others, others]
    if index >= ways:
        index -= ways
        men, others = others, men
    ways = CHOOSE[STEPS + others, others]
    clear_board(state)
    state.dog_house[0] = place_on_points(index // ways, men, state, 0, 0)
    state.dog_house[1] = place_on_points(index % ways, others, state, 1, 0)
    state.off[0], state.off[1] = MEN - men, MEN - others
    state.due = 2
    state.to_act = RED
    for step in range(STEPS):
        if state.men[0, step] > 0 and state.men[1, STEPS - 1 - step] > 0:
            return HOLE
    return PLACED
