"""How deep a search between two seats looks: which actions it searches less deeply, which it plays on at full depth,
and whether it tries to pass. `search_arrays.HEURISTICS` describes each heuristic; the limits were found by trial."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import HALF_TIE, LEAF, TIE, UNLISTED, Levels
from parlour.rulebook.protocol import Evaluation, Record

evaluation: Evaluation
move_order: Any
search_path: Any
search_values: Any
win_threats: Any
kernel: Callable[[Any], Any]

NULL_LEAST, NULL_REDUCTION = 3, 3
"""Null move: the number of plies that must be left, and the number of plies, itself included, by which the search after
it is reduced."""
INTERNAL_LEAST = 4
REDUCTIONS = ((3, 3), (4, 12), (6, 30))
"""Pairs (plies left, index in the order). For each pair an action is searched a ply less deeply if at least this many
plies are left and it is at this index (0 is the first) or later. In an open window one of several does not count."""
MAX_QUIET_PLIES = 12

if hasattr(evaluation, "wins_at_once"):
    wins_at_once = evaluation.wins_at_once
else:

    @kernel
    def wins_at_once(state: Record, variant: Record) -> bool:
        """See `protocol.Evaluation.wins_at_once`."""
        return False


if hasattr(evaluation, "null_move_is_sound"):
    null_move_is_sound = evaluation.null_move_is_sound
else:

    @kernel
    def null_move_is_sound(state: Record, variant: Record) -> bool:
        """See `protocol.Evaluation.null_move_is_sound`."""
        return False


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
def plays_on(frame: Record, is_last: bool, using: Record) -> bool:
    """Whether forcing actions must still be played out at full depth."""
    return move_order.HAS_FORCING and using.quiescence and frame.left > -MAX_QUIET_PLIES and not is_last


@kernel
def may_pass(i: int, level: int, variant: Record, levels: Levels) -> bool:
    """Whether a null move is tried: in a null window, not after another, and where the game says that it is sound."""
    frame, state = levels.frames[i, level], levels.states[i, level]
    if level == 0 or frame.passed or frame.left < NULL_LEAST or not state.turn_over:
        return False
    narrow = frame.beta - frame.alpha < 2 * TIE and -LEAF < frame.beta < LEAF
    return narrow and null_move_is_sound(state, variant)


@kernel
def descend_by_passing(i: int, level: int, variant: Record, levels: Levels) -> None:
    """Makes a null move: the other seat is to act as if this one had changed nothing."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    search_path.go_down(i, level, levels)
    after = levels.states[i, level + 1]
    win_threats.null_move(after, variant)
    below.passed = True
    below.first_key = below.last_key  # no position before it can come again without it
    below.reward = 0.0
    below.seat = after.to_act
    below.left = frame.left - NULL_REDUCTION
    search_values.open_window(frame, below, frame.beta - TIE, frame.beta, True)


@kernel
def take_passing(i: int, level: int, levels: Levels) -> bool:
    """Takes the value after a null move; True if it refutes the position."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value = search_values.value_from(frame, below, True)
    frame.stage = UNLISTED
    if value <= frame.beta - HALF_TIE:
        return False
    frame.value = frame.beta
    frame.proved = False
    return True
