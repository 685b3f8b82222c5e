"""Potentials and events, by the game's evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.protocol import MAX_PLIES, Evaluation, Record

evaluation: Evaluation
kernel: Callable[[Any], Any]


@kernel
def potential_of(state: Record, variant: Record, seat: int) -> float:
    """0 for a game that is over by its rules, the potential of its last position for one that was truncated."""
    return 0.0 if state.end > MAX_PLIES else evaluation.potential(state, variant, seat)


@kernel
def count_events(before: Record, after: Record, variant: Record, counts: Any) -> bool:
    """Writes into ``counts`` (int64 (E,)) what happened in the ply between two states. Returns whether anything did."""
    counts[:] = 0
    evaluation.events(before, after, variant, counts)
    happened = False
    for event in range(counts.shape[0]):
        if counts[event] != 0:
            happened = True
    return happened
