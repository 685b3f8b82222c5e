"""Defaults for a game without a ``guide.py``, or for what its ``guide.py`` leaves out."""

from __future__ import annotations

from collections.abc import Sequence

from parlour.rulebook.protocol import Record

GOAL = ""
LEGEND: Sequence[tuple[str, str, str]] = ()
FACES: Sequence[str] = ()
"""What each face of a die is called, from the first face on; without names it is called by its number."""
clicks = None


def instruction(state: Record, variant: Record) -> str:
    """Nothing in particular."""
    return "Play a move."


def why_not(action: int, state: Record, variant: Record) -> str:
    """Nothing is known."""
    return ""
