"""How a ply of Swords & Shields looks, one ply deep: what the built-in player `greedy` goes by."""

from __future__ import annotations

from typing import Any

from parlour.kernels.bits import without_lowest
from parlour.kernels.compiling import kernel
from parlour.kernels.protocol import RUNNING, Record

from .rules import men_of

WIN = 100.0


@kernel
def men_lost(before: Any, after: Any) -> int:
    """How many of the men in the set ``before`` are not in ``after``."""
    lost = 0
    for half in range(2):
        word = before[half] & ~after[half]
        while word:
            word = without_lowest(word)
            lost += 1
    return lost


@kernel
def merit(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all, then the number of men captured: `greedy` wins if it can, else captures the most, else plays at
    random. A ply never ends the game for the other seat's good."""
    captured = men_lost(men_of(before, 1 - seat), men_of(after, 1 - seat))
    return WIN if after.end != RUNNING else float(captured)
