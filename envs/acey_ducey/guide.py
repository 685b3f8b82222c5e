"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.point_board import point_of
from parlour.rulebook.point_texts import steps_between
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES, notation, rules

HOME = "22:b3 20:b4 19:b5 6:r5 5:r4 4:r3 3:r1 | in 0 0 | dog 0 0 | off 2 3 | r"
LESSONS = (
    Lesson(
        "All men begin beside the board. A number k enters a man on your point 25 - k: here Red has entered on 22 by "
        "a 3 and on 20 by a 5.",
        "- | in 15 15 | dog 0 0 | off 0 0 | r | dice 3 5 | left 3 5 | - | 0",
        ("in:3", "in:5"),
    ),
    Lesson(
        "Men go down to point 1. A man alone on a point can be hit, and goes to the Dog House in the middle.",
        "20:r4 19:r2 17:r4 16:r3 15:r2 14:b1 10:b2 9:b4 8:b5 6:b2 5:b1 | in 0 0 | dog 0 0 | off 0 0 | r | dice 4 6 | "
        "left 4 6 | - | 60",
        ("20:6",),
    ),
    Lesson(
        "A man in the Dog House must come back, by a number k on your point 25 - k, before you can move any other.",
        "20:r4 19:r2 17:r4 16:r3 14:r2 10:b2 9:b4 8:b5 6:b2 5:b1 | in 0 0 | dog 0 1 | off 0 0 | b | dice 4 3 | "
        "left 4 3 | - | 61",
        ("dog:3",),
    ),
    Lesson(
        "ACEY-DUCEY lets you send an enemy man to the Dog House, from a few points, or throw again.",
        "20:r4 19:r2 17:r4 16:r3 15:r2 10:b2 9:b4 8:b5 2:b2 1:b2 | in 0 0 | dog 0 0 | off 0 0 | r | dice 2 1 | "
        "left choose | - | 60",
        ("send 2",),
        when="dice=acey_ducey",
    ),
    Lesson(
        "When all your men are in your home table, points 6 to 1, they are borne off. Whoever has borne off all 15 "
        "wins.",
        f"{HOME} | dice 6 5 | left 6 5 | - | 150",
        ("6:6",),
    ),
)
LEGEND = (
    ("r3", "three red men", "bold red"),
    ("b2", "two black men", "bold bright_black"),
    (".", "an empty point", "dim"),
    ("[ ]", "points of the latest ply", "bold cyan"),
    ("13:4", "move from your point 13 by 4", ""),
    ("in:6", "enter a man with a 6", ""),
    ("dog:3", "bring a man from the Dog House with a 3", ""),
)

FACES = {1: "1 (acey)", 2: "2 (ducey)"}


def instruction(state: Record, variant: Record) -> str:
    """The numbers left to play, or the choice of ACEY-DUCEY."""
    if state.choosing:
        return "ACEY-DUCEY: send a man of the other seat from a starred point to the Dog House, or throw again."
    seat = int(state.to_act)
    left = notation.left(state)
    if state.dog_house[seat]:
        return f"Play {left}: first bring in your man from the Dog House. Choose it, then the point."
    if state.unentered[seat]:
        return f"Play {left}: choose the men to enter at the side, then the point."
    return f"Play {left}: choose a man, then the point that it goes to, or the tray to bear it off."


def clicks(action: int, state: Record, variant: Record) -> tuple[str, ...]:
    """The places where a man starts and lands, in Red's numbering, as on the board."""
    seat = int(state.to_act)
    if action >= rules.AGAIN:
        return (notation.MOVE_NAMES[action] or "",)
    if action >= rules.SEND:
        return (str(point_of(action - rules.SEND, seat)),)
    step, target = steps_between(action, rules.FIRST_STEP)
    place = str(point_of(step, seat)) if step >= 0 else notation.SOURCE_NAMES[action // rules.TABLE]
    return place, str(point_of(target, seat)) if target < rules.STEPS else "off"


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    seat, other = int(state.to_act), 1 - int(state.to_act)
    if state.choosing:
        return "first choose: send a man of the other seat to the Dog House, or throw again"
    if action >= rules.SEND:
        return (
            "that is for ACEY-DUCEY alone" if action != rules.PASS else "you can pass only when nothing can be played"
        )
    source, number = divmod(action, rules.TABLE)
    step, target = steps_between(action, rules.FIRST_STEP)
    if number + 1 not in state.left:
        return f"{number + 1} is not among the numbers to play: {notation.left(state)}"
    men = (state.unentered[seat], state.dog_house[seat])[source] if step < 0 else state.men[seat, step]
    if not men:
        return "you have no man there"
    if source != rules.DOG_HOUSE and state.dog_house[seat]:
        return "you must first bring in your man from the Dog House"
    if source >= rules.FIRST_STEP and state.unentered[seat]:
        return "all your 15 men must enter before any moves on"
    if target >= rules.STEPS:
        return "men are borne off only when all of yours are in your home table, as the rules of this variant say"
    if state.men[other, rules.STEPS - 1 - target] > 1:
        return f"point {point_of(target, seat)} is closed by {SEAT_NAMES[other].lower()}"
    return ""
