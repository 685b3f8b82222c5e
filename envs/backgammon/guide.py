"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.point_board import point_of
from parlour.rulebook.point_texts import steps_between
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES, notation, rules

HYPER, FIFTEEN = "setup=hyper", "setup=standard or nackgammon"


def _both(text: str, fifteen: str, three: str, *moves: str) -> tuple[Lesson, Lesson]:
    """A lesson with fifteen men a side, and the same with three."""
    return Lesson(text, fifteen, moves, when=FIFTEEN), Lesson(text, three, moves, when=HYPER)


LESSONS = (
    Lesson(
        "Each number of the throw moves one man that many points. White goes down to point 1, Black the other way; "
        "here White has played 3 and 1.",
        "24:w2 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 1:b2 | bar 0 0 | off 0 0 | w | dice 3 1 | left 3 1 | 0",
        ("8/5", "6/5"),
        when=FIFTEEN,
    ),
    Lesson(
        "Each number of the throw moves one man that many points. White goes down to point 1, Black the other way.",
        "24:w1 23:w1 22:w1 3:b1 2:b1 1:b1 | bar 0 0 | off 0 0 | w | dice 6 4 | left 6 4 | 0",
        ("24/18", "18/14"),
        when=HYPER,
    ),
    *_both(
        "A man alone on a point can be hit and goes to the bar. Two or more men close a point.",
        "24:w2 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 5:b1 1:b1 | bar 0 0 | off 0 0 | w | dice 3 1 | left 3 1 | 8",
        "24:w1 8:w2 5:b1 2:b1 1:b1 | bar 0 0 | off 0 0 | w | dice 3 1 | left 3 1 | 8",
        "8/5",
    ),
    *_both(
        "Men on the bar come in first: a number k brings one in on your point 25 - k.",
        "24:w2 19:b5 17:b3 13:w5 12:b5 8:w2 6:w5 5:w1 1:b1 | bar 0 1 | off 0 0 | b | dice 4 2 | left 4 2 | 10",
        "24:w1 8:w1 5:w1 2:b1 1:b1 | bar 0 1 | off 0 0 | b | dice 4 2 | left 4 2 | 10",
        "bar/21",
    ),
    *_both(
        "When all your men are in your home board, points 6 to 1, they are borne off; who has borne off all wins.",
        "21:b3 20:b4 19:b5 6:w5 5:w4 1:w3 | bar 0 0 | off 3 3 | w | dice 2 1 | left 2 1 | 80",
        "22:b1 21:b1 1:w1 | bar 0 0 | off 2 1 | w | dice 2 1 | left 2 1 | 30",
        "1/off",
    ),
    Lesson(
        "White has borne off all men and wins. Black has borne off none: that is a gammon, and counts twice.",
        "20:b2 19:b5 18:b3 12:b5 1:w1 | bar 0 0 | off 14 0 | w | dice 2 1 | left 2 1 | 90",
        ("1/off",),
        when=f"{FIFTEEN}, gammons=counted",
    ),
)
LEGEND = (
    ("w3", "three white men", "bold white"),
    ("b2", "two black men", "bold bright_black"),
    (".", "an empty point", "dim"),
    ("[ ]", "points of the latest ply", "bold cyan"),
    ("13/9", "move from your point 13 to point 9", ""),
    ("bar/20", "come in from the bar on point 20", ""),
    ("4/off", "bear off from point 4", ""),
)


def instruction(state: Record, variant: Record) -> str:
    """The numbers left to play, and what must be done first."""
    seat, left = int(state.to_act), notation.left(state)
    if not any(state.left[k] and rules.can_play(state, int(state.dice[k])) for k in range(2)):
        return f"Nothing of {left} can be played: pass."
    if state.bar[seat]:
        return f"Play {left}: first come in from the bar. Choose your man there, then the point."
    return f"Play {left}: choose a man, then the point that it goes to, or the tray to bear it off."


def clicks(action: int, state: Record, variant: Record) -> tuple[str, ...]:
    """The places where a man starts and lands, in White's numbering, as on the board."""
    if action == rules.PASS:
        return ("pass",)
    seat = int(state.to_act)
    step, target = steps_between(action, rules.FIRST_STEP)
    start = "bar" if step < 0 else str(point_of(step, seat))
    return start, str(point_of(target, seat)) if target < rules.STEPS else "off"


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    seat, other = int(state.to_act), 1 - int(state.to_act)
    if action == rules.PASS:
        return "you can pass only when nothing can be played"
    source, distance = action // rules.TABLE, action % rules.TABLE + 1
    step = source - rules.FIRST_STEP
    target = step + distance
    if not (state.bar[seat] if source == rules.BAR else state.men[seat, step]):
        return "you have no man there"
    if source != rules.BAR and state.bar[seat]:
        return "you must first come in from the bar"
    if target >= rules.STEPS:
        return _why_not_off(state, seat, distance)
    if distance not in notation.numbers_left(state):
        return f"{distance} is not among the numbers to play: {notation.left(state)}"
    if state.men[other, rules.STEPS - 1 - target] > 1:
        return f"point {point_of(target, seat)} is closed by {SEAT_NAMES[other].lower()}"
    return "both numbers must be played if they can be, and if only one can, the higher"


def _why_not_off(state: Record, seat: int, distance: int) -> str:
    """Why a man with ``distance`` points to go can't be borne off."""
    if not rules.all_home(state, seat):
        return "men are borne off only when all of yours are in your home board"
    left = notation.numbers_left(state)
    if distance not in left and max(left, default=0) > distance:
        return "a higher number bears off a man only if none of yours stands on a higher point"
    if distance not in left:
        return f"{notation.left(state)} is not enough to bear off from point {distance}"
    return "both numbers must be played if they can be, and if only one can, the higher"
