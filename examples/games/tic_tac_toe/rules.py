"""The rules. The board is two sets of cells, one for each seat, as bits.

Cells and actions have the same numbers::

    3 | 6 7 8
    2 | 3 4 5
    1 | 0 1 2
       a b c
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.no_dice import DICE, dice_due, throw
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill_plies_left
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import LINE

__all__ = ["DICE", "dice_due", "throw"]

SIDE, CELLS = 3, 9
LINE_MADE, FULL = FIRST_OWN_END, FIRST_OWN_END + 1
ENDS = (*COMMON_ENDS, "line", "full")
LOSES = LINE.number("loses")

# Words of bit sets are always uint64: mixed with signed integers they would become floats.
ZERO, ONE = np.uint64(0), np.uint64(1)
BOARD = np.uint64(2**CELLS - 1)
_ROWS = [(3 * k, 3 * k + 1, 3 * k + 2) for k in range(3)]
_FILES = [(k, k + 3, k + 6) for k in range(3)]
LINES = np.array([sum(1 << cell for cell in line) for line in (*_ROWS, *_FILES, (0, 4, 8), (2, 4, 6))], np.uint64)

STATE = state_dtype([("marks", np.uint64, (2,))])  # [seat]: the set of its cells
PLANES = (Plane("own marks"), Plane("the other seat's marks"), *PLIES_LEFT_PLANES)


def layout(values: dict[str, Any]) -> Layout:
    """Two seats, and one action for each cell."""
    return Layout(seats=2, actions=CELLS, height=SIDE, width=SIDE, planes=PLANES)


@kernel
def has_line(marks: Any) -> bool:
    """Whether the set ``marks`` (uint64) contains three cells in a line."""
    made = False
    for k in range(LINES.shape[0]):
        made = made or marks & LINES[k] == LINES[k]
    return made


@kernel
def setup(state: Record, variant: Record) -> None:
    """Rule 1: an empty board; Crosses begin."""
    state.marks[0] = ZERO
    state.marks[1] = ZERO
    state.to_act = 0


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Rule 3: three in a line win, or lose with line=loses. Rule 4: a full board without a line is a draw."""
    seat = state.to_act
    state.marks[seat] |= ONE << np.uint64(action)
    state.turn_over = 1  # a turn is one ply
    state.irreversible = 1  # marks stay, so no position can occur again
    state.to_act = 1 - seat
    if has_line(state.marks[seat]):
        state.end = LINE_MADE
        winner = 1 - seat if variant.line == LOSES else seat
        rewards[winner] += 1
        rewards[1 - winner] -= 1
    elif state.marks[0] | state.marks[1] == BOARD:
        state.end = FULL


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """Rule 2: any empty cell."""
    mask[:] = 0  # clear all of it: the mask is longer than the number of actions
    if state.end == RUNNING:
        taken = state.marks[0] | state.marks[1]
        for cell in range(CELLS):
            if not taken >> np.uint64(cell) & ONE:
                mask[cell] = 1


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``."""
    for cell in range(CELLS):
        planes[cell] = np.int8(state.marks[seat] >> np.uint64(cell) & ONE)
        planes[CELLS + cell] = np.int8(state.marks[1 - seat] >> np.uint64(cell) & ONE)
    fill_plies_left(planes, 2, CELLS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """The hash of both sets of marks and the seat to act."""
    return add_word(add_word(add_word(NO_WORDS, state.marks[0]), state.marks[1]), np.uint64(state.to_act))
