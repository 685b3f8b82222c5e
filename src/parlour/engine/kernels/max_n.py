"""The max^n search (Luckhardt and Irani, *An Algorithmic Solution of N-Person Games*, AAAI 1986) of games of any number
of seats, with or without dice, over many games at once: each seat maximises its own value.

Values and depths are as in `alpha_beta`, but every position has a value for each seat: its own return. Nothing is
pruned, since pruning in max^n needs a bound on the sum of all seats' values. `search_loop` drives the search.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.arrays import Arrays
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
from parlour.rulebook.chance import below as draw_below
from parlour.rulebook.protocol import REPETITION, RUNNING, Record, Rules

rules: Rules
ply: Any
throws: Any
move_order: Any
search_loop: Any
search_path: Any
search_values: Any
leaf: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]


@kernel
def descend(i: int, level: int, arrays: Arrays, levels: Levels, using: Record) -> None:
    """Sets up the next level: after the current action or throw."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    variant = arrays.variants[i]
    search_path.go_down(i, level, levels)
    state = levels.states[i, level + 1]
    for seat in range(levels.paid.shape[2]):
        levels.paid[i, level + 1, seat] = 0
    if frame.dice > 0:
        rules.throw(state, variant, levels.faces[i, level], levels.paid[i, level + 1])
        below.left, below.throws = frame.left, frame.throws + 1
    else:
        action = levels.actions[i, level, frame.cursor]
        ply.open_ply(state, variant, action, levels.paid[i, level + 1])
        below.left = frame.left - 1
    below.dice = ply.throws_due(state, variant)


@kernel
def enter(i: int, level: int, variant: Record, levels: Levels, memory: Memory, weights: Any, using: Record) -> bool:
    """Enters a level. Returns whether its values are known without going deeper."""
    frame, state = levels.frames[i, level], levels.states[i, level]
    frame.extra = 0
    is_last = level == LEVELS - 1
    for seat in range(levels.values.shape[2]):
        levels.values[i, level, seat] = 0
    frame.cursor, frame.action, frame.proved, frame.floor = 0, NONE, True, FAR
    is_valued = leaf.AT_TURN_ENDS and frame.left == 0  # before the throw
    if frame.dice > 0 and frame.throws < MAX_THROWS and not is_last and not is_valued:
        throws.set_throw(levels.faces[i, level], frame.dice, 0)
        return False
    if level > 0 and frame.dice == 0:
        search_path.close_ply(i, level, variant, levels, memory, using)
    if state.end != RUNNING:
        frame.proved = state.end > REPETITION
        return True
    if leaf.AT_TURN_ENDS and frame.dice == 0:
        search_path.play_turn_out(i, level, levels)
    if frame.left == 0 or frame.dice > 0 or is_last:
        for seat in range(levels.values.shape[2]):
            levels.values[i, level, seat] = leaf.value(i, level, seat, variant, levels, weights)
        frame.proved = False
        return True
    frame.count = move_order.list_actions(i, level, variant, levels, memory)
    return False


@kernel
def take(i: int, level: int, player_rng: Record, levels: Levels, memory: Memory) -> bool:
    """Takes the values of the level below. Returns whether the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    frame.proved &= below.proved
    seats = levels.values.shape[2]
    if frame.dice > 0:
        chance = throws.chance_of(frame.dice, frame.cursor)
        for seat in range(seats):
            value = levels.paid[i, level + 1, seat] + levels.values[i, level + 1, seat]
            levels.values[i, level, seat] += chance * value
        frame.cursor += 1
        if frame.cursor == throws.count_of(frame.dice):
            return True
        throws.set_throw(levels.faces[i, level], frame.dice, frame.cursor)
        return False
    own = levels.states[i, level].to_act
    found = levels.paid[i, level + 1, own] + search_values.later(levels.values[i, level + 1, own])
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
            value = levels.paid[i, level + 1, seat] + search_values.later(levels.values[i, level + 1, seat])
            levels.values[i, level, seat] = value
    frame.cursor += 1
    return frame.cursor == frame.count


@kernel
def visit(
    i: int, level: int, entering: bool, arrays: Arrays, levels: Levels, memory: Memory, weights: Any, using: Record
) -> bool:
    """Enters a level, or takes the values of the level below. Returns whether the level is done."""
    if entering:
        return enter(i, level, arrays.variants[i], levels, memory, weights, using)
    return take(i, level, arrays.player_rng[i], levels, memory)


@kernel
def begin_row(i: int, arrays: Arrays, levels: Levels, memory: Memory, using: Record) -> None:
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
    i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory, weights: Any, using: Record
) -> None:
    """See `search_loop.search_row`."""
    search_loop.search_row(i, depth, budget, arrays, levels, memory, weights, using, visit, descend, end_iteration)


@loop
def search_rows(
    low: int, high: int, row_mask: Any, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory,
    weights: Any, switches: Any,
) -> int:  # fmt: skip
    """See `search_loop.search_rows`."""
    return search_loop.search_rows(
        low, high, row_mask, depth, budget, arrays, levels, memory, weights, switches, begin_row, search_row
    )
