"""Positions at the start of a turn as numbers, for `parlour.solve`: both seats have pieces, and together at most
`LIMIT`.

All is seen by the seat to act. A tier holds the positions with so many men and kings of one seat, so many of the other,
whichever of them is to act, and so many rows that all men together have advanced. Men only go forward, and captures
and crowning make fewer men, so within a tier only kings move.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from math import comb
from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE, HOLE, LOST, PLACED, Tier, rank_among, set_among
from parlour.rulebook.options import Count
from parlour.rulebook.protocol import Record

from .board import BIT, NO_SQUARE, SQUARE_OF, SQUARES
from .rules import BLACK, WHITE, can_move

LIMIT = Count("pieces", 3, "the most pieces of both seats together", 2, 5)
MOST = LIMIT.maximum
ROW, MAN_SQUARES = 4, 28  # squares a row; a man stands on any but those of its king row
HIGHEST = 6  # rows that a man can have advanced
MOST_ROWS = HIGHEST * MOST


def _men_below() -> Any:
    """[square, k, rows]: how many sets of k of the squares before this one have advanced so many rows in all."""
    sets = np.zeros((MAN_SQUARES + 1, MOST + 1, MOST_ROWS + 1), np.int32)
    sets[:, 0, 0] = 1
    for square in range(MAN_SQUARES):
        row = square // ROW
        sets[square + 1] = sets[square]
        sets[square + 1, 1:, row:] += sets[square, :-1, : MOST_ROWS + 1 - row]
    return sets


BELOW = _men_below()
SETS = BELOW[MAN_SQUARES]
"""[k, rows]: how many sets of k men have advanced so many rows."""


def _pairs() -> Any:
    """[men, the other's men, rows, own rows]: pairs of sets of men that advanced so many rows, the own ones fewer."""
    pairs = np.zeros((MOST + 1, MOST + 1, MOST_ROWS + 1, MOST_ROWS + 2), np.int32)
    for men, other in product(range(MOST + 1), repeat=2):
        for rows in range(HIGHEST * (men + other) + 1 if men + other <= MOST else 0):
            each = SETS[men, : rows + 1].astype(np.int64) * SETS[other, rows::-1]
            pairs[men, other, rows, 1 : rows + 2] = np.cumsum(each)
    return pairs


PAIRS = _pairs()


def _classes() -> list[tuple[int, int, int, int, int]]:
    """Every tier: own men, own kings, the other seat's men, its kings, rows. Of two classes that differ by the seats
    alone only that whose first seat has more, in the sense of tuples."""
    classes = []
    for a, c, b, d in product(range(MOST + 1), repeat=4):
        if a + b + c + d <= MOST and (a, c) >= (b, d) and b + d > 0:
            classes += [(a, c, b, d, rows) for rows in range(HIGHEST * (a + b) + 1)]
    return sorted(classes, key=lambda numbers: (sum(numbers[:4]), numbers[0] + numbers[2], -numbers[4], numbers))


CLASSES = np.array(_classes(), np.int64)
TIER = np.full((MOST + 1,) * 4 + (MOST_ROWS + 1,), -1, np.int32)
"""[men, kings, men of the other, its kings, rows]: the tier."""
for number, (a, c, b, d, rows) in enumerate(CLASSES.tolist()):
    TIER[a, c, b, d, rows] = TIER[b, d, a, c, rows] = number


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """In each, positions with the first seat to act come first."""
    tiers = []
    for a, c, b, d, rows in CLASSES.tolist():
        if a + b + c + d <= limit:
            kings = comb(SQUARES - a - b, c) * comb(SQUARES - a - b - c, d)
            size = int(PAIRS[a, b, rows, rows + 1]) * kings * (1 if (a, c) == (b, d) else 2)
            tiers.append(Tier(f"{a} men {c} kings against {b} men {d} kings, men {rows} rows on", size))
    return tiers


@kernel
def squares_of(pieces: Any, turned: bool) -> Any:
    """Pieces as a set of squares, on a board that may be turned by half."""
    squares = ZERO
    while pieces:
        square = SQUARE_OF[lowest(pieces)]
        squares |= ONE << np.uint64(SQUARES - 1 - square if turned else square)
        pieces = without_lowest(pieces)
    return squares


@kernel
def pieces_of(squares: Any, turned: bool) -> Any:
    """The inverse of `squares_of`."""
    pieces = ZERO
    while squares:
        square = lowest(squares)
        pieces |= BIT[SQUARES - 1 - square if turned else square]
        squares = without_lowest(squares)
    return pieces


@kernel
def rank_men(men: Any) -> tuple[int, int]:
    """The number of a set of men, seen from their own side, among those that have advanced as many rows; and these."""
    index, k, rows = 0, 0, 0
    while men:
        square = lowest(men)
        men = without_lowest(men)
        k += 1
        rows += square // ROW
        index += BELOW[square, k, rows]
    return index, rows


@kernel
def place_men(index: int, k: int, rows: int) -> Any:
    """The inverse of `rank_men`: the set of k men."""
    men = ZERO
    for square in range(MAN_SQUARES - 1, -1, -1):
        if k > 0 and index >= BELOW[square, k, rows]:
            index -= BELOW[square, k, rows]
            men |= ONE << np.uint64(square)
            k -= 1
            rows -= square // ROW
            if rows < 0:
                break
    return men


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    seat = np.int64(state.to_act)
    turned = seat == WHITE
    mine, other, all_kings = state.pieces[seat], state.pieces[1 - seat], state.kings
    a, c, b, d = (
        count_bits(mine & ~all_kings), count_bits(mine & all_kings),
        count_bits(other & ~all_kings), count_bits(other & all_kings),
    )  # fmt: skip
    if a + b + c + d > MOST or a + c == 0 or b + d == 0:
        return -1, 0
    men = squares_of(mine & ~all_kings, turned)
    first, own_rows = rank_men(men)
    second, rows = rank_men(squares_of(other & ~all_kings, not turned))
    index = PAIRS[a, b, own_rows + rows, own_rows] + first * SETS[b, rows] + second
    taken = men | squares_of(other & ~all_kings, turned)
    kings, others = squares_of(mine & all_kings, turned), squares_of(other & all_kings, turned)
    rows += own_rows
    ways = CHOOSE[SQUARES - a - b - c, d]
    index = (index * CHOOSE[SQUARES - a - b, c] + rank_among(kings, taken)) * ways + rank_among(others, taken | kings)
    tier = np.int64(TIER[a, c, b, d, rows])
    if CLASSES[tier, 0] != a or CLASSES[tier, 1] != c:
        index += PAIRS[a, b, rows, rows + 1] * CHOOSE[SQUARES - a - b, c] * ways
    return tier, index


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`. A seat without a move has lost."""
    a, c, b, d, rows = CLASSES[tier, 0], CLASSES[tier, 1], CLASSES[tier, 2], CLASSES[tier, 3], CLASSES[tier, 4]
    size = PAIRS[a, b, rows, rows + 1] * CHOOSE[SQUARES - a - b, c] * CHOOSE[SQUARES - a - b - c, d]
    if index >= size:
        index -= size
        a, c, b, d = b, d, a, c
    ways, own_ways = CHOOSE[SQUARES - a - b - c, d], CHOOSE[SQUARES - a - b, c]
    second, index = index % ways, index // ways
    first, index = index % own_ways, index // own_ways
    own_rows = 0
    while PAIRS[a, b, rows, own_rows + 1] <= index:
        own_rows += 1
    index -= PAIRS[a, b, rows, own_rows]
    others = SETS[b, rows - own_rows]
    men = place_men(index // others, a, own_rows)
    other_men = squares_of(pieces_of(place_men(index % others, b, rows - own_rows), False), True)
    taken = men | other_men
    kings = set_among(first, c, SQUARES, taken)
    other_kings = set_among(second, d, SQUARES, taken | kings)
    state.pieces[BLACK], state.pieces[WHITE] = pieces_of(men | kings, False), pieces_of(other_men | other_kings, False)
    state.kings = pieces_of(kings | other_kings, False)
    state.jumper = NO_SQUARE
    state.steps = 0
    state.king_steps = 0
    state.to_act = BLACK
    if men & other_men != ZERO:
        return HOLE
    return PLACED if can_move(state, BLACK) else LOST
