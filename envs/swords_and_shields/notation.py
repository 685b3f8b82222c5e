"""Names of actions (``d9-d6``) and texts of positions (``3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s``)."""

from __future__ import annotations

import numpy as np

from parlour.rulebook.bits import members
from parlour.rulebook.compiling import plain
from parlour.rulebook.positions import fixed_names, own_words_refused, read_rows, write_rows
from parlour.rulebook.protocol import RUNNING, Record

from . import rules

MOVE_FORM = "d9-d6"
DICE_TEXT = False
SEATS = "so"  # the letters of the seats: swords, shields

PIECES = {"s": (16, "swords"), "o": (8, "shields"), "c": (1, "chiefs")}
RANKS = {f"rank {rank}": rules.SIDE for rank in range(1, rules.SIDE + 1)}
FILES = "abcdefghi"
DOT_NAMES = tuple(f"{FILES[dot % rules.SIDE]}{dot // rules.SIDE + 1}" for dot in range(rules.DOTS))
MOVE_NAMES = tuple(
    f"{DOT_NAMES[action // rules.TARGETS]}-{DOT_NAMES[plain(rules.target_of)(action)]}"
    for action in range(rules.DOTS * rules.TARGETS)
)
CHIEF_ONLY_DOTS = tuple(
    tuple(dot for dot in range(rules.DOTS) if ranks[dot // rules.SIDE] >> dot % rules.SIDE & 1)
    for ranks in rules.CHIEF_ONLY
)
"""[escape]: the dots where only the Chief may stand."""
move_name, parse_move = fixed_names(MOVE_NAMES)
"""The same for both seats. Every action is some position's: under escape=corner the Chief may stand almost anywhere."""


def piece_letters(state: Record) -> list[str]:
    """For each dot ``s``, ``o``, ``c`` or ``.``."""
    letters = ["."] * rules.DOTS
    for letter, men in zip(SEATS, state.men.tolist()):
        for dot in members(men):
            letters[dot] = letter
    if state.chief != rules.OFF:
        letters[state.chief] = "c"
    return letters


def write(state: Record, variant: Record) -> str:
    """Nine rows, rank 9 first, runs of empty dots as digits; then the seat to act."""
    return f"{write_rows(piece_letters(state), [*RANKS.values()])} {SEATS[state.to_act]}"


def read(text: str, state: Record, variant: Record) -> None:
    """Puts the pieces on the board and sets the seat to act."""
    board, *words = text.split(" ")
    if not words or words[0] not in ("s", "o"):
        raise ValueError("after the board must come the seat to act, 's' or 'o'")
    if words[1:]:
        raise own_words_refused(words[1:], ("plies=", "seen=", "end="))
    rules.set_board(state, np.frombuffer(read_rows(board, RANKS, PIECES).encode(), np.uint8))
    state.to_act = SEATS.index(words[0])


def check(state: Record, variant: Record) -> None:
    """ValueError for a position that cannot occur in a running game, or an end that does not fit the board."""
    letters = piece_letters(state)
    for dot in CHIEF_ONLY_DOTS[variant.escape]:
        if letters[dot] in SEATS:
            raise ValueError(f"{letters[dot]!r} on {DOT_NAMES[dot]}, where only the Chief may stand")
    if (state.chief == rules.OFF) != (state.end == rules.CAPTURE):
        missing = "no chief 'c' on the board without end=capture"
        raise ValueError(missing if state.chief == rules.OFF else "end=capture with the chief 'c' still on the board")
    if state.chief == rules.OFF:
        return
    if rules.ESCAPE_DOT[variant.escape, state.chief] != (state.end == rules.ESCAPED):
        where = DOT_NAMES[state.chief]
        belied = f"the chief on {where}, where he has escaped, without end=escape"
        raise ValueError(belied if state.end != rules.ESCAPED else f"end=escape with the chief on {where}")
    if state.end == rules.ESCAPED:
        return
    stuck = not rules.can_move(state, variant, state.to_act)
    if stuck != (state.end == rules.NO_MOVE):
        seat = SEATS[state.to_act]
        raise ValueError(f"{seat!r} to act {'has no move without' if stuck else 'can move with'} end=no_move")
    if state.end == RUNNING and "s" not in letters:
        raise ValueError("no swords on the board without end=no_move")
