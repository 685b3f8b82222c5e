"""Chooses the best end of a turn, among all that the seat to act can reach, by a small value network or a table of
exact values.

A turn may have more positions than there is room for, such as that of a seat that places any number of bets. Then
positions that are not fully expanded count as ends, too, and the turn continues from there with another choice.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlour.engine.arrays import LookaheadArrays, TurnTree
from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels.after_states import GOES_ON, START, grow_turn, play_on
from parlour.engine.kernels.leaf import row_value, scale_of
from parlour.engine.kernels.network_value import logit_of, paid_to
from parlour.engine.kernels.ply import throws_due
from parlour.engine.own_arrays import bytes_of, new_states, zeros
from parlour.engine.solving_arrays import PositionValues
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import fraction
from parlour.rulebook.compiling import inner_loop, kernel, loop
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import RUNNING, Record


@kernel
def turn_value(
    rules: GameFunctions, n: int, i: int, seat: int, variant: Record, tree: TurnTree, evaluation: PositionValues
) -> float:
    """The rewards of ``seat`` up to position n of the tree, an end of its turn in row i, plus the value of that
    position for it."""
    paid = paid_to(seat, tree.rewards, n)
    state = state_at(tree.states, n)
    if state.end != RUNNING:
        return paid
    return paid + row_value(rules, i, seat, state, variant, evaluation)


@kernel
def with_noise(value: float, scale: float, temperature: float, player_rng: Record) -> float:
    """The logit of a value plus Gumbel noise. The highest of several such numbers is a draw from the softmax of their
    logits at this ``temperature``."""
    return logit_of(value, scale) - temperature * math.log(-math.log(fraction(player_rng) + 1e-300) + 1e-300)


@inner_loop
def best_end(
    rules: GameFunctions, i: int, temperature: float, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree,
    mask: Any, words: Any, bits: Any, evaluation: PositionValues,
) -> int:  # fmt: skip
    """The end of the turn of the seat to act in row i with the highest value, as a position of the tree; of several,
    the nearest. ``temperature``: above 0, an end is drawn (`with_noise`)."""
    for k in range(tree.places.shape[0]):
        tree.places[k] = -1
    seat, variant = state_at(arrays.states, i).to_act, variant_at(arrays.variants, i)
    size, expanded = grow_turn(rules, i, 0, arrays, tree, mask, words, bits)
    best, highest = 0, -math.inf
    for n in range(size):
        if tree.due[n] == GOES_ON and n < expanded:
            continue
        value = turn_value(rules, n, i, seat, variant, tree, evaluation)
        if temperature > 0:
            value = with_noise(value, scale_of(evaluation), temperature, player_rng)
        if value > highest:
            best, highest = n, value
    return best


@kernel
def path_to(n: int, tree: TurnTree, path: Any) -> int:
    """Writes the plies that lead to position n of the tree, the last first, into ``path`` (int64 (T,)). Returns how
    many there are."""
    length = 0
    while n != START:
        path[length] = tree.actions[n]
        length += 1
        n = tree.parents[n]
    return length


@loop
def choose_turn(
    rules: GameFunctions, i: int, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any,
    evaluation: PositionValues, path: Any, values: Any,
) -> int:  # fmt: skip
    """Writes the plies of the best turn in row i, the last first, into ``path`` (int64 (T,), with room for as many as
    the tree has), and its value for each seat into ``values`` (float64 (P,)). Returns the number of plies.
    ``words``: uint64 (A₈ / 8,), scratch."""
    bits = zeros(arrays.legal_bits.shape[1], np.uint64)
    n = best_end(rules, i, 0.0, player_rng[i], arrays, tree, bytes_of(words), words, bits, evaluation)
    for seat in range(values.shape[0]):
        values[seat] = turn_value(rules, n, i, seat, variant_at(arrays.variants, i), tree, evaluation)
    return path_to(n, tree, path)


@loop
def choose_turns(
    rules: GameFunctions, row_ids: Any, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any,
    evaluation: PositionValues, path: Any, actions: Any, values: Any,
) -> None:  # fmt: skip
    """`choose_turn` in the rows i of ``row_ids`` (int64 (K,)): writes the first ply of each turn into ``actions[i]``
    (int64 (N,)), and its value for each seat into ``values[i]`` (float64 (N, P))."""
    for k in range(row_ids.shape[0]):
        i = row_ids[k]
        length = choose_turn(rules, i, arrays, tree, player_rng, words, evaluation, path, values[i])
        actions[i] = path[length - 1]


# --- two turns ---


@inner_loop
def write_values(
    rules: GameFunctions, i: int, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree, mask: Any, words: Any,
    bits: Any, evaluation: PositionValues, values: Any,
) -> None:  # fmt: skip
    """Writes the value of row i's position for each seat into ``values`` (float64 (P,)): 0 at the end of a game; if a
    throw is due, the position's own value; else the value of the best turn of the seat to act. Changes the row's legal
    actions."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    values[:] = 0
    if state.end != RUNNING:
        return
    due = throws_due(rules, state, variant)
    n = 0
    if due == 0:
        rules.legal(state, variant, mask, words)
        pack_legal(words, arrays.legal_bits[i])
        n = best_end(rules, i, 0.0, player_rng, arrays, tree, mask, words, bits, evaluation)
    for seat in range(values.shape[0]):
        if seat == 1 and values.shape[0] == 2:
            values[1] = -values[0]
        elif due > 0:
            values[seat] = row_value(rules, i, seat, state, variant, evaluation)
        else:
            values[seat] = turn_value(rules, n, i, seat, variant, tree, evaluation)


