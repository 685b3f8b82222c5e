"""How plies and positions of Checkers look: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import count_bits
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record

from .board import BESIDE_BIT, BIT, COLUMN_OF, KING_ROW, NO_SQUARE, ROW_OF, SIDE, ZERO
from .rules import NO_MOVE

WIN, CAPTURE, CROWN, BACK_ROW = 1000.0, 10.0, 5.0, 2.0
MAN_WORTH, KING_WORTH = 2, 3

ADVANCED, GUARDING, CENTRAL = 1, 3, 3
"""What a man is worth for each row that it has come forward, a man for keeping the other seat from its king row, and a
king for standing off the edges; all times `PLACE`, in potentials."""
PLACE = 0.0015

ROWS = np.array([[np.bitwise_or.reduce(BIT[row == ROW_OF]) for row in range(SIDE)] for _ in range(2)])
ROWS[1] = ROWS[1, ::-1].copy()
"""[seat, k]: the row that a man reaches with its k-th step from its own first row."""
STEPS = np.array(
    [[np.bitwise_or.reduce([rows[k] for k in range(SIDE - 1) if k >> b & 1]) for b in range(3)] for rows in ROWS]
)
"""[seat, b]: the rows before the king row whose k has bit b. So three sets say how far men have come."""
MIDDLE = np.bitwise_or.reduce(BIT[(ROW_OF % (SIDE - 1) > 0) & (COLUMN_OF % (SIDE - 1) > 0)])
"""The squares that are not on an edge."""

EVENTS = ("man_captured", "king_captured", "multi_jump", "man_crowned", "back_row_left", "king_step")
CAPTURED_MAN, CAPTURED_KING, JUMPED_ON, CROWNED, LEFT_BACK_ROW, STEPPED_KING = range(len(EVENTS))


@kernel
def back_row_men(state: Record, seat: int) -> int:
    """Men of ``seat`` that still stand where they keep the other seat's men from being crowned."""
    return count_bits(state.pieces[seat] & ~state.kings & KING_ROW[1 - seat])


@kernel
def kings_of(state: Record, seat: int) -> int:
    """How many kings the seat has."""
    return count_bits(state.pieces[seat] & state.kings)


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all; then captures, the one that must follow in a multi-jump included; then crowning; then the men of
    the back row, each of which costs something when it leaves."""
    if after.end == NO_MOVE:
        return WIN
    captured = count_bits(before.pieces[1 - seat]) - count_bits(after.pieces[1 - seat])
    if after.jumper != NO_SQUARE:
        captured += 1
    crowned = kings_of(after, seat) - kings_of(before, seat)
    left = back_row_men(before, seat) - back_row_men(after, seat)
    return CAPTURE * captured + CROWN * crowned - BACK_ROW * left


@kernel
def strength(state: Record, seat: int) -> int:
    """2 for a man, 3 for a king."""
    return MAN_WORTH * count_bits(state.pieces[seat]) + (KING_WORTH - MAN_WORTH) * kings_of(state, seat)


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """(own − other) / (own + other), where a man counts 2 and a king 3."""
    mine, other = strength(state, seat), strength(state, 1 - seat)
    return (mine - other) / max(mine + other, 1)


@kernel
def placed(state: Record, seat: int) -> int:
    """How well the pieces of ``seat`` stand, see `ADVANCED`."""
    men, kings = state.pieces[seat] & ~state.kings, state.pieces[seat] & state.kings
    value = GUARDING * count_bits(men & ROWS[seat, 0]) + CENTRAL * count_bits(kings & MIDDLE)
    for b in range(3):
        value += ADVANCED * (count_bits(men & STEPS[seat, b]) << b)
    return value


@kernel
def heuristic_value(state: Record, variant: Record, seat: int) -> float:
    """The potential, and a little for where pieces stand: see `ADVANCED`."""
    value = potential(state, variant, seat) + PLACE * (placed(state, seat) - placed(state, 1 - seat))
    return min(max(value, -1.0), 1.0)


@kernel
def is_forcing(state: Record, variant: Record, action: int) -> bool:
    """A jump. Where one can be made, all legal actions are."""
    return state.pieces[1 - state.to_act] & BESIDE_BIT[state.to_act, action] != ZERO


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Captures by kind, multi-jumps (at their first jump), crownings, men that leave the back row, steps of kings."""
    seat = after.last_seat
    kings_lost = kings_of(before, 1 - seat) - kings_of(after, 1 - seat)
    lost = count_bits(before.pieces[1 - seat]) - count_bits(after.pieces[1 - seat])
    counts[CAPTURED_KING] += kings_lost
    counts[CAPTURED_MAN] += lost - kings_lost
    if before.jumper == NO_SQUARE and after.jumper != NO_SQUARE:
        counts[JUMPED_ON] += 1
    counts[CROWNED] += kings_of(after, seat) - kings_of(before, seat)
    counts[LEFT_BACK_ROW] += back_row_men(before, seat) - back_row_men(after, seat)
    if lost == 0 and before.pieces[seat] & before.kings & ~after.pieces[seat] != ZERO:
        counts[STEPPED_KING] += 1
