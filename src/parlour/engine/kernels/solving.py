"""Exact values of positions: `parlour.players.value.exact` says how a table is made.

A position of a tier is one at the start of a turn, in a game with dice before the throw (`Endings`). From each, the
turn is played in all possible ways. A turn ends where the game is over, a throw is due, or another turn or seat begins.
Each such end is an edge of the tier's graph.

Codes are the values of positions in games without dice, for the seat to act: 0 a draw; d a win after d more turns; −d −
1 a loss after d more turns; `OPEN` not known yet; `NO_CODE` no position.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import TIER_SHIFT, GameFunctions
from parlour.engine.kernels.ply import clear, open_ply, set_up, throws_due
from parlour.engine.solving_arrays import (
    LAST,
    LEVELS,
    NO_CODE,
    NO_TIER,
    NOT_BELOW,
    OPEN,
    OTHER_DICE,
    OUT,
    OVER,
    PAID,
    PLACE,
    SAME,
    TOO_DEEP,
    Graph,
    Walk,
)
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.endings import HOLE, PLACED
from parlour.rulebook.protocol import RUNNING, Record

NEVER = 32767
"""In place of a number of turns: no win is known."""
FARTHEST = 32000
"""The `score` of a win is this minus the number of turns."""


# --- where turns lead ---


@kernel
def set_position(rules: GameFunctions, tier: int, index: int, variant: Record, walk: Walk) -> int:
    """Sets level 0 to the position with this number in a tier. Returns its kind (`Endings.place`)."""
    state = state_at(walk.states, 0)
    clear(state)
    for seat in range(walk.rewards.shape[1]):
        walk.rewards[0, seat] = 0
    return rules.place(tier, index, state, variant)


@kernel
def is_stop(rules: GameFunctions, state: Record, variant: Record, seat: int) -> bool:
    """Whether ``seat`` can't play on: the game is over, another seat is to act, or a throw is due."""
    return state.end != RUNNING or state.to_act != seat or throws_due(rules, state, variant) > 0


@kernel
def is_end(rules: GameFunctions, state: Record, variant: Record, seat: int) -> bool:
    """Whether a ply of ``seat`` has ended its turn, or its part of it."""
    return state.turn_over != 0 or is_stop(rules, state, variant, seat)


@kernel
def go_down(level: int, walk: Walk) -> None:
    """Copies a level to the next one."""
    copy_row(walk.states, level, walk.states, level + 1)
    for seat in range(walk.rewards.shape[1]):
        walk.rewards[level + 1, seat] = walk.rewards[level, seat]


@kernel
def open_level(rules: GameFunctions, level: int, variant: Record, walk: Walk) -> None:
    """Lists the legal actions of a level."""
    walk.cursors[level] = 0
    walk.counts[level] = rules.list_legal(
        state_at(walk.states, level), variant, walk.actions[level], walk.masks[0], walk.words[0]
    )


@kernel
def next_end(rules: GameFunctions, first: int, level: int, seat: int, variant: Record, walk: Walk) -> int:
    """Continues the depth-first walk through the turn of ``seat``, which began at level ``first``, from ``level``.
    Returns the level of the next end of the turn; −1 if there is none; LEVELS if the turn is too deep."""
    while level >= first:
        if walk.cursors[level] == walk.counts[level]:
            level -= 1
            continue
        action = walk.actions[level, walk.cursors[level]]
        walk.cursors[level] += 1
        if level + 1 == LEVELS:
            return LEVELS
        go_down(level, walk)
        open_ply(rules, state_at(walk.states, level + 1), variant, action, walk.rewards[level + 1])
        level += 1
        if is_end(rules, state_at(walk.states, level), variant, seat):
            return level
        open_level(rules, level, variant, walk)
    return -1


@kernel
def rank_of(rules: GameFunctions, state: Record, variant: Record) -> tuple[int, int]:
    """The tier of a position (−1: none), and its number there."""
    rank = rules.rank(state, variant)
    return rank >> TIER_SHIFT, rank & ((1 << TIER_SHIFT) - 1)


@kernel
def reward_margin(level: int, seat: int, walk: Walk) -> float:
    """Half of the difference between the rewards of ``seat`` and those of the other seat."""
    return 0.5 * (walk.rewards[level, seat] - walk.rewards[level, 1 - seat])


