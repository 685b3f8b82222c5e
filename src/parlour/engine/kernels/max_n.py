"""The max^n search (Luckhardt and Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986) of games of any number
of seats, with or without dice, over many games at once: each seat maximises its own value.

Values and depths are as in `alpha_beta`, but every position has a value for each seat: its own return. Nothing is
pruned, since pruning in max^n needs a bound on the sum of all seats' values. `search_loop` drives the search.
"""

from __future__ import annotations

from typing import Any

from parlour.engine.arrays import Arrays
from parlour.engine.calls import state_in, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import move_order, ply, search_loop, search_path
from parlour.engine.kernels.leaf import at_turn_ends, leaf_value
from parlour.engine.search_arrays import (
    DONE,
    FAR,
    GOING_ON,
    LEVELS,
    MAX_THROWS,
    NONE,
    TIE,
    Levels,
    Memory,
)
from parlour.engine.solving_arrays import PositionValues
from parlour.rulebook.chance import below as draw_below
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.protocol import REPETITION, RUNNING, Record


@kernel
def descend(rules: GameFunctions, i: int, level: int, arrays: Arrays, levels: Levels, using: Record) -> None:
    """Sets up the next level: after the current action or throw."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    variant = variant_at(arrays.variants, i)
    search_path.go_down(i, level, levels)
    state = state_in(levels.states, i, level + 1)
    for seat in range(levels.paid.shape[2]):
        levels.paid[i, level + 1, seat] = 0
    if frame.dice > 0:
        rules.throw(state, variant, levels.faces[i, level], levels.paid[i, level + 1])
        below.left, below.throws = frame.left, frame.throws + 1
    else:
        action = levels.actions[i, level, frame.cursor]
        ply.open_ply(rules, state, variant, action, levels.paid[i, level + 1])
        below.left = frame.left - 1
    below.dice = ply.throws_due(rules, state, variant)


@kernel
def enter(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory, values: PositionValues,
    using: Record,
) -> bool:  # fmt: skip
    """Enters a level. Returns whether its values are known without going deeper."""
    frame, state = levels.frames[i, level], state_in(levels.states, i, level)
    frame.extra = 0
    is_last = level == LEVELS - 1
    for seat in range(levels.values.shape[2]):
        levels.values[i, level, seat] = 0
    frame.cursor, frame.action, frame.proved, frame.floor = 0, NONE, True, FAR
    is_valued = at_turn_ends(values) and frame.left == 0  # before the throw
    if frame.dice > 0 and frame.throws < MAX_THROWS and not is_last and not is_valued:
        rules.set_throw(levels.faces[i, level], frame.dice, 0)
        return False
    if level > 0 and frame.dice == 0:
        search_path.close_ply(rules, i, level, variant, levels, memory, using)
    if state.end != RUNNING:
        frame.proved = state.end > REPETITION
        return True
    if at_turn_ends(values) and frame.dice == 0:
        search_path.play_turn_out(i, level, levels)
    if frame.left == 0 or frame.dice > 0 or is_last:
        for seat in range(levels.values.shape[2]):
            levels.values[i, level, seat] = leaf_value(rules, i, level, seat, variant, levels, values)
        frame.proved = False
        return True
    frame.count = move_order.list_actions(rules, i, level, variant, levels, memory)
    return False


@kernel
def take(rules: GameFunctions, i: int, level: int, player_rng: Record, levels: Levels, memory: Memory) -> bool:
    """Takes the values of the level below. Returns whether the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    frame.proved &= below.proved
    seats = levels.values.shape[2]
    if frame.dice > 0:
        chance = rules.chance_of(frame.dice, frame.cursor)
        for seat in range(seats):
            value = levels.paid[i, level + 1, seat] + levels.values[i, level + 1, seat]
            levels.values[i, level, seat] += chance * value
        frame.cursor += 1
        if frame.cursor == rules.count_of(frame.dice):
            return True
        rules.set_throw(levels.faces[i, level], frame.dice, frame.cursor)
        return False
    own = state_in(levels.states, i, level).to_act
    found = levels.paid[i, level + 1, own] + search_path.later(levels.values[i, level + 1, own])
    margin = TIE if level == 0 else 0.0
    takes = frame.action == NONE or found > levels.values[i, level, own] + margin
    if takes:
        frame.ties = 1
    elif level == 0 and found >= levels.values[i, level, own] - TIE:  # ties are broken uniformly at random
        frame.ties += 1
        takes = draw_below(player_rng, frame.ties) == 0
    if takes:
        frame.action = levels.actions[i, level, frame.cursor]
        for seat in range(seats):
            value = levels.paid[i, level + 1, seat] + search_path.later(levels.values[i, level + 1, seat])
            levels.values[i, level, seat] = value
    frame.cursor += 1
    return frame.cursor == frame.count


@kernel
def visit(
    rules: GameFunctions, i: int, level: int, entering: bool, arrays: Arrays, levels: Levels, memory: Memory,
    values: PositionValues, using: Record,
) -> bool:  # fmt: skip
    """Enters a level, or takes the values of the level below. Returns whether the level is done."""
    if entering:
        return enter(rules, i, level, variant_at(arrays.variants, i), levels, memory, values, using)
    return take(rules, i, level, arrays.player_rng[i], levels, memory)


@kernel
def begin_row(rules: GameFunctions, i: int, arrays: Arrays, levels: Levels, memory: Memory, using: Record) -> None:
    """Prepares the search of row i from its present position."""
    progress, frame = memory.progress[i], levels.frames[i, 0]
    search_path.set_root(i, arrays, levels, memory)
    progress.nodes, progress.depth, progress.finished, progress.action = 0, 1, 0, NONE
    progress.level, progress.entering, progress.status = 0, True, GOING_ON
    frame.left = 1


@kernel
def end_iteration(i: int, depth: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """Stores the result of an iteration of row i. Returns whether the search is done; if not, it goes on one ply
    deeper."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    progress.action, progress.finished = frame.action, progress.depth
    for seat in range(levels.values.shape[2]):
        memory.values[i, seat] = levels.values[i, 0, seat]
    if progress.depth >= depth or frame.proved:
        progress.status = DONE
        return True
    progress.depth += 1
    frame.left = progress.depth
    return False


@loop
def search_row(
    rules: GameFunctions, i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory,
    values: PositionValues, using: Record,
) -> None:  # fmt: skip
    """See `search_loop.search_row`."""
    search_loop.search_row(
        rules, i, depth, budget, arrays, levels, memory, values, using, visit, descend, end_iteration
    )


@loop
def search_rows(
    low: int, high: int, rules: GameFunctions, row_mask: Any, depth: int, budget: int, arrays: Arrays, levels: Levels,
    memory: Memory, values: PositionValues, switches: Any,
) -> int:  # fmt: skip
    """See `search_loop.search_rows`."""
    return search_loop.search_rows(
        low, high, rules, row_mask, depth, budget, arrays, levels, memory, values, switches, begin_row, search_row
    )
