"""Positions as numbers, for `parlour.solve`: the Chief without shields against a few swords.

A tier holds the positions with so many swords. The board looks the same from all sides, so a position is turned, or
reflected, until the Chief stands in one eighth of it; it has the same number as all that can be turned into it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from parlour.rulebook.bits import ZERO, count_bits, has
from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE, HOLE, LOST, PLACED, Tier
from parlour.rulebook.options import Count
from parlour.rulebook.protocol import Record

from . import rules

LIMIT = Count("pieces", 3, "the most pieces, the Chief and swords, without shields", 2, 4)
MOST = LIMIT.maximum - 1
WAYS = 8
"""Turns and reflections of the board."""


def _turned() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[way, dot]: where the dot goes."""
    board = np.arange(rules.DOTS).reshape(rules.SIDE, rules.SIDE)
    boards = [np.rot90(one, turns) for one in (board, board.T) for turns in range(4)]
    return np.array([np.argsort(one.ravel()) for one in boards])


TURNED = _turned()
EIGHTH = np.flatnonzero((rules.RANK_OF <= rules.FILE_OF) & (rules.FILE_OF <= rules.SIDE // 2))
"""The dots of one eighth of the board."""
IN_EIGHTH = np.full(rules.DOTS, -1, np.int64)
"""[dot]: its number among them."""
IN_EIGHTH[EIGHTH] = np.arange(len(EIGHTH))
BACK = np.argsort(TURNED, axis=1)
"""[way, dot]: the dot that goes there."""
WAY_OF = (IN_EIGHTH[TURNED] >= 0).argmax(axis=0)
"""[dot]: a way to bring it there."""


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """In each, positions with the swords to act come first."""
    counts = [(1, "1 sword"), *((count, f"{count} swords") for count in range(2, limit))]
    return [
        Tier(f"the Chief and {name}", 2 * len(EIGHTH) * int(CHOOSE[rules.DOTS - 1, count])) for count, name in counts
    ]


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    swords, chief = state.men[rules.SWORDS], state.chief
    count = count_bits(swords[0]) + count_bits(swords[1])
    if (
        chief == rules.OFF
        or count == 0
        or count > MOST
        or (state.men[rules.SHIELDS, 0] | state.men[rules.SHIELDS, 1]) != ZERO
    ):
        return -1, 0
    way = WAY_OF[chief]
    at = TURNED[way, chief]
    index = (np.int64(state.to_act) * EIGHTH.size + IN_EIGHTH[at]) * CHOOSE[rules.DOTS - 1, count]
    k = 0
    for dot in range(rules.DOTS - 1):  # of the dots without the Chief's
        if has(swords, BACK[way, dot + 1 if dot >= at else dot]):
            k += 1
            index += CHOOSE[dot, k]
    return count - 1, index


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`. No sword stands where only the Chief may; his escape ends the game."""
    count = tier + 1
    ways = CHOOSE[rules.DOTS - 1, count]
    number, index = index // ways, index % ways
    at = EIGHTH[number % EIGHTH.size]
    rules.clear_board(state)
    rules.put_chief(state, at)
    state.to_act = number // EIGHTH.size
    allowed = not rules.ESCAPE_DOT[variant.escape, at]
    for dot in range(rules.DOTS - 2, -1, -1):
        if count > 0 and index >= CHOOSE[dot, count]:
            index -= CHOOSE[dot, count]
            count -= 1
            there = dot + 1 if dot >= at else dot
            rules.toggle_man(state, state.men[rules.SWORDS], there)
            allowed = (
                allowed and rules.CHIEF_ONLY[variant.escape, rules.RANK_OF[there]] >> rules.FILE_OF[there] & 1 == 0
            )
    if not allowed:
        return HOLE
    return PLACED if rules.can_move(state, variant, state.to_act) else LOST