@kernel
def note_end(
    rules: GameFunctions, level: int, seat: int, tier: int, size: int, k: int, m: int, variant: Record, walk: Walk,
    graph: Graph,
) -> tuple[int, int]:  # fmt: skip
    """Writes the end at a level as edge k, and as the m-th edge out if it leads out of the tier. Returns the next k and
    m: a k below 0 is one of `PROBLEMS`; a k beyond the edges means that there is not enough room."""
    if k >= graph.edges.shape[0]:
        return k + 1, m
    state, row = state_at(walk.states, level), graph.out[m]
    row.paid, row.tier, row.index, row.same = reward_margin(level, seat, walk), OVER, 0, 0
    if state.end == RUNNING:
        if row.paid != 0:
            return PAID, m
        row.tier, row.index = rank_of(rules, state, variant)
        row.same = 1 if state.to_act == seat else 0
        if row.tier == tier:
            if not 0 <= row.index < size:
                return NOT_BELOW, m
            graph.edges[k] = row.index << PLACE | (SAME if row.same else 0)
            return k + 1, m
        if tier != NO_TIER and not 0 <= row.tier < tier:
            return NOT_BELOW, m
    graph.edges[k] = m << PLACE | OUT
    return k + 1, m + 1


@loop
def note_turns(
    rules: GameFunctions, first: int, tier: int, size: int, k: int, m: int, variant: Record, walk: Walk, graph: Graph
) -> tuple[int, int]:
    """Writes all ends of the turn that level ``first`` is in, from edge k and edge out m on. Returns what `note_end`
    does."""
    seat, level = state_at(walk.states, first).to_act, first
    open_level(rules, first, variant, walk)
    while True:
        level = next_end(rules, first, level, seat, variant, walk)
        if level == LEVELS:
            return TOO_DEEP, m
        if level < 0:
            return k, m
        k, m = note_end(rules, level, seat, tier, size, k, m, variant, walk, graph)
        if k < 0 or k > graph.edges.shape[0]:
            return k, m
        level -= 1


@kernel
def note_throws(
    rules: GameFunctions, tier: int, size: int, dice: int, k: int, m: int, variant: Record, walk: Walk, graph: Graph
) -> tuple[int, int]:
    """`note_turns` for each throw of ``dice`` dice at level 0."""
    if rules.dice_due(state_at(walk.states, 0), variant) != dice:
        return OTHER_DICE, m
    seat = state_at(walk.states, 0).to_act
    for number in range(rules.count_of(dice)):
        go_down(0, walk)
        rules.set_throw(walk.faces, dice, number)
        rules.throw(state_at(walk.states, 1), variant, walk.faces, walk.rewards[1])
        if is_stop(rules, state_at(walk.states, 1), variant, seat):
            k, m = note_end(rules, 1, seat, tier, size, k, m, variant, walk, graph)
        else:
            k, m = note_turns(rules, 1, tier, size, k, m, variant, walk, graph)
        if k < 0 or k > graph.edges.shape[0]:
            return k, m
        graph.edges[k - 1] |= LAST
    return k, m


@loop
def expand(
    rules: GameFunctions, tier: int, size: int, low: int, high: int, dice: int, variants: Any, walk: Walk,
    graph: Graph,
) -> tuple[int, int]:  # fmt: skip
    """Writes the edges of the positions ``low`` to ``high`` − 1 of a tier of ``size``, as far as there is room.
    ``dice``: of the game proper. Returns the next position, and how many edges lead out; or one of `PROBLEMS`, and the
    position."""
    k = m = 0
    for i in range(low, high):
        kind = set_position(rules, tier, i, variant_at(variants, 0), walk)
        graph.kinds[i - low], graph.starts[i - low] = kind, k
        graph.starts[i - low + 1] = k
        if kind != PLACED:
            continue
        if dice > 0:
            next_k, next_m = note_throws(rules, tier, size, dice, k, m, variant_at(variants, 0), walk, graph)
        else:
            next_k, next_m = note_turns(rules, 0, tier, size, k, m, variant_at(variants, 0), walk, graph)
        if next_k < 0:
            return next_k, i
        if next_k > graph.edges.shape[0]:
            return i, m
        k, m = next_k, next_m
        graph.starts[i - low + 1] = k
    return high, m


