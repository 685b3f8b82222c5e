"""Texts of positions of the Royal Game of Ur for tests/games/test_texts.py."""

from __future__ import annotations

from typing import Any

from tests.games.royal_ur.variants import COMBINED, VARIANT_OPTIONS

TEXT = "light 4 8 | dark 5 | hand 4 6 | off 1 0 | light | dice 0 0 1 1 | 41"
DECIDED = "light | dark 5 | hand 0 6 | off 7 0 | dark | dice 0 0 1 1 | 41"

NAMED: list[tuple[str, dict[str, Any], list[str]]] = [
    (TEXT.replace("| light |", f"| {seat} |"), {}, ["in", *map(str, range(1, 28)), "pass"])
    for seat in ("light", "dark")
]
"""The squares of the mover's own path, the same for both seats and all paths."""
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("", {**options, "max_plies": 300}) for options in (*VARIANT_OPTIONS.values(), *COMBINED[9:])
]
READ: list[tuple[str, dict[str, Any]]] = [
    (TEXT, {}),
    (f"{TEXT} end=max_plies", {"max_plies": 41}),
    (f"{DECIDED} end=borne_off", {}),
]
REFUSED: dict[str, list[str]] = {
    "ascending order, each once": [TEXT.replace("light 4 8", men) for men in ("light 8 4", "light 4 4")],
    "squares from 1 to 14": [TEXT.replace("light 4 8", f"light 4 {square}") for square in ("15", "08", "in")],
    "one space before each": [TEXT.replace("light 4 8", "light  4 8")],
    "is not 'light'": [TEXT.replace("light 4 8", "lite 4 8")],
    "two men stand on one tile": [TEXT.replace("dark 5", "dark 8")],
    "Light has 8 men in all; each seat has 7": [TEXT.replace("hand 4 6", "hand 5 6")],
    "Dark has 6 men in all": [TEXT.replace("hand 4 6", "hand 4 5")],
    "2 numbers from 0 to 7": [TEXT.replace("hand 4 6", hand) for hand in ("hand 4 8", "hand 4")],
    "no seat to act": [TEXT.replace("| light |", "| l |")],
    "ascending order": [TEXT.replace("dice 0 0 1 1", "dice 0 1 0 1")],
    "4 numbers from 0 to 1": [TEXT.replace("dice 0 0 1 1", dice) for dice in ("dice 0 1 1", "dice 0 0 1 2")],
    "no count": [TEXT.replace("| 41", "| 041")],
    "6 parts": [TEXT.replace("| 41", "")],
    "no seat has": [f"{TEXT} end=borne_off"],
    "repetition is 0": [f"{TEXT} end=repetition"],
    "need end=max_plies": [TEXT.replace("| 41", "| 2000")],
    "without end=borne_off": [DECIDED],
    "both seats": ["light | dark | hand 0 0 | off 7 7 | dark | dice 0 0 1 1 | 41 end=borne_off"],
}
"""By what is said of them."""
NO_MOVES = ["", "28", "0", "off"]
NO_NAMES = ["In ", "01", "-1"]
