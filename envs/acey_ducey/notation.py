"""Names of actions (``13:4``, ``in:6``, ``dog:3``, ``send 23``, ``again``, ``pass``) and texts of positions."""

from __future__ import annotations

import re

import numpy as np

from parlour.rulebook.point_texts import read_pair, read_points, write_points
from parlour.rulebook.points import set_men
from parlour.rulebook.positions import fixed_names, read_count
from parlour.rulebook.protocol import RUNNING, Record

from . import rules

MOVE_FORM = "13:4, in:6, dog:3, send 23, again or pass"
DICE_TEXT = True
SEATS = "rb"  # the letters of the seats: Red, Black
TEXT_FORM = "24:r2 19:r5 6:b15 | in 0 0 | dog 3 0 | off 5 0 | r | dice 1 6 | left 6 | - | 41"
HOME = "home"  # with bear_off_from=next_turn: all men were home at the turn's first throw

LEFT = re.compile("left (choose|-|[1-6]|[1-6] [1-6])")

SOURCE_NAMES = ("in", "dog", *(str(rules.STEPS - step) for step in range(rules.STEPS)))
MOVE_NAMES = (
    *(f"{source}:{number}" for source in SOURCE_NAMES for number in range(1, rules.TABLE + 1)),
    *(
        f"send {point}" if rules.SENT_FROM[:, rules.STEPS - point].any() else None
        for point in range(rules.STEPS, 0, -1)
    ),
    "again",
    "pass",
)
move_name, parse_move = fixed_names(MOVE_NAMES)
"""In the numbering of the seat to act, so the same for both. Men are sent from No. 1 and No. 2 points alone."""
PLACES = {"25": "in", "hand": "in", "dog house": "dog", "doghouse": "dog", "bar": "dog", "0": "off", "o": "off"}
"""Other words for places."""


def way(action: int, state: Record) -> tuple[str, ...]:
    """From which place to which a man is moved, in the numbering of the seat to act: ``13:4`` leads from 13 to 9."""
    if action >= rules.SEND:
        return ()
    source, number = divmod(action, rules.TABLE)
    number += 1
    point = rules.STEPS - (source - rules.FIRST_STEP) if source >= rules.FIRST_STEP else rules.STEPS + 1
    return SOURCE_NAMES[source], str(point - number) if point > number else "off"


def hits(before: Record, after: Record) -> bool:
    """Whether the ply between the two has sent a man to the Dog House."""
    other = 1 - int(before.to_act)
    return bool(after.dog_house[other] > before.dog_house[other])


# --- writing ---


def write(state: Record, variant: Record) -> str:
    """The whole text except for ``end=``."""
    parts = [
        " ".join(write_points(state, SEATS)) or "-",
        "in {} {}".format(*state.unentered.tolist()),
        "dog {} {}".format(*state.dog_house.tolist()),
        "off {} {}".format(*state.off.tolist()),
        SEATS[state.to_act],
        "dice {} {}".format(*state.dice.tolist()),
        "left " + left(state),
        "again" if state.again else "-",
        str(state.plies),
    ]
    if variant.bear_off_from == rules.NEXT_TURN:
        parts.append("-" if state.barred else HOME)
    return " | ".join(parts)


def left(state: Record) -> str:
    """The numbers left to play, ``choose`` or ``-``."""
    return "choose" if state.choosing else " ".join(str(number) for number in state.left.tolist() if number) or "-"


# --- reading ---


def read(text: str, state: Record, variant: Record) -> None:
    """Sets the state from what `write` has written. An empty board may be ``-`` or nothing."""
    parts = text.split(" | ") if not text.startswith("| ") else ["", *text[2:].split(" | ")]
    if len(parts) not in (9, 10):
        raise ValueError(f"it has {len(parts)} parts with bars between, not 9 or 10 as in {TEXT_FORM!r}")
    rules.clear_board(state)
    if parts[4] not in ("r", "b"):
        raise ValueError(f"{parts[4]!r} is no seat to act; 'r' or 'b'")
    state.to_act = SEATS.index(parts[4])
    set_men(state, read_points(parts[0], SEATS))
    for word, part, counts in zip(("in", "dog", "off"), parts[1:4], (state.unentered, state.dog_house, state.off)):
        counts[:] = read_pair(part, word, "0|[1-9]|1[0-5]", "numbers of men, Red's and Black's, from 0 to 15")
    state.dice[:] = read_pair(parts[5], "dice", "[1-6]", "faces from 1 to 6")
    read_left(parts[6], parts[7], state, variant)
    state.plies = read_count("plies", parts[8])
    state.barred = read_barred(parts[9:], state, variant)


