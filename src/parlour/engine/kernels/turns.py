"""Whose turn it is, and who loses by what all games share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.protocol import Record, Rules

rules: Rules
kernel: Callable[[Any], Any]

if hasattr(rules, "seat_of_turn"):
    seat_of_turn = rules.seat_of_turn
else:

    @kernel
    def seat_of_turn(state: Record) -> int:
        """The seat whose turn it is."""
        return state.to_act


@kernel
def pay_loser(loser: int, rewards: Any) -> None:
    """−1 for a seat of two, +1 for the other."""
    rewards[loser] -= 1
    rewards[1 - loser] += 1
