"""One game, one decision or throw at a time: for callers that make the throws themselves, or need to know them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.rulebook.protocol import Record, Rules

rules: Rules
throws: Any
ply: Any
repeats: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]


@loop
def halt(states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any) -> tuple[int, int, int]:
    """The status of a game of one row: how many dice must be thrown; if none, the seat to act, whose mask is written;
    and how it has ended. ``rewards`` (P,) are added to."""
    state, variant = states[0], variants[0]
    due = ply.throws_due(state, variant)
    if due == 0:
        if state.last_seat >= 0:
            ply.close_ply(state, variant, history[0], rewards)
        elif variant.repetition:
            ply.count_occurrences(state, history[0])
        repeats.legal(state, variant, history[0], mask, words)
    return due, state.to_act, state.end


@kernel
def begin_alone(states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any) -> tuple[int, int, int]:
    """Sets up the game without any throw; returns `halt`. ``mask`` (A₈,) and ``words``, the same bytes, are written
    to."""
    ply.set_up(states[0], variants[0])
    return halt(states, variants, history, mask, words, rewards)


@kernel
def act_alone(
    action: int, states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any
) -> tuple[int, int, int]:
    """Plays a ply without any throw; returns `halt`. ``rewards`` (P,) are added to."""
    ply.open_ply(states[0], variants[0], action, rewards)
    return halt(states, variants, history, mask, words, rewards)


@kernel
def throw_alone(
    faces: Any, states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any
) -> tuple[int, int, int]:
    """Makes a throw that is due; returns `halt`. ``faces``: int8; ``rewards`` (P,) are added to."""
    rules.throw(states[0], variants[0], faces, rewards)
    return halt(states, variants, history, mask, words, rewards)


@loop
def note_throws(
    state: Record, variant: Record, dice_rng: Record, forced_dice: Any, rewards: Any, listed: Any, n: int
) -> int:
    """`make_throws`, which also adds each throw to ``listed`` (see `list_throws`), where there are n so far. Returns
    how many there are then."""
    faces = np.empty(throws.SPACE, np.int8)
    due = ply.throws_due(state, variant)
    while due > 0:
        ply.next_faces(due, dice_rng, forced_dice, faces)
        if n < listed.shape[0]:
            listed[n, :due] = faces[:due]
            listed[n, throws.DICE] = due
        n += 1
        rules.throw(state, variant, faces, rewards)
        due = ply.throws_due(state, variant)
    return n


@kernel
def list_throws(
    begins: bool, actions: Any, states: Any, variants: Any, dice_rng: Any, forced_dice: Any, history: Any, rewards: Any,
    listed: Any,
) -> int:  # fmt: skip
    """Plays ``actions`` (int64 (T,)), which have been played before, from row 0 of ``states`` or (``begins``) from the
    start of a game, and writes the throws into ``listed`` (int8 (M, dice + 1)): the faces and, last, their number.

    Returns how many throws there were; those beyond M are not written. All arrays but ``actions`` and ``forced_dice``
    are written to; ``rewards``: (P,).
    """
    state, variant, dice_rng = states[0], variants[0], dice_rng[0]
    n = 0
    if begins:
        ply.set_up(state, variant)
        n = note_throws(state, variant, dice_rng, forced_dice, rewards, listed, n)
    for action in actions:
        ply.open_ply(state, variant, action, rewards)
        n = note_throws(state, variant, dice_rng, forced_dice, rewards, listed, n)
        ply.close_ply(state, variant, history[0], rewards)
    return n
