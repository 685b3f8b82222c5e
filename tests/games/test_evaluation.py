"""What `greedy` plays, the events of a ply and the potential: a position for each clause of the READMEs' paragraphs."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.games.backgammon.positions import at as backgammon
from tests.games.crown_and_anchor.test_rules import at as crown
from tests.games.royal_ur.positions import at as ur
from tests.support.evaluation import greedy_moves, happened
from tests.support.texts import play, resumed

Env = Callable[[], Any]
acey, checkers = partial(resumed, "acey_ducey-v0"), partial(resumed, "checkers-v0")
HIT = "24:b8 9:r1 8:b1 7:b2 6:b2 5:r1 3:b2 | in 0 0 | dog 0 0 | off 13 0 | r | dice 1 2 | left 1 2 | {} | 0"
SEND = "24:r14 23:b1 2:r1 1:b14 | in 0 0 | dog 0 0 | off 0 0 | r | dice 1 2 | left choose | - | 9"

GREEDY: list[tuple[Env, set[str]]] = [
    (lambda: acey("24:b15 1:r1 | in 0 0 | dog 0 0 | off 14 0 | r | dice 1 1 | left 1 1 | - | 50"), {"1:1"}),  # it wins
    (lambda: acey(HIT.format("again")), {"9:1"}),  # it hits, a further throw being due or not
    (lambda: acey(HIT.format("-"), dice="plain"), {"9:1"}),
    (
        lambda: acey("24:b15 6:r3 1:r2 | in 0 0 | dog 0 0 | off 10 0 | r | dice 1 1 | left 1 1 | - | 50"), {"1:1"},
    ),  # bears off
    (
        lambda: acey(
            "24:r13 23:b1 2:b1 1:r2 | in 0 0 | dog 0 0 | off 0 13 | r | dice 1 2 | left choose | - | 50"
        ),
        {"send 23"},  # it sends the man who has come farthest: Black runs towards 24
    ),
    (lambda: backgammon("13:w2 9:b1 3:b2", "4 1"), {"13/9"}),  # hits
    (lambda: backgammon("8:w2 6:w1 7:w1 3:b2", "1 4", left="1"), {"7/6"}),  # makes a point, and leaves no man alone
    (lambda: backgammon("6:w1 5:w1 24:b1", "5 4", left="5"), {"5/off"}),  # bears off
    (lambda: backgammon("1:w1 24:b1", "5 4"), {"1/off"}),  # wins
    (lambda: ur("5 9", "7 11", 2), {"9"}),  # captures the man that has come farther
    (lambda: ur("2 5", "", 2), {"2"}),  # comes to a rosette
    (lambda: ur("5 9", "", 1), {"in", "5", "9"}),  # all alike
    (lambda: ur("6 14", "7", 1, off=(5, 5)), {"6"}),  # captures before it bears off
    (lambda: ur("14", "7 8", 1, off=(6, 5)), {"14"}),  # wins
    (lambda: checkers("B:W18,30:B14,1,26,5"), {"14x23"}),  # the only jump
    (lambda: checkers("B:W15,22,16,32:BK11,12,1"), {"11x18"}),  # two pieces rather than one
    (lambda: checkers("B:W12,28:B25,9,2"), {"25-29", "25-30"}),  # crowns
    (lambda: checkers("B:W12:B3,4,5"), {"4-8"}),  # wins
    (lambda: checkers("B:W28,32:B2,13"), {"13-17"}),  # keeps the back row
    (lambda: checkers("W:W31,20:B1,5"), {"20-16"}),  # White's back row too
    (lambda: checkers("B:W12:BK29"), {"29-25"}),
]  # fmt: skip


@pytest.mark.parametrize(("env", "expected"), GREEDY)
def test_what_greedy_plays(env: Env, expected: set[str]) -> None:
    assert greedy_moves(env()) == expected


EVENTS: list[tuple[Env, str, dict[str, int]]] = [
    (lambda: acey("- | in 15 15 | dog 0 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 0"), "in:3", {"entered": 1}),
    (
        lambda: acey("24:r14 1:b15 | in 0 0 | dog 1 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 9"), "dog:3",
        {"reentered": 1},
    ),
    (lambda: acey(HIT.format("again")), "9:1", {"hit": 1}),
    (lambda: acey(SEND), "send 23", {"sent": 1}),
    (lambda: acey(SEND), "again", {"again": 1}),
    (
        lambda: acey("24:b15 3:r2 | in 0 0 | dog 0 0 | off 13 0 | r | dice 3 4 | left 3 4 | - | 9"), "3:3",
        {"borne_off": 1},
    ),
    (
        lambda: acey("24:r14 22:b5 21:b10 | in 0 0 | dog 1 0 | off 0 0 | r | dice 3 4 | left 3 4 | - | 9"), "pass",
        {"passed": 1},
    ),
    (lambda: backgammon("13:w1 9:b1 3:b2", "4 1"), "13/9", {"hit": 1}),
    (lambda: backgammon("13:w1 21:b1 3:b2", "4 1", bar=(1, 0)), "bar/21", {"hit": 1, "entered": 1}),
    (lambda: backgammon("6:w1 5:w1 24:b1", "5 4", left="5"), "5/off", {"borne_off": 1}),
    (lambda: backgammon("13:w1 9:b2 12:b2", "4 1"), "pass", {"passed": 1}),
    (lambda: backgammon("13:w1 3:b2", "4 1"), "13/9", {}),
    (lambda: ur("5", "7", 2), "5", {"captured": 1}),
    (lambda: ur("5", "7", 4), "in", {"entered": 1, "rosette": 1}),
    (lambda: ur("5", "8", 3, safe_rosettes=False), "5", {"captured": 1, "rosette": 1}),
    (lambda: ur("14", "", 1), "14", {"borne_off": 1}),
    (lambda: ur("5", "", 0), "pass", {"passed": 1}),
    (lambda: ur("9", "", 1), "9", {}),
    (lambda: checkers("B:W18,32:B14"), "14x23", {"man_captured": 1}),
    (lambda: checkers("B:WK18,32:B14"), "14x23", {"king_captured": 1}),
    (lambda: checkers("B:W15,22,32:B11"), "11x18", {"man_captured": 1, "multi_jump": 1}),
    (lambda: play(checkers("B:W15,22,32:B11"), "11x18"), "18x25", {"man_captured": 1}),
    (lambda: checkers("B:W12,28:B25"), "25-29", {"man_crowned": 1}),
    (lambda: checkers("B:W26,12:BK1,22"), "22x31", {"man_captured": 1, "man_crowned": 1}),
    (lambda: checkers("B:W32:B1,K9"), "1-5", {"back_row_left": 1}),
    (lambda: checkers("W:W32,K9:B1"), "32-27", {"back_row_left": 1}),
    (lambda: checkers("B:W32:B13,K1"), "1-6", {"king_step": 1}),
    (lambda: checkers("B:W32:B13,K1"), "13-17", {}),
]  # fmt: skip


@pytest.mark.parametrize(("env", "move", "expected"), EVENTS)
def test_events(env: Env, move: str, expected: dict[str, int]) -> None:
    assert happened(env(), move) == expected


POTENTIALS: list[tuple[Env, list[float]]] = [
    # (the other seat's pips − the own) / (the sum of both); Red's point 24 is Black's point 1
    (
        lambda: acey("24:b1 4:r1 1:r1 | in 0 0 | dog 1 2 | off 12 12 | r | dice 3 4 | left 3 4 | - | 9"),
        [(51 - 30) / 81, (30 - 51) / 81],
    ),
    (lambda: backgammon("13:w1 1:b1", "4 1", bar=(0, 1)), [36 / 62, -36 / 62]),  # Black has 25 on the bar and 24
    (lambda: ur("10", "", 2, men=1), [10 / 20, -10 / 20]),  # Light has 5 to go, Dark's man in hand 15
    # (own − other) / (own + other), a man counting 2, a king 3
    (lambda: checkers("B:W32:B1"), [0, 0]),
    (lambda: checkers("B:W32:BK1"), [(3 - 2) / (3 + 2), (2 - 3) / (3 + 2)]),
    (lambda: checkers("W:W30,31,32:B1"), [(2 - 6) / (2 + 6), (6 - 2) / (2 + 6)]),
    (lambda: checkers("B:WK32,31:BK1,K2,3"), [(8 - 5) / (8 + 5), (5 - 8) / (8 + 5)]),
    (lambda: checkers("W:W:B1 end=no_move"), [0, 0]),  # after a result, whatever stands
    # the share of the chips above the mean, of all without their signs
    (lambda: crown("20 20 20 20", seat=1), [0, 0, 0, 0]),
    (lambda: crown("80 0 0 0", seat=0, banker=3), [60 / 80, -20 / 80, -20 / 80, -20 / 80]),
    (lambda: crown("-60 100 40 0", seat=1, banker=3), [-80 / 200, 80 / 200, 20 / 200, -20 / 200]),
    (lambda: crown("-1 0 1 0", seat=2, banker=3), [-1 / 2, 0, 1 / 2, 0]),
    (lambda: crown("0 0 0 0", seat=3, banker=3), [0, 0, 0, 0]),
    (lambda: crown("7 8 9", seat=0, banker=2), [-1 / 24, 0, 1 / 24]),
]  # fmt: skip


@pytest.mark.parametrize(("env", "expected"), POTENTIALS)
def test_potentials(env: Env, expected: list[float]) -> None:
    games = env().games
    found = np.zeros((1, len(expected)), np.float32)
    games.potentials(found)
    assert found[0] == pytest.approx(expected)
