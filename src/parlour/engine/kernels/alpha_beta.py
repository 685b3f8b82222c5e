"""Alpha-beta search of games between two seats, throws included, over many games at once.

What it adds to plain alpha-beta (Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6,
1975) is told, and can be switched off, by name: see `search_arrays.HEURISTICS`. ``leaf`` values positions: it is
`potential_leaf`, or another template with the same kernels.

Values are to the seat that acts: half of what it is ahead. That of a position is the highest, over the seat's actions,
of what the ply and the throws after it pay plus the value of the position then, ``later``. Throws are averaged by their
exact probabilities. A game that is over is worth nothing more; a position at full depth, its leaf value. Depth is
counted in plies, of whatever seat. The search goes from depth to depth, each time with what it has learnt before.

All that belongs to a level of the tree lies at that place in `Levels`; the tree is gone through by a loop, since Numba
can't keep recursive functions on disk. So a search can stop after any node and go on in another call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from parlour.engine.arrays import Arrays
from parlour.engine.search_arrays import (
    DONE,
    FAR,
    GOING_ON,
    HALF_TIE,
    LEAF,
    LEVELS,
    MAX_THROWS,
    NONE,
    PASSING,
    TO_BEGIN,
    UNLISTED,
    Levels,
    Memory,
)
from parlour.rulebook.chance import draw
from parlour.rulebook.protocol import REPETITION, RUNNING, Record, Rules

rules: Rules
ply: Any
transpositions: Any
search_path: Any
decision_nodes: Any
chance_nodes: Any
selective: Any
leaf: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

FIRST_MARGIN, WIDER = 0.04, 4.0
"""Aspiration: half of the first window round the last value, and how many times as wide the next is."""
MIN_FOR_ASPIRATION = 4


@kernel
def enter(i: int, level: int, variant: Record, levels: Levels, memory: Memory, weights: Any, using: Record) -> bool:
    """Begins with a level; True if its value is known at once."""
    frame, state = levels.frames[i, level], levels.states[i, level]
    frame.proved, frame.floor, frame.again = True, FAR, False
    frame.value, frame.action = -math.inf, NONE
    frame.extra = 0
    is_last = level == LEVELS - 1
    is_valued = leaf.AT_TURN_ENDS and frame.left <= 0  # before the throw
    if frame.dice > 0 and frame.throws < MAX_THROWS and not is_last and not is_valued:
        chance_nodes.begin_throws(i, level, variant, levels, weights, using)
        return False
    if level > 0 and frame.dice == 0 and not frame.passed:
        search_path.close_ply(i, level, variant, levels, memory, using)
    if state.end != RUNNING:
        frame.value = 0.0
        frame.proved = state.end > REPETITION
        return True
    if level > 0 and frame.dice == 0 and using.wins_at_once and selective.wins_at_once(state, variant):
        frame.value = 1.0
        return True
    if leaf.AT_TURN_ENDS and frame.dice == 0:
        search_path.play_turn_out(i, level, levels)
    is_full_depth = frame.left <= 0 or frame.dice > 0 or is_last
    tries_null_move = using.null_move and not is_full_depth and selective.may_pass(i, level, variant, levels)
    if is_full_depth or tries_null_move:
        frame.static = leaf.value(i, level, frame.seat, variant, levels, weights)
    if is_full_depth and (frame.dice > 0 or not selective.plays_on(frame, is_last, using)):
        frame.value = frame.static
        frame.proved = False
        return True
    frame.low = frame.alpha
    frame.stage = UNLISTED
    if not is_full_depth:
        if decision_nodes.look_up(i, level, levels, memory, using):
            return True
        if tries_null_move and frame.static >= frame.beta:
            frame.stage = PASSING
    return False


@kernel
def begin_row(
    i: int, arrays: Arrays, levels: Levels, memory: Memory, using: Record
) -> None:  # fmt: skip
    """Prepares the search of row i. What is known from its last search is kept if that has met the position."""
    progress = memory.progress[i]
    search_path.set_root(i, arrays, levels, memory)
    key = search_path.key_of(i, 0, levels, memory, using)
    plies = arrays.states[i].plies
    if plies <= progress.plies or transpositions.find(i, key, memory) == NONE:
        transpositions.clear(i, memory)
    else:
        transpositions.age(i, memory)
    for level in range(LEVELS):
        levels.killers[i, level, 0] = NONE
        levels.killers[i, level, 1] = NONE
    progress.plies = plies
    progress.noise = draw(arrays.player_rng[i])
    progress.value = 0.0
    progress.nodes, progress.depth, progress.finished, progress.action = 0, 0, 0, NONE
    progress.status = GOING_ON
    begin_iteration(i, levels, memory, using)


@kernel
def begin_iteration(i: int, levels: Levels, memory: Memory, using: Record) -> None:
    """The next depth, with a window round the last value."""
    progress = memory.progress[i]
    progress.depth += 1
    progress.center = progress.value
    progress.margin = math.inf
    if using.aspiration and progress.depth >= MIN_FOR_ASPIRATION and abs(progress.value) < LEAF:
        progress.margin = FIRST_MARGIN
    open_root(i, levels, memory)


@kernel
def open_root(i: int, levels: Levels, memory: Memory) -> None:
    """The root as an iteration begins."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    frame.alpha, frame.beta = progress.center - progress.margin, progress.center + progress.margin
    if progress.margin == math.inf:
        frame.alpha, frame.beta = -math.inf, math.inf
    frame.left = progress.depth
    progress.level, progress.entering = 0, True