@loop
def write_action_values(
    rules: GameFunctions, i: int, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any,
    evaluation: PositionValues, action_values: Any,
) -> None:  # fmt: skip
    """Writes the value of each legal action in row i, for the seat that plays it, into ``action_values`` (float64
    (A,)); leaves the others as they are. It is the value of the best turn that begins with the action, before any
    throw. ``words``: as `choose_turn`."""
    bits, values = zeros(arrays.legal_bits.shape[1], np.uint64), zeros(tree.rewards.shape[1], np.float64)
    start, legal = new_states(rules, 1), arrays.legal_bits[i].copy()
    copy_row(arrays.states, i, start, 0)
    seat, variant = state_at(start, 0).to_act, variant_at(arrays.variants, i)
    for w in range(legal.shape[0]):
        rest = legal[w]
        while rest:
            action = 64 * w + lowest(rest)
            rest = without_lowest(rest)
            play_on(rules, i, seat, 0, START, action, arrays, tree)
            if tree.due[0] == GOES_ON:
                action_values[action] = paid_to(seat, tree.rewards, 0)
                copy_row(tree.states, 0, arrays.states, i)
                write_values(rules, i, player_rng[i], arrays, tree, bytes_of(words), words, bits, evaluation, values)
                action_values[action] += values[seat]
                copy_row(start, 0, arrays.states, i)
                arrays.legal_bits[i] = legal
            else:
                action_values[action] = turn_value(rules, 0, i, seat, variant, tree, evaluation)


@loop
def value_after_replies(
    rules: GameFunctions, n: int, i: int, seat: int, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree,
    replies: TurnTree, mask: Any, words: Any, bits: Any, evaluation: PositionValues,
) -> float:  # fmt: skip
    """`turn_value` of position n, searched one turn deeper: the mean over all throws that may follow, each with the
    best turn of the seat that is then to act (`write_values`). Uses row i's state and legal actions, which the caller
    restores."""
    variant, due = variant_at(arrays.variants, i), tree.due[n]
    if state_at(tree.states, n).end != RUNNING:
        return paid_to(seat, tree.rewards, n)
    faces, values = zeros(max(rules.dice, 1), np.int8), zeros(2, np.float64)
    rewards = zeros((1, tree.rewards.shape[1]), np.float64)
    value = 0.0
    for k in range(rules.count_of(due) if due > 0 else 1):
        copy_row(tree.states, n, arrays.states, i)
        rewards[:] = 0
        if due > 0:
            rules.set_throw(faces, due, k)
            rules.throw(state_at(arrays.states, i), variant, faces, rewards[0])
        write_values(rules, i, player_rng, arrays, replies, mask, words, bits, evaluation, values)
        value += (paid_to(seat, rewards, 0) + values[seat]) * (rules.chance_of(due, k) if due > 0 else 1.0)
    return paid_to(seat, tree.rewards, n) + value


@loop
def choose_turn_ahead(
    rules: GameFunctions, i: int, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any,
    evaluation: PositionValues, path: Any, values: Any, candidates: int, replies: TurnTree,
) -> int:  # fmt: skip
    """`choose_turn`, with the ``candidates`` best ends by the network compared by `value_after_replies`. Only for two
    seats. ``replies``: another tree."""
    bits, mask = zeros(arrays.legal_bits.shape[1], np.uint64), bytes_of(words)
    start, legal = new_states(rules, 1), arrays.legal_bits[i].copy()
    copy_row(arrays.states, i, start, 0)
    seat, variant = state_at(start, 0).to_act, variant_at(arrays.variants, i)
    for k in range(tree.places.shape[0]):
        tree.places[k] = -1
    size, expanded = grow_turn(rules, i, 0, arrays, tree, mask, words, bits)
    end_values = np.full(size, -math.inf)
    for n in range(size):
        if tree.due[n] != GOES_ON or n >= expanded:
            end_values[n] = turn_value(rules, n, i, seat, variant, tree, evaluation)
    best, highest = 0, -math.inf
    for _ in range(candidates):
        n = int(np.argmax(end_values))
        if end_values[n] == -math.inf:
            break
        end_values[n] = -math.inf
        value = value_after_replies(
            rules, n, i, seat, player_rng[i], arrays, tree, replies, mask, words, bits, evaluation
        )
        if value > highest:
            best, highest = n, value
    copy_row(start, 0, arrays.states, i)
    arrays.legal_bits[i] = legal
    values[seat], values[1 - seat] = highest, -highest
    return path_to(best, tree, path)