def read_left(text: str, further: str, state: Record, variant: Record) -> None:
    """The numbers left to play, the choice, and whether a further throw is due: what the latest throw allows."""
    if further not in ("again", "-"):
        raise ValueError(f"{further!r} where 'again' or '-' must stand: whether a further throw is due")
    match = LEFT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not of the form 'left 6', with one or two numbers from 1 to 6, 'choose' or '-'")
    special = variant.dice == rules.SPECIAL and sorted(state.dice) == [rules.ACEY, rules.DUCEY]
    shown = " ".join(str(face) for face in state.dice)
    state.again = int(further == "again")
    if state.again and not (special and match[1] != "choose"):
        raise ValueError(
            f"'again' with dice {shown} and {text!r}; a further throw is due after ACEY-DUCEY alone, once chosen"
        )
    state.choosing = int(match[1] == "choose")
    if state.choosing and not special:
        raise ValueError(f"'left choose' with dice {shown}; only ACEY-DUCEY, 1 and 2, lets a seat choose")
    if match[1] in ("choose", "-"):
        return
    numbers = [int(number) for number in match[1].split(" ")]
    allowed = numbers_of(state, variant)
    if special and not state.again:
        raise ValueError(
            f"{text!r} with dice {shown} and no 'again'; ACEY-DUCEY is played only with a further throw due"
        )
    if sorted(numbers) != sorted(allowed) and (len(numbers) > 1 or numbers[0] not in allowed):
        raise ValueError(f"{text!r} with dice {shown}, which let the seat play {' and '.join(map(str, allowed))}")
    state.left[: len(numbers)] = allowed if len(numbers) > 1 else numbers


def numbers_of(state: Record, variant: Record) -> list[int]:
    """The numbers that the whole of the latest throw lets the seat play."""
    thrown = state.copy()
    thrown.opening = -1
    rules.throw(thrown, variant, state.dice, np.zeros(2))
    return [rules.ACEY, rules.DUCEY] if thrown.choosing else [int(number) for number in thrown.left]


def read_barred(words: list[str], state: Record, variant: Record) -> int:
    """1 if the seat to act may not bear off in this turn. Without the word the men are taken as they stand."""
    home = rules.all_home(state, state.to_act)
    if variant.bear_off_from != rules.NEXT_TURN:
        if words:
            raise ValueError(f"{words[0]!r} after the ply count has a meaning only with bear_off_from=next_turn")
        return 0
    if words and words[0] not in (HOME, "-"):
        raise ValueError(f"{words[0]!r} where 'home' or '-' must stand: whether all men were home when the turn began")
    if words == [HOME] and not home:
        raise ValueError("'home' where not all men of the seat to act are home")
    return int(not home or words == ["-"])


def check(state: Record, variant: Record) -> None:
    """ValueError for wrong numbers of men, or a position that cannot occur in a running game."""
    beside = zip(state.unentered.tolist(), state.dog_house.tolist(), state.off.tolist())
    for name, on_board, others in zip(("Red", "Black"), state.men.tolist(), beside):
        total = sum(on_board) + sum(others)
        if total != rules.MEN:
            raise ValueError(f"{name} has {total} men in all; each seat has 15")
    finished = state.off.tolist().count(rules.MEN)
    if finished == 2:
        raise ValueError("both seats have borne off all men")
    if finished and state.end != rules.BORNE_OFF:
        raise ValueError("a seat has borne off all 15 men without end=borne_off")
    if not finished and state.end == rules.BORNE_OFF:
        raise ValueError("end=borne_off, but no seat has borne off all 15 men")
    check_entering(state, variant)
    if state.end != RUNNING or state.choosing:
        return
    numbers = [int(number) for number in state.left if number]
    if not numbers:
        raise ValueError("'left -' without end=; the throw is over, so the next one would have been made")
    whole = len(numbers) == 2
    if not whole and rules.sources(state, variant, numbers[0]) == 0:
        raise ValueError(
            f"'left {numbers[0]}', which can't be played; the throw is over, so the next would have been made"
        )


def check_entering(state: Record, variant: Record) -> None:
    """No man is beyond the starting table, or off, while any is still to be entered."""
    for seat, name in enumerate(("Red", "Black")):
        waits_for_other = variant.entering == rules.JOINT and state.unentered[1 - seat]
        moved = state.off[seat] or int(state.held[seat]) >> rules.TABLE
        if moved and (state.unentered[seat] or waits_for_other):
            raise ValueError(f"{name} has men beyond its starting table, or off, while men are still to be entered")
