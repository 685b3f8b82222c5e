"""The chance part of the rules of a game without dice: nothing is ever due."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.compiling import kernel

DICE = ()


@kernel
def dice_due(state: Any, variant: Any) -> int:
    """No dice."""
    return 0


@kernel
def throw(state: Any, variant: Any, faces: Any, rewards: Any) -> None:
    """Never called."""
