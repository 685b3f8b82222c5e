"""Names of actions (``d9-d6``) and texts of positions (``3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3 s``)."""

from __future__ import annotations

import re

from parlour.rulebook.positions import own_words_refused
from parlour.rulebook.protocol import RUNNING, Record

from . import rules

MOVE_FORM = "d9-d6"
DICE_TEXT = False
SEATS = "so"  # the letters of the seats: swords, shields

EMPTY_RUN = re.compile(r"\.+")

FILES = "abcdefghi"
DOT_NAMES = tuple(f"{FILES[dot % rules.SIDE]}{dot // rules.SIDE + 1}" for dot in range(rules.DOTS))
MOVE_NAMES = tuple(
    f"{DOT_NAMES[action // rules.TARGETS]}-{DOT_NAMES[rules.target_of(action)]}"
    for action in range(rules.DOTS * rules.TARGETS)
)
MOVES = {name: action for action, name in enumerate(MOVE_NAMES)}


def move_name(action: int, state: Record) -> str | None:
    """Every action is some position's: under escape=corner the Chief may stand on any dot but the corners."""
    return MOVE_NAMES[action]


def parse_move(text: str, state: Record) -> int | None:
    """The same for both seats."""
    return MOVES.get(text)


def piece_letters(state: Record) -> list[str]:
    """For each dot ``s``, ``o``, ``c`` or ``.``."""
    letters = ["."] * rules.DOTS
    for letter, (low, high) in (("s", state.men[rules.SWORDS]), ("o", state.men[rules.SHIELDS])):
        dots = int(low) | int(high) << 64
        for dot in range(rules.DOTS):
            if dots >> dot & 1:
                letters[dot] = letter
    if state.chief != rules.OFF:
        letters[state.chief] = "c"
    return letters


def write(state: Record, variant: Record) -> str:
    """Nine rows, rank 9 first, runs of empty dots as digits; then the seat to act."""
    letters = "".join(piece_letters(state))
    rows = [letters[start : start + rules.SIDE] for start in range(0, rules.DOTS, rules.SIDE)]
    board = EMPTY_RUN.sub(lambda run: str(len(run[0])), "/".join(reversed(rows)))
    return f"{board} {SEATS[state.to_act]}"


def read(text: str, state: Record, variant: Record) -> None:
    """Puts the pieces on the board and sets the seat to act."""
    board, *words = text.split(" ")
    if not words or words[0] not in ("s", "o"):
        raise ValueError("after the board must come the seat to act, 's' or 'o'")
    if words[1:]:
        raise own_words_refused(words[1:], ("plies=", "seen=", "end="))
    rules.clear_board(state)
    state.to_act = SEATS.index(words[0])
    for dot, letter in enumerate(read_board(board)):
        if letter == "s":
            rules.put_man(state, state.men[rules.SWORDS], dot)
        elif letter == "o":
            rules.put_man(state, state.men[rules.SHIELDS], dot)
        elif letter == "c":
            rules.put_chief(state, dot)


def read_board(board: str) -> str:
    """81 letters, dot 0 first; ValueError if the rows or the number of pieces are wrong."""
    rows = board.split("/")
    if len(rows) != rules.SIDE:
        raise ValueError(f"the board has {len(rows)} rows; it needs 9, rank 9 first, with / between")
    letters = ""
    for rank, row in zip(range(1, rules.SIDE + 1), reversed(rows)):
        strange = re.search(r"[^soc1-9]", row)
        if strange:
            raise ValueError(f"rank {rank} ({row!r}) holds {strange[0]!r}; it may hold s, o, c and the digits 1 to 9")
        if re.search(r"[1-9]{2}", row):
            raise ValueError(f"rank {rank} ({row!r}) has two numbers in a row; write their sum")
        dots = re.sub("[1-9]", lambda digit: "." * int(digit[0]), row)
        if len(dots) != rules.SIDE:
            raise ValueError(f"rank {rank} ({row!r}) has {len(dots)} dots; it needs 9")
        letters += dots
    for letter, most, name in (("s", 16, "swords"), ("o", 8, "shields"), ("c", 1, "chiefs")):
        if letters.count(letter) > most:
            raise ValueError(f"{letters.count(letter)} {name}; at most {most} can be on the board")
    return letters


def check(state: Record, variant: Record) -> None:
    """What a running game can't show, and endings that the board belies."""
    letters = piece_letters(state)
    for dot, letter in enumerate(letters):
        if letter in "so" and rules.CHIEF_ONLY[variant.escape, dot // rules.SIDE] >> dot % rules.SIDE & 1:
            raise ValueError(f"{letter!r} on {DOT_NAMES[dot]}, where only the Chief may stand")
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
