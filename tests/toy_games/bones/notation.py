"""``take`` and ``leave``; ``scores 3 7 | player_1 | dice 4 0 17 | 12``."""

from __future__ import annotations

import re

import numpy as np

from parlour.rulebook.positions import read_count
from parlour.rulebook.protocol import Record

from . import rules

MOVE_FORM = "take"
DICE_TEXT = True
NAMES = ("take", "leave")
FORM = re.compile(r"scores (\d+) (\d+) \| player_([01]) \| dice ([\d ]+) \| (\d+)( \| goal)?")


def move_name(action: int, state: Record) -> str | None:
    return NAMES[action]


def parse_move(text: str, state: Record) -> int | None:
    return NAMES.index(text) if text in NAMES else None


def write(state: Record, variant: Record) -> str:
    dice = " ".join(str(face) for face in state.dice if face >= 0)
    return f"scores {state.scores[0]} {state.scores[1]} | player_{state.to_act} | dice {dice} | {state.plies}"


def read(text: str, state: Record, variant: Record) -> None:
    match = FORM.fullmatch(text)
    if match is None:
        raise ValueError("not of the form 'scores 3 7 | player_1 | dice 4 0 17 | 12'")
    faces = [read_count("face", face) for face in match[4].split()]
    if len(faces) != variant.thrown or any(face not in die.faces for face, die in zip(faces, rules.DICE)):
        raise ValueError(f"the dice can't show {match[4]!r}")
    state.dice[:] = -1
    state.due = 0
    state.scores[:] = read_count("score", match[1]), read_count("score", match[2])
    rules.throw(state, variant, np.array(faces, np.int8), np.zeros(2))
    state.to_act, state.plies = int(match[3]), read_count("plies", match[5])


def check(state: Record, variant: Record) -> None:
    """ValueError for a score that ends the game."""
    if max(state.scores) >= variant.goal and not state.end:
        raise ValueError(f"a score of {max(state.scores)} ends the game; end= is missing")
