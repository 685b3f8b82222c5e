"""How lucky the throws after a ply are, by a judge: what the position after each is worth, minus the mean over all
throws that might have been made instead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import LookaheadArrays, TurnTree
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import RUNNING, Rules

rules: Rules
throws: Any
ply: Any
turn_choice: Any
loop: Callable[[Any], Any]
inner_loop: Callable[[Any], Any]


@inner_loop
def write_worths(
    i: int, candidates: int, faces: Any, arrays: LookaheadArrays, tree: TurnTree, replies: TurnTree, player_rng: Any,
    words: Any, bits: Any, evaluation: Any, path: Any, rewards: Any, values: Any,
) -> None:  # fmt: skip
    """Makes a throw in row i, and writes what it pays each seat plus what the position is then worth to it into
    ``values`` (float64 (P,)). ``candidates``: 0, or of how many ends of the next turn the replies are looked at (see
    `turn_choice.choose_turn_ahead`). Changes the row's state and legal actions."""
    state, variant = arrays.states[i], arrays.variants[i]
    rewards[:] = 0
    rules.throw(state, variant, faces, rewards[0])
    if candidates > 0 and state.end == RUNNING and rules.dice_due(state, variant) == 0:
        rules.legal(state, variant, words.view(np.int8), words)
        pack_legal(words, arrays.legal_bits[i])
        turn_choice.choose_turn_ahead(i, candidates, arrays, tree, replies, player_rng, words, evaluation, path, values)
    else:
        turn_choice.write_values(i, player_rng[i], arrays, tree, words.view(np.int8), words, bits, evaluation, values)
    for seat in range(values.shape[0]):
        values[seat] += turn_choice.paid_to(seat, rewards, 0)


@loop
def add_luck(
    row_ids: Any, actions: Any, candidates: int, arrays: LookaheadArrays, dice_rng: Any, forced_dice: Any,
    tree: TurnTree, replies: TurnTree, player_rng: Any, words: Any, evaluation: Any, luck: Any,
) -> None:  # fmt: skip
    """Adds the luck of each seat in the throws that follow ``actions[i]`` (int64 (N,)) to ``luck`` (float64 (N, P)),
    for the rows i in ``row_ids`` (int64 (K,)). The throws are those that a step will make; the rows are left as they
    are. ``words``: uint64 (A₈ / 8,), scratch."""
    bits = np.zeros(arrays.legal_bits.shape[1], np.uint64)
    path = np.zeros(tree.states.shape[0], np.int64)
    faces, rewards = np.zeros(throws.SPACE, np.int8), np.zeros((1, luck.shape[1]))
    values = np.zeros(luck.shape[1])
    for m in range(row_ids.shape[0]):
        i = row_ids[m]
        before, legal, stream = arrays.states[i : i + 1].copy(), arrays.legal_bits[i].copy(), dice_rng[i : i + 1].copy()
        variant = arrays.variants[i]
        ply.open_ply(arrays.states[i], variant, actions[i], rewards[0])
        due = ply.throws_due(arrays.states[i], variant)
        while due > 0:
            thrown = arrays.states[i : i + 1].copy()
            for k in range(throws.count_of(due)):
                arrays.states[i] = thrown[0]
                throws.set_throw(faces, due, k)
                write_worths(
                    i, candidates, faces, arrays, tree, replies, player_rng, words, bits, evaluation, path, rewards,
                    values,
                )  # fmt: skip
                for seat in range(values.shape[0]):
                    luck[i, seat] -= throws.chance_of(due, k) * values[seat]
            arrays.states[i] = thrown[0]
            ply.next_faces(due, stream[0], forced_dice, faces)
            write_worths(
                i, candidates, faces, arrays, tree, replies, player_rng, words, bits, evaluation, path, rewards, values
            )
            for seat in range(values.shape[0]):
                luck[i, seat] += values[seat]
            due = ply.throws_due(arrays.states[i], variant)
        arrays.states[i] = before[0]
        arrays.legal_bits[i] = legal
