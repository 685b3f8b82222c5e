"""Names of actions (``24/18``, ``bar/20``, ``6/off``, ``pass``) and texts of positions."""

from __future__ import annotations

import re

from parlour.rulebook.point_texts import read_pair, read_points, write_points
from parlour.rulebook.points import set_men
from parlour.rulebook.positions import fixed_names, read_count
from parlour.rulebook.protocol import RUNNING, Record

from . import SEAT_NAMES, rules
from .position_ids import FORMS as FORMS

MOVE_FORM = "24/18, bar/20, 6/off or pass"
DICE_TEXT = True
SEATS = "wb"  # the letters of the seats: White, Black
TEXT_FORM = "24:w2 19:b5 17:b3 8:w3 6:w5 1:b2 | bar 0 0 | off 5 5 | w | dice 6 1 | left 6 1 | 41"
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


# --- writing ---


def write(state: Record, variant: Record) -> str:
    """The whole text except for ``end=``."""
    parts = (
        " ".join(write_points(state, SEATS)) or "-",
        "bar {} {}".format(*state.bar.tolist()),
        "off {} {}".format(*state.off.tolist()),
        SEATS[state.to_act],
        "dice {} {}".format(*state.dice.tolist()),
        "left " + left(state),
        str(state.plies),
    )
    return " | ".join(parts)


def numbers_left(state: Record) -> list[int]:
    """The numbers left to play, in the order of the dice."""
    return [face for face, times in zip(state.dice.tolist(), state.left.tolist()) for _ in range(times)]


def left(state: Record) -> str:
    """The numbers left to play, or ``-``."""
    return " ".join(map(str, numbers_left(state))) or "-"


# --- reading ---


def read(text: str, state: Record, variant: Record) -> None:
    """Sets the state from what `write` has written. An empty board may be ``-`` or nothing."""
    parts = text.split(" | ") if not text.startswith("| ") else ["", *text[2:].split(" | ")]
    if len(parts) != 7:
        raise ValueError(f"it has {len(parts)} parts with bars between, not 7 as in {TEXT_FORM!r}")
    rules.clear_board(state)
    if parts[3] not in ("w", "b"):
        raise ValueError(f"{parts[3]!r} is no seat to act; 'w' or 'b'")
    state.to_act = SEATS.index(parts[3])
    set_men(state, read_points(parts[0], SEATS))
    for word, part, counts in zip(("bar", "off"), parts[1:3], (state.bar, state.off)):
        counts[:] = read_pair(part, word, "0|[1-9]|1[0-5]", "numbers of men, White's and Black's, from 0 to 15")
    rules.take_throw(state, *read_pair(parts[4], "dice", "[1-6]", "faces from 1 to 6"))
    _read_left(parts[5], state)
    state.plies = read_count("plies", parts[6])
    state.turn_over = int(_is_whole(state) or not state.left.any())


def _is_whole(state: Record) -> bool:
    """Whether nothing of the throw has been played."""
    return sum(state.left.tolist()) == (rules.DOUBLED if state.dice[0] == state.dice[1] else 2)


def _read_left(text: str, state: Record) -> None:
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


def check(state: Record, variant: Record) -> None:
    """ValueError for wrong numbers of men, or a position that cannot occur in a running game."""
    men = int(rules.MEN[variant.setup])
    for seat, name in enumerate(SEAT_NAMES):
        total = sum(state.men[seat].tolist()) + int(state.bar[seat]) + int(state.off[seat])
        if total != men:
            raise ValueError(f"{name} has {total} men in all; each seat has {men}")
    finished = [seat for seat in range(2) if state.off[seat] == men]
    if len(finished) == 2:
        raise ValueError("both seats have borne off all men")
    if finished:
        _check_win(state, variant, finished[0])
    elif state.end >= rules.SINGLE:
        raise ValueError(f"end={rules.ENDS[state.end]}, but no seat has borne off all men")
    if state.end == RUNNING and not state.due:
        _check_left(state)


def _check_win(state: Record, variant: Record, seat: int) -> None:
    """The end says what the loser has lost."""
    word = rules.ENDS[rules.SINGLE + int(rules.stake_of(state, variant, seat)) - 1]
    if state.end == RUNNING:
        raise ValueError(f"{SEAT_NAMES[seat]} has borne off all men without end={word}")
    if rules.ENDS[state.end] != word:
        raise ValueError(f"end={rules.ENDS[state.end]}, but {SEAT_NAMES[seat]} has won; the end is {word}")


def _check_left(state: Record) -> None:
    """In the middle of a throw something can be played."""
    playable = any(state.left[k] and rules.can_play(state, int(state.dice[k])) for k in range(2))
    if not (playable or _is_whole(state)):
        raise ValueError(f"'left {left(state)}', which can't be played; the throw is over, so the next had been made")
