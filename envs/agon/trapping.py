"""Which pieces of a game of Agon are trapped, and where a trapped piece may be put."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record

from . import board, variants
from .board import BIT, OUTER, RINGS
from .flanks import flanked_in_rings, flanked_on_lines
from .position import empty_cells, pieces

FORBIDDEN = variants.ENTERING.number("forbidden")
LINE = variants.GEOMETRY.number("line")

GUARD_PUT = np.array([np.broadcast_to(RINGS[OUTER], RINGS.shape), board.NEXT_RINGS])
"""[guard_goes, ring, half]: where a trapped guard may be put. Kato: "any of the free hexes in the outermost ring";
Neto: "any empty cell in the next outer ring"."""
QUEEN_PUT = np.array(
    [np.broadcast_to(board.ALL, RINGS.shape), board.NEXT_RINGS, np.broadcast_to(RINGS[OUTER], RINGS.shape)]
)
"""[queen_goes, ring, half]: where a trapped queen may be put. Woolson: "anywhere on the board"; Neto: as for guards."""

# The tables above are in the order of these options' values.
assert (variants.GUARD_GOES.values, variants.QUEEN_GOES.values) == (
    ("outer", "next_ring"),
    ("anywhere", "next_ring", "outer"),
)


@kernel
def between(state: Record, variant: Record, seat: int) -> tuple[Any, Any]:
    """The cells between two pieces of ``seat``: an enemy that stands there is trapped.

    geometry=line: Woolson: "between two hostile pieces so that the three form a straight line on adjacent spaces".
    Queens trap like guards, and the throne counts like any cell. geometry=ring: Neto: "all 3 pieces are in the same
    ring", round its corners too (Neto's second diagram).
    """
    low, high = pieces(state, seat)
    return flanked_on_lines(low, high) if variant.geometry == LINE else flanked_in_rings(low, high)


@kernel
def open_cells(state: Record, variant: Record) -> tuple[Any, Any]:
    """The empty cells that a piece of the seat whose turn it is may enter. Kato, Blocking: "When two of your pieces
    flank an empty hex on the same line, no enemy piece can enter that hex". Ruling: neither by a step nor by a
    relocation or placement."""
    low, high = empty_cells(state)
    if variant.entering == FORBIDDEN:
        return low & ~state.flanked[0], high & ~state.flanked[1]
    return low, high


@kernel
def goal_cells(state: Record, variant: Record, cell: int) -> tuple[Any, Any]:
    """Where a trapped piece of the seat whose turn it is, on ``cell``, may be put. Ruling: not on its own cell."""
    low, high = open_cells(state, variant)
    ring = board.RING_OF[cell]
    if cell == state.queens[state.turn_of]:
        return low & QUEEN_PUT[variant.queen_goes, ring, 0], high & QUEEN_PUT[variant.queen_goes, ring, 1]
    return low & GUARD_PUT[variant.guard_goes, ring, 0], high & GUARD_PUT[variant.guard_goes, ring, 1]


@kernel
def has_goal(state: Record, variant: Record, cell: int) -> bool:
    """Whether there is a legal cell for the trapped piece on ``cell``."""
    low, high = goal_cells(state, variant, cell)
    return low | high != ZERO


@kernel
def find_candidates(state: Record, variant: Record, low: Any, high: Any) -> int:
    """Sets ``waiting`` to those of the trapped guards (``low``, ``high``) that have a legal cell. Returns how many."""
    for half in range(2):
        word = low if half == 0 else high
        while word:
            cell = 64 * half + lowest(word)
            word = without_lowest(word)
            if has_goal(state, variant, cell):
                state.waiting[half] |= BIT[cell, half]
    return count_bits(state.waiting[0]) + count_bits(state.waiting[1])
