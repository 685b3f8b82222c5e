"""One ply of one game: everything around a game's own rules, the same in all games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine import repetition
from parlour.rulebook.options import FORBIDDEN, LOSES
from parlour.rulebook.protocol import MAX_PLIES, PLY_COUNT_LIMIT, REPETITION, RUNNING, Record, Rules

rules: Rules
throws: Any
turns: Any
repeats: Any
kernel: Callable[[Any], Any]


@kernel
def next_faces(due: int, dice_rng: Record, forced_dice: Any, faces: Any) -> None:
    """Writes the faces of a throw of ``due`` dice: the next forced throw, or from the stream."""
    forced = dice_rng.forced_used < dice_rng.forced_end and dice_rng.misfit == 0
    if forced and forced_dice[dice_rng.forced_used, throws.DICE] != due:
        dice_rng.misfit = due
        forced = False
    for k in range(due):
        faces[k] = forced_dice[dice_rng.forced_used, k] if forced else throws.draw_face(k, dice_rng)
    if forced:
        dice_rng.forced_used += 1


@kernel
def throws_due(state: Record, variant: Record) -> int:
    """How many dice must be thrown before the game continues; 0 if it is over."""
    return rules.dice_due(state, variant) if state.end == RUNNING else 0


@kernel
def make_throws(state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, rewards: Any) -> None:
    """Makes every throw that is due: forced throws first, then from the stream. ``faces`` is scratch."""
    due = throws_due(state, variant)
    while due > 0:
        next_faces(due, dice_rng, forced_dice, faces)
        rules.throw(state, variant, faces, rewards)
        due = throws_due(state, variant)


@kernel
def count_occurrences(state: Record, seen: Any) -> None:
    """Records the position at the end of a turn, and how often it has occurred. ``seen``: the game's row of the
    history."""
    key = rules.position_key(state)
    state.occurrences = 1 + repetition.earlier_occurrences(seen, state.seen, key)
    repetition.note(seen, state.seen, key)
    state.seen += 1


@kernel
def set_up(state: Record, variant: Record) -> None:
    """The start of a game, before any throw."""
    state.plies = 0
    state.seen = 0
    state.occurrences = 0
    state.last_action = -1
    state.last_seat = -1
    state.end = RUNNING
    state.turn_over = 1
    state.irreversible = 0
    rules.setup(state, variant)


@kernel
def begin(
    state: Record, variant: Record, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any, rewards: Any
) -> None:
    """Sets up a game and makes the throws before its first ply."""
    set_up(state, variant)
    make_throws(state, variant, dice_rng, forced_dice, faces, rewards)
    if variant.repetition:
        count_occurrences(state, seen)  # docs/common_rules.md: "the starting position counts as an occurrence"


@kernel
def play(
    state: Record, variant: Record, action: int, dice_rng: Record, forced_dice: Any, faces: Any, seen: Any, rewards: Any
) -> None:
    """One ply, the throws after it, and the endings that all games share, in the order of docs/common_rules.md."""
    open_ply(state, variant, action, rewards)
    make_throws(state, variant, dice_rng, forced_dice, faces, rewards)
    close_ply(state, variant, seen, rewards)


@kernel
def has_room(state: Record, variant: Record, seen: Any) -> bool:
    """Whether another position can be counted. ``seen``: the game's row of the history."""
    return variant.repetition == 0 or repetition.has_room(seen, state.seen)


@kernel
def open_ply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Plays a ply up to the throws after it."""
    state.last_action = action
    state.last_seat = state.to_act
    rules.apply(state, variant, np.int64(action), rewards)  # of one type, so that it is compiled once


@kernel
def count_ply(state: Record) -> None:
    """Counts a ply."""
    if state.plies < PLY_COUNT_LIMIT:
        state.plies += 1


@kernel
def close_ply(state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """The part after the throws: counts, and the endings that all games share."""
    count_ply(state)
    forget_irreversible(state, variant)
    if variant.repetition and state.turn_over:
        count_occurrences(state, seen)
    end_by_counts(state, variant, seen, rewards)


@kernel
def forget_irreversible(state: Record, variant: Record) -> None:
    """After an irreversible ply, no earlier position needs to be counted."""
    if variant.repetition and state.irreversible:
        state.seen = 0
        state.occurrences = 1


@kernel
def end_by_counts(state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """The endings that all games share, once positions and plies are counted."""
    if state.end == RUNNING and variant.repetition and state.turn_over:
        if variant.repeats == FORBIDDEN:
            repeats.end_without_ply(state, variant, seen, rewards)
        elif state.occurrences >= variant.repetition:
            end_by_repetition(state, variant, rewards)
    if state.end == RUNNING and 0 < variant.max_plies <= state.plies:
        state.end = MAX_PLIES


@kernel
def end_by_repetition(state: Record, variant: Record, rewards: Any) -> None:
    """Ends the game as `repeats` says: drawn, or lost by the seat whose turn it was."""
    state.end = REPETITION
    if variant.repeats == LOSES:
        turns.pay_loser(1 - turns.seat_of_turn(state), rewards)


@kernel
def close_until_throw(state: Record, variant: Record, seen: Any, rewards: Any) -> int:
    """The part after an action and before any throw, for looking ahead: the game's row of the history, ``seen``, is not
    changed. Counts the ply; if no throw is due, also closes it. Returns how many dice are due."""
    due = throws_due(state, variant)
    count_ply(state)
    if due == 0:
        forget_irreversible(state, variant)
        if variant.repetition and state.turn_over:
            state.occurrences = 1 + repetition.earlier_occurrences(seen, state.seen, rules.position_key(state))
            state.seen += 1
        end_by_counts(state, variant, seen, rewards)
    return due


@kernel
def observe_seat(
    states: Any, variants: Any, history: Any, i: int, seat: int, mask: Any, words: Any, planes: Any
) -> None:
    """What a seat observes of row i: ``mask`` (A₈,), all zeros off turn, and ``planes`` (C · H · W,)."""
    state, variant = states[i], variants[i]
    rules.observe(state, variant, seat, planes)
    if seat == state.to_act:
        repeats.legal(state, variant, history[i], mask, words)
    else:
        mask[:] = 0
