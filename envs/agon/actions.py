"""The 729 actions of Agon, and how they are written into a mask.

They are numbered from the view of the seat to act: for Dark the board, and the actions with it, are turned by half a
turn::

      0 … 545   step: 6 × the cell it starts from + direction (left, right, up-left, up-right, down-left, down-right)
    546 … 636   put, 546 + cell: a placement in set-up, or where a piece that was taken up is put down
    637 … 727   choose, 637 + cell: the piece to touch, the trapped guard to relocate, the guard to exchange
    728         pass
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, lowest, without_lowest
from parlour.rulebook.compiling import kernel

from .board import CELLS, DIRECTIONS, GUARD, MAX_STEPS, NEIGHBOUR, NOWHERE, OPPOSITE, QUEEN, STEP_DIRECTIONS

LIGHT, DARK = 0, 1  # the seats

PUTS = DIRECTIONS * CELLS
CHOICES = PUTS + CELLS
PASS = CHOICES + CELLS
ACTIONS = PASS + 1
SPARE = ACTIONS  # a spare byte of the mask after its last action


def _turned() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[action]: the action that does the same on the board turned by half a turn."""
    back = range(CELLS - 1, -1, -1)
    steps = [DIRECTIONS * cell + int(opposite) for cell in back for opposite in OPPOSITE]
    return np.array([*steps, *(PUTS + cell for cell in back), *(CHOICES + cell for cell in back), PASS])


TURNED = _turned()

STEP_TARGET = np.full((2, CELLS, MAX_STEPS), NOWHERE)
"""[kind, cell, k]: where the k-th step that such a piece may ever take from there leads; NOWHERE beyond the last."""
STEP_ACTION = np.full((2, 2, CELLS, MAX_STEPS), SPARE)
"""[seat, kind, cell, k]: its action from the view of the seat; SPARE beyond the last."""
for kind in (GUARD, QUEEN):
    for cell in range(CELLS):
        for k, direction in enumerate(STEP_DIRECTIONS[kind][cell]):
            STEP_TARGET[kind, cell, k] = NEIGHBOUR[cell, direction]
            STEP_ACTION[LIGHT, kind, cell, k] = DIRECTIONS * cell + direction
            STEP_ACTION[DARK, kind, cell, k] = TURNED[DIRECTIONS * cell + direction]

# Puts are written eight at a time. Words 68 to 79 of the mask hold bytes 544 to 639. For Light cell c is byte 546 + c:
# a set shifted up by 2 bits falls into these words as it is. For Dark it is byte 636 − c: shifted up by 3, the set
# falls into them in reverse order, each word reversed.
FIRST_PUT_WORD, LAST_PUT_WORD = 68, 79
PUT_SHIFT = np.array([2, 3], np.uint64)
_BITS = np.array([[bits >> place & 1 for place in range(8)] for bits in range(256)], np.int8)
SPREAD = np.stack([_BITS.view(np.uint64)[:, 0], np.ascontiguousarray(_BITS[:, ::-1]).view(np.uint64)[:, 0]])
"""[seat, bits]: the eight bytes of a mask for eight cells of a set."""
LOW_BYTE, LOW_SIX, EIGHT, WORD = np.uint64(0xFF), np.uint64(63), np.uint64(8), np.uint64(64)


@kernel
def write_steps(mask: Any, seat: int, kind: int, cell: int, low: Any, high: Any) -> bool:
    """Allows the steps of the piece on ``cell`` to the cells of the set (``low``, ``high``). Whether there is any."""
    some = np.uint64(0)
    for k in range(MAX_STEPS):
        target = STEP_TARGET[kind, cell, k]
        word = low if target < 64 else high
        free = (word >> (np.uint64(target) & LOW_SIX)) & ONE
        mask[STEP_ACTION[seat, kind, cell, k]] = free
        some |= free
    return some != 0


@kernel
def first_step(seat: int, cell: int) -> int:
    """The action of a step from ``cell`` in direction 0, from the view of ``seat``."""
    return DIRECTIONS * (cell if seat == LIGHT else CELLS - 1 - cell)


@kernel
def step_directions(seat: int, kind: int, cell: int, low: Any, high: Any) -> Any:
    """The directions, from the view of ``seat``, in which the piece on ``cell`` can step to the cells of the set
    (``low``, ``high``): bit d of a word for direction d."""
    ways, first = np.uint64(0), first_step(seat, cell)
    for k in range(MAX_STEPS):
        target = STEP_TARGET[kind, cell, k]
        word = low if target < 64 else high
        free = (word >> (np.uint64(target) & LOW_SIX)) & ONE
        ways |= free << np.uint64((STEP_ACTION[seat, kind, cell, k] - first) & 63)
    return ways


@kernel
def write_puts(words: Any, seat: int, low: Any, high: Any) -> None:
    """Allows puts on the cells of the set (``low``, ``high``)."""
    shift = PUT_SHIFT[seat]
    high = high << shift | low >> (WORD - shift)
    low = low << shift
    k, step = (FIRST_PUT_WORD, 1) if seat == LIGHT else (LAST_PUT_WORD, -1)
    for _ in range(8):
        words[k] = SPREAD[seat, np.int64(low & LOW_BYTE)]
        low >>= EIGHT
        k += step
    for _ in range(4):
        words[k] = SPREAD[seat, np.int64(high & LOW_BYTE)]
        high >>= EIGHT
        k += step


@kernel
def write_choices(mask: Any, seat: int, low: Any, high: Any) -> None:
    """Allows choosing the pieces on the cells of the set (``low``, ``high``)."""
    for half in range(2):
        word = low if half == 0 else high
        while word:
            cell = 64 * half + lowest(word)
            word = without_lowest(word)
            mask[CHOICES + (cell if seat == LIGHT else CELLS - 1 - cell)] = 1
