"""For people at the board and for language models: the goal, the rules, the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Clause, Lesson, OptionWords
from parlour.rulebook.protocol import Record

from . import notation, rules

EDGE, CORNER = {"escape": "edge"}, {"escape": "corner"}
THREE = {"chief_beside_throne": "three"}

GOAL = (
    Clause(
        "Shields win",
        "The shields bring their Chief (c) from the throne in the middle to any dot on the edge.",
        EDGE,
    ),
    Clause(
        "Shields win",
        "The shields bring their Chief (c) from the throne in the middle to one of the four corners.",
        CORNER,
    ),
    Clause("Swords win", "The swords capture him first."),
    Clause("Moving", "Pieces move any distance along a line, like rooks, over empty dots."),
    Clause(
        "Capturing",
        "A piece is captured when the enemy moves so that it stands between two of his pieces in a straight line.",
    ),
)
OPTIONS = {
    "throne_hostile": OptionWords(
        "The throne helps to capture", {"chief": "only the Chief", "all": "every piece beside it, when it is empty"}
    ),
    "chief_beside_throne": OptionWords(
        "On a circled dot the Chief is captured by",
        {"one": "one sword opposite the throne, or two across", "three": "three swords round him"},
    ),
    "escape": OptionWords("The Chief escapes", {"edge": "to any dot on the edge", "corner": "to a corner"}),
}
RULES = (
    Clause("Set-up", "The pieces begin where the first board shows them."),
    Clause(
        "Turns",
        "The board has 9 by 9 dots, files a to i, ranks 1 to 9; the throne is e5. The swords move first, one piece a"
        " turn.",
    ),
    Clause("The throne", "Only the Chief may move onto e5 or through it. He may come back to it."),
    Clause(
        "Capturing",
        "The three dots are adjacent, in a file or a rank. Only the piece that has just moved captures; the Chief "
        "captures like a shield.",
    ),
    Clause("Moving in between", "A piece that moves between two enemies is not captured."),
    Clause("Pairs", "Two or more alike pieces in a row are not captured; the Chief and a shield are alike."),
    Clause("Several at once", "A move may capture several pieces."),
    Clause(
        "",
        "The empty e5 helps the swords to capture the Chief beside it, and helps to capture nothing else.",
        {"throne_hostile": "chief", "chief_beside_throne": "one"},
    ),
    Clause("", "The empty e5 helps to capture no sword or shield.", {"throne_hostile": "chief", **THREE}),
    Clause(
        "",
        "The empty e5 serves as the mover's other piece against swords and shields beside it.",
        {"throne_hostile": "all"},
    ),
    Clause("The Chief on an ordinary dot", "He is captured by two swords, like any shield."),
    Clause("The Chief on e5", "He is captured only by four swords, on the four dots beside e5 (d5, f5, e4, e6)."),
    Clause(
        "The Chief on a circled dot",
        "On d5, f5, e4 or e6 one sword on his far side from e5 captures him, or two on the other axis.",
        {"chief_beside_throne": "one"},
    ),
    Clause(
        "The Chief on a circled dot",
        "On d5, f5, e4 or e6 three swords capture him, on all three other dots beside him.",
        THREE,
    ),
    Clause("", "Only the Chief may stop on a corner.", {"escape": "corner"}),
    Clause("", "A seat that can't move loses."),
)
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
    Lesson("The shields win: the Chief has come to the edge.", "9/4s4/4c4/9/9/1o5s1/9/9/9 o", ("e7-a7",), when=EDGE),
    Lesson("The shields win: the Chief has come to a corner.", "9/4s4/c8/9/9/1o5s1/9/9/9 o", ("a7-a9",), when=CORNER),
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
