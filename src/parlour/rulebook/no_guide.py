"""Defaults for a game without a ``guide.py``, or for what its ``guide.py`` leaves out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.protocol import Record

LESSONS: Sequence[Lesson] = ()
LEGEND: Sequence[tuple[str, str, str]] = ()
FACES: Mapping[int, str] = MappingProxyType({})
"""What faces of a die are called; a face without a name is called by its number."""
clicks = None


def instruction(state: Record, variant: Record) -> str:
    """Nothing in particular."""
    return "Play a move."


def why_not(action: int, state: Record, variant: Record) -> str:
    """Nothing is known."""
    return ""


def outcomes(before: Record, after: Record, variant: Record) -> Sequence[tuple[int, str, int]]:
    """Nothing to tell beyond what the picture shows."""
    return ()
