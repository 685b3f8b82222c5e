"""Names of actions (``in``, ``3``, ``pass``) and texts of positions."""

from __future__ import annotations

from parlour.rulebook.position_parts import PLIES, Part, numbers, of_parts, read_numbers, seat_to_act
from parlour.rulebook.positions import fixed_names
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES
from .rules import ALL_HOME, DECIDED, HAND, HOME, MEN, PASS

MOVE_FORM = "in, 3 or pass"
DICE_TEXT = True
SEATS = tuple(name.lower() for name in SEAT_NAMES)
NAMES = ("in", *map(str, range(1, PASS)), "pass")
move_name, parse_move = fixed_names(NAMES)
"""By the place that a man leaves; the same for both seats."""


def squares_of(state: Record, seat: int) -> list[int]:
    """The squares on which the seat has a man."""
    return [square for square in range(1, HOME) if state.men[seat, square]]


def squares(seat: int) -> Part:
    """The part of a text with the squares of a seat's men."""

    def read(text: str, state: Record, variant: Record) -> None:
        for square in read_numbers(text, SEATS[seat], 1, int(variant.length), what="squares"):
            state.men[seat, square] = 1

    return Part(lambda state, variant: " ".join([SEATS[seat], *map(str, squares_of(state, seat))]), read)


def read_home(text: str, state: Record, variant: Record) -> None:
    """Men at home; all other men are in hand."""
    for seat, home in enumerate(read_numbers(text, "home", 0, MEN, 2)):
        state.men[seat, HOME] = home
        state.men[seat, HAND] = MEN - state.men[seat].sum()
    state.opening = DECIDED


write, read = of_parts(
    (
        squares(0),
        squares(1),
        Part(lambda state, variant: f"home {state.men[0, HOME]} {state.men[1, HOME]}", read_home),
        seat_to_act(SEATS),
        numbers("dice", "dice", 6, 1, 1, "faces"),
        PLIES,
    ),
    "first 3 8 | second 5 | home 0 1 | first | dice 4 | 17",
)
"""Squares of each seat's men, men at home, the seat to act, the throw, the plies."""


def check(state: Record, variant: Record) -> None:
    """ValueError for too many men, for two on a square, or if the ending does not fit the men at home."""
    if state.men.min() < 0:
        raise ValueError(f"a seat has {MEN} men, not more")
    if state.men[:, 1:HOME].sum(axis=0).max() > 1:
        raise ValueError("two men stand on one square")
    winners = int((state.men[:, HOME] == MEN).sum())
    if winners != (state.end == ALL_HOME):
        raise ValueError(f"{winners} seats have all men at home; one has with end=all_home, and none without")
