"""The value of a leaf of a search: that of a table of exact values, and outside it the game's heuristic value.

It has the kernels of `potential_leaf`. A table has positions at the starts of turns, so only these are valued.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import LEAF, MAX_EXTRA, Levels
from parlour.engine.solving_arrays import TableValues
from parlour.rulebook.protocol import Evaluation, Record

evaluation: Evaluation
endings: Any
kernel: Callable[[Any], Any]

AT_TURN_ENDS = True


@kernel
def place_in_table(i: int, level: int, variant: Record, levels: Levels, table: TableValues) -> int:
    """Where a table has a level's position; −1 if it does not."""
    state = levels.states[i, level]
    if state.turn_over or levels.frames[i, level].dice > 0:
        tier, index = endings.rank(state, variant)
        if 0 <= tier < table.first.shape[0] - 1:
            return int(table.first[tier] + index)
    return -1


@kernel
def value_at(place: int, i: int, level: int, seat: int, levels: Levels, table: TableValues) -> float:
    """The value for ``seat`` at a place that `place_in_table` has found."""
    found = float(table.values[place])
    return found if levels.states[i, level].to_act == seat else -found


@kernel
def value(i: int, level: int, seat: int, variant: Record, levels: Levels, weights: TableValues) -> float:
    """The value of a level's position for ``seat``, from −1 to 1."""
    place = place_in_table(i, level, variant, levels, weights)
    if place >= 0:
        return value_at(place, i, level, seat, levels, weights)
    return LEAF * evaluation.heuristic_value(levels.states[i, level], variant, seat)


@kernel
def bounds(
    i: int, level: int, seat: int, plies: int, variant: Record, levels: Levels, weights: TableValues
) -> tuple[float, float]:
    """See `potential_leaf.bounds`: results, and the rewards that the game declares."""
    _, _, paid = evaluation.heuristic_bounds(levels.states[i, level], variant, seat, plies + MAX_EXTRA)
    return -1 - paid, 1 + paid
