"""Alpha-beta search (Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6, 1975) of games
with or without dice, over many games at once.

`search_arrays.HEURISTICS` describes the heuristics that are added to plain alpha-beta; each can be switched off by its
name. `leaf` values positions.

A value is from the view of the seat to act: half of the difference between its return and the other seat's. The value
of a position is the maximum, over its actions, of this sum: the rewards of the ply and of the throws after it, plus the
value of the next position as seen one ply earlier (`search_path.later`). Throws are averaged with their exact
probabilities. After the end of a game the value is 0; at full depth it is the leaf value. Depth counts the plies of all
seats. The search deepens iteratively, and each iteration uses what the earlier ones have learnt.

With more than two seats, the seat that searches expects all others to play against it (*paranoid* search: Sturtevant
and Korf, *On Pruning Techniques for Multi-Player Games*, AAAI 2000). So there are two sides in every game: see
`search_path.side_of`.

Everything that belongs to level k of the tree is at index k in `Levels`. `search_row` goes from level to level: `visit`
enters a level or takes the value of the one below, and `descend` sets up the next.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.calls import copy_row, state_at, state_in, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import move_order, ply, search_path, transpositions
from parlour.engine.kernels.leaf import at_turn_ends, leaf_bounds, leaf_value
from parlour.engine.search_arrays import (
    AT_LEAST,
    AT_MOST,
    DONE,
    EXACT,
    GOING_ON,
    HALF_TIE,
    LEAF,
    LEVELS,
    MAX_THROWS,
    MOVE_ONLY,
    NO_FLOOR,
    NONE,
    SCOUT,
    TIE,
    TO_BEGIN,
    UNLISTED,
    WHOLE,
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
MIN_REDUCED_DEPTH = 4
"""The fewest plies left at which a position without an action in the table is searched a ply less deeply."""
REDUCTIONS = ((3, 3), (4, 12), (6, 30))
"""Pairs (plies left, index in the order). For each pair an action is searched a ply less deeply if at least this many
plies are left and it is at this index (0 is the first) or later. If several pairs apply in an open window, one of them
does not count."""
MAX_QUIET_PLIES = 12
"""The most plies of quiescence."""


# --- the search of a row ---


@loop
def search_rows(
    low: int, high: int, rules: GameFunctions, row_mask: Any, depth: int, budget: int, arrays: Arrays, levels: Levels,
    memory: Memory, values: PositionValues, switches: Any,
) -> int:  # fmt: skip
    """Searches rows ``low`` to ``high`` to ``depth``: those in ``row_mask`` (bool (N,)) that are not done, each for at
    most ``budget`` nodes, from where the last call stopped. Returns how many of them are still not done.

    ``values``: the table and the network that value leaves, if any. ``switches``: one record of
    `search_arrays.SWITCHES`.
    """
    unfinished = 0
    for i in range(low, high):
        if not row_mask[i] or memory.progress[i].status == DONE:
            continue
        if memory.progress[i].status == TO_BEGIN:
            begin_row(rules, i, arrays, levels, memory, switches[0])
        search_row(rules, i, depth, budget, arrays, levels, memory, values, switches[0])
        unfinished += memory.progress[i].status != DONE
    return unfinished


@loop
def search_row(
    rules: GameFunctions, i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory,
    values: PositionValues, enabled: Record,
) -> None:  # fmt: skip
    """Continues the search of row i, for at most ``budget`` nodes.

    It is a loop, since Numba can't keep recursive functions on disk. So it can also stop after any node and continue in
    the next call.
    """
    progress = memory.progress[i]
    level, entering = np.int64(progress.level), progress.entering  # of one type, so that kernels are compiled once
    while budget > 0:
        if entering:
            budget -= 1
            progress.nodes += 1
        if not visit(rules, i, level, entering, arrays, levels, memory, values, enabled):
            descend(rules, i, level, arrays, levels, enabled)
            level += 1
            entering = True
        elif level > 0:
            level -= 1
            entering = False
        elif end_iteration(i, depth, levels, memory, enabled):
            return
        else:
            entering = True
    progress.level, progress.entering = level, entering


@kernel
def begin_row(rules: GameFunctions, i: int, arrays: Arrays, levels: Levels, memory: Memory, enabled: Record) -> None:
    """Prepares the search of row i. Keeps its transposition table if the game has moved on to a position in it; else
    clears the table."""
    progress = memory.progress[i]
    search_path.set_root(i, arrays, levels, memory)
    key = search_path.key_of(rules, i, 0, levels, memory, enabled)
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
    begin_iteration(i, levels, memory, enabled)


@kernel
def begin_iteration(i: int, levels: Levels, memory: Memory, enabled: Record) -> None:
    """Begins the iteration one ply deeper, with a window around the last value."""
    progress = memory.progress[i]
    progress.depth += 1
    progress.center = progress.value
    progress.margin = math.inf
    if enabled.aspiration and progress.depth >= MIN_ASPIRATION_DEPTH and abs(progress.value) < LEAF:
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
    progress.tried = progress.action == NONE


@kernel
def end_iteration(i: int, depth: int, levels: Levels, memory: Memory, enabled: Record) -> bool:
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
    seat, sign = search_path.seat_of(i, frame.side, levels)
    others = memory.values.shape[1] - 1
    for other in range(others + 1):  # with more than two seats, the others share what the seat loses
        memory.values[i, other] = sign * (frame.value if other == seat else -frame.value / others)
    if progress.depth >= depth or (enabled.proofs and frame.proved):
        progress.status = DONE
        return True
    begin_iteration(i, levels, memory, enabled)
    return False


# --- a level ---


@kernel
def visit(
    rules: GameFunctions, i: int, level: int, entering: bool, arrays: Arrays, levels: Levels, memory: Memory,
    values: PositionValues, enabled: Record,
) -> bool:  # fmt: skip
    """Enters a level, or takes the value of the level below; then lists the actions, if that is still to be done.
    Returns whether the level is done."""
    frame, variant = levels.frames[i, level], variant_at(arrays.variants, i)
    if entering:
        done = enter(rules, i, level, variant, levels, memory, values, enabled)
    elif frame.dice > 0:
        done = take_throw(rules, i, level, levels)
    else:
        done = take_action(i, level, levels, memory, enabled)
    if not done and frame.dice == 0 and frame.stage == UNLISTED:
        done = list_actions(rules, i, level, variant, levels, memory, enabled)
    return done


@kernel
def enter(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory, values: PositionValues,
    enabled: Record,
) -> bool:  # fmt: skip
    """Enters a level. Returns whether its value is known without going deeper."""
    frame, state = levels.frames[i, level], state_in(levels.states, i, level)
    frame.proved, frame.floor, frame.again = True, NO_FLOOR, False
    frame.value, frame.action = -math.inf, NONE
    frame.extra = 0
    is_last = level == LEVELS - 1
    is_valued = at_turn_ends(values) and frame.left <= 0  # before the throw
    if frame.dice > 0 and frame.throws < MAX_THROWS and not is_last and not is_valued:
        begin_throws(rules, i, level, variant, levels, values, enabled)
        return False
    if level > 0 and frame.dice == 0:
        search_path.close_ply(rules, i, level, variant, levels, memory, enabled)
    if state.end != RUNNING:
        frame.value = 0.0
        frame.proved = state.end > REPETITION
        return True
    if level > 0 and frame.dice == 0 and can_win_at_once(rules, state, variant, enabled):
        frame.value = 1.0
        return True
    if at_turn_ends(values) and frame.dice == 0:
        search_path.play_turn_out(i, level, levels)
    is_full_depth = frame.left <= 0 or frame.dice > 0 or is_last
    if is_full_depth:
        frame.static = leaf_value(rules, i, level, variant, levels, values)
        if frame.dice > 0 or not plays_on(rules, frame, is_last, enabled):
            frame.value = frame.static
            frame.proved = False
            return True
    frame.low = frame.alpha
    frame.stage = UNLISTED
    return not is_full_depth and look_up(rules, i, level, levels, memory, enabled)


@kernel
def can_win_at_once(rules: GameFunctions, state: Record, variant: Record, enabled: Record) -> bool:
    """Whether the game says that the seat to act can win with its next ply."""
    return enabled.wins_at_once and rules.has_wins_at_once != 0 and rules.wins_at_once(state, variant) != 0


@kernel
def descend(rules: GameFunctions, i: int, level: int, arrays: Arrays, levels: Levels, enabled: Record) -> None:
    """Sets up the next level: after a throw or an action."""
    frame, variant = levels.frames[i, level], variant_at(arrays.variants, i)
    if frame.dice > 0:
        descend_by_throw(rules, i, level, variant, levels)
    else:
        descend_by_action(rules, i, level, variant, levels, enabled)


# --- actions ---


@kernel
def look_up(rules: GameFunctions, i: int, level: int, levels: Levels, memory: Memory, enabled: Record) -> bool:
    """Whether the table settles the value of a level. Else the level may still learn its action."""
    frame = levels.frames[i, level]
    frame.key = search_path.key_of(rules, i, level, levels, memory, enabled)
    k = transpositions.find(i, frame.key, memory)
    if k == NONE:
        if enabled.internal_reduction and frame.left >= MIN_REDUCED_DEPTH and level > 0:
            frame.left -= 1
        return False
    entry = memory.entries[i, k]
    if enabled.table_move:
        frame.action = entry.action
    if level == 0 or entry.bound == MOVE_ONLY:
        return False
    deep = entry.left == frame.left or (enabled.deeper_values and entry.left > frame.left)
    if not deep and not (enabled.proofs and entry.proved):
        return False
    if transpositions.settles(entry, frame.alpha, frame.beta):
        frame.value = entry.value
        frame.proved = entry.proved
        return True
    return False


@kernel
def list_actions(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory, enabled: Record
) -> bool:
    """Lists and scores the actions of a level. Returns whether the level is done: at full depth, without a forcing
    action to search."""
    frame, hint = levels.frames[i, level], levels.frames[i, level].action
    count, forcing = move_order.list_actions(rules, i, level, variant, levels, memory)
    if count == 0:  # all plies would repeat a position: the seat loses
        frame.value, frame.proved = -1.0, False
        return True
    frame.cursor, frame.count, frame.action, frame.stage = 0, count, NONE, WHOLE
    if frame.left <= 0:
        frame.count = forcing
        if frame.count < count:  # where all are forcing, none can be declined
            frame.value = frame.static
            frame.proved = False
            frame.alpha = max(frame.alpha, frame.static)
            if frame.count == 0 or frame.alpha >= frame.beta:
                return True
    move_order.score_actions(rules, i, level, frame.count, hint, levels, memory, enabled)
    return False


@kernel
def descend_by_action(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, enabled: Record
) -> None:
    """Plays the next action of a level, or the current one again, and sets the window below."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    if frame.again:
        frame.again = False
    else:
        move_order.pick(i, level, frame.cursor, frame.count, levels)
        frame.stage = SCOUT if enabled.null_window and frame.cursor > 0 else WHOLE
        frame.reduction = reduction_of(i, level, levels) if enabled.reductions and frame.stage == SCOUT else 0
    search_path.play_down(rules, i, level, variant, levels.actions[i, level, frame.cursor], levels)
    below.reward = search_path.gain(i, frame.side, levels)
    search_path.set_side(i, level + 1, levels)
    below.left = frame.left - 1 - frame.reduction
    beta = frame.beta if frame.stage == WHOLE else frame.alpha + TIE
    search_path.open_window(frame, below, frame.alpha, beta, True)


