"""Positions as numbers, for `parlour.solve`: the whole game. A tier holds the positions with so many empty cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb
from typing import Any

import numpy as np

from parlour.rulebook.bits import ZERO, count_bits
from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE, HOLE, PLACED, Tier, rank_among, set_among
from parlour.rulebook.protocol import Record

from .rules import CELLS, has_line

LIMIT = None


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """Crosses have half of the marks, rounded up."""
    marks = range(CELLS - 1, -1, -1)
    return [Tier(f"{CELLS - n} empty cells", comb(CELLS, n) * comb(n, n // 2)) for n in marks]


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    crosses, noughts = state.marks[0], state.marks[1]
    empty = CELLS - count_bits(crosses | noughts)
    ways = CHOOSE[CELLS - count_bits(crosses), count_bits(noughts)]
    return empty - 1, rank_among(crosses, ZERO) * ways + rank_among(noughts, crosses)


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`. With a line the game is over."""
    marks = CELLS - 1 - tier
    noughts = marks // 2
    ways = CHOOSE[CELLS - (marks - noughts), noughts]
    state.marks[0] = set_among(index // ways, marks - noughts, CELLS, ZERO)
    state.marks[1] = set_among(index % ways, noughts, CELLS, state.marks[0])
    state.to_act = np.int8(marks % 2)
    return HOLE if has_line(state.marks[0]) or has_line(state.marks[1]) else PLACED
