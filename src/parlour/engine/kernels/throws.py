"""A game's dice: how they are drawn, and for a search each distinct throw with its probability."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.chance import below, dice_tables, multiset
from parlour.rulebook.protocol import Record, Rules

rules: Rules
kernel: Callable[[Any], Any]

DICE = len(rules.DICE)
"""The dice of a whole throw; 0 without dice"""
SPACE = max(DICE, 1)
"""The length of an array for the faces of a throw"""
SIDES, FACES, THROWS, CHANCES, FIRST = dice_tables(rules.DICE, getattr(rules, "THROW_KEY", multiset))


@kernel
def draw_face(k: int, stream: Record) -> int:
    """What die ``k`` shows: drawn from the stream, exactly."""
    return FACES[k, below(stream, SIDES[k])]


@kernel
def set_throw(faces: Any, dice: int, k: int) -> None:
    """Writes the faces of the k-th distinct throw of ``dice`` dice."""
    for die in range(dice):
        faces[die] = THROWS[FIRST[dice] + k, die]


@kernel
def chance_of(dice: int, k: int) -> float:
    """The probability of the k-th distinct throw of ``dice`` dice."""
    return CHANCES[FIRST[dice] + k]


@kernel
def count_of(dice: int) -> int:
    """How many distinct throws of ``dice`` dice there are."""
    return FIRST[dice + 1] - FIRST[dice]
