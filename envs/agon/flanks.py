"""Which cells are flanked: found for the whole board at once, by shifting sets of cells.

On the board's own 91 bits a step to a neighbour is another shift in each row. So sets are spread out on the 11 × 11
grid of `board`, where bit 11 · row + column is a cell, in two words, and a step is the same shift from everywhere. No
shift leads from a cell to one that is not its neighbour: beyond every edge of the board lies a place of the grid that
is no cell.

A row is a run of bits in both orders, so that a set is spread out, and gathered again, by a mask and a shift for each
row; two rows lie across the border of two words and take one more.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.bits import ZERO
from parlour.rulebook.compiling import kernel

from .board import CELL_ROW, CELLS, DIRECTIONS, FORWARD, GRID, OPPOSITE, RING_THREES, ROWS, STEPS

Words = NDArray[np.uint64]

WORD = 64
GRID_STEP = np.array([ROWS * rows + columns for rows, columns in STEPS])
"""[direction]: how many places up (or, below 0, down) it is to the next cell."""
LINES = np.array(FORWARD)
"""One direction of each of the three lines through a cell."""


def _runs(half: int, grid_half: int) -> tuple[Words, Words, Words]:
    """The runs of bits that lie in word ``half`` of a set of cells and in word ``grid_half`` of the grid: their masks
    in the one and the other, and how far apart they are."""
    masks, grid_masks, shifts = [], [], []
    for row in range(ROWS):
        cells = [c for c in range(CELLS) if CELL_ROW[c] == row and (c // WORD, GRID[c] // WORD) == (half, grid_half)]
        if cells:
            masks.append(sum(1 << c % WORD for c in cells))
            grid_masks.append(sum(1 << int(GRID[c]) % WORD for c in cells))
            shifts.append(abs(int(GRID[cells[0]]) % WORD - cells[0] % WORD))
    return np.array(masks, np.uint64), np.array(grid_masks, np.uint64), np.array(shifts, np.uint64)


# From low word to low word: rows a to f. From low to high: f to h, the only ones that come to lie lower in their word.
# From high to high: h to k.
LOW, GRID_LOW, LOW_SHIFT = _runs(0, 0)
ACROSS, GRID_ACROSS, ACROSS_SHIFT = _runs(0, 1)
HIGH, GRID_HIGH, HIGH_SHIFT = _runs(1, 1)
LOW_RUNS, ACROSS_RUNS, HIGH_RUNS = len(LOW), len(ACROSS), len(HIGH)


def _ring_sides() -> Words:
    """[way, direction, half]: the cells, as a set on the grid, from which the direction leads to the next cell of their
    own ring, round it one way or the other."""
    sides = np.zeros((2, DIRECTIONS, 2), np.uint64)
    for first, cell, other in RING_THREES:
        for way, target in enumerate((first, other)):
            direction = int(np.flatnonzero(GRID[target] - GRID[cell] == GRID_STEP)[0])
            sides[way, direction, GRID[cell] // WORD] |= np.uint64(1 << int(GRID[cell]) % WORD)
    return sides


RING_SIDES = _ring_sides()


@kernel
def spread(low: Any, high: Any) -> tuple[Any, Any]:
    """A set of cells, on the grid."""
    grid_low, grid_high = ZERO, ZERO
    for k in range(LOW_RUNS):
        grid_low |= (low & LOW[k]) << LOW_SHIFT[k]
    for k in range(ACROSS_RUNS):
        grid_high |= (low & ACROSS[k]) >> ACROSS_SHIFT[k]
    for k in range(HIGH_RUNS):
        grid_high |= (high & HIGH[k]) << HIGH_SHIFT[k]
    return grid_low, grid_high


@kernel
def gather(grid_low: Any, grid_high: Any) -> tuple[Any, Any]:
    """The cells among a set of places of the grid."""
    low, high = ZERO, ZERO
    for k in range(LOW_RUNS):
        low |= (grid_low & GRID_LOW[k]) >> LOW_SHIFT[k]
    for k in range(ACROSS_RUNS):
        low |= (grid_high & GRID_ACROSS[k]) << ACROSS_SHIFT[k]
    for k in range(HIGH_RUNS):
        high |= (grid_high & GRID_HIGH[k]) >> HIGH_SHIFT[k]
    return low, high


@kernel
def moved(grid_low: Any, grid_high: Any, direction: int) -> tuple[Any, Any]:
    """Every place of a set on the grid, one step further in a direction."""
    step = GRID_STEP[direction]
    places, rest = np.uint64(abs(step)), np.uint64(WORD - abs(step))
    if step > 0:
        return grid_low << places, grid_high << places | grid_low >> rest
    return grid_low >> places | grid_high << rest, grid_high >> places


@kernel
def flanked_on_lines(low: Any, high: Any) -> tuple[Any, Any]:
    """The cells that lie between two of the set (``low``, ``high``), both adjacent, in a straight line."""
    low, high = spread(low, high)
    flanked_low, flanked_high = ZERO, ZERO
    for k in range(LINES.size):
        one_low, one_high = moved(low, high, LINES[k])
        other_low, other_high = moved(low, high, OPPOSITE[LINES[k]])
        flanked_low |= one_low & other_low
        flanked_high |= one_high & other_high
    return gather(flanked_low, flanked_high)


@kernel
def flanked_in_rings(low: Any, high: Any) -> tuple[Any, Any]:
    """The cells whose two adjacent cells of the same ring are both in the set (``low``, ``high``)."""
    low, high = spread(low, high)
    one_low, one_high = ZERO, ZERO  # cells with one of the set next to them, one way round their ring
    other_low, other_high = ZERO, ZERO  # and the other way
    for direction in range(DIRECTIONS):
        moved_low, moved_high = moved(low, high, OPPOSITE[direction])
        one_low |= moved_low & RING_SIDES[0, direction, 0]
        one_high |= moved_high & RING_SIDES[0, direction, 1]
        other_low |= moved_low & RING_SIDES[1, direction, 0]
        other_high |= moved_high & RING_SIDES[1, direction, 1]
    return gather(one_low & other_low, one_high & other_high)
