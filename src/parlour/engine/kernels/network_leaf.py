"""The value of a leaf of a search: that of a small network.

It has the kernels of `potential_leaf`. A network is taught positions at the ends of turns, so only these are valued.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import LEAF, MAX_EXTRA, Levels
from parlour.engine.value_arrays import NetworkEvaluation
from parlour.rulebook.protocol import Evaluation, Record

evaluation: Evaluation
network_value: Any
kernel: Callable[[Any], Any]

AT_TURN_ENDS = True


@kernel
def value(i: int, level: int, seat: int, variant: Record, levels: Levels, weights: NetworkEvaluation) -> float:
    """The value of a level's position for ``seat``: `LEAF` times the network's value."""
    head = weights.network.row_heads[i]
    return LEAF * network_value.value_to(i, head, seat, levels.states[i, level], variant, weights)


@kernel
def bounds(
    i: int, level: int, seat: int, plies: int, variant: Record, levels: Levels, weights: NetworkEvaluation
) -> tuple[float, float]:
    """See `potential_leaf.bounds`: the range of the network's values, and the rewards that the game declares."""
    _, _, paid = evaluation.heuristic_bounds(levels.states[i, level], variant, seat, plies + MAX_EXTRA)
    most = LEAF * weights.network.scale + paid
    return -most, most
