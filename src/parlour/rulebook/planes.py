"""Writing observation planes, which lie one after another in a flat int8 array; ``size`` is H × W."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.compiling import kernel


@kernel
def fill(planes: Any, plane: int, size: int, value: int) -> None:
    """Sets every number of a plane to ``value``."""
    # Unsigned: for an index that might be below 0, machine code would write number by number where ``size`` varies.
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
