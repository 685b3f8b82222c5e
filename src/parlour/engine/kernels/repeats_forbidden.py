"""What is legal where the option `repeats` forbids positions to come again (docs/common_rules.md): with repetition=2
positional superko."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.repetition import FILTER_WORDS
from parlour.rulebook.options import FORBIDDEN
from parlour.rulebook.protocol import RUNNING, Record, Rules

rules: Rules
turns: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

FORBIDS = True
PASS, NO_MOVE = getattr(rules, "PASS", -1), getattr(rules, "NO_MOVE", RUNNING)


@loop
def forbid(state: Record, variant: Record, keys: Any, low: int, known: int, high: int, mask: Any, words: Any) -> int:
    """Clears from the mask of a running game the plies that would end a turn in a position whose key is already
    ``repetition`` − 1 times among ``keys[low:high]``. If nothing is left at the start of a turn, the seat passes, in a
    game with passes; within a turn all is allowed.

    Returns the first index from ``known`` on whose key has forbidden a ply; ``high`` if there is none."""
    if state.end != RUNNING or low == high:
        return high
    after, rewards = np.empty(1, rules.STATE), np.zeros(2)
    left, first = 0, high
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        after[0] = state
        rules.apply(after[0], variant, action, rewards)
        count, place = 0, high
        if after[0].turn_over and not after[0].irreversible and action != PASS:
            key = rules.position_key(after[0])
            for k in range(low, high):
                if keys[k] == key:
                    count += 1
                    if k >= known:
                        place = min(place, k)
        if 0 < count >= variant.repetition - 1:
            mask[action] = 0
            first = min(first, place)
        else:
            left += 1
    if left == 0 and not state.turn_over:
        rules.legal(state, variant, mask, words)
    elif left == 0 and PASS >= 0:
        mask[PASS] = 1
    return first


@kernel
def legal(state: Record, variant: Record, seen: Any, mask: Any, words: Any) -> None:
    """`Rules.legal`, without plies that are forbidden. ``seen``: the game's row of the history."""
    rules.legal(state, variant, mask, words)
    if variant.repetition and variant.repeats == FORBIDDEN:
        high = FILTER_WORDS + state.seen
        forbid(state, variant, seen, FILTER_WORDS, high, high, mask, words)


@loop
def end_without_ply(state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """The seat to act loses if all its plies are forbidden and it can't pass. The last key of ``seen``, that of the
    position itself, may be missing: no turn of the other seat leads there."""
    if PASS >= 0:
        return
    words = np.zeros((variant.actions + 7) // 8, np.uint64)
    mask = words.view(np.int8)
    rules.legal(state, variant, mask, words)
    high = FILTER_WORDS + state.seen - 1
    forbid(state, variant, seen, FILTER_WORDS, high, high, mask, words)
    if not np.any(words):
        state.end = NO_MOVE
        turns.pay_loser(state.to_act, rewards)
