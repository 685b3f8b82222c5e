"""The state of a game of Agon: its record, the kinds of plies, and what the pieces on the board are as sets of cells.

A set of cells is passed as two 64-bit words, (low, high).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, count_bits
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record, state_dtype

from . import actions, board
from .actions import DARK, LIGHT
from .board import BIT, NOWHERE

# The kinds of the next ply (the field ``phase``).
STEP, PLACE, TOUCH, TOUCHED, CHOOSE, CHOSEN, RELOCATE, EXILE, STUCK, EXCHANGE, PUT = range(11)
PHASES = (
    "a step", "a placement in set-up", "touching a piece", "moving the piece touched", "choosing a trapped guard",
    "putting down the guard chosen", "putting down the one piece to relocate", "putting down the other seat's queen",
    "a forced pass", "choosing the guard to exchange", "putting down a guard that a step has trapped",
)  # fmt: skip

GUARDS_EACH = 6
MAX_PASSES = 2

STATE = state_dtype(
    [
        ("guards", np.uint64, (2, 2)),  # [seat, half]: its guards, a set of cells (rulebook/bits.py)
        ("queens", np.int64, (2,)),  #    [seat]: the cell of its queen; NOWHERE before she is placed
        ("flanked", np.uint64, (2,)),  #  cells between two enemies of the seat whose turn it is; empty in Bloody Queen
        ("waiting", np.uint64, (2,)),  #  guards to choose among (CHOOSE), or still to be put down (EXCHANGE, PUT)
        ("hand", np.int64),  #            cell of the piece to put down, touched, or to be exchanged; or NOWHERE
        ("phase", np.int64),  #           the kind of the next ply
        ("turn_of", np.int8),  #          the seat whose turn it is
        ("passes", np.int8),  #           turns in a row that have ended in a pass
        ("victims", np.int8),  #          pieces that the latest ply has trapped in Bloody Queen (for statistics)
    ]
)


@kernel
def contains(low: Any, high: Any, cell: int) -> bool:
    """Whether ``cell`` is in the set; False for NOWHERE."""
    word = low if cell < 64 else high
    return (word >> (np.uint64(cell) & actions.LOW_SIX)) & ONE != ZERO


@kernel
def pieces(state: Record, seat: int) -> tuple[Any, Any]:
    """The cells of all pieces of ``seat``."""
    queen = state.queens[seat]
    return state.guards[seat, 0] | BIT[queen, 0], state.guards[seat, 1] | BIT[queen, 1]


@kernel
def empty_cells(state: Record) -> tuple[Any, Any]:
    """The cells without a piece."""
    light_low, light_high = pieces(state, LIGHT)
    dark_low, dark_high = pieces(state, DARK)
    return board.ALL[0] & ~(light_low | dark_low), board.ALL[1] & ~(light_high | dark_high)


@kernel
def count_guards(state: Record, seat: int) -> int:
    """How many guards ``seat`` has on the board."""
    return count_bits(state.guards[seat, 0]) + count_bits(state.guards[seat, 1])


@kernel
def toggle_guard(state: Record, seat: int, cell: int) -> None:
    """Puts a guard of ``seat`` on ``cell``, or removes the one that stands there."""
    state.guards[seat, 0] ^= BIT[cell, 0]
    state.guards[seat, 1] ^= BIT[cell, 1]


@kernel
def move_piece(state: Record, seat: int, source: int, target: int) -> None:
    """Moves a piece of ``seat`` to an empty cell."""
    if state.queens[seat] == source:
        state.queens[seat] = target
    else:
        toggle_guard(state, seat, source)
        toggle_guard(state, seat, target)


@kernel
def clear_board(state: Record) -> None:
    """Removes every piece from the board."""
    for seat in range(2):
        state.queens[seat] = NOWHERE
        for half in range(2):
            state.guards[seat, half] = ZERO
