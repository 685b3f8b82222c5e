"""For people at the board: the goal, the letters, what to do now, why a move is not legal."""

from __future__ import annotations

from parlour.rulebook.protocol import Record

from . import notation, rules

GOAL = (
    "The shields bring their Chief (c) from the throne in the middle to a dot on the edge, or to a corner, as the "
    "variant says. The swords capture him first. Pieces move any distance along a line, like rooks, over empty dots. A "
    "piece is captured when the enemy moves so that it stands between two of his pieces in a straight line; the README "
    "(rules) says how many swords the Chief takes."
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
