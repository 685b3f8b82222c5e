"""A single game that stops at each action and each throw: for callers that make the throws themselves, or record
them."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, repeats
from parlour.engine.own_arrays import zeros
from parlour.rulebook.compiling import loop
from parlour.rulebook.protocol import Record


@loop
def next_decision(
    rules: GameFunctions, states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any
) -> tuple[int, int, int]:
    """What comes next in a game of one row: how many dice are due, the seat to act, and how the game has ended (0: it
    goes on). If no dice are due, closes the ply and writes the mask. Adds to ``rewards`` (P,)."""
    state, variant = state_at(states, 0), variant_at(variants, 0)
    due = ply.throws_due(rules, state, variant)
    if due == 0:
        if state.last_seat >= 0:
            repeats.close_ply(rules, state, variant, history[0], rewards)
        elif variant.repetition:
            ply.count_occurrences(rules, state, history[0])
        repeats.legal(rules, state, variant, history[0], mask, words)
    return due, state.to_act, state.end


@loop
def begin_alone(
    rules: GameFunctions, states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any
) -> tuple[int, int, int]:
    """Sets up the game without any throw; returns `next_decision`. Writes ``mask`` (A₈,) and ``words``, the same
    bytes."""
    ply.set_up(rules, state_at(states, 0), variant_at(variants, 0))
    return next_decision(rules, states, variants, history, mask, words, rewards)


@loop
def act_alone(
    rules: GameFunctions, action: int, states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any
) -> tuple[int, int, int]:
    """Plays a ply without any throw; returns `next_decision`. Adds to ``rewards`` (P,)."""
    ply.open_ply(rules, state_at(states, 0), variant_at(variants, 0), action, rewards)
    return next_decision(rules, states, variants, history, mask, words, rewards)


@loop
def throw_alone(
    rules: GameFunctions, faces: Any, states: Any, variants: Any, history: Any, mask: Any, words: Any, rewards: Any
) -> tuple[int, int, int]:
    """Makes a throw that is due; returns `next_decision`. ``faces``: int8. Adds to ``rewards`` (P,)."""
    rules.throw(state_at(states, 0), variant_at(variants, 0), faces, rewards)
    return next_decision(rules, states, variants, history, mask, words, rewards)


@loop
def observe_alone(rules: GameFunctions, seat: int, states: Any, variants: Any, planes: Any) -> None:
    """What ``seat`` sees of the game: ``planes``, int8 (C · H · W,)."""
    rules.observe(state_at(states, 0), variant_at(variants, 0), seat, planes)


@loop
def note_throws(
    rules: GameFunctions, state: Record, variant: Record, dice_rng: Record, forced_dice: Any, rewards: Any,
    listed: Any, n: int,
) -> int:  # fmt: skip
    """`ply.make_throws`, which also adds each throw to ``listed`` (see `list_throws`). ``n``: how many there are so
    far. Returns the new number."""
    faces = zeros(max(rules.dice, 1), np.int8)
    due = ply.throws_due(rules, state, variant)
    while due > 0:
        rules.next_faces(due, dice_rng, forced_dice, faces)
        if n < listed.shape[0]:
            listed[n, :due] = faces[:due]
            listed[n, rules.dice] = due
        n += 1
        rules.throw(state, variant, faces, rewards)
        due = ply.throws_due(rules, state, variant)
    return n


@loop
def list_throws(
    rules: GameFunctions, begins: bool, actions: Any, states: Any, variants: Any, dice_rng: Any, forced_dice: Any,
    history: Any, rewards: Any, listed: Any,
) -> int:  # fmt: skip
    """Plays ``actions`` (int64 (T,)) of a recorded game, from row 0 of ``states`` or (``begins``) from the start of a
    game, and writes the throws into ``listed`` (int8 (M, dice + 1)): the faces and, last, their number.

    Returns how many throws there were; those beyond M are not written. Changes all arrays except ``actions`` and
    ``forced_dice``. ``rewards``: (P,).
    """
    state, variant, stream = state_at(states, 0), variant_at(variants, 0), dice_rng[0]
    n = 0
    if begins:
        ply.set_up(rules, state, variant)
        n = note_throws(rules, state, variant, stream, forced_dice, rewards, listed, n)
    for action in actions:
        ply.open_ply(rules, state, variant, action, rewards)
        n = note_throws(rules, state, variant, stream, forced_dice, rewards, listed, n)
        repeats.close_ply(rules, state, variant, history[0], rewards)
    return n
