"""Perft by whole turns from the start: aartbik.com's table. A multi-jump is one turn."""

from __future__ import annotations

import pytest

from parlour.rulebook.compiling import COMPILED
from tests.reference.checkers import Referee, perft
from tests.support.perft import assert_perft, divide

GAME = "checkers-v0"
KNOWN = {1: 7, 2: 49, 3: 302, 4: 1469, 5: 7361, 6: 36768, 7: 179740, 8: 845931, 9: 3963680}
WITHOUT_DRAWS = {"draw_rule": "none", "max_plies": 0}


@pytest.mark.parametrize("turns", KNOWN if COMPILED else [1, 2, 3])
def test_perft_from_the_start(turns: int) -> None:
    assert_perft(KNOWN[turns], divide(GAME, turns, **WITHOUT_DRAWS))


MIDDLE = [
    "B:W11,14,15,18,K22,23,K30:B2,K6,7,10,K26,27",
    "W:W21,K14,K15,22,30:B6,7,8,K19,K26,25",
    "B:WK9,K17,K25,K26,18,19,27:BK1,K5,10,K13,20",
]


@pytest.mark.parametrize("position", MIDDLE)
def test_perft_in_the_middle_agrees_with_the_referee(position: str) -> None:
    expected = perft(Referee.from_text(position, draw_rule="none"), 3)
    assert_perft(expected, divide(GAME, 3, position, **WITHOUT_DRAWS))
