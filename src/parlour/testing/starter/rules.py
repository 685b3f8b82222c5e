"""The rules. Action k takes k + 1 counters."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.compiling import kernel
from parlour.rulebook.no_dice import DICE, dice_due, throw
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import MAX_PILE

__all__ = ["DICE", "dice_due", "throw"]

MAX_TAKEN = 3
LAST_TAKEN = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "last_taken")
STATE = state_dtype([("pile", np.int64)])  # counters left
PLANES = (Plane("counters left", 0, MAX_PILE), *PLIES_LEFT_PLANES)


def layout(values: dict[str, Any]) -> Layout:
    """Two seats, one action for each number of counters that can be taken, and a board of one cell."""
    return Layout(seats=2, actions=MAX_TAKEN, height=1, width=1, planes=PLANES)


@kernel
def setup(state: Record, variant: Record) -> None:
    """The first seat begins."""
    state.pile = variant.pile
    state.to_act = 0


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Takes the counters. The seat that takes the last one wins, or loses in the variant ``misere``."""
    seat = state.to_act
    state.pile -= action + 1
    state.turn_over = 1
    state.irreversible = 1  # counters never come back, so no earlier position can occur again
    state.to_act = 1 - seat
    if state.pile == 0:
        state.end = LAST_TAKEN
        winner = 1 - seat if variant.last_loses else seat
        rewards[winner] += 1
        rewards[1 - winner] -= 1


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """A seat can take up to three counters, but not more than there are."""
    mask[:] = 0
    if state.end == RUNNING:
        for action in range(min(MAX_TAKEN, state.pile)):
            mask[action] = 1


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes the planes; they are the same for both seats."""
    fill(planes, 0, 1, state.pile)
    fill_plies_left(planes, 1, 1, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """Any constant: the game has no option ``repetition``."""
    return np.uint64(0)
