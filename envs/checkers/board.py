"""The board of checkers: its 32 dark squares as bits of one word, and tables of what lies where.

Square n of PDN, here with its row and column; row 0 is Black's king row, where Black's men begin::

          column 0  1  2  3  4  5  6  7
    row 0           1     2     3     4
    row 1        5     6     7     8
    row 2           9    10    11    12
    row 3       13    14    15    16
    row 4          17    18    19    20
    row 5       21    22    23    24
    row 6          25    26    27    28
    row 7       29    30    31    32

Square n is bit (n − 1) + (n − 1) div 8 of a word. After every two rows a bit is left out, so that one diagonal step is
the same shift from every square, and one that would leave the board ends on a bit that is no square (A. L. Samuel,
*Some Studies in Machine Learning Using the Game of Checkers*, IBM Journal, 1959).

Directions, by the change of row and column: 0 (+1, −1), 1 (+1, +1), 2 (−1, −1), 3 (−1, +1). So 3 − d is the opposite of
d, and also d on the board turned by half, where square n becomes 33 − n, its bit b becomes 34 − b.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.compiling import kernel

SIDE = 8
SQUARES = 32
DIRECTIONS = 4
ACTIONS = DIRECTIONS * SQUARES
NO_SQUARE = -1

ZERO, FOUR, FIVE = np.uint64(0), np.uint64(4), np.uint64(5)

ROW_OF = np.arange(SQUARES) // 4
COLUMN_OF = 2 * (np.arange(SQUARES) % 4) + 1 - ROW_OF % 2
ROW_STEP, COLUMN_STEP = (1, 1, -1, -1), (-1, 1, -1, 1)  # of a direction

BIT = np.uint64(1) << (np.arange(SQUARES) + np.arange(SQUARES) // SIDE).astype(np.uint64)
"""[square]: its bit, alone in a word. Squares count from 0 here and in all code: square n of PDN is n − 1."""
BOARD = np.bitwise_or.reduce(BIT)
"""Every square."""
SQUARE_OF = np.full(SQUARES + SQUARES // SIDE, NO_SQUARE, np.int64)
"""[bit's number]: its square."""
SQUARE_OF[np.arange(SQUARES) + np.arange(SQUARES) // SIDE] = np.arange(SQUARES)
KING_ROW = np.array([np.bitwise_or.reduce(BIT[-4:]), np.bitwise_or.reduce(BIT[:4])])
"""[seat]: the row where its men are crowned, the farthest from where they began."""

OCTETS = 4  # of a word: the squares of two rows each
OCTET_SHIFT = (np.uint64(0), np.uint64(9), np.uint64(18), np.uint64(27))
LOW_OCTET = np.uint64(255)


def square_at(row: int, column: int) -> int:
    """The dark square there; NO_SQUARE off the board."""
    return 4 * row + column // 2 if 0 <= row < SIDE and 0 <= column < SIDE else NO_SQUARE


NEIGHBOUR = np.full((SQUARES, DIRECTIONS), NO_SQUARE, np.int64)
"""[square, direction]: the next square that way, or NO_SQUARE."""
for square in range(SQUARES):
    for direction in range(DIRECTIONS):
        row, column = ROW_OF[square] + ROW_STEP[direction], COLUMN_OF[square] + COLUMN_STEP[direction]
        NEIGHBOUR[square, direction] = square_at(row, column)

SOURCE = np.zeros((2, ACTIONS), np.int64)
"""[seat, action]: the square that the action moves from. An action is 32 × direction + square, from the view of its
seat: for player_1 both are turned by half."""
BESIDE, BEYOND = np.full((2, ACTIONS), NO_SQUARE, np.int64), np.full((2, ACTIONS), NO_SQUARE, np.int64)
"""[seat, action]: the square it steps to, or jumps over; and the one that it jumps to; NO_SQUARE off the board."""
for action in range(ACTIONS):
    for seat, (direction, square) in enumerate((divmod(action, SQUARES), divmod(ACTIONS - 1 - action, SQUARES))):
        SOURCE[seat, action] = square
        beside = NEIGHBOUR[square, direction]
        if beside != NO_SQUARE:
            BESIDE[seat, action] = beside
            BEYOND[seat, action] = NEIGHBOUR[beside, direction]


def _bits(squares: Any) -> Any:
    """The bits of squares; an empty word for NO_SQUARE."""
    return np.where(squares == NO_SQUARE, ZERO, BIT[squares])


SOURCE_BIT, BESIDE_BIT, BEYOND_BIT = _bits(SOURCE), _bits(BESIDE), _bits(BEYOND)
"""[seat, action]: the same as words."""


def _both_ways(table: Any) -> Any:
    """[turned, octet, k]: the bytes of ``table`` [octet, byte] as words of eight; turned by half, in reverse order."""
    return np.ascontiguousarray(np.stack([table, table[:, ::-1]])).view(np.uint64)


OCTET_SQUARES = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
"""[octet, square]: 0 or 1."""
OCTET_FIELDS = np.zeros((256, 2 * SIDE), np.uint8)
"""[octet, field]: the same on the sixteen fields, light ones too, of its two rows."""
OCTET_FIELDS[:, SIDE * ROW_OF[:SIDE] + COLUMN_OF[:SIDE]] = OCTET_SQUARES
OCTET_BYTES, OCTET_ROWS = _both_ways(OCTET_SQUARES)[:, :, 0], _both_ways(OCTET_FIELDS)
"""An octet as it stands in an action mask, [turned, octet]; and in a plane of 8 × 8, [turned, octet, row]."""


@kernel
def towards(word: Any, direction: int) -> Any:
    """Every bit one step in a direction; what leaves the board is to be cleared by the caller (& `BOARD`)."""
    if direction == 0:
        return word << FOUR
    if direction == 1:
        return word << FIVE
    if direction == 2:
        return word >> FIVE
    return word >> FOUR
