"""What a game without an ``evaluation.py`` has instead, and one whose ``evaluation.py`` leaves something out.

There is no event, and every position is worth 0. There is no ``greedy_score`` here: without one, `greedy` plays a ply
that wins at once if there is one, else any (``simple_players``).
"""

from __future__ import annotations

from typing import Any

from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record

EVENTS: tuple[str, ...] = ()


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """No position is better than another."""
    return 0.0


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Nothing is counted."""
