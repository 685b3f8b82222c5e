"""Texts of positions of Agon for tests/games/test_texts.py."""

from __future__ import annotations

from typing import Any

from tests.games.agon.geometry import NAMES, distance
from tests.games.agon.test_referee import COVER, Options

BOARD = "1g1G1q/G6/7G/9/g8g/11/G8G/9/g7/6g/Q1g1G1"
NO_GUARDS = "5q/7/8/9/10/11/10/9/8/7/Q5"
DECIDED = "6/7/8/9/4GG4/4GQG4/4GG4/9/8/g6/5q"
TRAPPED = "6/7/8/9/10/2GgG6/10/9/8/7/Q4q"
BLOODY: Options = {"capture": "bloody"}
GUARDS: Options = {"setup": "guards"}
TOUCH: Options = {"touch_move": True}

TEST_POSITION = "6/7/8/4gG3/4G1g3/4GQG4/3qGG1gg1/1g2g4/8/7/6"


def ever_legal(name: str) -> bool:
    """Not so steps outward."""
    source, _, target = name.partition("-")
    return not target or distance(target) <= distance(source)


NAMED: list[tuple[str, Options, list[str]]] = [
    (f"{TEST_POSITION} {'ld'[seat]}", {}, [name if ever_legal(name) else "" for name in NAMES[seat]])
    for seat in range(2)
]
"""6 × cell + direction; 546 + cell; 637 + cell; 728: from the view of the seat to act. 513 can ever be played."""
PLAYED: list[tuple[str, dict[str, Any]]] = [("", options) for options in COVER[::2]]
READ: list[tuple[str, Options]] = [
    (f"{BOARD} l", {}),
    (f"{BOARD} d passes=1 plies=7", {}),
    (f"{BOARD} l phase=touched:a1 plies=2", TOUCH),
    (f"{NO_GUARDS} l phase=place", GUARDS),
    ("6/7/8/9/10/11/10/9/8/7/6 l phase=place", {"setup": "all"}),
    (f"{DECIDED} d end=enthroned", {}),
    (f"{DECIDED} d plies=9 end=enthroned", BLOODY),
    ("5q/7/8/9/10/11/10/9/8/7/Q4G d end=guardless", BLOODY),
    ("6/7/8/9/4GG4/4G1G4/4GG4/9/8/7/g3Qq d end=forfeit", {}),
    (f"{BOARD} d passes=2 end=passes", {}),
    (f"{BOARD} d plies=500 end=max_plies", {}),
    ("6/7/8/9/10/2GgG6/10/2g1g4/3G4/7/Q4q l", {"entering": "trapped"}),
    (f"{NO_GUARDS} l", {}),
    ("6/7/8/9/2GgGgG3/11/10/9/8/7/Q4q l phase=put:g4,g6", BLOODY),
]
REFUSED: dict[str, list[str]] = {
    "7 light guards": [f"{BOARD.replace('/11/', '/G10/')} l"],
    "2 light queens": [f"{BOARD.replace('/11/', '/Q10/')} l"],
    "throne": [f"{BOARD.replace('1g1G1q', '3G1q').replace('/11/', '/5g5/')} l"],
    "no dark queen": [f"{BOARD.replace('1g1G1q', '1g1G2')} l"],
    "'12'": [f"{BOARD.replace('/11/', '/12/')} l"],
    "row f": [f"{BOARD.replace('/11/', '/10/')} l"],
    "'92'": [f"{BOARD.replace('/11/', '/92/')} l"],
    "'x'": [f"{BOARD.replace('/11/', '/5x5/')} l"],
    "12 rows": [f"{BOARD}/6 l"],
    "seat to act": [BOARD, f"{BOARD} w"],
    "'foo=1'": [f"{BOARD} l foo=1"],
    "'phase=exile'": [f"{BOARD} l passes=1 phase=exile"],
    "end=passes": [f"{BOARD} l passes=2"],
    "passes='x'": [f"{BOARD} l passes=x"],
    "'passes=1'": [f"{BOARD} l passes=1 passes=1"],
    "no phase": [f"{BOARD} l phase="],
    "fixed": [f"{BOARD} l phase=place"],
    "touch_move=False": [f"{BOARD} l phase=touched:a1"],
    "queen_placed_by='owner'": [f"{BOARD} l phase=exile"],
    "not one of several": [f"{BOARD} l phase=chosen:a5"],
    "not 'bloody'": [f"{BOARD} l phase=exchange"],
    "end=enthroned": [f"{DECIDED} d", f"{DECIDED} d end=forfeit"],
    "no such end": [f"{BOARD} d end=enthroned"],
    "no ending": [f"{BOARD} d end=win"],
    "max_plies": [f"{BOARD} l plies=500"],
}
"""By what is said of them."""
REFUSED_UNDER: list[tuple[str, str, Options]] = [
    (f"{BOARD} l phase=touched", "no phase", TOUCH),
    (f"{BOARD} l phase=put", "no phase", BLOODY),
    (f"{BOARD} l phase=exchange:", "no phase", BLOODY),
    (f"{BOARD} l phase=place", "counts", GUARDS),
    (f"{NO_GUARDS} d phase=place", "counts", {"setup": "all"}),
    (f"{NO_GUARDS.replace('/11/', '/G10/')} l phase=place", "counts", GUARDS),
    (f"{NO_GUARDS} l phase=place passes=1", "passes=1", GUARDS),
    ("2g3/7/8/9/10/7g3/10/3GqG3/8/7/Q1g3 l phase=exchange passes=1", "passes=1", BLOODY),
    (f"{TRAPPED} l phase=put:f4 passes=1", "passes=1", BLOODY),
    (f"{BOARD} l phase=exile", "capture='bloody'", BLOODY),
    (f"{BOARD} l phase=touched:k6", "not a piece to touch", TOUCH),
    (f"{BOARD} l phase=touched:z9", "no cell", TOUCH),
    (f"{BOARD} l phase=exile", "no trapped queen", {"queen_placed_by": "opponent"}),
    (f"{BOARD} l phase=exchange", "does not stand between", BLOODY),
    ("2g3/7/8/9/10/11/10/3GqG3/8/7/Q5 l phase=exchange", "no several outermost", BLOODY),
    (f"{BOARD} l phase=put:g1", "between two", BLOODY),
    (f"{BOARD} l phase=put:a5", "between two", BLOODY),
    (f"{TRAPPED} l phase=put:f4,f4", "twice", BLOODY),
    (f"{BOARD} d end=guardless", "guardless", BLOODY),
    (f"{NO_GUARDS} l", "no guards", BLOODY),
    (f"{BOARD} l phase=touched:a1 end=repetition", "middle of a turn", {**TOUCH, "repetition": 2}),
]
NO_MOVES = ["e5-d5", "f6-e5", "a1-c1", "@l1", "a7^", ""]
NO_NAMES = ["Pass"]
