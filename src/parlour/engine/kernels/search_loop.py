"""The loop that drives the searches `alpha_beta` and `max_n`, over many games at once.

A search goes through its tree level by level: it enters a level, goes down to the next one, and comes back with the
value of what it found there. At the root it ends an iteration and begins the next, one ply deeper. This is a loop,
since Numba can't keep recursive functions on disk; so a search can also stop after any node and go on in another call.

What differs between the searches are their kernels:

* ``begin_row(rules, i, arrays, levels, memory, using)`` prepares the search of row i
* ``visit(rules, i, level, entering, arrays, levels, memory, values, using)`` enters a level, or takes the value of the
  level below; it returns whether the level is done
* ``descend(rules, i, level, arrays, levels, using)`` sets up the next level
* ``end_iteration(i, depth, levels, memory, using)`` ends an iteration; it returns whether the search is done
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.game_functions import GameFunctions
from parlour.engine.search_arrays import DONE, TO_BEGIN, Levels, Memory
from parlour.engine.solving_arrays import PositionValues
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record


@kernel
def search_row(
    rules: GameFunctions, i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory,
    values: PositionValues, using: Record, visit: Any, descend: Any, end_iteration: Any,
) -> None:  # fmt: skip
    """Continues the search of row i, for at most ``budget`` nodes."""
    progress = memory.progress[i]
    level, entering = np.int64(progress.level), progress.entering  # of one type, so that kernels are compiled once
    while budget > 0:
        if entering:
            budget -= 1
            progress.nodes += 1
        if not visit(rules, i, level, entering, arrays, levels, memory, values, using):
            descend(rules, i, level, arrays, levels, using)
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
    low: int, high: int, rules: GameFunctions, row_mask: Any, depth: int, budget: int, arrays: Arrays, levels: Levels,
    memory: Memory, values: PositionValues, switches: Any, begin_row: Any, search_one: Any,
) -> int:  # fmt: skip
    """Searches rows ``low`` to ``high`` to ``depth``: those in ``row_mask`` (bool (N,)) that are not done, each for at
    most ``budget`` nodes, from where the last call stopped. Returns how many of them are still not done.

    ``values``: what values leaves. ``switches``: one record of `search_arrays.SWITCHES`.
    ``search_one``: `search_row` with the kernels of one search; a `parlour.rulebook.compiling.loop`.
    """
    unfinished = 0
    for i in range(low, high):
        if not row_mask[i] or memory.progress[i].status == DONE:
            continue
        if memory.progress[i].status == TO_BEGIN:
            begin_row(rules, i, arrays, levels, memory, switches[0])
        search_one(rules, i, depth, budget, arrays, levels, memory, values, switches[0])
        unfinished += memory.progress[i].status != DONE
    return unfinished
