"""Actions of the players without search for many games: random, and greedy by the game's `greedy_score`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import below
from parlour.rulebook.masks import random_allowed
from parlour.rulebook.protocol import Evaluation, Record, Rules

rules: Rules
evaluation: Evaluation
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

if hasattr(evaluation, "greedy_score"):

    @kernel
    def score_of(before: Record, after: Record, variant: Record, rewards: Any) -> float:
        """See `protocol.Evaluation.greedy_score`."""
        return evaluation.greedy_score(before, after, variant, before.to_act)
else:

    @kernel
    def score_of(before: Record, after: Record, variant: Record, rewards: Any) -> float:
        """The default: the reward of the ply for its seat minus the best reward of the others, which is highest for a
        ply that wins at once."""
        seat = before.to_act
        best = -np.inf
        for other in range(rewards.shape[0]):
            if other != seat:
                best = max(best, rewards[other])
        return float(rewards[seat] - best)


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
def score_after(before: Record, variant: Record, action: int, after: Any, rewards: Any) -> float:
    """The greedy score of an action. ``after``, one record, and ``rewards`` (P,) are scratch."""
    after[0] = before
    rewards[:] = 0
    rules.apply(after[0], variant, action, rewards)
    return score_of(before, after[0], variant, rewards)


@kernel
def greedy_choice(before: Record, variant: Record, bits: Any, player_rng: Record, after: Any, rewards: Any) -> int:
    """A legal action of the highest greedy score, ties broken uniformly at random; −1 if there is none.

    ``bits``: the mask as `masks.pack_legal` writes it; ``after``, one record, and ``rewards`` (P,) are scratch.
    """
    best, ties, choice = 0.0, 0, -1
    for k in range(bits.shape[0]):
        word = bits[k]
        while word:
            action = 64 * k + lowest(word)
            word = without_lowest(word)
            score = score_after(before, variant, action, after, rewards)
            if ties == 0 or score > best:
                best, ties, choice = score, 1, action
            elif score == best:
                ties += 1
                if below(player_rng, ties) == 0:
                    choice = action
    return choice


@kernel
def greedy_row(i: int, arrays: Arrays, after: Any, rewards: Any) -> int:
    """`greedy_choice` in row i."""
    return greedy_choice(
        arrays.states[i], arrays.variants[i], arrays.legal_bits[i], arrays.player_rng[i], after, rewards
    )


@loop
def greedy_rows(low: int, high: int, row_mask: Any, arrays: Arrays, after: Any, rewards: Any, actions: Any) -> None:
    """`greedy_row` into ``actions`` (int64 (N,)) of every chosen row. ``after``: (N,) records and ``rewards``: (N, P)
    are scratch, used at row ``low``."""
    for i in range(low, high):
        if row_mask[i]:
            actions[i] = greedy_row(i, arrays, after[low : low + 1], rewards[low])


@loop
def write_scores(i: int, arrays: Arrays, after: Any, rewards: Any, scores: Any) -> None:
    """Writes the greedy score of every legal action of row i into ``scores`` (float64 (A,)). ``after`` and ``rewards``
    are scratch, see `greedy_rows`."""
    bits = arrays.legal_bits[i]
    for k in range(bits.shape[0]):
        word = bits[k]
        while word:
            action = 64 * k + lowest(word)
            word = without_lowest(word)
            scores[action] = score_after(arrays.states[i], arrays.variants[i], action, after[:1], rewards[0])
