"""Alpha-beta search (Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975) of games
between two seats, with or without dice, over many games at once.

`search_arrays.HEURISTICS` describes the heuristics that are added to plain alpha-beta; each can be switched off by its
name. `leaf` values positions.

A value is from the view of the seat that acts: half of its lead, which is its own return minus the other seat's. The
value of a position is the maximum over its actions of the reward of the ply and the throws after it plus the value of
the position that follows, seen one ply earlier (`search_values.later`). Throws are averaged with their exact
probabilities. After the end of a game the value is 0; at full depth it is the leaf value. Depth counts the plies of
both seats. The search deepens iteratively, and each iteration uses what the earlier ones have learnt.

Everything that belongs to level k of the tree is at index k in `Levels`. `search_loop` drives the search.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.calls import state_at, state_in, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import (
    chance_nodes,
    decision_nodes,
    ply,
    search_loop,
    search_path,
    selective,
    transpositions,
)
from parlour.engine.kernels.leaf import at_turn_ends, leaf_value
from parlour.engine.search_arrays import (
    DONE,
    FAR,
    GOING_ON,
    HALF_TIE,
    LEAF,
    LEVELS,
    MAX_THROWS,
    NONE,
    UNLISTED,
    Levels,
    Memory,
)
from parlour.engine.solving_arrays import PositionValues
from parlour.rulebook.chance import draw
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.protocol import REPETITION, RUNNING, Record

FIRST_MARGIN, WIDENING = 0.04, 4.0
"""Aspiration windows: half the width of the first window around the last value, and the factor by which the window is
widened when the value lies outside it."""
MIN_ASPIRATION_DEPTH = 4
"""The first iteration with an aspiration window."""


@kernel
def enter(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory, values: PositionValues,
    using: Record,
) -> bool:  # fmt: skip
    """Enters a level. Returns whether its value is known without going deeper."""
    frame, state = levels.frames[i, level], state_in(levels.states, i, level)
    frame.proved, frame.floor, frame.again = True, FAR, False
    frame.value, frame.action = -math.inf, NONE
    frame.extra = 0
    is_last = level == LEVELS - 1
    is_valued = at_turn_ends(values) and frame.left <= 0  # before the throw
    if frame.dice > 0 and frame.throws < MAX_THROWS and not is_last and not is_valued:
        chance_nodes.begin_throws(rules, i, level, variant, levels, values, using)
        return False
    if level > 0 and frame.dice == 0:
        search_path.close_ply(rules, i, level, variant, levels, memory, using)
    if state.end != RUNNING:
        frame.value = 0.0
        frame.proved = state.end > REPETITION
        return True
    if level > 0 and frame.dice == 0 and using.wins_at_once and rules.wins_at_once(state, variant) != 0:
        frame.value = 1.0
        return True
    if at_turn_ends(values) and frame.dice == 0:
        search_path.play_turn_out(i, level, levels)
    is_full_depth = frame.left <= 0 or frame.dice > 0 or is_last
    if is_full_depth:
        frame.static = leaf_value(rules, i, level, np.int64(frame.seat), variant, levels, values)
        if frame.dice > 0 or not selective.plays_on(rules, frame, is_last, using):
            frame.value = frame.static
            frame.proved = False
            return True
    frame.low = frame.alpha
    frame.stage = UNLISTED
    return not is_full_depth and decision_nodes.look_up(rules, i, level, levels, memory, using)


@kernel
def visit(
    rules: GameFunctions, i: int, level: int, entering: bool, arrays: Arrays, levels: Levels, memory: Memory,
    values: PositionValues, using: Record,
) -> bool:  # fmt: skip
    """Enters a level, or takes the value of the level below; then lists the actions, if that is still to be done.
    Returns whether the level is done."""
    frame, variant = levels.frames[i, level], variant_at(arrays.variants, i)
    if entering:
        done = enter(rules, i, level, variant, levels, memory, values, using)
    elif frame.dice > 0:
        done = chance_nodes.take_throw(rules, i, level, levels)
    else:
        done = decision_nodes.take_action(i, level, levels, memory, using)
    if not done and frame.dice == 0 and frame.stage == UNLISTED:
        done = decision_nodes.list_actions(rules, i, level, variant, levels, memory, using)
    return done


@kernel
def descend(rules: GameFunctions, i: int, level: int, arrays: Arrays, levels: Levels, using: Record) -> None:
    """Sets up the next level: after a throw or an action."""
    frame, variant = levels.frames[i, level], variant_at(arrays.variants, i)
    if frame.dice > 0:
        chance_nodes.descend_by_throw(rules, i, level, variant, levels)
    else:
        decision_nodes.descend_by_action(rules, i, level, variant, levels, using)


@kernel
def begin_row(rules: GameFunctions, i: int, arrays: Arrays, levels: Levels, memory: Memory, using: Record) -> None:
    """Prepares the search of row i. Its transposition table is kept if the game has gone on to a position
    that the table has; else it is cleared."""
    progress = memory.progress[i]
    search_path.set_root(i, arrays, levels, memory)
    key = search_path.key_of(rules, i, 0, levels, memory, using)
    plies = state_at(arrays.states, i).plies
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
    """Begins the iteration one ply deeper, with a window around the last value."""
    progress = memory.progress[i]
    progress.depth += 1
    progress.center = progress.value
    progress.margin = math.inf
    if using.aspiration and progress.depth >= MIN_ASPIRATION_DEPTH and abs(progress.value) < LEAF:
        progress.margin = FIRST_MARGIN
    open_root(i, levels, memory)


@kernel
def open_root(i: int, levels: Levels, memory: Memory) -> None:
    """Sets up the root for an iteration."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    frame.alpha, frame.beta = progress.center - progress.margin, progress.center + progress.margin
    if progress.margin == math.inf:
        frame.alpha, frame.beta = -math.inf, math.inf
    frame.left = progress.depth
    progress.level, progress.entering = 0, True


@kernel
def end_iteration(i: int, depth: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """Ends an iteration of row i. Returns whether the search is done; if not, it goes on with a wider window, or one
    ply deeper."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    margin = progress.margin
    if margin < math.inf and abs(frame.value - progress.center) >= margin - HALF_TIE:
        wider = margin * WIDENING
        progress.margin = wider if wider < LEAF and abs(frame.value) < LEAF else math.inf
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


@loop
def write_variation(
    rules: GameFunctions, i: int, arrays: Arrays, levels: Levels, memory: Memory, switches: Any, found: Any
) -> None:
    """Writes the principal variation of row i, after its search, into ``found`` (int32 (L,), all NONE): the
    chosen action, then the best actions from the transposition table, until a throw, the end of the game, or a position
    that the table doesn't have."""
    variant = variant_at(arrays.variants, i)
    search_path.set_root(i, arrays, levels, memory)
    action, level = memory.progress[i].action, 0
    while action != NONE and level < LEVELS - 1:
        found[level] = action
        search_path.go_down(i, level, levels)
        level += 1
        after = state_in(levels.states, i, level)
        ply.open_ply(rules, after, variant, action, levels.rewards[i])
        if ply.throws_due(rules, after, variant) > 0:
            return
        levels.frames[i, level].floor = FAR
        search_path.close_ply(rules, i, level, variant, levels, memory, switches[0])
        place = transpositions.find(i, search_path.key_of(rules, i, level, levels, memory, switches[0]), memory)
        action = memory.entries[i, place].action if after.end == RUNNING and place != NONE else NONE
