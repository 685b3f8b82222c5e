"""Texts of positions of Acey Ducey for tests/games/test_texts.py."""

from __future__ import annotations

from typing import Any

from tests.games.acey_ducey.variants import PAIRWISE, VARIANT_OPTIONS

TEXT = "24:r2 19:r5 6:b15 | in 0 0 | dog 3 0 | off 5 0 | r | dice 1 6 | left 6 | - | 41"
START = "- | in 15 15 | dog 0 0 | off 0 0 | b | dice 3 4 | left 3 4 | - | 0"
NEXT = "6:r1 4:r1 1:b1 | in 0 0 | dog 0 0 | off 13 14 | r | dice 4 4 | left 4 | - | 41"
DECIDED = "6:b15 | in 0 0 | dog 0 0 | off 15 0 | r | dice 1 6 | left 6 | - | 41"
BEYOND = "18:r1 10:b15 | in 14 0 | dog 0 0 | off 0 0 | b | dice 3 4 | left 3 4 | - | 9"
NEXT_TURN: dict[str, Any] = {"bear_off_from": "next_turn"}

NAMES = [f"{source}:{n}" for source in ("in", "dog", *range(24, 0, -1)) for n in range(1, 7)]
"""“182 actions, in this order”; the mover's own numbering, the same for both seats."""
NAMES += [f"send {point}" if point in (24, 23, 18, 17, 8, 7, 2, 1) else "" for point in range(24, 0, -1)]
NAMED: list[tuple[str, dict[str, Any], list[str]]] = [
    (TEXT.replace("| r |", f"| {seat} |"), {}, [*NAMES, "again", "pass"]) for seat in "rb"
]
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("", {**options, "max_plies": 250}) for options in (*VARIANT_OPTIONS.values(), *PAIRWISE[1:4])
]
READ: list[tuple[str, dict[str, Any]]] = [
    (TEXT, {}),
    (START, {}),
    (START.replace("3 4", "1 1"), {}),
    (f"{TEXT} end=max_plies", {"max_plies": 41}),
    (f"{DECIDED} end=borne_off", {}),
    (f"{NEXT} | -", NEXT_TURN),
]
REWRITTEN = [(NEXT, f"{NEXT} | home", NEXT_TURN)]
"""“whatever an option needs besides follows after another bar”; it may be missing."""
REFUSED: dict[str, list[str]] = {
    "": [
        TEXT.replace(old, new)
        for old, new in (
            ("6:b15", "6:b14"), ("19:r5", "19:r5 19:b1"), ("24:r2 19:r5", "19:r5 24:r2"), ("24:r2", "25:r2"),
            ("24:r2", "24:x2"), ("in 0 0", "in 1 0"), ("in 0 0", "in 0"), ("dog 3 0", "dog 3"), ("| r |", "| w |"),
            ("dice 1 6", "dice 1 7"), ("dice 1 6", "dice -"), ("left 6", "left 5"), ("left 6", "left 1"),
            ("left 6", "left 6 6 6"), ("left 6", "left choose"), ("left 6", "left -"), ("left 6 | -", "left 6 | again"),
            ("| 41", "| 041"), ("| 41", "| -1"), ("| 41", ""), ("| 41", "| 41 | home"), ("| 41", "| 2000"),
            ("| 41", "| 41 end=borne_off"), ("| 41", "| 41 end=repetition"), ("| 41", "| 41 end=nothing"),
            ("off 5 0", "off 5 0 0"), ("24:r2 19:r5 6:b15", ""), ("24:r2", "24:r02"), (" | ", "|"),
        )
    ],
    "no 'again'": [TEXT.replace("dice 1 6 | left 6", "dice 1 2 | left 1 2")],
    "the next one would have been made": [TEXT.replace("left 6", "left -")],
    "can't be played": ["24:r2 19:r5 18:b2 13:b2 6:b11 | in 0 0 | dog 0 0 | off 8 0 | r | dice 1 6 | left 6 | - | 41"],
    "borne_off": [DECIDED],
    "beyond": [BEYOND],
}  # fmt: skip
"""By what is said of them."""
REFUSED_UNDER: list[tuple[str, str, dict[str, Any]]] = [
    (BEYOND.replace("18:r1", "24:r1"), "beyond", {"entering": "joint"}),
    (f"{NEXT} | away", "home", NEXT_TURN),
    (f"{NEXT.replace('6:r1', '7:r1')} | home", "home", NEXT_TURN),
]
NO_MOVES = ["", "25:1", "0:1", "13:7", "13:0", "in", "send 3", "send"]
NO_NAMES = ["Pass", "in:6 ", "13-4"]
