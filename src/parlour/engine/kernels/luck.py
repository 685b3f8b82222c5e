"""How lucky the throws after a ply are: the value of the position after each, minus the mean value over all throws that
were possible. A judge, which is a value function that is fixed beforehand, gives the values."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import LookaheadArrays, TurnTree
from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, turn_choice
from parlour.engine.kernels.network_value import paid_to
from parlour.engine.own_arrays import bytes_of, new_states, zeros
from parlour.engine.solving_arrays import PositionValues
from parlour.rulebook.compiling import inner_loop, loop
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import RUNNING


@inner_loop
def write_throw_values(
    rules: GameFunctions, i: int, candidates: int, faces: Any, arrays: LookaheadArrays, tree: TurnTree,
    replies: TurnTree, player_rng: Any, words: Any, bits: Any, evaluation: PositionValues, path: Any, rewards: Any,
    values: Any,
) -> None:  # fmt: skip
    """Makes a throw in row i, and writes its reward plus the value of the position after it, for each seat, into
    ``values`` (float64 (P,)). ``candidates``: 0, or for how many ends of the next turn the replies are searched too
    (see `turn_choice.choose_turn_ahead`). Changes the row's state and legal actions."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    rewards[:] = 0
    rules.throw(state, variant, faces, rewards[0])
    if candidates > 0 and state.end == RUNNING and ply.throws_due(rules, state, variant) == 0:
        rules.legal(state, variant, bytes_of(words), words)
        pack_legal(words, arrays.legal_bits[i])
        turn_choice.choose_turn_ahead(
            rules, i, arrays, tree, player_rng, words, evaluation, path, values, candidates, replies
        )
    else:
        turn_choice.write_values(
            rules, i, player_rng[i], arrays, tree, bytes_of(words), words, bits, evaluation, values
        )
    for seat in range(values.shape[0]):
        values[seat] += paid_to(seat, rewards, 0)


@loop
def add_luck(
    rules: GameFunctions, row_ids: Any, actions: Any, candidates: int, arrays: LookaheadArrays, dice_rng: Any,
    forced_dice: Any, tree: TurnTree, replies: TurnTree, player_rng: Any, words: Any, evaluation: PositionValues,
    luck: Any,
) -> None:  # fmt: skip
    """Adds the luck of each seat in the throws that follow ``actions[i]`` (int64 (N,)) to ``luck`` (float64 (N, P)),
    for the rows i in ``row_ids`` (int64 (K,)). The throws are those that the next step will make; the rows do not
    change. ``words``: uint64 (A₈ / 8,), scratch."""
    bits = zeros(arrays.legal_bits.shape[1], np.uint64)
    path = zeros(tree.states.shape[0], np.int64)
    faces, rewards = zeros(max(rules.dice, 1), np.int8), zeros((1, luck.shape[1]), np.float64)
    values, earlier = zeros(luck.shape[1], np.float64), new_states(rules, 2)  # before the ply, and before a throw
    for m in range(row_ids.shape[0]):
        i = row_ids[m]
        legal, stream = arrays.legal_bits[i].copy(), dice_rng[i : i + 1].copy()
        state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
        copy_row(arrays.states, i, earlier, 0)
        ply.open_ply(rules, state, variant, actions[i], rewards[0])
        due = ply.throws_due(rules, state, variant)
        while due > 0:
            copy_row(arrays.states, i, earlier, 1)
            possible = rules.count_of(due)
            for k in range(possible + 1):  # the last is the throw that is made
                copy_row(earlier, 1, arrays.states, i)
                if k < possible:
                    weight = -rules.chance_of(due, k)
                    rules.set_throw(faces, due, k)
                else:
                    weight = 1.0
                    rules.next_faces(due, stream[0], forced_dice, faces)
                write_throw_values(
                    rules, i, candidates, faces, arrays, tree, replies, player_rng, words, bits, evaluation, path,
                    rewards, values,
                )  # fmt: skip
                for seat in range(values.shape[0]):
                    luck[i, seat] += weight * values[seat]
            due = ply.throws_due(rules, state, variant)
        copy_row(earlier, 0, arrays.states, i)
        arrays.legal_bits[i] = legal
