"""Positions in a search between two seats in which a seat is to act: what the table knows of them, their actions one
after another, and what is learnt from them."""

from __future__ import annotations

from parlour.engine.calls import state_in
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import move_order, ply, search_path, search_values, selective, transpositions
from parlour.engine.search_arrays import (
    AT_LEAST,
    AT_MOST,
    EXACT,
    FAR,
    HALF_TIE,
    MOVE_ONLY,
    NONE,
    SCOUT,
    TIE,
    WHOLE,
    Levels,
    Memory,
)
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Record


@kernel
def look_up(rules: GameFunctions, i: int, level: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """Whether the table settles the value of a level. Else the level may still learn its action."""
    frame = levels.frames[i, level]
    frame.key = search_path.key_of(rules, i, level, levels, memory, using)
    k = transpositions.find(i, frame.key, memory)
    if k == NONE:
        if using.internal_reduction and frame.left >= selective.INTERNAL_LEAST and level > 0:
            frame.left -= 1
        return False
    entry = memory.entries[i, k]
    if using.table_move:
        frame.action = entry.action
    if level == 0 or entry.bound == MOVE_ONLY:
        return False
    deep = entry.left == frame.left or (using.deeper_values and entry.left > frame.left)
    if not deep and not (using.proofs and entry.proved):
        return False
    if transpositions.settles(entry, frame.alpha, frame.beta):
        frame.value = entry.value
        frame.proved = entry.proved
        return True
    return False


@kernel
def list_actions(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory, using: Record
) -> bool:
    """Lists and scores the actions of a level; True if at full depth none is to be looked at."""
    frame, hint = levels.frames[i, level], levels.frames[i, level].action
    count = move_order.list_actions(rules, i, level, variant, levels, memory)
    if count == 0:  # all plies would repeat a position: the seat loses
        frame.value, frame.proved = -1.0, False
        return True
    frame.cursor, frame.count, frame.action, frame.stage = 0, count, NONE, WHOLE
    if frame.left <= 0:
        frame.count = move_order.keep_forcing(rules, i, level, count, variant, levels)
        if frame.count < count:  # where all are forcing, none can be declined
            frame.value = frame.static
            frame.proved = False
            frame.alpha = max(frame.alpha, frame.static)
            if frame.count == 0 or frame.alpha >= frame.beta:
                return True
    move_order.score_actions(rules, i, level, frame.count, hint, variant, levels, memory, using)
    return False


@kernel
def descend_by_action(rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, using: Record) -> None:
    """Plays the next action of a level, or the current one once more, and sets its window."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    if frame.again:
        frame.again = False
    else:
        move_order.pick(i, level, frame.cursor, frame.count, levels)
        frame.stage = SCOUT if using.null_window and frame.cursor > 0 else WHOLE
        frame.reduction = selective.reduction_of(i, level, levels) if using.reductions and frame.stage == SCOUT else 0
    search_path.go_down(i, level, levels)
    after = state_in(levels.states, i, level + 1)
    for seat in range(2):
        levels.rewards[i, seat] = 0
    ply.open_ply(rules, after, variant, levels.actions[i, level, frame.cursor], levels.rewards[i])
    below.reward = search_values.lead(levels.rewards, i, frame.seat)
    below.dice = ply.throws_due(rules, after, variant)
    below.seat = frame.seat if below.dice > 0 or after.end != RUNNING else after.to_act
    below.left = frame.left - 1 - frame.reduction
    beta = frame.beta if frame.stage == WHOLE else frame.alpha + TIE
    search_values.open_window(frame, below, frame.alpha, beta, True)


@kernel
def take_action(i: int, level: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """Takes the value after the current action; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value = search_values.value_from(frame, below, True)
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
        if level == 0 and (better or frame.cursor == 0):
            note_best(i, frame, memory)
    if better:
        frame.alpha = value
    refuted = value > frame.beta - HALF_TIE
    if refuted:
        frame.proved = below.proved
        frame.floor = below.floor if below.floor <= level else FAR
        if frame.left > 0:
            move_order.learn_refutation(i, level, frame.left, frame.cursor, levels, memory)
    frame.cursor += 1
    if not refuted and frame.cursor < frame.count:
        return False
    if frame.left > 0:
        note_value(i, level, frame.cursor == frame.count, levels, memory, using)
    return True


@kernel
def note_best(i: int, frame: Record, memory: Memory) -> None:
    """The best action at the root so far."""
    progress = memory.progress[i]
    progress.action, progress.value = frame.action, frame.value


@kernel
def note_value(i: int, level: int, complete: bool, levels: Levels, memory: Memory, using: Record) -> None:
    """Stores the result of a level in the table, but no value that depends on how the position was reached."""
    frame = levels.frames[i, level]
    if frame.value > frame.beta - HALF_TIE:
        bound = AT_LEAST
    elif not complete:
        bound = AT_LEAST if frame.value > frame.low + HALF_TIE else MOVE_ONLY
    else:
        bound = EXACT if frame.value > frame.low + HALF_TIE else AT_MOST
    if using.any_path and frame.floor < level:
        bound = MOVE_ONLY
    transpositions.store(i, frame, bound, memory)
