"""Defaults for a game without a ``guide.py``, or for what its ``guide.py`` leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.rulebook.protocol import Record

GOAL = ""
LEGEND: Sequence[tuple[str, str, str]] = ()
clicks = None


def instruction(state: Record, variant: Record) -> str:
    """Nothing in particular."""
    return "Play a move."


def why_not(action: int, state: Record, variant: Record) -> str:
    """Nothing is known."""
    return ""
