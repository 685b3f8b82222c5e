"""For people at the board: the goal, the letters, what to do now, where to click, why a move is not legal."""

from __future__ import annotations

from parlour.rulebook.protocol import Record

from . import SEAT_NAMES, notation, rules

GOAL = (
    "Bring all your 15 men on to the board, round it and off again before the other seat. Each number on the dice "
    "moves one man that many points. A man alone on a point can be hit and goes to the Dog House; two or more close"
    " the point. All 15 must have entered before any moves on, and all must be in your home table before any is "
    "borne off. ACEY and DUCEY are the faces in place of 1 and 2: ACEY-DUCEY sends a man of the other seat to the "
    "Dog House, or gives another throw. Moves are named by your own numbers: your men go from point 24 down to "
    "point 1."
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

FACES = ("1 (acey)", "2 (ducey)", "3", "4", "5", "6")


def instruction(state: Record, variant: Record) -> str:
    """The numbers left to play, or the choice of ACEY-DUCEY."""
    if state.choosing:
        return "ACEY-DUCEY: choose a man of the other seat to send to the Dog House, or throw again."
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
        return (_point(action - rules.SEND, seat),)
    source, number = divmod(action, rules.TABLE)
    step = source - rules.FIRST_STEP
    target = step + number + 1 if step >= 0 else number
    place = ("in", "dog")[source] if step < 0 else _point(step, seat)
    return place, _point(target, seat) if target < rules.STEPS else "off"


def _point(step: int, seat: int) -> str:
    """A seat's own step by Red's number."""
    return str(rules.STEPS - step if seat == rules.RED else step + 1)


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
    step = source - rules.FIRST_STEP
    if number + 1 not in state.left:
        return f"{number + 1} is not among the numbers to play: {notation.left(state)}"
    men = (state.unentered[seat], state.dog_house[seat])[source] if step < 0 else state.men[seat, step]
    if not men:
        return "you have no man there"
    if source != rules.DOG_HOUSE and state.dog_house[seat]:
        return "you must first bring in your man from the Dog House"
    if source >= rules.FIRST_STEP and state.unentered[seat]:
        return "all your 15 men must enter before any moves on"
    target = step + number + 1 if step >= 0 else number
    if target >= rules.STEPS:
        return "men are borne off only when all of yours are in your home table, as the rules of this variant say"
    if state.men[other, rules.STEPS - 1 - target] > 1:
        return f"point {_point(target, seat)} is closed by {SEAT_NAMES[other].lower()}"
    return ""
