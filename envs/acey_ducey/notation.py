"""Names of actions (``13:4``, ``in:6``, ``dog:3``, ``send 23``, ``again``, ``pass``) and texts of positions."""

from __future__ import annotations

import re

import numpy as np

from parlour.rulebook import position_parts as parts
from parlour.rulebook.point_texts import points, steps_between
from parlour.rulebook.positions import fixed_names
from parlour.rulebook.protocol import RUNNING, Record

from . import SEAT_NAMES, rules

MOVE_FORM = "13:4, in:6, dog:3, send 23, again or pass"
DICE_TEXT = True
SEATS = "rb"  # the letters of the seats: Red, Black
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
    _, target = steps_between(action, rules.FIRST_STEP)
    return SOURCE_NAMES[action // rules.TABLE], str(rules.STEPS - target) if target < rules.STEPS else "off"


def hits(before: Record, after: Record) -> bool:
    """Whether the ply between the two has sent a man to the Dog House."""
    other = 1 - int(before.to_act)
    return bool(after.dog_house[other] > before.dog_house[other])


def left(state: Record) -> str:
    """The numbers left to play, ``choose`` or ``-``."""
    return "choose" if state.choosing else " ".join(str(number) for number in state.left.tolist() if number) or "-"


def _read_left(text: str, state: Record, variant: Record) -> None:
    """The numbers left to play, or the choice: what the latest throw allows."""
    match = LEFT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not of the form 'left 6', with one or two numbers from 1 to 6, 'choose' or '-'")
    state.choosing = int(match[1] == "choose")
    if state.choosing and not _is_special(state, variant):
        raise ValueError(f"'left choose' with {_shown(state)}; only ACEY-DUCEY, 1 and 2, lets a seat choose")
    if match[1] in ("choose", "-"):
        return
    left_over, allowed = [int(number) for number in match[1].split(" ")], numbers_of(state, variant)
    if sorted(left_over) != sorted(allowed) and (len(left_over) > 1 or left_over[0] not in allowed):
        raise ValueError(f"{text!r} with {_shown(state)}, which let the seat play {' and '.join(map(str, allowed))}")
    state.left[: len(left_over)] = allowed if len(left_over) > 1 else left_over


FURTHER = parts.one_of("again", ("-", "again"), "word on whether a further throw is due")


def _read_further(text: str, state: Record, variant: Record) -> None:
    FURTHER.read(text, state, variant)
    special = _is_special(state, variant) and not state.choosing
    if state.again and not special:
        raise ValueError(f"'again' with {_shown(state)}; a further throw is due after ACEY-DUCEY alone, once chosen")
    if special and state.left[0] and not state.again:
        raise ValueError(f"{_shown(state)} and no 'again'; ACEY-DUCEY is played only with a further throw due")


def _is_special(state: Record, variant: Record) -> bool:
    """Whether the latest throw is ACEY-DUCEY."""
    return variant.dice == rules.SPECIAL and sorted(state.dice) == [rules.ACEY, rules.DUCEY]


def _shown(state: Record) -> str:
    return "dice {} {}".format(*state.dice.tolist())


def numbers_of(state: Record, variant: Record) -> list[int]:
    """The numbers that the whole of the latest throw lets the seat play."""
    thrown = state.copy()
    thrown.opening = -1
    rules.throw(thrown, variant, state.dice, np.zeros(2))
    return [rules.ACEY, rules.DUCEY] if thrown.choosing else [int(number) for number in thrown.left]


def _write_barred(state: Record, variant: Record) -> str:
    return ("-" if state.barred else HOME) if variant.bear_off_from == rules.NEXT_TURN else ""


def _read_barred(text: str, state: Record, variant: Record) -> None:
    """Whether the seat to act may not bear off in this turn. Without the word the men are taken as they stand."""
    home = rules.all_home(state, state.to_act)
    if variant.bear_off_from != rules.NEXT_TURN:
        if text:
            raise ValueError(f"{text!r} after the ply count has a meaning only with bear_off_from=next_turn")
        return
    if text not in (HOME, "-", ""):
        raise ValueError(f"{text!r} where 'home' or '-' must stand: whether all men were home when the turn began")
    if text == HOME and not home:
        raise ValueError("'home' where not all men of the seat to act are home")
    state.barred = int(not home or text == "-")


write, read = parts.of_parts(
    (
        points(SEATS),
        parts.numbers("in", "unentered", rules.MEN, what="numbers of men"),
        parts.numbers("dog", "dog_house", rules.MEN, what="numbers of men"),
        parts.numbers("off", "off", rules.MEN, what="numbers of men"),
        parts.seat_to_act(SEATS),
        parts.numbers("dice", "dice", rules.TABLE, 1, what="faces"),
        parts.Part(lambda state, variant: f"left {left(state)}", _read_left),
        parts.Part(FURTHER.write, _read_further),
        parts.PLIES,
        parts.Part(_write_barred, _read_barred, optional=True),
    ),
    "24:r2 19:r5 6:b15 | in 0 0 | dog 3 0 | off 5 0 | r | dice 1 6 | left 6 | - | 41",
    rules.clear_board,
)


def check(state: Record, variant: Record) -> None:
    """ValueError for wrong numbers of men, or a position that cannot occur in a running game."""
    parts.check_men(
        (state.men.sum(axis=1) + state.unentered + state.dog_house + state.off).tolist(), rules.MEN, SEAT_NAMES
    )
    parts.check_borne_off(state, rules.MEN, SEAT_NAMES, rules.ENDS, lambda seat: rules.BORNE_OFF)
    check_entering(state, variant)
    if state.end != RUNNING or state.choosing:
        return
    if not state.left[0]:
        raise ValueError("'left -' without end=; the throw is over, so the next one would have been made")
    if not state.left[1] and rules.sources(state, variant, int(state.left[0])) == 0:
        raise ValueError(
            f"'left {state.left[0]}', which can't be played; the throw is over, so the next would have been made"
        )


def check_entering(state: Record, variant: Record) -> None:
    """No man is beyond the starting table, or off, while any is still to be entered."""
    for seat, name in enumerate(SEAT_NAMES):
        waits_for_other = variant.entering == rules.JOINT and state.unentered[1 - seat]
        moved = state.off[seat] or int(state.held[seat]) >> rules.TABLE
        if moved and (state.unentered[seat] or waits_for_other):
            raise ValueError(f"{name} has men beyond its starting table, or off, while men are still to be entered")