@kernel
def end_iteration(i: int, depth: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """True if the search of row i is done; else it goes on with a wider window, or deeper."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    margin = progress.margin
    if margin < math.inf and abs(frame.value - progress.center) >= margin - HALF_TIE:
        progress.margin = margin * WIDER if margin * WIDER < LEAF and abs(frame.value) < LEAF else math.inf
        open_root(i, levels, memory)
        return False
    progress.finished = progress.depth
    memory.values[i, frame.seat] = frame.value
    memory.values[i, 1 - frame.seat] = -frame.value
    if progress.depth >= depth or (using.proofs and frame.proved):
        progress.status = DONE
        return True
    begin_iteration(i, levels, memory, using)
    return False


@loop
def search_row(
    i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory, weights: Any, using: Record
) -> None:
    """Goes on with the search of row i, for at most ``budget`` nodes."""
    progress, variant = memory.progress[i], arrays.variants[i]
    level, entering = progress.level, progress.entering
    while budget > 0:
        frame = levels.frames[i, level]
        if entering:
            budget -= 1
            progress.nodes += 1
            done = enter(i, level, variant, levels, memory, weights, using)
        elif frame.dice > 0:
            done = chance_nodes.take_throw(i, level, levels)
        elif frame.stage == PASSING:
            done = selective.take_passing(i, level, levels)
        else:
            done = decision_nodes.take_action(i, level, levels, memory, using)
        if not done and frame.dice == 0 and frame.stage == UNLISTED:
            done = decision_nodes.list_actions(i, level, variant, levels, memory, using)
        if not done:
            if frame.dice > 0:
                chance_nodes.descend_by_throw(i, level, variant, levels)
            elif frame.stage == PASSING:
                selective.descend_by_passing(i, level, variant, levels)
            else:
                decision_nodes.descend_by_action(i, level, variant, levels, using)
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


@loop
def search_rows(
    low: int, high: int, row_mask: Any, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory,
    weights: Any, switches: Any,
) -> int:  # fmt: skip
    """Searches every chosen row (bool (N,)) that is not done yet to ``depth``, from where the last call stopped, for
    at most ``budget`` nodes each. Returns how many of them are not done then.

    ``weights``: what `leaf` works with. ``switches``: one record of `search_arrays.SWITCHES`.
    """
    waiting = 0
    for i in range(low, high):
        if not row_mask[i] or memory.progress[i].status == DONE:
            continue
        if memory.progress[i].status == TO_BEGIN:
            begin_row(i, arrays, levels, memory, switches[0])
        search_row(i, depth, budget, arrays, levels, memory, weights, switches[0])
        waiting += memory.progress[i].status != DONE
    return waiting


@loop
def write_variation(i: int, arrays: Arrays, levels: Levels, memory: Memory, switches: Any, found: Any) -> None:
    """Writes into ``found`` (int32 (L,), NONE everywhere) the principal variation of row i after its search: what was
    chosen, and from there on what the table knows, up to a throw, an end, or a position it does not know."""
    variant = arrays.variants[i]
    search_path.set_root(i, arrays, levels, memory)
    action, level = memory.progress[i].action, 0
    while action != NONE and level < LEVELS - 1:
        found[level] = action
        search_path.go_down(i, level, levels)
        level += 1
        after = levels.states[i, level]
        ply.open_ply(after, variant, action, levels.rewards[i])
        if ply.throws_due(after, variant) > 0:
            return
        levels.frames[i, level].floor = FAR
        search_path.close_ply(i, level, variant, levels, memory, switches[0])
        place = transpositions.find(i, search_path.key_of(i, level, levels, memory, switches[0]), memory)
        action = memory.entries[i, place].action if after.end == RUNNING and place != NONE else NONE
