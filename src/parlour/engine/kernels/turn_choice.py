"""The best end of a turn, among all that the seat to act can reach, by a small value network or by a table of exact
values.

A turn may have more positions than there is room for, such as that of a seat that places any number of bets. Then the
positions that are not fully expanded count as ends too. The turn goes on from there by another choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import LookaheadArrays, TurnTree
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import fraction
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import RUNNING, Record, Rules

rules: Rules
throws: Any
after_states: Any
position_value: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]
inner_loop: Callable[[Any], Any]

ALMOST = 1 - 1e-6
"""Values are limited to this share of the scale before taking logits."""


@kernel
def paid_to(seat: int, rewards: Any, n: int) -> float:
    """The rewards of ``seat`` in row n of ``rewards``; with two seats, half of the difference to the other seat."""
    if rewards.shape[1] == 2:
        return 0.5 * (rewards[n, seat] - rewards[n, 1 - seat])
    return rewards[n, seat]


@kernel
def worth_of(n: int, i: int, seat: int, variant: Record, tree: TurnTree, evaluation: Any) -> float:
    """The rewards of ``seat`` up to position n of the tree, an end of its turn in row i, plus the value of that
    position for it."""
    paid = paid_to(seat, tree.rewards, n)
    if tree.states[n].end != RUNNING:
        return paid
    return paid + position_value.row_value(i, seat, tree.states[n], variant, evaluation)


@kernel
def logit_of(value: float, scale: float) -> float:
    """The logit of a value."""
    share = min(max(value / scale, -ALMOST), ALMOST)
    return math.log((1 + share) / (1 - share))


@kernel
def with_noise(value: float, scale: float, noise: float, player_rng: Record) -> float:
    """The logit of a value plus Gumbel noise: the highest of several is drawn from their softmax at the temperature
    ``noise``."""
    return logit_of(value, scale) - noise * math.log(-math.log(fraction(player_rng) + 1e-300) + 1e-300)


@inner_loop
def best_end(
    i: int, noise: float, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree, mask: Any, words: Any, bits: Any,
    evaluation: Any,
) -> int:  # fmt: skip
    """The end of the turn of the seat to act in row i with the highest value, as a position of the tree; of several the
    nearest. ``noise``: 0, or the temperature for drawing an end."""
    for k in range(tree.places.shape[0]):
        tree.places[k] = -1
    seat, variant = arrays.states[i].to_act, arrays.variants[i]
    size, expanded = after_states.grow_turn(i, 0, arrays, tree, mask, words, bits)
    best, highest = 0, -math.inf
    for n in range(size):
        if tree.due[n] == after_states.GOES_ON and n < expanded:
            continue
        worth = worth_of(n, i, seat, variant, tree, evaluation)
        if noise > 0:
            worth = with_noise(worth, position_value.scale_of(evaluation), noise, player_rng)
        if worth > highest:
            best, highest = n, worth
    return best


@kernel
def path_to(n: int, tree: TurnTree, path: Any) -> int:
    """Writes the plies that lead to position n of the tree, the last first, into ``path`` (int64 (T,)). Returns how
    many they are."""
    length = 0
    while n != after_states.START:
        path[length] = tree.actions[n]
        length += 1
        n = tree.parents[n]
    return length


@loop
def choose_turn(
    i: int, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any, evaluation: Any,
    path: Any, values: Any,
) -> int:  # fmt: skip
    """Writes the plies of the best turn in row i, the last first, into ``path`` (int64 (T,), with room for as many as
    the tree has), and its value for each seat into ``values`` (float64 (P,)). Returns how many plies they are.
    ``words``: uint64 (A₈ / 8,), scratch."""
    bits = np.zeros(arrays.legal_bits.shape[1], np.uint64)
    n = best_end(i, 0.0, player_rng[i], arrays, tree, words.view(np.int8), words, bits, evaluation)
    for seat in range(values.shape[0]):
        values[seat] = worth_of(n, i, seat, arrays.variants[i], tree, evaluation)
    return path_to(n, tree, path)


@loop
def choose_turns(
    row_ids: Any, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any, evaluation: Any, path: Any,
    actions: Any, values: Any,
) -> None:  # fmt: skip
    """`choose_turn` in the rows i of ``row_ids`` (int64 (K,)): writes the first ply of each turn into ``actions[i]``
    (int64 (N,)), and its value for each seat into ``values[i]`` (float64 (N, P))."""
    for k in range(row_ids.shape[0]):
        i = row_ids[k]
        length = choose_turn(i, arrays, tree, player_rng, words, evaluation, path, values[i])
        actions[i] = path[length - 1]


# --- two turns ---


@inner_loop
def write_values(
    i: int, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree, mask: Any, words: Any, bits: Any,
    evaluation: Any, values: Any,
) -> None:  # fmt: skip
    """Writes what the position of row i is worth to each seat into ``values`` (float64 (P,)): 0 at the end of a game;
    the position's own value where a throw is due; else that of the best turn of the seat to act. Changes the row's
    legal actions."""
    state, variant = arrays.states[i], arrays.variants[i]
    values[:] = 0
    if state.end != RUNNING:
        return
    due = rules.dice_due(state, variant)
    n = 0
    if due == 0:
        rules.legal(state, variant, mask, words)
        pack_legal(words, arrays.legal_bits[i])
        n = best_end(i, 0.0, player_rng, arrays, tree, mask, words, bits, evaluation)
    for seat in range(values.shape[0]):
        if seat == 1 and values.shape[0] == 2:
            values[1] = -values[0]
        elif due > 0:
            values[seat] = position_value.row_value(i, seat, state, variant, evaluation)
        else:
            values[seat] = worth_of(n, i, seat, variant, tree, evaluation)


@loop
def write_action_worths(
    i: int, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any, evaluation: Any, worths: Any
) -> None:
    """Writes what each legal action in row i is worth to the seat that plays it, with the best turn that it begins and
    before any throw, into ``worths`` (float64 (A,)); leaves the others as they are. ``words``: as `choose_turn`."""
    bits, values = np.zeros(arrays.legal_bits.shape[1], np.uint64), np.zeros(tree.rewards.shape[1])
    state, legal = arrays.states[i : i + 1].copy(), arrays.legal_bits[i].copy()
    seat, variant = state[0].to_act, arrays.variants[i]
    for w in range(legal.shape[0]):
        rest = legal[w]
        while rest:
            action = 64 * w + lowest(rest)
            rest = without_lowest(rest)
            after_states.play_on(i, seat, 0, after_states.START, action, arrays, tree)
            if tree.due[0] == after_states.GOES_ON:
                worths[action] = paid_to(seat, tree.rewards, 0)
                arrays.states[i] = tree.states[0]
                write_values(i, player_rng[i], arrays, tree, words.view(np.int8), words, bits, evaluation, values)
                worths[action] += values[seat]
                arrays.states[i] = state[0]
                arrays.legal_bits[i] = legal
            else:
                worths[action] = worth_of(0, i, seat, variant, tree, evaluation)


@loop
def worth_of_replies(
    n: int, i: int, seat: int, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree, replies: TurnTree,
    mask: Any, words: Any, bits: Any, evaluation: Any,
) -> float:  # fmt: skip
    """`worth_of` position n, looking one turn further: the mean over all throws that may follow, each with the best
    turn of the seat that is then to act (`write_values`). Uses row i's state and legal actions, which the caller
    restores."""
    variant, due = arrays.variants[i], tree.due[n]
    if tree.states[n].end != RUNNING:
        return paid_to(seat, tree.rewards, n)
    faces, rewards, values = np.zeros(throws.SPACE, np.int8), np.zeros((1, tree.rewards.shape[1])), np.zeros(2)
    worth = 0.0
    for k in range(throws.count_of(due) if due > 0 else 1):
        arrays.states[i] = tree.states[n]
        rewards[:] = 0
        if due > 0:
            throws.set_throw(faces, due, k)
            rules.throw(arrays.states[i], variant, faces, rewards[0])
        write_values(i, player_rng, arrays, replies, mask, words, bits, evaluation, values)
        worth += (paid_to(seat, rewards, 0) + values[seat]) * (throws.chance_of(due, k) if due > 0 else 1.0)
    return paid_to(seat, tree.rewards, n) + worth


@loop
def choose_turn_ahead(
    i: int, candidates: int, arrays: LookaheadArrays, tree: TurnTree, replies: TurnTree, player_rng: Any, words: Any,
    evaluation: Any, path: Any, values: Any,
) -> int:  # fmt: skip
    """`choose_turn`, where the ``candidates`` best ends by the network are compared by `worth_of_replies`. Only for two
    seats. ``replies``: another tree."""
    bits, mask = np.zeros(arrays.legal_bits.shape[1], np.uint64), words.view(np.int8)
    state, legal = arrays.states[i : i + 1].copy(), arrays.legal_bits[i].copy()
    seat, variant = state[0].to_act, arrays.variants[i]
    for k in range(tree.places.shape[0]):
        tree.places[k] = -1
    size, expanded = after_states.grow_turn(i, 0, arrays, tree, mask, words, bits)
    worths = np.full(size, -math.inf)
    for n in range(size):
        if tree.due[n] != after_states.GOES_ON or n >= expanded:
            worths[n] = worth_of(n, i, seat, variant, tree, evaluation)
    best, highest = 0, -math.inf
    for _ in range(candidates):
        n = int(np.argmax(worths))
        if worths[n] == -math.inf:
            break
        worths[n] = -math.inf
        worth = worth_of_replies(n, i, seat, player_rng[i], arrays, tree, replies, mask, words, bits, evaluation)
        if worth > highest:
            best, highest = n, worth
    arrays.states[i] = state[0]
    arrays.legal_bits[i] = legal
    values[seat], values[1 - seat] = highest, -highest
    return path_to(best, tree, path)
