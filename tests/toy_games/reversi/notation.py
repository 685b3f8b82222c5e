"""Names of actions (``d3``, ``pass``) and texts of positions: ranks 1 to 8, then the seat to act (``x`` or ``o``)."""

from __future__ import annotations

import re

import numpy as np

from parlour.rulebook.positions import own_words_refused
from parlour.rulebook.protocol import Record

from .rules import CELLS, COUNTED, ENDS, ONE, SIDE, moves_of

MOVE_FORM = "d3 or pass"
DICE_TEXT = False
NAMES = (*(f"{file}{rank}" for rank in range(1, SIDE + 1) for file in "abcdefgh"), "pass")
SEATS = "xo"


def move_name(action: int, state: Record) -> str | None:
    """The same for both seats."""
    return NAMES[action]


def parse_move(text: str, state: Record) -> int | None:
    """The opposite of `move_name`."""
    return NAMES.index(text) if text in NAMES else None


def letters(state: Record) -> str:
    """For each cell, a1 first: ``x``, ``o`` or ``.``"""
    discs = [int(state.discs[seat]) for seat in range(2)]
    return "".join("x" if discs[0] >> cell & 1 else "o" if discs[1] >> cell & 1 else "." for cell in range(CELLS))


def write(state: Record, variant: Record) -> str:
    """Rows from 1 to 8, then the seat to act."""
    cells = letters(state)
    return f"{'/'.join(cells[SIDE * row : SIDE * (row + 1)] for row in range(SIDE))} {SEATS[state.to_act]}"


def read(text: str, state: Record, variant: Record) -> None:
    """The opposite of `write`."""
    board, _, rest = text.partition(" ")
    seat, *more = rest.split(" ")
    if more:
        raise own_words_refused(more, ("plies=", "seen=", "end="))
    if not re.fullmatch(r"[xo.]{8}(/[xo.]{8}){7}", board) or seat not in ("x", "o"):
        raise ValueError(
            "not eight rows of eight letters 'x', 'o' and '.', '/' between, and the seat to act, 'x' or 'o'"
        )
    for cell, letter in enumerate(board.replace("/", "")):
        if letter != ".":
            state.discs[SEATS.index(letter)] |= ONE << np.uint64(cell)
    state.to_act = SEATS.index(seat)


def check(state: Record, variant: Record) -> None:
    """Discs are counted if, and only if, neither seat can move."""
    black, white = state.discs
    over = not moves_of(black, white) and not moves_of(white, black)
    if over != (state.end == COUNTED):
        raise ValueError(f"{'neither' if over else 'a'} seat can move here, with end={ENDS[state.end]!r}")
