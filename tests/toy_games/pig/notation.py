"""``again`` and ``hold``; ``scores 0 3 7 | player_1 | turn 5 | dice 2 3 | 12``."""

from __future__ import annotations

import re

from parlour.rulebook.positions import read_count
from parlour.rulebook.protocol import Record

MOVE_FORM = "hold"
DICE_TEXT = True
NAMES = ("again", "hold")


def move_name(action: int, state: Record) -> str | None:
    return NAMES[action]


def parse_move(text: str, state: Record) -> int | None:
    return NAMES.index(text) if text in NAMES else None


def write(state: Record, variant: Record) -> str:
    scores = " ".join(str(score) for score in state.scores[: variant.players])
    dice = " ".join(str(face) for face in state.dice)
    return f"scores {scores} | player_{state.to_act} | turn {state.turn} | dice {dice} | {state.plies}"


def read(text: str, state: Record, variant: Record) -> None:
    match = re.fullmatch(r"scores ([\d ]+) \| player_(\d+) \| turn (\d+) \| dice (\d) (\d) \| (\d+)", text)
    if match is None or len(match[1].split()) != variant.players or int(match[2]) >= variant.players:
        raise ValueError("not of the form 'scores 0 3 7 | player_1 | turn 5 | dice 2 3 | 12'")
    state.scores[: variant.players] = [read_count("score", score) for score in match[1].split()]
    state.to_act, state.turn = int(match[2]), read_count("turn", match[3])
    state.dice[:] = int(match[4]), int(match[5])
    state.plies = read_count("plies", match[6])


def check(state: Record, variant: Record) -> None:
    """Nothing more."""
