"""Names of actions (``24/18``, ``bar/20``, ``6/off``, ``pass``) and texts of positions."""

from __future__ import annotations

import re

from parlour.rulebook.point_texts import points
from parlour.rulebook.position_parts import PLIES, Part, check_borne_off, check_men, numbers, of_parts, seat_to_act
from parlour.rulebook.positions import fixed_names
from parlour.rulebook.protocol import RUNNING, Record

from . import SEAT_NAMES, rules
from .position_ids import FORMS as FORMS

MOVE_FORM = "24/18, bar/20, 6/off or pass"
DICE_TEXT = True
SEATS = "wb"  # the letters of the seats: White, Black
LEFT = re.compile("left (-|[1-6]( [1-6]){0,3})")


def _name(source: int, distance: int) -> str | None:
    """``24/18``, in the numbering of the seat to act; None for more than the man's way."""
    point = rules.SOURCES - source
    if distance > point:
        return None
    return f"{'bar' if source == rules.BAR else point}/{point - distance or 'off'}"


MOVE_NAMES = (
    *(_name(source, distance) for source in range(rules.SOURCES) for distance in range(1, rules.TABLE + 1)),
    "pass",
)
move_name, parse_move = fixed_names(MOVE_NAMES)
"""In the numbering of the seat to act, so the same for both."""
PLACES = {"25": "bar", "b": "bar", "0": "off", "o": "off"}
"""Other words for places."""


def hits(before: Record, after: Record) -> bool:
    """Whether the ply between the two has sent a man to the bar."""
    other = 1 - int(before.to_act)
    return bool(after.bar[other] > before.bar[other])


def numbers_left(state: Record) -> list[int]:
    """The numbers left to play, in the order of the dice."""
    return [face for face, times in zip(state.dice.tolist(), state.left.tolist()) for _ in range(times)]


def left(state: Record) -> str:
    """The numbers left to play, or ``-``."""
    return " ".join(map(str, numbers_left(state))) or "-"


def _is_whole(state: Record) -> bool:
    """Whether nothing of the throw has been played."""
    return sum(state.left.tolist()) == (rules.DOUBLED if state.dice[0] == state.dice[1] else 2)


def _read_left(text: str, state: Record, variant: Record) -> None:
    """The numbers left to play: what the throw gives, less those played."""
    match = LEFT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not of the form 'left 6', with one to four numbers from 1 to 6, or '-'")
    numbers = [] if match[1] == "-" else [int(number) for number in match[1].split(" ")]
    thrown, wanted = numbers_left(state), list(numbers)
    for k, face in enumerate(state.dice.tolist()):
        times = min(wanted.count(face), int(state.left[k]))
        state.left[k] = times
        wanted = [number for number in wanted if number != face] + [face] * (wanted.count(face) - times)
    if wanted:
        raise ValueError(f"{text!r} with a throw that gives {' '.join(map(str, thrown))} to play")
    if numbers != numbers_left(state):
        raise ValueError(f"{text!r}: the numbers left stand in the order of the dice")
    state.turn_over = int(_is_whole(state) or not numbers)


FACES = numbers("dice", "dice", rules.TABLE, 1, what="faces")


def _read_throw(text: str, state: Record, variant: Record) -> None:
    FACES.read(text, state, variant)
    rules.take_throw(state, *state.dice.tolist())


write, read = of_parts(
    (
        points(SEATS),
        numbers("bar", "bar", rules.MOST_MEN, what="numbers of men"),
        numbers("off", "off", rules.MOST_MEN, what="numbers of men"),
        seat_to_act(SEATS),
        Part(FACES.write, _read_throw),
        Part(lambda state, variant: f"left {left(state)}", _read_left),
        PLIES,
    ),
    "24:w2 19:b5 17:b3 8:w3 6:w5 1:b2 | bar 0 0 | off 5 5 | w | dice 6 1 | left 6 1 | 41",
    rules.clear_board,
)


def check(state: Record, variant: Record) -> None:
    """ValueError for wrong numbers of men, or a position that cannot occur in a running game."""
    men = int(rules.MEN[variant.setup])
    check_men((state.men.sum(axis=1) + state.bar + state.off).tolist(), men, SEAT_NAMES)
    check_borne_off(
        state, men, SEAT_NAMES, rules.ENDS, lambda seat: rules.SINGLE + int(rules.stake_of(state, variant, seat)) - 1
    )
    if state.end == RUNNING and not state.due:
        _check_left(state)


def _check_left(state: Record) -> None:
    """In the middle of a throw something can be played."""
    playable = any(state.left[k] and rules.can_play(state, int(state.dice[k])) for k in range(2))
    if not (playable or _is_whole(state)):
        raise ValueError(f"'left {left(state)}', which can't be played; the throw is over, so the next had been made")
