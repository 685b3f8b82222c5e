"""The best end of a turn, of all that the seat to act can bring about, by a small value network."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Looking, TurnTree
from parlour.engine.value_arrays import Evaluation
from parlour.rulebook.chance import fraction
from parlour.rulebook.protocol import RUNNING, Record

after_states: Any
network_value: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

NO_ROOM = -1
ALMOST = 1 - 1e-6
"""The highest value of which the logit is taken, as a share of the scale."""


@kernel
def paid_to(seat: int, rewards: Any, n: int) -> float:
    """What row n of ``rewards`` pays ``seat``: between two seats, half of what it is paid more than the other."""
    if rewards.shape[1] == 2:
        return 0.5 * (rewards[n, seat] - rewards[n, 1 - seat])
    return rewards[n, seat]


@kernel
def worth_of(n: int, i: int, seat: int, variant: Record, tree: TurnTree, given: Evaluation) -> float:
    """What position n of the tree, which ends a turn of ``seat`` in row i, has paid it and is worth to it from there
    on."""
    paid = paid_to(seat, tree.rewards, n)
    if tree.states[n].end != RUNNING:
        return paid
    head = given.network.row_heads[i]
    return paid + network_value.value_to(i, head, seat, tree.states[n], variant, given)


@kernel
def with_noise(value: float, scale: float, noise: float, player_rng: Record) -> float:
    """The logit of a value plus Gumbel noise: the highest of several is drawn from their softmax at the temperature
    ``noise``."""
    share = min(max(value / scale, -ALMOST), ALMOST)
    logit = math.log((1 + share) / (1 - share))
    return logit - noise * math.log(-math.log(fraction(player_rng) + 1e-300) + 1e-300)


@loop
def best_end(
    i: int, noise: float, player_rng: Record, rows: Looking, tree: TurnTree, mask: Any, words: Any, bits: Any,
    given: Evaluation,
) -> int:  # fmt: skip
    """The position of the tree that ends the turn of the seat to act in row i best, the nearest of several; `NO_ROOM`
    if the tree is too small. ``noise``: 0, or the temperature at which one is drawn."""
    for k in range(tree.places.shape[0]):
        tree.places[k] = -1
    seat, variant = rows.states[i].to_act, rows.variants[i]
    size = after_states.grow_turn(i, 0, rows, tree, mask, words, bits)
    best, highest = NO_ROOM, -math.inf
    for n in range(size):
        if tree.due[n] == after_states.GOES_ON:
            continue
        worth = worth_of(n, i, seat, variant, tree, given)
        if noise > 0:
            worth = with_noise(worth, given.network.scale, noise, player_rng)
        if worth > highest:
            best, highest = n, worth
    return best


@kernel
def first_action(n: int, tree: TurnTree) -> int:
    """The first ply of the turn that leads to position n of the tree."""
    while tree.parents[n] != after_states.START:
        n = tree.parents[n]
    return tree.actions[n]


@loop
def choose_turns(
    row_ids: Any, first: int, rows: Looking, tree: TurnTree, player_rng: Any, words: Any, given: Evaluation,
    actions: Any,
) -> int:  # fmt: skip
    """Writes into ``actions`` (int64 (N,)) the first ply of the best turn in the rows ``row_ids[first]`` and on.
    Returns how many of them (M,) are done: fewer than all if the tree is too small. ``words``: uint64 (A₈ / 8,),
    scratch."""
    mask = words.view(np.int8)
    bits = np.zeros(rows.legal_bits.shape[1], np.uint64)
    for m in range(first, row_ids.shape[0]):
        i = row_ids[m]
        n = best_end(i, 0.0, player_rng[i], rows, tree, mask, words, bits, given)
        if n == NO_ROOM:
            return m
        actions[i] = first_action(n, tree)
    return row_ids.shape[0]
