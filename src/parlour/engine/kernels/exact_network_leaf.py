"""The value of a leaf of a search: that of a table of exact values, and outside it that of a small network.

It has the kernels of `potential_leaf`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import Levels
from parlour.engine.solving_arrays import NetworkAndTable
from parlour.rulebook.protocol import Record

exact_leaf: Any
network_leaf: Any
kernel: Callable[[Any], Any]

AT_TURN_ENDS = True


@kernel
def value(i: int, level: int, seat: int, variant: Record, levels: Levels, weights: NetworkAndTable) -> float:
    """The value of a level's position for ``seat``."""
    place = exact_leaf.place_in_table(i, level, variant, levels, weights.table)
    if place >= 0:
        return exact_leaf.value_at(place, i, level, seat, levels, weights.table)
    return network_leaf.value(i, level, seat, variant, levels, weights.network)


@kernel
def bounds(
    i: int, level: int, seat: int, plies: int, variant: Record, levels: Levels, weights: NetworkAndTable
) -> tuple[float, float]:
    """See `potential_leaf.bounds`."""
    low, high = exact_leaf.bounds(i, level, seat, plies, variant, levels, weights.table)
    least, most = network_leaf.bounds(i, level, seat, plies, variant, levels, weights.network)
    return min(low, least), max(high, most)
