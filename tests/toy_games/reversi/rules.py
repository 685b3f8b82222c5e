"""The rules, on two sets of cells, each one word of 64 bits.

1 |  0  1  2  3  4  5  6  7        cell = 8 · row + file; action = cell, and 64 to pass
2 |  8  9 ...
…
8 | 56 57 58 59 60 61 62 63
     a  b  c  d  e  f  g  h
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import count_bits, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.no_dice import DICE, dice_due, throw
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill_plies_left
from parlour.rulebook.protocol import COMMON_ENDS, FIRST_OWN_END, RUNNING, Layout, Plane, Record, state_dtype

from .variants import DISCS

__all__ = ["DICE", "dice_due", "throw"]

SIDE, CELLS = 8, 64
PASS, ACTIONS = 64, 65
COUNTED = FIRST_OWN_END
ENDS = (*COMMON_ENDS, "counted")
FEWER = DISCS.number("fewer")

ZERO, ONE, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
NOT_FILE_A, NOT_FILE_H = np.uint64(0xFEFEFEFEFEFEFEFE), np.uint64(0x7F7F7F7F7F7F7F7F)
UP = np.array([0, 0, 0, 0, 1, 7, 8, 9], np.uint64)  # [direction]: how far a set is shifted to higher cells,
DOWN = np.array([1, 7, 8, 9, 0, 0, 0, 0], np.uint64)  # and to lower ones
KEPT = np.array(
    [NOT_FILE_H, NOT_FILE_A, ALL, NOT_FILE_H, NOT_FILE_A, NOT_FILE_H, ALL, NOT_FILE_A], np.uint64
)  # cells that a shift can lead to, none being carried over an edge
DIRECTIONS = 8
BLACK_START = ONE << np.uint64(28) | ONE << np.uint64(35)  # e4, d5
WHITE_START = ONE << np.uint64(27) | ONE << np.uint64(36)  # d4, e5

STATE = state_dtype([("discs", np.uint64, (2,))])  # [seat]: the set of its cells
PLANES = (Plane("own discs"), Plane("the other seat's discs"), *PLIES_LEFT_PLANES)


def layout(values: dict[str, Any]) -> Layout:
    """Two seats, an action for each cell, and `pass`."""
    return Layout(seats=2, actions=ACTIONS, height=SIDE, width=SIDE, planes=PLANES)


@kernel
def shifted(cells: Any, direction: int) -> Any:
    """The neighbours of a set of cells in one direction."""
    return (cells << UP[direction] >> DOWN[direction]) & KEPT[direction]


@kernel
def moves_of(own: Any, other: Any) -> Any:
    """The empty cells from which ``own`` encloses discs of ``other``."""
    empty = ~(own | other)
    found = ZERO
    for direction in range(DIRECTIONS):
        line = shifted(own, direction) & other
        for _ in range(SIDE - 3):
            line |= shifted(line, direction) & other
        found |= shifted(line, direction) & empty
    return found


@kernel
def turned_by(disc: Any, own: Any, other: Any) -> Any:
    """The discs of ``other`` that a new one (a set of one cell) turns over."""
    turned = ZERO
    for direction in range(DIRECTIONS):
        line = ZERO
        cell = shifted(disc, direction)
        while cell & other:
            line |= cell
            cell = shifted(cell, direction)
        if cell & own:
            turned |= line
    return turned


@kernel
def setup(state: Record, variant: Record) -> None:
    """Two discs each in the middle, crosswise; Black begins."""
    state.discs[0] = BLACK_START
    state.discs[1] = WHITE_START
    state.to_act = 0


@kernel
def apply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """Places a disc and turns all those over that it encloses, or passes. Where neither seat can move, discs are
    counted."""
    seat = state.to_act
    other = 1 - seat
    state.turn_over = 1
    state.irreversible = 1  # discs stay on the board, and no two plies in a row are passes
    if action != PASS:
        disc = ONE << np.uint64(action)
        turned = turned_by(disc, state.discs[seat], state.discs[other])
        state.discs[seat] |= disc | turned
        state.discs[other] &= ~turned
    state.to_act = other
    if not moves_of(state.discs[0], state.discs[1]) and not moves_of(state.discs[1], state.discs[0]):
        state.end = COUNTED
        ahead = count_bits(state.discs[0]) - count_bits(state.discs[1])
        if ahead != 0:
            winner = 0 if (ahead > 0) != (variant.discs == FEWER) else 1
            rewards[winner] += 1
            rewards[1 - winner] -= 1


@kernel
def legal(state: Record, variant: Record, mask: Any, words: Any) -> None:
    """A cell that encloses discs; where there is none, `pass`."""
    mask[:] = 0
    if state.end != RUNNING:
        return
    moves = moves_of(state.discs[state.to_act], state.discs[1 - state.to_act])
    if not moves:
        mask[PASS] = 1
    while moves:
        mask[lowest(moves)] = 1
        moves = without_lowest(moves)


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Own discs first."""
    for cell in range(CELLS):
        planes[cell] = np.int8(state.discs[seat] >> np.uint64(cell) & ONE)
        planes[CELLS + cell] = np.int8(state.discs[1 - seat] >> np.uint64(cell) & ONE)
    fill_plies_left(planes, 2, CELLS, state, variant)


@kernel
def position_key(state: Record) -> Any:
    """Both sets of discs and the seat to act."""
    return add_word(add_word(add_word(NO_WORDS, state.discs[0]), state.discs[1]), np.uint64(state.to_act))
