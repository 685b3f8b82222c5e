"""The loop that drives the searches `alpha_beta` and `max_n`, over many games at once.

A search goes through its tree level by level: it enters a level, goes down to the next one, and comes back with the
value of what it found there. At the root it ends an iteration and begins the next, one ply deeper. This is a loop,
since Numba can't keep recursive functions on disk; so a search can also stop after any node and go on in another call.

What differs between the searches are their kernels:

* ``begin_row(i, arrays, levels, memory, using)`` prepares the search of row i
* ``visit(i, level, entering, arrays, levels, memory, weights, using)`` enters a level, or takes the value of the level
  below; it returns whether the level is done
* ``descend(i, level, arrays, levels, using)`` sets up the next level
* ``end_iteration(i, depth, levels, memory, using)`` ends an iteration; it returns whether the search is done
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.search_arrays import DONE, TO_BEGIN, Levels, Memory
from parlour.rulebook.protocol import Record

kernel: Callable[[Any], Any]


@kernel
def search_row(
    i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory, weights: Any, using: Record,
    visit: Any, descend: Any, end_iteration: Any,
) -> None:  # fmt: skip
    """Continues the search of row i, for at most ``budget`` nodes."""
    progress = memory.progress[i]
    level, entering = np.int64(progress.level), progress.entering  # of one type, so that kernels are compiled once
    while budget > 0:
        if entering:
            budget -= 1
            progress.nodes += 1
        if not visit(i, level, entering, arrays, levels, memory, weights, using):
            descend(i, level, arrays, levels, using)
            level += 1
            entering = True
        elif level > 0:
            level -= 1
            entering = False
        elif end_iteration(i, depth, levels, memory, using):
            return
        else:
            entering = True
    progress.level, progress.entering = level, entering


@kernel
def search_rows(
    low: int, high: int, row_mask: Any, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory,
    weights: Any, switches: Any, begin_row: Any, search_one: Any,
) -> int:  # fmt: skip
    """Searches rows ``low`` to ``high`` to ``depth``: those in ``row_mask`` (bool (N,)) that are not done, each for at
    most ``budget`` nodes, from where the last call stopped. Returns how many of them are still not done.

    ``weights``: what the template `leaf` works with. ``switches``: one record of `search_arrays.SWITCHES`.
    ``search_one``: `search_row` with the kernels of one search; a `loop`, see `parlour.engine.compiled.instantiate`.
    """
    unfinished = 0
    for i in range(low, high):
        if not row_mask[i] or memory.progress[i].status == DONE:
            continue
        if memory.progress[i].status == TO_BEGIN:
            begin_row(i, arrays, levels, memory, switches[0])
        search_one(i, depth, budget, arrays, levels, memory, weights, switches[0])
        unfinished += memory.progress[i].status != DONE
    return unfinished
