"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.protocol import Record

from . import notation, rules
from .paths import name_of, tile_of


def _lessons(men: int, dice: tuple[str, str, str], last: int, when: str) -> tuple[Lesson, ...]:
    """The lessons with so many men. ``dice``: throws of 1, 2 and 3; ``last``: the last square of the path."""
    low, high, _ = dice
    rest = f"hand {men - 2} {men - 1} | off 0 0 | light | dice"
    return (
        Lesson(
            "Each seat has `men` men beside the board. The throw, here 2, is how far one man moves; men enter by it.",
            f"light | dark | hand {men} {men} | off 0 0 | light | dice {high} | 0",
            ("in",),
            when=when,
        ),
        Lesson(
            "Squares of the middle row belong to both. A man that lands on one of the other seat captures it: that man "
            "starts again.",
            f"light 1 5 | dark 7 | {rest} {high} | 10",
            ("5",),
            when=when,
        ),
        Lesson(
            "A man that comes to a rosette gives another throw.",
            f"light 2 5 | dark 7 | {rest} {high} | 12",
            ("2",),
            when=f"{when}, rosette_throws=True",
        ),
        Lesson(
            "On the rosette in the middle row a man can't be captured.",
            f"light 1 6 | dark 8 | {rest} {high} | 14",
            when=f"{when}, safe_rosettes=True",
        ),
        Lesson(
            "A man leaves the board by exactly one more than the squares before it. Whoever has borne off all wins.",
            f"light {last} | dark 7 | hand 0 {men - 1} | off {men - 1} 0 | light | dice {low} | 60",
            (str(last),),
            when=when,
        ),
    )


FOUR_DICE = ("0 0 0 1", "0 0 1 1", "0 1 1 1")
LESSONS = (
    *_lessons(7, FOUR_DICE, 14, "path=bell, men=7, dice=four"),
    *_lessons(7, FOUR_DICE, 16, "path=masters, men=7, dice=four"),
    *_lessons(5, FOUR_DICE, 16, "path=masters or aseb, men=5, dice=four"),
)
LEGEND = (
    ("L", "a man of Light", "bold yellow"),
    ("D", "a man of Dark", "bold blue"),
    ("*", "a rosette", "bold red"),
    (".", "a square", "dim"),
    ("[ ]", "squares of the latest ply", "bold cyan"),
    ("in", "enter a man", ""),
    ("4", "move your man on square 4", ""),
)
FACES = {0: "blank", 1: "marked"}


def tile_name(path: str, seat: int, square: int) -> str:
    """``b4``: a seat's square by row and column."""
    return name_of(tile_of(path, seat, square))


def instruction(state: Record, variant: Record) -> str:
    """The number thrown, and what it lets the seat do."""
    number = int(state.number)
    if not int(rules.movable(state, variant)):
        return "You have thrown nothing: pass." if not number else f"No man of yours can move by {number}: pass."
    return f"Move a man by {number}: choose it, then the square that it goes to, or the tray to bear it off."


def clicks(action: int, state: Record, variant: Record) -> tuple[str, ...]:
    """The places where the man starts and lands; a button for a square that this path does not have."""
    if action == rules.PASS:
        return ("pass",)
    path, seat, length = notation.path_name(variant), int(state.to_act), int(rules.LENGTH[variant.path])
    if action > length:
        return (str(action),)
    target = action + int(state.number)
    start = "hand" if action == rules.HAND else tile_name(path, seat, action)
    return start, "off" if target > length else tile_name(path, seat, target)


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    seat, number, length = int(state.to_act), int(state.number), int(rules.LENGTH[variant.path])
    if action == rules.PASS:
        return "you can pass only when no man can move"
    if action == rules.HAND and not state.hand[seat]:
        return "you have no man in hand"
    if action != rules.HAND and action not in notation.squares_of(state, seat):
        return f"you have no man on square {action}"
    target = action + number
    if not number:
        return "you have thrown nothing"
    if target > length + 1:
        return f"it leaves the board by exactly {length + 1 - action}, not {number}"
    path = notation.path_name(variant)
    here = tile_name(path, seat, target)
    if here in [tile_name(path, seat, square) for square in notation.squares_of(state, seat)]:
        return f"a man of yours stands on {here}, where it would land"
    return f"the man on {here} is safe on its rosette"
