"""The players without search, for many games: random, and greedy by the game's `greedy_score`."""

from __future__ import annotations

from typing import Any

from parlour.engine.arrays import Arrays
from parlour.engine.calls import copy_state, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.masks import random_allowed
from parlour.rulebook.protocol import Record


@loop
def sample_rows(
    low: int, high: int, row_mask: Any, legal_bits: Any, counts: Any, player_rng: Any, actions: Any
) -> None:
    """Writes into ``actions`` (int64 (N,)) of every chosen row a legal action, uniformly at random; −1 if there is
    none."""
    for i in range(low, high):
        if row_mask[i]:
            actions[i] = random_allowed(legal_bits[i], counts[i], player_rng[i])


@kernel
def score_after(
    rules: GameFunctions, before: Record, variant: Record, action: int, after: Any, k: int, rewards: Any
) -> float:
    """The greedy score of an action. Row ``k`` of ``after``, states, and ``rewards`` (P,) are scratch."""
    state = state_at(after, k)
    copy_state(before, after, k)
    rewards[:] = 0
    rules.apply(state, variant, action, rewards)
    return rules.greedy_score(before, state, variant, rewards)


@kernel
def greedy_choice(
    rules: GameFunctions, before: Record, variant: Record, bits: Any, player_rng: Record, after: Any, place: int,
    rewards: Any,
) -> int:  # fmt: skip
    """A legal action with the highest greedy score, ties broken uniformly at random; −1 if there is none.

    ``bits``: the mask as `masks.pack_legal` writes it; row ``place`` of ``after``, states, and ``rewards`` (P,) are
    scratch.
    """
    best, ties, choice = 0.0, 0, -1
    for k in range(bits.shape[0]):
        word = bits[k]
        while word:
            action = 64 * k + lowest(word)
            word = without_lowest(word)
            score = score_after(rules, before, variant, action, after, place, rewards)
            if ties == 0 or score > best:
                best, ties, choice = score, 1, action
            elif score == best:
                ties += 1
                if below(player_rng, ties) == 0:
                    choice = action
    return choice


@kernel
def greedy_row(rules: GameFunctions, i: int, arrays: Arrays, after: Any, low: int, rewards: Any) -> int:
    """`greedy_choice` in row i, with row ``low`` of ``after`` and ``rewards`` (N, P) as scratch."""
    return greedy_choice(
        rules, state_at(arrays.states, i), variant_at(arrays.variants, i), arrays.legal_bits[i], arrays.player_rng[i],
        after, low, rewards[low],
    )  # fmt: skip


@loop
def greedy_rows(
    low: int, high: int, rules: GameFunctions, row_mask: Any, arrays: Arrays, after: Any, rewards: Any, actions: Any
) -> None:
    """`greedy_row` into ``actions`` (int64 (N,)) of every chosen row. ``after``, N states, and ``rewards`` (N, P) are
    scratch, used at row ``low``."""
    for i in range(low, high):
        if row_mask[i]:
            actions[i] = greedy_row(rules, i, arrays, after, low, rewards)


@loop
def write_scores(rules: GameFunctions, i: int, arrays: Arrays, after: Any, rewards: Any, scores: Any) -> None:
    """Writes the greedy score of every legal action of row i into ``scores`` (float64 (A,)). ``after`` and ``rewards``
    are scratch, see `greedy_rows`."""
    state, variant, bits = state_at(arrays.states, i), variant_at(arrays.variants, i), arrays.legal_bits[i]
    for k in range(bits.shape[0]):
        word = bits[k]
        while word:
            action = 64 * k + lowest(word)
            word = without_lowest(word)
            scores[action] = score_after(rules, state, variant, action, after, 0, rewards[0])
