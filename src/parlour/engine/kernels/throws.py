"""The throws of a search: each distinct one, whatever the order of its dice, with its probability."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.chance import FACES
from parlour.rulebook.protocol import Rules

rules: Rules
kernel: Callable[[Any], Any]


@kernel
def first_throw(faces: Any, dice: int) -> None:
    """The first of all sorted throws."""
    for k in range(dice):
        faces[k] = rules.FIRST_FACE


@kernel
def next_throw(faces: Any, dice: int) -> bool:
    """The next of all sorted throws; False if there is none."""
    k = dice - 1
    while k >= 0 and faces[k] == rules.FIRST_FACE + FACES - 1:
        k -= 1
    if k < 0:
        return False
    face = faces[k] + 1
    for j in range(k, dice):
        faces[j] = face
    return True


@kernel
def chance_of(faces: Any, dice: int) -> float:
    """The probability of a sorted throw: the number of its orders, divided by that of all throws."""
    orders, alike = 1.0, 0
    for k in range(dice):
        alike = alike + 1 if k > 0 and faces[k] == faces[k - 1] else 1
        orders *= (k + 1) / alike
    return orders / FACES**dice
