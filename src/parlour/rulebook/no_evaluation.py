"""Defaults for a game without an ``evaluation.py``, or for what its ``evaluation.py`` leaves out.

There are no events, and the potential of every position is 0. There is no default ``greedy_score``: without one,
`greedy` plays a ply that wins at once, if there is one, and otherwise any ply (``simple_players``).
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
