"""The board of Agon: 91 hexagons in five rings round the throne, as tables.

The cells, numbered along each row from the left, row by row from the bottom (Light's side)::

    k            85 86 87 88 89 90
    j          78 79 80 81 82 83 84
    i        70 71 72 73 74 75 76 77
    h      61 62 63 64 65 66 67 68 69
    g    51 52 53 54 55 56 57 58 59 60
    f  40 41 42 43 44 45 46 47 48 49 50      f6 = 45, the throne
    e    30 31 32 33 34 35 36 37 38 39       34 35 44 46 55 56, ring 1
    d      21 22 23 24 25 26 27 28 29
    c        13 14 15 16 17 18 19 20
    b           6  7  8  9 10 11 12
    a             0  1  2  3  4  5

Dark sees the board turned by half a turn, which maps cell c to 90 − c.

Observations show the board on an 11 × 11 grid by a shear: row r (a = 0) and column s, where cell n of the row (from 0)
has s = n + max(r − 5, 0). Each cell then touches (r, s ± 1), (r ± 1, s), (r + 1, s + 1) and (r − 1, s − 1), and the
half-turn maps (r, s) to (10 − r, 10 − s).

Sets of cells are pairs of 64-bit words (rulebook/bits.py). `NOWHERE` stands for no cell: tables have a row for it, and
no set holds it.
"""

from __future__ import annotations

import numpy as np

ROWS = 11
MIDDLE_ROW = 5
ROW_LENGTHS = tuple(ROWS - abs(row - MIDDLE_ROW) for row in range(ROWS))  # 6 7 8 9 10 11 10 9 8 7 6
CELLS = sum(ROW_LENGTHS)
GRID_SIZE = ROWS * ROWS
THRONE = 45
NOWHERE = CELLS
OUTER = 5  # the outer ring

CELL_ROW = np.repeat(np.arange(ROWS), ROW_LENGTHS)
CELL_PLACE = np.concatenate([np.arange(length) for length in ROW_LENGTHS])
CELL_COLUMN = CELL_PLACE + np.maximum(CELL_ROW - MIDDLE_ROW, 0)
GRID = ROWS * CELL_ROW + CELL_COLUMN
"""[cell]: its place on a flattened observation plane."""
CELL_AT = {(int(row), int(column)): cell for cell, (row, column) in enumerate(zip(CELL_ROW, CELL_COLUMN))}

DIRECTIONS = 6
STEPS = ((0, -1), (0, 1), (1, 0), (1, 1), (-1, -1), (-1, 0))
"""Left, right, up-left, up-right, down-left, down-right, as (rows, columns) of the grid."""
OPPOSITE = np.array([STEPS.index((-rows, -columns)) for rows, columns in STEPS])

NEIGHBOUR = np.full((CELLS + 1, DIRECTIONS), NOWHERE)
"""[cell, direction]: the next cell, or NOWHERE."""
for (row, column), cell in CELL_AT.items():
    for direction, (rows, columns) in enumerate(STEPS):
        NEIGHBOUR[cell, direction] = CELL_AT.get((row + rows, column + columns), NOWHERE)


def _rings() -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """Each cell's distance to the throne, by walking outward from it."""
    rings = np.full(CELLS + 1, -1)
    rings[THRONE] = 0
    for distance in range(OUTER):
        beside = NEIGHBOUR[np.flatnonzero(rings == distance)]
        beside = beside[beside != NOWHERE]
        rings[beside[rings[beside] < 0]] = distance + 1
    return rings


RING_OF = _rings()
"""[cell]: its ring, 0 (the throne) to 5; −1 for NOWHERE."""

BIT = np.zeros((CELLS + 1, 2), np.uint64)
"""[cell, half]: the set of the cell alone; the empty set for NOWHERE."""
for cell in range(CELLS):
    BIT[cell, cell // 64] = np.uint64(1) << np.uint64(cell % 64)


def cell_set(cells: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """The two words of a set, from flags for the cells (bool (91,))."""
    return np.bitwise_or.reduce(BIT[:CELLS][cells], axis=0)


ALL = cell_set(RING_OF[:CELLS] >= 0)
ALL_BUT_THRONE = cell_set(RING_OF[:CELLS] >= 1)
RINGS = np.array([cell_set(RING_OF[:CELLS] == ring) for ring in range(OUTER + 1)])
"""[ring, half]: its cells."""
NEXT_RINGS = RINGS[[1, 2, 3, 4, 5, 5]]
"""[ring, half]: the cells of the next outer ring, of the same one for the outermost."""

# --- steps ---

MAX_STEPS = 4  # two along the ring, one or two inward
GUARD, QUEEN = 0, 1  # the kinds of pieces


def may_step(kind: int, source: int, target: int) -> bool:
    """Whether a piece may ever step between two neighbours: Kato, Gameplay: "The destination must be a hex in the inner
    ring of the previous move, or a hex in the same ring"; "the center hex … can only be occupied by queen pieces"; a
    queen on it has nowhere to go."""
    return bool(RING_OF[target] <= RING_OF[source]) and (target != THRONE or kind == QUEEN)


STEP_DIRECTIONS = tuple(
    tuple(
        tuple(d for d in range(DIRECTIONS) if (n := NEIGHBOUR[cell, d]) != NOWHERE and may_step(kind, cell, int(n)))
        for cell in range(CELLS)
    )
    for kind in (GUARD, QUEEN)
)
"""[kind][cell]: the directions in which such a piece may ever step from there: 324 steps of guards, 330 of queens."""

# --- lines and rings ---

FORWARD = (1, 2, 3)  # of each of the three lines through a cell, one direction: right, up-left, up-right


def _ring_threes() -> list[tuple[int, int, int]]:
    """For each cell but the throne: the next cell one way round its own ring, itself, and the next the other way."""
    threes = []
    for (row, column), cell in CELL_AT.items():
        beside: dict[bool, int] = {}  # by the way round: the sign of a determinant
        for (rows, columns), neighbour in zip(STEPS, NEIGHBOUR[cell]):
            if RING_OF[neighbour] == RING_OF[cell] and cell != THRONE:
                beside[(row - MIDDLE_ROW) * columns > (column - MIDDLE_ROW) * rows] = int(neighbour)
        if beside:
            threes.append((beside[True], cell, beside[False]))
    return threes


RING_THREES = _ring_threes()
"""Three adjacent cells of one ring: 90, of which 60 are straight and 30 bent round a corner."""
