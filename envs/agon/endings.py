"""Positions as numbers, for `parlour.solve`: Bloody Queen with a queen and a single guard each, its shortest endings.

There every trap ends the game, so pieces only step, and never outward. A tier holds the positions whose pieces are so
many rings away from the throne, all together. The board looks the same from its six sides, so a position is turned
until the queen of the seat to act stands in one of six sectors; it has the same number as all that can be turned into
it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from parlour.rulebook.bits import count_bits
from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import HOLE, PLACED, Tier
from parlour.rulebook.options import Count
from parlour.rulebook.protocol import RUNNING, Record

from .actions import LIGHT
from .board import BIT, CELL_AT, CELL_COLUMN, CELL_ROW, CELLS, MIDDLE_ROW, NOWHERE, OUTER, RING_OF, THRONE
from .position import clear_board, count_guards
from .rules import BLOODY, begin_turn, decide, first_of
from .variants import CAPTURE

LIMIT = Count("pieces", 4, "the most pieces: the queens, and one guard each", 4, 4)
SIDES = 6
FARTHEST = 4 * OUTER
"""Rings of all four pieces, if all stand in the outermost."""


def _turned() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[way, cell]: where the cell goes when the board is turned by so many sixths."""
    ways = [np.arange(CELLS)]
    for _ in range(SIDES - 1):
        row, column = CELL_ROW - MIDDLE_ROW, CELL_COLUMN - MIDDLE_ROW
        sixth = np.array([CELL_AT[int(c) + MIDDLE_ROW, int(c - r) + MIDDLE_ROW] for r, c in zip(row, column)])
        ways.append(sixth[ways[-1]])
    return np.array(ways)


TURNED = _turned()
CELLS_OF = np.full((OUTER + 1, SIDES * OUTER), NOWHERE, np.int64)
"""[ring, k]: its cells, those of one sector first, then those of the next."""
PLACE = np.zeros(CELLS, np.int64)
"""[cell]: its k."""
WAY_OF = np.zeros(CELLS, np.int64)
"""[cell]: a way to bring it into the first sector."""
CELLS_OF[0, 0] = THRONE
for ring in range(1, OUTER + 1):
    for way in range(SIDES):
        for k in range(ring):
            there = TURNED[way, CELL_AT[MIDDLE_ROW + k, MIDDLE_ROW + ring]]
            CELLS_OF[ring, way * ring + k], PLACE[there], WAY_OF[there] = there, way * ring + k, (SIDES - way) % SIDES

SIZES = np.array([1, *(SIDES * ring for ring in range(1, OUTER + 1))])
SECTOR = np.array([1, *range(1, OUTER + 1)])
"""[ring]: how many cells the ring has; and how many of them in a sector."""


def _parts() -> tuple[Any, list[int]]:
    """[rings of the own queen, the other's, the own guard, the other's]: the first number of these positions in their
    tier, −1 where there are none; and the sizes of the tiers."""
    first, sizes = np.full((OUTER + 1,) * 4, -1, np.int64), [0] * (FARTHEST + 1)
    for queen, other, guard, others in product(*[range(OUTER + 1)] * 2, *[range(1, OUTER + 1)] * 2):
        first[queen, other, guard, others] = sizes[queen + other + guard + others]
        sizes[queen + other + guard + others] += int(SECTOR[queen] * SIZES[other] * SIZES[guard] * SIZES[others])
    return first, sizes


FIRST, TIER_SIZES = _parts()


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """One for each sum of rings. ValueError for other games than Bloody Queen, and where a turn may be passed."""
    if CAPTURE.number(values["capture"]) != BLOODY or values["touch_move"]:
        raise ValueError("endings of agon are solved with capture='bloody', as in bloody_queen, and without touch_move")
    return [Tier(f"{rings} rings to the throne", size) for rings, size in enumerate(TIER_SIZES)]


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    seat = np.int64(state.to_act)
    queen, other = state.queens[seat], state.queens[1 - seat]
    if queen == NOWHERE or other == NOWHERE or count_guards(state, 0) != 1 or count_guards(state, 1) != 1:
        return -1, 0
    guard = first_of(state.guards[seat, 0], state.guards[seat, 1])
    others = first_of(state.guards[1 - seat, 0], state.guards[1 - seat, 1])
    way = WAY_OF[queen]
    queen, other, guard, others = TURNED[way, queen], TURNED[way, other], TURNED[way, guard], TURNED[way, others]
    rings = RING_OF[queen], RING_OF[other], RING_OF[guard], RING_OF[others]
    index = ((PLACE[queen] * SIZES[rings[1]] + PLACE[other]) * SIZES[rings[2]] + PLACE[guard]) * SIZES[rings[3]]
    return rings[0] + rings[1] + rings[2] + rings[3], FIRST[rings] + index + PLACE[others]


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`. No position where two pieces meet, or where one seat has won."""
    for queen in range(OUTER + 1):
        for other in range(OUTER + 1):
            for guard in range(1, OUTER + 1):
                others = tier - queen - other - guard
                if others < 1 or others > OUTER:
                    continue
                size = SECTOR[queen] * SIZES[other] * SIZES[guard] * SIZES[others]
                at = index - FIRST[queen, other, guard, others]
                if 0 <= at < size:
                    return put_pieces(at, queen, other, guard, others, state, variant)
    return HOLE


@kernel
def put_pieces(index: int, queen: int, other: int, guard: int, others: int, state: Record, variant: Record) -> int:
    """`place` for pieces in these rings. ``index``: among them."""
    enemy_guard, index = CELLS_OF[others, index % SIZES[others]], index // SIZES[others]
    own_guard, index = CELLS_OF[guard, index % SIZES[guard]], index // SIZES[guard]
    enemy_queen, index = CELLS_OF[other, index % SIZES[other]], index // SIZES[other]
    clear_board(state)
    state.queens[LIGHT], state.queens[1 - LIGHT] = CELLS_OF[queen, index], enemy_queen
    state.guards[LIGHT, 0], state.guards[LIGHT, 1] = BIT[own_guard, 0], BIT[own_guard, 1]
    state.guards[1 - LIGHT, 0], state.guards[1 - LIGHT, 1] = BIT[enemy_guard, 0], BIT[enemy_guard, 1]
    state.passes = 0
    state.victims = 0
    begin_turn(state, variant, LIGHT, False)
    low = BIT[state.queens[LIGHT], 0] | BIT[enemy_queen, 0] | BIT[own_guard, 0] | BIT[enemy_guard, 0]
    high = BIT[state.queens[LIGHT], 1] | BIT[enemy_queen, 1] | BIT[own_guard, 1] | BIT[enemy_guard, 1]
    if count_bits(low) + count_bits(high) < 4:
        return HOLE
    return PLACED if decide(state, variant, LIGHT)[0] == RUNNING else HOLE
