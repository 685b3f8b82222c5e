"""The value of a position without search: from a table of exact values, if it has the position; else by a small
network; else the game's heuristic value. `PositionValues` has the table and the network, if there are any.

Networks are trained on positions at the ends of turns, before any throw; tables have positions at the starts of turns.
"""

from __future__ import annotations

import numpy as np

from parlour.engine.calls import state_in
from parlour.engine.game_functions import TIER_SHIFT, GameFunctions
from parlour.engine.kernels.network_value import value_to
from parlour.engine.kernels.search_path import seat_of
from parlour.engine.search_arrays import LEAF, MAX_EXTRA, Levels
from parlour.engine.solving_arrays import PositionValues, TableValues
from parlour.engine.value_arrays import has_network
from parlour.rulebook.compiling import inner_loop, kernel
from parlour.rulebook.protocol import Record

NOWHERE = -1


@kernel
def has_table(table: TableValues) -> bool:
    """Whether there is a table."""
    return table.first.shape[0] > 0


@kernel
def place_in_table(rules: GameFunctions, state: Record, variant: Record, table: TableValues) -> int:
    """Where a table has a position; `NOWHERE` if it does not."""
    rank = rules.rank(state, variant)
    tier = rank >> TIER_SHIFT
    if rank < 0 or tier >= table.first.shape[0] - 1:
        return NOWHERE
    return table.first[tier] + (rank - (tier << TIER_SHIFT))


@kernel
def value_at(place: int, seat: int, state: Record, table: TableValues) -> float:
    """The value for ``seat`` at a place that `place_in_table` has returned."""
    value = float(table.values[place])
    return value if state.to_act == seat else -value


# --- at the leaves of a search ---


@kernel
def at_turn_ends(values: PositionValues) -> bool:
    """Whether positions are valued at the ends of turns alone, before any throw that follows."""
    return has_network(values.network) or has_table(values.table)


@kernel
def leaf_value(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, values: PositionValues
) -> float:
    """The value of a level's position for its side: from −`LEAF` to `LEAF`, if it is not from a table."""
    state, frame = state_in(levels.states, i, level), levels.frames[i, level]
    seat, sign = seat_of(i, np.int64(frame.side), levels)
    if not at_turn_ends(values):
        return sign * LEAF * rules.heuristic_value(state, variant, seat)
    return sign * learnt_value(rules, i, seat, state, variant, values, bool(state.turn_over or frame.dice > 0))


@inner_loop
def learnt_value(
    rules: GameFunctions, i: int, seat: int, state: Record, variant: Record, values: PositionValues, in_table: bool
) -> float:
    """`leaf_value` for ``seat``, by the network or the table. ``in_table``: whether the table may have the position."""
    if in_table and has_table(values.table):
        place = place_in_table(rules, state, variant, values.table)
        if place != NOWHERE:
            return value_at(place, seat, state, values.table)
    if has_network(values.network):
        head = values.network.network.row_heads[i]
        return LEAF * value_to(rules, i, head, seat, state, variant, values.network)
    return LEAF * rules.heuristic_value(state, variant, seat)


@kernel
def leaf_bounds(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, values: PositionValues
) -> tuple[float, float]:
    """The lowest and the highest value for its side that a search can find for a level where a throw is due; infinite
    if nothing is known. They are the lowest and highest leaf value, plus the rewards that the game declares
    possible."""
    state, frame, bounds = state_in(levels.states, i, level), levels.frames[i, level], levels.bounds[i]
    seat, sign = seat_of(i, np.int64(frame.side), levels)
    if not at_turn_ends(values):
        rules.heuristic_bounds(state, variant, seat, frame.left, bounds)
        least, most = LEAF * bounds[0] - bounds[2], LEAF * bounds[1] + bounds[2]
        return (least, most) if sign > 0 else (-most, -least)
    rules.heuristic_bounds(state, variant, seat, frame.left + MAX_EXTRA, bounds)
    most = LEAF * values.network.network.scale if has_network(values.network) else 0.0
    if has_table(values.table):
        most = max(most, 1.0)
    return -most - bounds[2], most + bounds[2]


# --- at the ends of turns ---


@kernel
def row_value(rules: GameFunctions, i: int, seat: int, state: Record, variant: Record, values: PositionValues) -> float:
    """The rewards that ``seat`` can expect from a running position on, by the network's head of row i, or by the table;
    0 if the table does not have it."""
    if has_network(values.network):
        return value_to(rules, i, values.network.network.row_heads[i], seat, state, variant, values.network)
    place = place_in_table(rules, state, variant, values.table)
    return 0.0 if place == NOWHERE else value_at(place, seat, state, values.table)


@kernel
def scale_of(values: PositionValues) -> float:
    """The highest value that `row_value` can return."""
    return values.network.network.scale if has_network(values.network) else 1.0
