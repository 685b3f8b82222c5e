"""Names of actions (``in``, ``4``, ``pass``) and texts of positions."""

from __future__ import annotations

from functools import reduce
from operator import or_

from parlour.rulebook.bits import members
from parlour.rulebook.positions import fixed_names, read_count
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES, rules
from .paths import LONGEST, tile_of
from .variants import PATH

MOVE_FORM = "in, 4 or pass"
DICE_TEXT = True
SEATS = tuple(name.lower() for name in SEAT_NAMES)
TEXT_FORM = "light 4 8 | dark 5 | hand 4 6 | off 1 0 | light | dice 0 0 1 1 | 41"
MOVE_NAMES = ("in", *map(str, range(1, LONGEST + 1)), "pass")
move_name, parse_move = fixed_names(MOVE_NAMES)
"""By the square of the man that moves, in the mover's own numbers, so the same for both."""


def squares_of(state: Record, seat: int) -> list[int]:
    """The seat's men on the board, by its own squares."""
    return members((state.held[seat], 0))


def path_name(variant: Record) -> str:
    """The value of the option ``path``."""
    return PATH.values[int(variant.path)]


def write(state: Record, variant: Record) -> str:
    """The whole text except for ``end=``."""
    men = [" ".join([name, *map(str, squares_of(state, seat))]) for seat, name in enumerate(SEATS)]
    hand, off = (" ".join(map(str, counts.tolist())) for counts in (state.hand, state.off))
    dice = " ".join(str(face) for face in state.dice.tolist() if face >= 0)
    return " | ".join((*men, f"hand {hand}", f"off {off}", SEATS[state.to_act], f"dice {dice}", str(state.plies)))


def read(text: str, state: Record, variant: Record) -> None:
    """Sets the state from what `write` has written."""
    parts = text.split(" | ")
    if len(parts) != 7:
        raise ValueError(f"it has {len(parts)} parts with bars between, not 7 as in {TEXT_FORM!r}")
    if parts[4] not in SEATS:
        raise ValueError(f"{parts[4]!r} is no seat to act; 'light' or 'dark'")
    for seat, name in enumerate(SEATS):
        state.held[seat] = _read_men(parts[seat], name, variant)
    state.hand[:] = _read_numbers(parts[2], "hand", 2, int(variant.men))
    state.off[:] = _read_numbers(parts[3], "off", 2, int(variant.men))
    state.to_act = SEATS.index(parts[4])
    faces = _read_numbers(parts[5], "dice", int(rules.dice_thrown(variant)), 1)
    if faces != sorted(faces):
        raise ValueError(f"{parts[5]!r}: the faces of dice stand in ascending order")
    state.dice[:] = faces + [-1] * (4 - len(faces))
    state.number = sum(faces) or (rules.HIGHEST if variant.dice == rules.THREE else 0)
    state.due = 0
    state.plies = read_count("plies", parts[6])


def _read_men(text: str, name: str, variant: Record) -> int:
    """A seat's men on the board, as a set of squares."""
    word, *numbers = text.split(" ")
    length = int(rules.LENGTH[variant.path])
    squares = [int(number) for number in numbers if number in MOVE_NAMES and number.isdecimal()]
    if word != name or len(squares) < len(numbers) or not all(square <= length for square in squares):
        raise ValueError(f"{text!r} is not {name!r} and squares from 1 to {length}, one space before each")
    if squares != sorted(set(squares)):
        raise ValueError(f"{text!r}: squares stand in ascending order, each once")
    return reduce(or_, (1 << square for square in squares), 0)


def _read_numbers(text: str, word: str, count: int, most: int) -> list[int]:
    first, *numbers = text.split(" ")
    if first != word or len(numbers) != count or any(number not in map(str, range(most + 1)) for number in numbers):
        raise ValueError(f"{text!r} is not {word!r} and {count} numbers from 0 to {most}, one space before each")
    return [int(number) for number in numbers]


def check(state: Record, variant: Record) -> None:
    """ValueError for wrong numbers of men, two men on a tile, or an end that does not fit."""
    path, tiles = path_name(variant), []
    for seat, name in enumerate(SEAT_NAMES):
        squares = squares_of(state, seat)
        total = len(squares) + int(state.hand[seat]) + int(state.off[seat])
        if total != variant.men:
            raise ValueError(f"{name} has {total} men in all; each seat has {variant.men}")
        tiles += [tile_of(path, seat, square) for square in squares]
    if len(set(tiles)) < len(tiles):
        raise ValueError(f"two men stand on one tile, by the path {path!r}")
    finished = [seat for seat in range(2) if state.off[seat] == variant.men]
    if len(finished) == 2:
        raise ValueError("both seats have borne off all men")
    if bool(finished) != (state.end == rules.BORNE_OFF):
        raise ValueError(
            "a seat has borne off all men without end=borne_off" if finished else "end=borne_off, but no seat has"
        )
