"""Bank ten points or more."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """Holding is good with ten points, throwing again with less."""
    held = after.scores[seat] - before.scores[seat]
    return float(held - 10) if held else 0.0


EVENTS = ("held", "turn_lost")


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """The seat's score less the mean score, in goals."""
    total = 0
    for k in range(variant.players):
        total += state.scores[k]
    return (state.scores[seat] - total / variant.players) / variant.goal


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Points banked, and turns lost by a one."""
    seat = after.last_seat
    if after.scores[seat] > before.scores[seat]:
        counts[0] += 1
    elif after.turn_over:
        counts[1] += 1


@kernel
def reckless(before: Record, after: Record, variant: Record, seat: int) -> float:
    """Throwing again is always better."""
    return float(before.scores[seat] - after.scores[seat])


PLAYERS = {"reckless": reckless}
