"""Names of actions (``b2``) and texts of positions (``x../.o./... x``: rows from the top, then the seat to act)."""

from __future__ import annotations

import re

import numpy as np

from parlour.rulebook.positions import own_words_refused
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

from .rules import BOARD, CELLS, ENDS, FULL, LINE_MADE, ONE, SIDE, has_line

MOVE_FORM = "b2"
DICE_TEXT = False
NAMES = tuple(f"{file}{rank}" for rank in range(1, SIDE + 1) for file in "abc")
SEATS = "xo"


def move_name(action: int, state: Record) -> str | None:
    """The cell's name, the same for both seats."""
    return NAMES[action]


def parse_move(text: str, state: Record) -> int | None:
    """The action with this name; None if there is none."""
    return NAMES.index(text) if text in NAMES else None


def letters(state: Record) -> str:
    """One letter per cell, a1 first: ``x``, ``o`` or ``.``"""
    marks = [int(state.marks[seat]) for seat in range(2)]
    return "".join("x" if marks[0] >> cell & 1 else "o" if marks[1] >> cell & 1 else "." for cell in range(CELLS))


def write(state: Record, variant: Record) -> str:
    """The text of a position: rows from the top, then the seat to act."""
    cells = letters(state)
    rows = (cells[SIDE * row : SIDE * (row + 1)] for row in reversed(range(SIDE)))
    return f"{'/'.join(rows)} {SEATS[state.to_act]}"


def read(text: str, state: Record, variant: Record) -> None:
    """Reads what `write` has written. Raises ValueError for any other text."""
    board, _, rest = text.partition(" ")
    seat, *more = rest.split(" ")
    if more:
        raise own_words_refused(more, ("plies=", "seen=", "end="))
    if not re.fullmatch(r"[xo.]{3}/[xo.]{3}/[xo.]{3}", board) or seat not in ("x", "o"):
        raise ValueError("not of the form 'x../.o./... x'")
    for cell, letter in enumerate("".join(reversed(board.split("/")))):
        if letter != ".":
            state.marks[SEATS.index(letter)] |= ONE << np.uint64(cell)
    state.to_act = SEATS.index(seat)


def check(state: Record, variant: Record) -> None:
    """Raises ValueError for a position that can't occur. Crosses have as many marks as Noughts, or one more if Noughts
    are to act; only the seat that acted last can have a line; the ending must be that of the board."""
    crosses, noughts = (int(marks).bit_count() for marks in state.marks)
    if crosses - noughts != int(state.to_act):
        raise ValueError(f"{crosses} crosses and {noughts} noughts don't fit {SEATS[state.to_act]!r} to act")
    if has_line(state.marks[state.to_act]):
        raise ValueError(f"{SEATS[state.to_act]!r} is to act, but already has three in a line")
    line, full = has_line(state.marks[1 - state.to_act]), state.marks[0] | state.marks[1] == BOARD
    due = LINE_MADE if line else FULL if full else RUNNING
    if state.end != due and not (due == RUNNING and state.end == MAX_PLIES):
        raise ValueError(f"this position has end={ENDS[due]!r}, not {ENDS[state.end]!r}")