@loop
def look_ahead(rules: GameFunctions, states: Any, variants: Any, action: int, walk: Walk, graph: Graph) -> int:
    """Writes all ends of the turn after ``action`` in the position of row 0 as edges out. Returns how many: more than
    the graph has room for if there is not enough; or one of `PROBLEMS`."""
    state, variant, seat = state_at(walk.states, 0), variant_at(variants, 0), state_at(states, 0).to_act
    copy_row(states, 0, walk.states, 0)
    for other in range(walk.rewards.shape[1]):
        walk.rewards[0, other] = 0
    open_ply(rules, state, variant, action, walk.rewards[0])
    if is_end(rules, state, variant, seat):
        k, _ = note_end(rules, 0, seat, NO_TIER, 0, 0, 0, variant, walk, graph)
    else:
        k, _ = note_turns(rules, 0, NO_TIER, 0, 0, 0, variant, walk, graph)
    return k


@loop
def list_actions(rules: GameFunctions, states: Any, variants: Any, walk: Walk) -> int:
    """Lists the legal actions of row 0 in ``walk.actions[0]``. Returns how many."""
    copy_row(states, 0, walk.states, 0)
    open_level(rules, 0, variant_at(variants, 0), walk)
    return walk.counts[0]


@loop
def number_of(rules: GameFunctions, states: Any, variants: Any) -> tuple[int, int]:
    """The tier and the number of the position of row 0."""
    return rank_of(rules, state_at(states, 0), variant_at(variants, 0))


@loop
def number_of_start(rules: GameFunctions, states: Any, variants: Any) -> tuple[int, int]:
    """Sets row 0 to the start of the game. Returns `number_of`."""
    set_up(rules, state_at(states, 0), variant_at(variants, 0))
    return number_of(rules, states, variants)


@loop
def placed(rules: GameFunctions, tier: int, index: int, variants: Any, walk: Walk) -> int:
    """`set_position`, for Python."""
    return set_position(rules, tier, index, variant_at(variants, 0), walk)


# --- with dice: bounds from below and from above ---


@kernel
def bounds(i: int, chances: Any, graph: Graph, out: Any, values: Any, first: int, fresh: Any) -> tuple[float, float]:
    """The lowest and highest possible value of position i of a graph, by the bounds at the ends of its turns. ``out``:
    float64 (M, 2), of the edges out; ``values``: float64 (N, 2), of all positions of the tier; ``fresh``: newer bounds,
    which replace those from position ``first`` on."""
    low = high = 0.0
    e = graph.starts[i]
    for number in range(chances.shape[0]):
        best_low = best_high = -math.inf
        last = False
        while not last:
            edge = np.int64(graph.edges[e])
            target = edge >> PLACE
            if edge & OUT:
                edge_low, edge_high = out[target, 0], out[target, 1]
            else:
                if first <= target < first + fresh.shape[0]:
                    edge_low, edge_high = fresh[target - first, 0], fresh[target - first, 1]
                else:
                    edge_low, edge_high = values[target, 0], values[target, 1]
                if edge & SAME == 0:
                    edge_low, edge_high = -edge_high, -edge_low
            best_low, best_high = max(best_low, edge_low), max(best_high, edge_high)
            last = edge & LAST != 0
            e += 1
        low += chances[number] * best_low
        high += chances[number] * best_high
    return low, high


@loop
def sweep(
    first: int, chances: Any, graph: Graph, out: Any, target: float, values: Any, fresh: Any
) -> tuple[int, float]:
    """One pass of value iteration over the positions from ``first`` on, the last one first: tightens their bounds,
    ``fresh``, in place. Positions whose bounds are at most ``target`` apart are done. Returns how many are not, and the
    largest change."""
    still_open, largest = 0, 0.0
    for i in range(graph.kinds.shape[0] - 1, -1, -1):
        if graph.kinds[i] != PLACED or fresh[i, 1] - fresh[i, 0] <= target:
            continue
        low, high = bounds(i, chances, graph, out, values, first, fresh)
        largest = max(largest, low - fresh[i, 0], fresh[i, 1] - high)
        fresh[i, 0], fresh[i, 1] = max(low, fresh[i, 0]), min(high, fresh[i, 1])
        if fresh[i, 1] - fresh[i, 0] > target:
            still_open += 1
    return still_open, largest


@loop
def check_bounds(first: int, chances: Any, graph: Graph, out: Any, rounding: float, values: Any) -> tuple[int, int]:
    """How many positions have bounds that do not follow, up to ``rounding``, from the bounds at the ends of their
    turns; and the first of them, −1 for none. If there is none, all bounds are correct."""
    wrong, where = 0, -1
    for i in range(graph.kinds.shape[0]):
        n = first + i
        low, high = 0.0, 0.0
        if graph.kinds[i] == PLACED:
            low, high = bounds(i, chances, graph, out, values, 0, values)
        if not (values[n, 0] - rounding <= low <= high <= values[n, 1] + rounding):
            wrong += 1
            where = n if where < 0 else where
    return wrong, where


