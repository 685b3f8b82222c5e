"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.protocol import Record

from . import notation, rules

EDGE, CORNER = "escape=edge", "escape=corner"
LESSONS = (
    Lesson(
        "Sixteen swords stand round eight shields and their Chief. The swords begin; every piece moves any distance "
        "along a line over empty dots.",
        moves=("d9-d6",),
    ),
    Lesson(
        "A piece is captured when an enemy moves so that it stands between two of his pieces.",
        "9/9/9/2s6/2o1c4/7s1/9/9/9 s",
        ("h4-c4",),
    ),
    Lesson(
        "The shields win: the Chief has come to the edge.",
        "9/4s4/4c4/9/9/1o5s1/9/9/9 o",
        ("e7-a7",),
        when=EDGE,
    ),
    Lesson(
        "The shields win: the Chief has come to a corner.",
        "9/4s4/c8/9/9/1o5s1/9/9/9 o",
        ("a7-a9",),
        when=CORNER,
    ),
    Lesson("The swords win: two of them capture the Chief.", "9/9/9/2s6/2c6/7s1/9/6o2/9 s", ("h4-c4",)),
    Lesson(
        "On the throne in the middle the Chief is safe until swords stand on all four sides.",
        "9/9/9/4s4/3scs3/9/9/6o2/4s4 s",
        ("e1-e4",),
    ),
)
LEGEND = (
    ("s", "sword", "bold red"),
    ("o", "shield", "bold blue"),
    ("c", "the Chief, of the shields' side", "bold yellow"),
    (".", "an empty dot", "dim"),
    ("+", "the throne, empty", "yellow"),
    ("*", "a corner to which the Chief escapes", "yellow"),
    ("( )", "where the latest piece stood", "cyan"),
    ("[ ]", "where the latest piece stands", "bold cyan"),
)
OWN = ("s", "oc")
WHO = {"s": "sword", "o": "shield", "c": "Chief"}


def instruction(state: Record, variant: Record) -> str:
    """Every ply is one move."""
    piece = "a sword" if state.to_act == rules.SWORDS else "a shield or the Chief"
    return f"Choose {piece}, then the dot that it moves to along a line."


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    letters, names = notation.piece_letters(state), notation.DOT_NAMES
    source, target = action // rules.TARGETS, int(rules.target_of(action))
    if letters[source] not in OWN[int(state.to_act)]:
        what = "is empty" if letters[source] == "." else f"holds a {WHO[letters[source]]} of the other side"
        return f"{names[source]} {what}"
    for dot in _way(source, target):
        if letters[dot] != ".":
            return f"blocked by the {WHO[letters[dot]]} on {names[dot]}"
    if letters[source] != "c" and rules.CHIEF_ONLY[variant.escape, target // rules.SIDE] >> target % rules.SIDE & 1:
        return f"only the Chief may stop on {names[target]}"
    return ""


def _way(source: int, target: int) -> list[int]:
    """The dots after ``source`` up to ``target``, along a rank or a file."""
    step = (1 if target > source else -1) * (1 if source // rules.SIDE == target // rules.SIDE else rules.SIDE)
    return list(range(source + step, target + step, step))
