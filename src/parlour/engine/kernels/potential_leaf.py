"""The value of a leaf of a search: the game's heuristic value of its position.

Whatever else is to value leaves has the same kernels, and says whether positions are to be valued at the ends of turns
alone, before any throw that follows.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import LEAF, Levels
from parlour.rulebook.protocol import Evaluation, Record

evaluation: Evaluation
kernel: Callable[[Any], Any]

AT_TURN_ENDS = False


@kernel
def value(i: int, level: int, seat: int, variant: Record, levels: Levels, weights: Any) -> float:
    """The value of a level's position for ``seat``, from −`LEAF` to `LEAF`."""
    return LEAF * evaluation.heuristic_value(levels.states[i, level], variant, seat)


@kernel
def bounds(
    i: int, level: int, seat: int, plies: int, variant: Record, levels: Levels, weights: Any
) -> tuple[float, float]:
    """The lowest and the highest value for ``seat`` that a search of ``plies`` plies can find for a level where a
    throw is due; infinite if nothing is known."""
    low, high, paid = evaluation.heuristic_bounds(levels.states[i, level], variant, seat, plies)
    return LEAF * low - paid, LEAF * high + paid