# --- without dice: win, loss, draw and distance ---


@kernel
def score(code: int) -> int:
    """A number that is higher the better a code is: an early win, a late win, a draw, a late loss, an early loss."""
    return FARTHEST - code if code > 0 else (0 if code == 0 else -FARTHEST - 1 - code)


@kernel
def later(code: int, same: bool) -> int:
    """The code of a position, from the code of the next position, one turn later. ``same``: whether the same seat is to
    act there."""
    if code == 0:
        return 0
    turns = code if code > 0 else -code - 1
    return turns + 1 if (code > 0) == same else -turns - 2


@loop
def count_edges(first: int, graph: Graph, out: Any, wins: Any, losses: Any, left: Any, sources: Any) -> int:
    """Prepares retrograde analysis of a part of a tier. Writes for each position, by its edges with known wins and
    losses, the turns to the fastest win (``wins``; `NEVER`) and to the slowest loss (``losses``); and into ``left`` how
    many other edges it has, draws among them. Counts the edges that lead to position n of the tier in ``sources[n +
    2]``. ``out``: int16 (M,) codes. Returns the largest known number of turns."""
    farthest = 0
    for i in range(graph.kinds.shape[0]):
        n = first + i
        wins[n], losses[n], left[n] = NEVER, 0, 0
        for e in range(graph.starts[i], graph.starts[i + 1]):
            edge = np.int64(graph.edges[e])
            target = edge >> PLACE
            if not edge & OUT:
                left[n] += 1
                sources[target + 2] += 1
                continue
            code = np.int64(out[target])
            if code > 0:
                wins[n] = min(wins[n], code)
                farthest = max(farthest, code)
            elif code < 0:
                losses[n] = max(losses[n], -code - 1)
                farthest = max(farthest, -code - 1)
            else:
                left[n] += 1
    return farthest


@loop
def reverse(first: int, graph: Graph, sources: Any, arrivals: Any) -> None:
    """Writes the predecessors of each position n of the tier into ``arrivals`` (int32), from index ``sources[n + 1]``
    on, which is advanced. An entry is 2 · the predecessor, plus 1 if the same seat is to act in both."""
    for i in range(graph.kinds.shape[0]):
        for e in range(graph.starts[i], graph.starts[i + 1]):
            edge = np.int64(graph.edges[e])
            if not edge & OUT:
                target = edge >> PLACE
                arrivals[sources[target + 1]] = (first + i) << 1 | (1 if edge & SAME else 0)
                sources[target + 1] += 1


@loop
def settle(turns: int, wins: Any, losses: Any, left: Any, sources: Any, arrivals: Any, codes: Any) -> int:
    """Finds the positions that are won or lost in exactly ``turns`` turns, after all that take fewer. Returns how many.
    The predecessors of position n are ``arrivals[sources[n]:sources[n + 1]]``."""
    settled = 0
    for n in range(codes.shape[0]):
        if codes[n] != OPEN:
            continue
        won = wins[n] == turns
        if not won and not (left[n] == 0 and wins[n] == NEVER and losses[n] == turns):
            continue
        codes[n] = turns if won else -turns - 1
        settled += 1
        for a in range(sources[n], sources[n + 1]):
            source, same = arrivals[a] >> 1, arrivals[a] & 1
            if won == same:
                wins[source] = min(np.int64(wins[source]), turns + 1)
            else:
                left[source] -= 1
                losses[source] = max(np.int64(losses[source]), turns + 1)
    return settled


@loop
def check_codes(first: int, graph: Graph, out: Any, codes: Any) -> tuple[int, int]:
    """How many codes do not follow from those of the next positions; and the first such position, −1 for none."""
    wrong, where = 0, -1
    for i in range(graph.kinds.shape[0]):
        n = first + i
        best = np.int64(NO_CODE) if graph.kinds[i] == HOLE else np.int64(-1)
        for e in range(graph.starts[i], graph.starts[i + 1]):
            edge = np.int64(graph.edges[e])
            target = edge >> PLACE
            code = np.int64(out[target]) if edge & OUT else later(np.int64(codes[target]), edge & SAME != 0)
            if e == graph.starts[i] or score(code) > score(best):
                best = code
        if codes[n] != best:
            wrong += 1
            where = n if where < 0 else where
    return wrong, where
