"""The best end of a turn by a small value network, among all that the seat to act can reach.

A turn may have more positions than there is room for, such as that of a seat that places any number of bets. Then the
positions that are not fully expanded count as ends too. The turn goes on from there by another choice.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import LookaheadArrays, TurnTree
from parlour.engine.value_arrays import Evaluation
from parlour.rulebook.chance import fraction
from parlour.rulebook.protocol import RUNNING, Record

after_states: Any
network_value: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

ALMOST = 1 - 1e-6
"""Values are limited to this share of the scale before taking logits."""


@kernel
def paid_to(seat: int, rewards: Any, n: int) -> float:
    """The rewards of ``seat`` in row n of ``rewards``; with two seats, half of the difference to the other seat."""
    if rewards.shape[1] == 2:
        return 0.5 * (rewards[n, seat] - rewards[n, 1 - seat])
    return rewards[n, seat]


@kernel
def worth_of(n: int, i: int, seat: int, variant: Record, tree: TurnTree, evaluation: Evaluation) -> float:
    """The rewards of ``seat`` up to position n of the tree, an end of its turn in row i, plus the value of that
    position for it."""
    paid = paid_to(seat, tree.rewards, n)
    if tree.states[n].end != RUNNING:
        return paid
    head = evaluation.network.row_heads[i]
    return paid + network_value.value_to(i, head, seat, tree.states[n], variant, evaluation)


@kernel
def with_noise(value: float, scale: float, noise: float, player_rng: Record) -> float:
    """The logit of a value plus Gumbel noise: the highest of several is drawn from their softmax at the temperature
    ``noise``."""
    share = min(max(value / scale, -ALMOST), ALMOST)
    logit = math.log((1 + share) / (1 - share))
    return logit - noise * math.log(-math.log(fraction(player_rng) + 1e-300) + 1e-300)


@loop
def best_end(
    i: int, noise: float, player_rng: Record, arrays: LookaheadArrays, tree: TurnTree, mask: Any, words: Any, bits: Any,
    evaluation: Evaluation,
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
            worth = with_noise(worth, evaluation.network.scale, noise, player_rng)
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
    i: int, arrays: LookaheadArrays, tree: TurnTree, player_rng: Any, words: Any, evaluation: Evaluation, path: Any,
    values: Any,
) -> int:  # fmt: skip
    """Writes the plies of the best turn in row i, the last first, into ``path`` (int64 (T,), with room for as many as
    the tree has), and its value for each seat into ``values`` (float64 (P,)). Returns how many plies they are.
    ``words``: uint64 (A₈ / 8,), scratch."""
    bits = np.zeros(arrays.legal_bits.shape[1], np.uint64)
    n = best_end(i, 0.0, player_rng[i], arrays, tree, words.view(np.int8), words, bits, evaluation)
    for seat in range(values.shape[0]):
        values[seat] = worth_of(n, i, seat, arrays.variants[i], tree, evaluation)
    return path_to(n, tree, path)