@kernel
def take_action(i: int, level: int, levels: Levels, memory: Memory, enabled: Record) -> bool:
    """Takes the value after the current action; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value = search_path.value_from(frame, below, True)
    better = value > frame.alpha + HALF_TIE
    if better and frame.stage == SCOUT:
        if frame.reduction > 0:
            frame.reduction, frame.again = 0, True
            return False
        if frame.beta - frame.alpha > 2 * TIE and value < frame.beta - HALF_TIE:
            frame.stage, frame.again = WHOLE, True
            return False
    frame.proved &= below.proved
    search_path.keep_floor(frame, below, level)
    if value > frame.value:
        frame.value = value
        frame.action = levels.actions[i, level, frame.cursor]
    refuted = value > frame.beta - HALF_TIE
    if level == 0:
        note_best(levels.actions[i, 0, frame.cursor], value, better or frame.cursor == 0, refuted, memory.progress[i])
    if better:
        frame.alpha = value
    if refuted:
        frame.proved = below.proved
        frame.floor = below.floor if below.floor <= level else NO_FLOOR
        if frame.left > 0:
            move_order.learn_refutation(i, level, frame.left, frame.cursor, levels, memory)
    frame.cursor += 1
    if not refuted and frame.cursor < frame.count:
        return False
    if frame.left > 0:
        note_value(i, level, frame.cursor == frame.count, levels, memory, enabled)
    return True


@kernel
def note_best(action: int, value: float, is_best: bool, refuted: bool, progress: Record) -> None:
    """Notes the value of an action at the root. A pass with a wider window may begin with another action than the one
    to play, which stays until it has been tried itself, or until another has refuted the window."""
    if is_best:
        progress.best, progress.value = action, value
    if refuted or action == progress.action:
        progress.tried = True
    if progress.tried:
        progress.action = progress.best


@kernel
def note_value(i: int, level: int, complete: bool, levels: Levels, memory: Memory, enabled: Record) -> None:
    """Stores the result of a level in the table, but no value that depends on how the position was reached."""
    frame = levels.frames[i, level]
    if frame.value > frame.beta - HALF_TIE:
        bound = AT_LEAST
    elif not complete:
        bound = AT_LEAST if frame.value > frame.low + HALF_TIE else MOVE_ONLY
    else:
        bound = EXACT if frame.value > frame.low + HALF_TIE else AT_MOST
    if enabled.any_path and frame.floor < level:
        bound = MOVE_ONLY
    transpositions.store(i, frame, bound, memory)


@kernel
def reduction_of(i: int, level: int, levels: Levels) -> int:
    """By how many plies the current action's first search is reduced."""
    frame = levels.frames[i, level]
    if not move_order.is_quiet(levels.scores[i, level, frame.cursor]):
        return 0
    reduction = 0
    for left, place in REDUCTIONS:
        if frame.left >= left and frame.cursor >= place:
            reduction += 1
    if reduction > 1 and frame.beta - frame.alpha > 2 * TIE:
        reduction -= 1
    return reduction


