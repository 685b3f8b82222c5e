"""Texts of positions of Backgammon for tests/games/test_texts.py."""

from __future__ import annotations

from typing import Any

from tests.games.backgammon.variants import COMBINED

TEXT = "24:w2 19:b5 17:b3 8:w3 6:w5 1:b2 | bar 0 0 | off 5 5 | w | dice 6 1 | left 6 1 | 41"
SINGLE = "19:b12 | bar 0 0 | off 15 3 | w | dice 2 1 | left - | 80"
TRIPLE = "19:b14 6:b1 | bar 0 0 | off 15 0 | w | dice 2 1 | left - | 80"

NAMES = [
    f"{'bar' if source == 0 else 25 - source}/{25 - source - distance or 'off'}" if distance <= 25 - source else ""
    for source in range(25)
    for distance in range(1, 7)
]
"""“6 × source + distance − 1”, in the mover's own numbering; a man never goes beyond the end."""
NAMED: list[tuple[str, dict[str, Any], list[str]]] = [
    (TEXT.replace("| w |", f"| {seat} |"), {}, [*NAMES, "pass"]) for seat in "wb"
]
PLAYED: list[tuple[str, dict[str, Any]]] = [("", {**options, "max_plies": 300}) for options in COMBINED[::3]]
READ: list[tuple[str, dict[str, Any]]] = [
    (TEXT, {}),
    (f"{TEXT} end=max_plies", {"max_plies": 41}),
    (TEXT.replace("dice 6 1 | left 6 1", "dice 1 1 | left 1 1 1"), {}),
    (f"{SINGLE} end=single", {}),
    (f"{TRIPLE} end=backgammon", {}),
]
REFUSED: dict[str, list[str]] = {
    "no point with men": [TEXT.replace("24:w2", "25:w2")],
    "no point with men; such words look like 24:w2": [TEXT.replace("24:w2", "24:r2")],
    "point 24 comes after point 19": [TEXT.replace("24:w2 19:b5", "19:b5 24:w2")],
    "White has 14 men in all; each seat has 15": [TEXT.replace("24:w2", "24:w1")],
    "Black has 16 men in all; each seat has 15": [TEXT.replace("off 5 5", "off 5 6")],
    "is not 'bar' and 2 numbers of men from 0 to 15": [TEXT.replace("bar 0 0", "bar 0")],
    "no seat to act": [TEXT.replace("| w |", "| r |")],
    "2 faces from 1 to 6": [TEXT.replace("dice 6 1", "dice 6 7")],
    "in the order of the dice": [TEXT.replace("left 6 1", "left 1 6")],
    "with a throw that gives 6 1": [TEXT.replace("left 6 1", left) for left in ("left 6 6", "left 5")],
    "can't be played": [TEXT.replace("left 6 1", "left -")],
    "which can't be played": [
        "24:b2 23:b2 22:b2 21:b2 20:b2 19:b2 13:w14 | bar 1 0 | off 0 3 | w | dice 6 1 | left 6 | 3"
    ],
    "not of the form 'left 6'": [TEXT.replace("left 6 1", left) for left in ("left", "left 6 1 1 1 1")],
    "no count": [TEXT.replace("| 41", "| 041")],
    "6 parts": [TEXT.replace("| 41", "")],
    "no seat has borne off all men": [f"{TEXT} end=gammon"],
    "need end=max_plies": [TEXT.replace("| 41", "| 4000")],
    "without end=single": [SINGLE],
    "the end is single": [f"{SINGLE} end=gammon"],
    "without end=backgammon": [TRIPLE],
    "the end is backgammon": [f"{TRIPLE} end={end}" for end in ("gammon", "single")],
}
"""By what is said of them."""
NO_MOVES = ["13/8x", "4/-1", "off/3", "25/20", "7/off"]
NO_NAMES = ["13-7", "PASS"]
