"""For people at the board and for language models: the goal, the rules, the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Clause, Lesson, OptionWords
from parlour.rulebook.protocol import Record

from . import SEAT_NAMES, notation, rules

OWN_DICE, PLAIN = {"dice": "acey_ducey"}, {"dice": "plain"}

GOAL = (
    Clause("Winning", "Bring all your 15 men on to the board, round it and off again before the other seat."),
    Clause("Moving", "Each number on the dice moves one man that many points."),
    Clause("Hitting", "A man alone on a point can be hit and goes to the Dog House; two or more close the point."),
    Clause(
        "No man moves before all are entered",
        "All your 15 must have entered before any of them moves on, and all must be in your home table before any is"
        " borne off.",
        {"entering": "individual"},
    ),
    Clause(
        "No man moves before all are entered",
        "All 15 of both seats must have entered before any man moves on, and all of yours must be in your home table"
        " before any is borne off.",
        {"entering": "joint"},
    ),
    Clause(
        "",
        "ACEY and DUCEY are the faces in place of 1 and 2: ACEY-DUCEY sends a man of the other seat to the Dog "
        "House, or gives another throw.",
        OWN_DICE,
    ),
    Clause(
        "Direction",
        "Moves are named by your own numbers: your men go from point 24 down to point 1.",
    ),
)
OPTIONS = {
    "ducey_points": OptionWords(
        "DUCEY sends men from points 1 and 2 of", {"tables": "the home tables", "all": "all four tables"}
    ),
    "entering": OptionWords(
        "Men may move once", {"individual": "all your 15 are on the board", "joint": "all 30 are on the board"}
    ),
    "must_use_both": OptionWords(
        "Both numbers of a throw", {"True": "must be played where possible", "False": "need not both be played"}
    ),
    "bear_off_first": OptionWords(
        "A number that can bear off the man on its own point",
        {"True": "must do so", "False": "may be played otherwise"},
    ),
    "bear_off_from": OptionWords(
        "Bearing off begins",
        {"at_once": "with the next number after the last man has come home", "next_turn": "with the next turn"},
    ),
    "dog_house_penalty": OptionWords("A man sent to the Dog House costs its side"),
    "dice": OptionWords("Dice", {"acey_ducey": "with ACEY and DUCEY", "plain": "ordinary"}),
}
RULES = (
    Clause("Start", "Both dice are thrown for each seat; the higher sum begins. You throw two dice a turn."),
    Clause(
        "Entering",
        "A number k enters a man on your point 25 - k. Each number is played once, in any order; your point p is the"
        " other seat's point 25 - p.",
    ),
    Clause(
        "",
        "A number that is left when your last man has entered is played as an ordinary move.",
        {"entering": "individual"},
    ),
    Clause("", "A number that is left when your last man has entered is lost.", {"entering": "joint"}),
    Clause("Moving", "One man may use both numbers, touching down in between."),
    Clause("Closed points", "No man comes to rest where two or more men of the other seat stand."),
    Clause(
        "The Dog House",
        "Men there come back like men that enter, by a number k on point 25 - k, before you can make any other move."
        " They may hit on the way in.",
    ),
    Clause("ACEY-ACEY, DUCEY-DUCEY", "They count 1 and 1, and 2 and 2.", OWN_DICE),
    Clause(
        "ACEY or DUCEY with a plain number", "That number is played twice, and ACEY or DUCEY is not played.", OWN_DICE
    ),
    Clause(
        "ACEY-DUCEY, send",
        "Send one man of the other seat, protected or not, to the Dog House; that is the whole turn. Before that you"
        " name the point where it stands, by your own number.",
        OWN_DICE,
    ),
    Clause("", "It must stand on point 1, 2, 23 or 24.", {**OWN_DICE, "ducey_points": "tables"}),
    Clause("", "It must stand on point 1, 2, 7, 8, 17, 18, 23 or 24.", {**OWN_DICE, "ducey_points": "all"}),
    Clause("ACEY-DUCEY, again", "Or play 1 and 2, then throw once more.", OWN_DICE),
    Clause("", "The dice are ordinary ones: each number is played once, also when both are the same.", PLAIN),
    Clause(
        "", "A number that can be played must be played; you need not play so that both can.", {"must_use_both": False}
    ),
    Clause(
        "",
        "You must play so that both numbers of a throw are used where possible; if only one can be, the higher.",
        {"must_use_both": True},
    ),
    Clause("", "You pass only if no number of a throw can be played."),
    Clause(
        "Bearing off",
        "With all your men in your home table, points 6 to 1, a number takes a man off from the point of that number.",
    ),
    Clause("", "It may move a man inside instead.", {"bear_off_first": False}),
    Clause("", "It must do so if there is such a man.", {"bear_off_first": True}),
    Clause(
        "Moving instead",
        "A number that can do neither takes a man off from your highest point, if that is lower than the number.",
    ),
    Clause(
        "", "Bearing off begins with the next number after your last man has come home.", {"bear_off_from": "at_once"}
    ),
    Clause(
        "",
        "Bearing off begins with the turn after the one in which your last man has come home.",
        {"bear_off_from": "next_turn"},
    ),
    Clause("A man sent back", "You can't bear off until that man is home again."),
    Clause(
        "Penalty",
        "Each man of yours that is sent to the Dog House costs you a reward of {dog_house_penalty}, which the other "
        "seat gets.",
    ),
)
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
        when=OWN_DICE,
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
