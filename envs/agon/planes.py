"""What a seat sees of a game of Agon: the planes of an observation."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.planes import PLIES_LEFT_PLANES, fill, fill_plies_left
from parlour.rulebook.protocol import Plane, Record

from . import board
from .board import CELLS, GRID_SIZE, NOWHERE, OUTER
from .position import MAX_PASSES, PHASES, pieces

PLANES = (
    Plane("the own queen"),
    Plane("the own guards"),
    Plane("the other seat's queen"),
    Plane("the other seat's guards"),
    Plane("pieces of the seat whose turn it is that stand trapped"),
    Plane("2: the piece in hand; 1: guards to choose among, or still to be put down", 0, 2),
    Plane("the cell's ring; −1 where there is no cell", -1, OUTER),
    Plane("all ones when the observing seat is to act"),
    Plane("what the next ply is: the number of the phase", 0, len(PHASES) - 1),
    Plane("turns in a row that have ended in a pass", 0, MAX_PASSES, steps=(1, 2)),
    Plane("how often the present position has occurred (0 when repetition is off, at most 127)", 0, 127, steps=(2, 3)),
    *PLIES_LEFT_PLANES,
)
TRAPPED, IN_HAND, CELL_RING, TO_ACT, PHASE = range(4, 9)  # after the queen and the guards of each seat
PASSED, OCCURRED, PLIES_LEFT = range(9, 12)

PLANE_PLACE = np.stack([board.GRID, GRID_SIZE - 1 - board.GRID])
"""[seat, cell]: the cell's place on a plane from the view of the seat."""
RING_PLANE = np.full(GRID_SIZE, -1, np.int8)
RING_PLANE[board.GRID] = board.RING_OF[:CELLS]


@kernel
def mark_cells(planes: Any, plane: int, seat: int, low: Any, high: Any) -> None:
    """Sets a plane to 1 on the cells of the set (``low``, ``high``), from the view of ``seat``."""
    for half in range(2):
        word = low if half == 0 else high
        while word:
            planes[plane * GRID_SIZE + PLANE_PLACE[seat, 64 * half + lowest(word)]] = 1
            word = without_lowest(word)


@kernel
def observe(state: Record, variant: Record, seat: int, planes: Any) -> None:
    """Writes `PLANES` from the view of ``seat``: own pieces first; for Dark the board is turned by half a turn."""
    for k in range(CELL_RING * GRID_SIZE):
        planes[k] = 0
    for k in range(GRID_SIZE):
        planes[CELL_RING * GRID_SIZE + k] = RING_PLANE[k]
    for k in range(2):
        owner = seat if k == 0 else 1 - seat
        if state.queens[owner] != NOWHERE:
            planes[2 * k * GRID_SIZE + PLANE_PLACE[seat, state.queens[owner]]] = 1
        mark_cells(planes, 2 * k + 1, seat, state.guards[owner, 0], state.guards[owner, 1])
    low, high = pieces(state, state.turn_of)
    mark_cells(planes, TRAPPED, seat, low & state.flanked[0], high & state.flanked[1])
    mark_cells(planes, IN_HAND, seat, state.waiting[0], state.waiting[1])
    if state.hand != NOWHERE:
        planes[IN_HAND * GRID_SIZE + PLANE_PLACE[seat, state.hand]] = 2
    fill(planes, TO_ACT, GRID_SIZE, 1 if seat == state.to_act else 0)
    fill(planes, PHASE, GRID_SIZE, state.phase)
    fill(planes, PASSED, GRID_SIZE, state.passes)
    fill(planes, OCCURRED, GRID_SIZE, min(state.occurrences, 127))
    fill_plies_left(planes, PLIES_LEFT, GRID_SIZE, state, variant)
