"""Who could win with the next ply."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record, Rules

rules: Rules
throws: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

ZERO = np.uint64(0)

if hasattr(rules, "null_move"):
    null_move = rules.null_move
else:

    @kernel
    def null_move(state: Record, variant: Record) -> None:
        """The default of `protocol.Rules.null_move`, for two seats whose turns depend only on ``to_act``."""
        state.to_act = 1 - state.to_act


if hasattr(rules, "prune_nonwinning"):
    prune_nonwinning = rules.prune_nonwinning
else:

    @kernel
    def prune_nonwinning(state: Record, variant: Record, mask: Any, words: Any) -> None:
        """The default of `protocol.Rules.prune_nonwinning`: any action may win."""


@loop
def wins_with(action: int, state: Record, variant: Record, after: Any, rewards: Any) -> bool:
    """Whether a legal action ends the game by the rules, before any throw, and pays its seat more than any other.
    ``after``, one record, and ``rewards`` (P,) are scratch."""
    seat = state.to_act
    after[0] = state
    rewards[:] = 0
    rules.apply(after[0], variant, action, rewards)
    won = after[0].end > MAX_PLIES
    for other in range(rewards.shape[0]):
        if other != seat and rewards[other] >= rewards[seat]:
            won = False
    return won


@loop
def can_win(state: Record, variant: Record, mask: Any, words: Any, after: Any, rewards: Any) -> bool:
    """Whether the seat to act wins with any action that its mask (A₈,), as bytes and words, allows; the mask is scratch
    then."""
    prune_nonwinning(state, variant, mask, words)
    for k in range(words.shape[0]):
        if words[k] == ZERO:
            continue
        for action in range(8 * k, 8 * k + 8):
            if mask[action] and wins_with(action, state, variant, after, rewards):
                return True
    return False


@kernel
def warn(states: Any, variants: Any, shown: Any, scratch: Any, mask: Any, words: Any, rewards: Any) -> int:
    """Warnings for the seat to act in row 0: 1 if it can win with this ply, plus 2 if the other seat could win with its
    next ply if this ply changed nothing.

    The second is only computed in games without dice, at the start of a turn, for the seat to which `null_move` passes.
    ``shown``: uint64 (N, A₈ / 8), its mask; ``scratch``: two records; ``mask``, the same bytes as ``words``, and
    ``rewards``, a row each, are scratch too.
    """
    state, variant = states[0], variants[0]
    if state.end != RUNNING:
        return 0
    for k in range(words.shape[0]):
        words[k] = shown[0, k]
    news = 1 if can_win(state, variant, mask, words, scratch[1:], rewards) else 0
    if throws.DICE == 0 and state.turn_over:
        scratch[0] = state
        null_move(scratch[0], variant)
        if scratch[0].end == RUNNING and scratch[0].to_act != state.to_act:
            rules.legal(scratch[0], variant, mask, words)
            if can_win(scratch[0], variant, mask, words, scratch[1:], rewards):
                news += 2
    return news
