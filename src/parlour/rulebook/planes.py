"""Writing observation planes, which lie one after another in a flat int8 array; ``size`` is H × W."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Plane, Record

MAX_IN_TWO_PLANES = 128 * 128 - 1
"""The largest number that two planes hold; the smallest is −128 · 128."""

PLIES_LEFT_PLANES = (
    Plane("plies left before max_plies, div 128 (0 without a limit; at most 16383 plies)", 0, 127),
    Plane("plies left before max_plies, mod 128", 0, 127),
)
"""What `fill_plies_left` writes."""


@kernel
def fill(planes: Any, plane: int, size: int, value: int) -> None:
    """Sets every number of a plane to ``value``."""
    # Unsigned: if an index could be negative, machine code would write number by number where ``size`` varies.
    for k in range(np.uint64(plane * size), np.uint64((plane + 1) * size)):
        planes[k] = value


@kernel
def mark(planes: Any, plane: int, size: int, cells: Any) -> None:
    """Sets to 1 the numbers of a plane that belong to the set ``cells`` (see `bits`)."""
    for half in range(2):
        word = cells[half]
        while word:
            planes[plane * size + 64 * half + lowest(word)] = 1
            word = without_lowest(word)


@kernel
def fill_two(planes: Any, plane: int, size: int, number: int) -> None:
    """Fills ``plane`` with ``number`` div 128 and the next plane with ``number`` mod 128.

    Numbers beyond what two planes can hold are clipped (see `MAX_IN_TWO_PLANES`).
    """
    cut = min(max(number, -MAX_IN_TWO_PLANES - 1), MAX_IN_TWO_PLANES)
    fill(planes, plane, size, cut >> 7)
    fill(planes, plane + 1, size, cut & 127)


@kernel
def fill_plies_left(planes: Any, plane: int, size: int, state: Record, variant: Record) -> None:
    """Fills ``plane`` and the next with the plies left before `max_plies`; 0 without a limit."""
    fill_two(planes, plane, size, max(variant.max_plies - state.plies, 0))
