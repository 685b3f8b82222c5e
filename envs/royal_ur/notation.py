"""Names of actions (``in``, ``4``, ``pass``) and texts of positions."""

from __future__ import annotations

from parlour.rulebook import position_parts as parts
from parlour.rulebook.bits import members
from parlour.rulebook.positions import fixed_names
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES, rules
from .paths import LONGEST, Tile, tile_of
from .variants import PATH

MOVE_FORM = "in, 4 or pass"
DICE_TEXT = True
SEATS = tuple(name.lower() for name in SEAT_NAMES)
MOVE_NAMES = ("in", *map(str, range(1, LONGEST + 1)), "pass")
move_name, parse_move = fixed_names(MOVE_NAMES)
"""By the square of the man that moves, in the mover's own numbers, so the same for both."""


def squares_of(state: Record, seat: int) -> list[int]:
    """The seat's men on the board, by its own squares."""
    return members((state.held[seat], 0))


def standing(state: Record, variant: Record) -> dict[Tile, tuple[int, int]]:
    """The men on the board: of each tile with one its seat, and the seat's own square."""
    path = path_name(variant)
    return {tile_of(path, seat, k): (seat, k) for seat in range(2) for k in squares_of(state, seat)}


def path_name(variant: Record) -> str:
    """The value of the option ``path``."""
    return PATH.values[int(variant.path)]


def _men(seat: int) -> parts.Part:
    """The squares of a seat's men on the board."""

    def read(text: str, state: Record, variant: Record) -> None:
        squares = parts.read_numbers(text, SEATS[seat], 1, int(rules.LENGTH[variant.path]), what="squares")
        state.held[seat] = sum(1 << square for square in squares)

    return parts.Part(lambda state, variant: " ".join([SEATS[seat], *map(str, squares_of(state, seat))]), read)


FACES = parts.numbers("dice", "dice", 1, count=rules.dice_thrown)


def _read_throw(text: str, state: Record, variant: Record) -> None:
    FACES.read(text, state, variant)
    faces = state.dice[: rules.dice_thrown(variant)].tolist()
    if faces != sorted(faces):
        raise ValueError(f"{text!r}: the faces of dice stand in ascending order")
    state.number = sum(faces) or (rules.HIGHEST if variant.dice == rules.THREE else 0)


write, read = parts.of_parts(
    (
        _men(rules.LIGHT),
        _men(rules.DARK),
        parts.numbers("hand", "hand", lambda variant: variant.men),
        parts.numbers("off", "off", lambda variant: variant.men),
        parts.seat_to_act(SEATS),
        parts.Part(FACES.write, _read_throw),
        parts.PLIES,
    ),
    "light 4 8 | dark 5 | hand 4 6 | off 1 0 | light | dice 0 0 1 1 | 41",
)


def check(state: Record, variant: Record) -> None:
    """ValueError for wrong numbers of men, two men on a tile, or an end that does not fit."""
    men, on_board = int(variant.men), [len(squares_of(state, seat)) for seat in range(2)]
    parts.check_men([on_board[k] + int(state.hand[k] + state.off[k]) for k in range(2)], men, SEAT_NAMES)
    if len(standing(state, variant)) < sum(on_board):
        raise ValueError(f"two men stand on one tile, by the path {path_name(variant)!r}")
    parts.check_borne_off(state, men, SEAT_NAMES, rules.ENDS, lambda seat: rules.BORNE_OFF)