@kernel
def plays_on(rules: GameFunctions, frame: Record, is_last: bool, enabled: Record) -> bool:
    """Whether forcing actions must still be played out at full depth."""
    return rules.has_forcing != 0 and enabled.quiescence and frame.left > -MAX_QUIET_PLIES and not is_last


# --- throws: every outcome with its probability; what the others can add at most prunes (Star1) ---


@kernel
def begin_throws(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, weights: Any, enabled: Record
) -> None:
    """Prepares a level at which a throw is due."""
    frame = levels.frames[i, level]
    frame.cursor = 0
    rules.set_throw(levels.faces[i, level], frame.dice, 0)
    frame.total, frame.rest, frame.worst, frame.top = 0.0, 1.0, -math.inf, math.inf
    if enabled.star1:
        frame.worst, frame.top = leaf_bounds(rules, i, level, variant, levels, weights)


@kernel
def mean_bounds(frame: Record, chance: float) -> tuple[float, float]:
    """The least and the most that the mean of all outcomes can be, without the current outcome, which has this
    probability."""
    if frame.top == math.inf:
        return -math.inf, math.inf
    others = frame.rest - chance
    return frame.total + others * frame.worst, frame.total + others * frame.top


@kernel
def descend_by_throw(rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels) -> None:
    """Makes the current throw and sets the window for what follows: if the value is outside this window, the mean is
    outside the frame's window even with all later outcomes at their bounds (Star1)."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    copy_row(levels.states[i], level, levels.states[i], level + 1)
    search_path.go_down(i, level, levels)
    after, faces = state_in(levels.states, i, level + 1), levels.faces[i, level]
    levels.rewards[i] = 0
    rules.throw(after, variant, faces, levels.rewards[i])
    below.reward = search_path.gain(i, frame.side, levels)
    below.throws = frame.throws + 1
    below.dice = ply.throws_due(rules, after, variant)
    search_path.set_side(i, level + 1, levels)
    below.left = frame.left
    chance = rules.chance_of(frame.dice, frame.cursor)
    least, most = mean_bounds(frame, chance)
    search_path.open_window(frame, below, (frame.alpha - most) / chance, (frame.beta - least) / chance, False)


@kernel
def take_throw(rules: GameFunctions, i: int, level: int, levels: Levels) -> bool:
    """Takes the value after the current throw; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value, chance = search_path.value_from(frame, below, False), rules.chance_of(frame.dice, frame.cursor)
    frame.proved &= below.proved
    search_path.keep_floor(frame, below, level)
    frame.total += chance * value
    frame.rest -= chance
    frame.cursor += 1
    if frame.cursor == rules.count_of(frame.dice):
        frame.value = frame.total
        return True
    rules.set_throw(levels.faces[i, level], frame.dice, frame.cursor)
    least, most = mean_bounds(frame, 0.0)
    if frame.alpha < most and least < frame.beta:
        return False
    frame.value = least if least >= frame.beta else most
    frame.proved = False  # the bounds are those of a search to this depth
    return True


# --- the result ---


@loop
def write_variation(
    rules: GameFunctions, i: int, arrays: Arrays, levels: Levels, memory: Memory, switches: Any, variation: Any
) -> None:
    """Writes the principal variation of row i, after its search, into ``variation`` (int32 (L,), all NONE): the
    chosen action, then the best actions from the transposition table, until a throw, the end of the game, or a position
    that the table doesn't have."""
    variant = variant_at(arrays.variants, i)
    search_path.set_root(i, arrays, levels, memory)
    action, level = memory.progress[i].action, 0
    while action != NONE and level < LEVELS - 1:
        variation[level] = action
        search_path.play_down(rules, i, level, variant, action, levels)
        level += 1
        after = state_in(levels.states, i, level)
        if levels.frames[i, level].dice > 0:
            return
        levels.frames[i, level].floor = NO_FLOOR
        search_path.close_ply(rules, i, level, variant, levels, memory, switches[0])
        place = transpositions.find(i, search_path.key_of(rules, i, level, levels, memory, switches[0]), memory)
        action = memory.entries[i, place].action if after.end == RUNNING and place != NONE else NONE
