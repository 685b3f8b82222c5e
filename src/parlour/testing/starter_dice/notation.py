"""Names of actions (``in``, ``3``, ``pass``) and texts of positions."""

from __future__ import annotations

import re

from parlour.rulebook.positions import fixed_names, read_count
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES
from .rules import ALL_HOME, DECIDED, HAND, HOME, MEN, PASS

MOVE_FORM = "in, 3 or pass"
DICE_TEXT = True
SEATS = tuple(name.lower() for name in SEAT_NAMES)
NAMES = ("in", *map(str, range(1, PASS)), "pass")
move_name, parse_move = fixed_names(NAMES)
"""By the place that a man leaves; the same for both seats."""
TEXT_FORM = "first 3 8 | second 5 | home 0 1 | first | dice 4 | 17"
SQUARES = "((?: [0-9]{1,2})*)"
TEXT = re.compile(
    rf"first{SQUARES} \| second{SQUARES} \| home ([0-2]) ([0-2]) \| (first|second) \| dice ([1-6]) \| (.+)"
)


def squares_of(state: Record, seat: int) -> list[int]:
    """The squares on which the seat has a man."""
    return [square for square in range(1, HOME) if state.men[seat, square]]


def write(state: Record, variant: Record) -> str:
    """Squares of each seat's men, men at home, the seat to act, the throw, the plies; all other men are in hand."""
    men = [" ".join([name, *map(str, squares_of(state, seat))]) for seat, name in enumerate(SEATS)]
    home = f"home {state.men[0, HOME]} {state.men[1, HOME]}"
    return " | ".join([*men, home, SEATS[state.to_act], f"dice {state.dice[0]}", str(state.plies)])


def read(text: str, state: Record, variant: Record) -> None:
    """Reads a text that `write` has written into the state."""
    match = TEXT.fullmatch(text)
    if match is None:
        raise ValueError(f"it is not of the form {TEXT_FORM!r}")
    for seat in range(2):
        for square in map(int, match[1 + seat].split()):
            if not 1 <= square <= variant.length:
                raise ValueError(f"there is no square {square}; squares: 1 to {variant.length}")
            state.men[seat, square] += 1
        state.men[seat, HOME] = int(match[3 + seat])
        state.men[seat, HAND] = MEN - state.men[seat].sum()
    state.to_act, state.dice[0], state.plies = SEATS.index(match[5]), int(match[6]), read_count("plies", match[7])
    state.due, state.opening = 0, DECIDED


def check(state: Record, variant: Record) -> None:
    """ValueError for too many men, for two on a square, or if the ending does not fit the men at home."""
    if state.men.min() < 0:
        raise ValueError(f"a seat has {MEN} men, not more")
    if state.men[:, 1:HOME].sum(axis=0).max() > 1:
        raise ValueError("two men stand on one square")
    winners = int((state.men[:, HOME] == MEN).sum())
    if winners != (state.end == ALL_HOME):
        raise ValueError(f"{winners} seats have all men at home; one has with end=all_home, and none without")
