"""The legal actions of a position as a list."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.protocol import Record, Rules

rules: Rules
kernel: Callable[[Any], Any]


@kernel
def list_masked(actions: Any, words: Any) -> int:
    """Lists the actions that a mask allows, uint64 (A₈ / 8,), in ``actions`` (int32 (A,)). Returns how many."""
    count = 0
    for k in range(words.shape[0]):
        word = words[k]
        while word:
            actions[count] = 8 * k + (lowest(word) >> 3)
            word = without_lowest(word)
            count += 1
    return count


if hasattr(rules, "moves"):

    @kernel
    def list_legal(state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
        """Lists the actions that the rules allow in ``actions`` (int32 (A,)). Returns how many. ``mask`` (A₈,) and
        ``words``, the same bytes, are scratch."""
        return rules.moves(state, variant, actions)

else:

    @kernel
    def list_legal(state: Record, variant: Record, actions: Any, mask: Any, words: Any) -> int:
        """Lists the actions that the rules allow in ``actions`` (int32 (A,)). Returns how many. ``mask`` (A₈,) and
        ``words``, the same bytes, are scratch."""
        rules.legal(state, variant, mask, words)
        return list_masked(actions, words)
