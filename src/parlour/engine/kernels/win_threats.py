"""Who could win with the next ply."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.calls import copy_state, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.rulebook.compiling import loop
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

ZERO = np.uint64(0)


@loop
def wins_with(rules: GameFunctions, action: int, state: Record, variant: Record, scratch: Any, rewards: Any) -> bool:
    """Whether a legal action ends the game by the rules, before any throw, and pays its seat more than any other.
    Row 1 of ``scratch``, states, and ``rewards`` (P,) are scratch."""
    seat, after = state.to_act, state_at(scratch, 1)
    copy_state(state, scratch, 1)
    rewards[:] = 0
    rules.apply(after, variant, action, rewards)
    won = after.end > MAX_PLIES
    for other in range(rewards.shape[0]):
        if other != seat and rewards[other] >= rewards[seat]:
            won = False
    return won


@loop
def can_win(
    rules: GameFunctions, state: Record, variant: Record, mask: Any, words: Any, scratch: Any, rewards: Any
) -> bool:
    """Whether the seat to act wins with any action that its mask (A₈,), as bytes and words, allows; the mask is scratch
    then."""
    rules.prune_nonwinning(state, variant, mask, words)
    for k in range(words.shape[0]):
        if words[k] == ZERO:
            continue
        for action in range(8 * k, 8 * k + 8):
            if mask[action] and wins_with(rules, action, state, variant, scratch, rewards):
                return True
    return False


@loop
def warn(
    rules: GameFunctions, states: Any, variants: Any, shown: Any, scratch: Any, mask: Any, words: Any, rewards: Any
) -> int:
    """Warnings for the seat to act in row 0: 1 if it can win with this ply, plus 2 if the other seat could win with its
    next ply if this ply changed nothing.

    The second is only computed in games without dice, at the start of a turn, for the seat to which `null_move` passes.
    ``shown``: uint64 (N, A₈ / 8), its mask; ``scratch``: two states; ``mask``, the same bytes as ``words``, and
    ``rewards``, a row each, are scratch too.
    """
    state, variant, passed = state_at(states, 0), variant_at(variants, 0), state_at(scratch, 0)
    if state.end != RUNNING:
        return 0
    for k in range(words.shape[0]):
        words[k] = shown[0, k]
    news = 1 if can_win(rules, state, variant, mask, words, scratch, rewards) else 0
    if rules.dice == 0 and state.turn_over:
        copy_state(state, scratch, 0)
        rules.null_move(passed, variant)
        if passed.end == RUNNING and passed.to_act != state.to_act:
            rules.legal(passed, variant, mask, words)
            if can_win(rules, passed, variant, mask, words, scratch, rewards):
                news += 2
    return news
