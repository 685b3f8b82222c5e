"""For people at the board and for language models: the signs, and what helps to choose a move."""

from __future__ import annotations

import re

from parlour.rulebook.clauses import Lesson
from parlour.rulebook.protocol import Record

from . import notation, rules
from .board import BESIDE, BIT, DIRECTIONS, NO_SQUARE, SOURCE, SQUARES

LESSONS = (
    Lesson("Black begins. Men step one square forward along the diagonals, on the dark squares.", moves=("11-15",)),
    Lesson(
        "A piece jumps over an enemy beside it on to the empty square behind, and takes it. Who can jump must jump.",
        "B:W18,31,32:B14,1,2 steps=0 king_steps=0",
        ("14x23",),
    ),
    Lesson(
        "A piece that can jump on from where it lands must do so, in the same turn.",
        "B:W10,18,26,32:B6,1,2 steps=0 king_steps=0",
        ("6x15", "15x22"),
    ),
    Lesson(
        "A man that reaches the far row becomes a king. Kings step and jump backward too.",
        "B:W5,13:B27,1 steps=0 king_steps=0",
        ("27-31",),
    ),
    Lesson(
        "Whoever has no piece left, or can't move, loses: here Black has taken the last one.",
        "B:W18:B14,1 steps=0 king_steps=0",
        ("14x23",),
    ),
)
LEGEND = (
    ("b", "black man", "bold bright_black"),
    ("B", "black king", "bold bright_black reverse"),
    ("w", "white man", "bold bright_yellow"),
    ("W", "white king", "bold bright_yellow reverse"),
    ("12", "an empty square, by its number; beside a row: its first and its last square", "dim"),
    (".", "a square that is never used", "dim"),
    ("( )", "where the latest piece stood", "cyan"),
    ("[ ]", "where the latest piece stands", "bold cyan"),
)
OWN = ("bB", "wW")


def instruction(state: Record, variant: Record) -> str:
    """A step, a jump, or the next jump of the same piece."""
    if state.jumper != NO_SQUARE:
        return f"Jump on with the piece on {state.jumper + 1}."
    if rules.all_jumpers(state, int(state.to_act)):
        return "You must jump: choose the piece that jumps, then the square behind the piece that it takes."
    return "Choose a piece, then the square that it steps to."


def clicks(action: int, state: Record, variant: Record) -> tuple[str, ...]:
    """The square of the piece, then the square where it lands, for steps and for jumps: ``9x18``."""
    return tuple(re.split("[-x]", notation.move_name(action, state) or ""))


def why_not(action: int, state: Record, variant: Record) -> str:
    """The first rule that the action breaks."""
    seat, letters = int(state.to_act), notation.piece_letters(state)
    source, beside = int(SOURCE[seat, action]), int(BESIDE[seat, action])
    if letters[source] not in OWN[seat]:
        what = "is empty" if letters[source] == "." else "holds a piece of the other side"
        return f"square {source + 1} {what}"
    if state.jumper not in (NO_SQUARE, source):
        return f"the piece on {state.jumper + 1} must jump on"
    jumpers = [k + 1 for k in range(len(letters)) if rules.all_jumpers(state, seat) & BIT[k]]
    if source + 1 not in jumpers and jumpers:
        return f"you must jump with the piece on {' or '.join(map(str, jumpers))}"
    if jumpers:
        return f"the piece on {source + 1} must jump, and can't jump that way"
    if letters[source].islower() and action >= DIRECTIONS // 2 * SQUARES:
        return "a man moves forward only; kings move backward too"
    return f"square {beside + 1} is occupied" if beside != NO_SQUARE else "that leads off the board"
