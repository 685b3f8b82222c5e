"""The value of a position by a table of exact values, for a game between two seats: see `parlour.players.value.exact`.

It has the kernels of `network_value` that `turn_choice` uses. A table has positions at the starts of turns, before any
throw. What is outside it counts as even.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.solving_arrays import TableValues
from parlour.rulebook.protocol import Record

endings: Any
kernel: Callable[[Any], Any]


@kernel
def row_value(i: int, seat: int, state: Record, variant: Record, evaluation: TableValues) -> float:
    """The rewards that ``seat`` can expect from a running position on."""
    tier, index = endings.rank(state, variant)
    if tier < 0 or tier >= evaluation.first.shape[0] - 1:
        return 0.0
    value = float(evaluation.values[evaluation.first[tier] + index])
    return value if state.to_act == seat else -value


@kernel
def scale_of(evaluation: TableValues) -> float:
    """The highest value."""
    return 1.0
