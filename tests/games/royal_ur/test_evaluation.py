"""Greedy, potential and events of the Royal Game of Ur: a position for each clause of the README's paragraph."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games.royal_ur.positions import at
from tests.support.evaluation import greedy_moves, happened


@pytest.mark.parametrize(
    ("env", "expected"),
    [
        (lambda: at("5 9", "7 11", 2), {"9"}),  # captures the man that has come farther
        (lambda: at("2 5", "", 2), {"2"}),  # comes to a rosette
        (lambda: at("5 9", "", 1), {"in", "5", "9"}),  # all alike
        (lambda: at("6 14", "7", 1, off=(5, 5)), {"6"}),  # captures before it bears off
        (lambda: at("14", "7 8", 1, off=(6, 5)), {"14"}),  # wins
    ],
)
def test_what_greedy_plays(env: Any, expected: set[str]) -> None:
    assert greedy_moves(env()) == expected


@pytest.mark.parametrize(
    ("env", "move", "expected"),
    [
        (lambda: at("5", "7", 2), "5", {"captured": 1}),
        (lambda: at("5", "7", 4), "in", {"entered": 1, "rosette": 1}),
        (lambda: at("5", "8", 3, safe_rosettes=False), "5", {"captured": 1, "rosette": 1}),
        (lambda: at("14", "", 1), "14", {"borne_off": 1}),
        (lambda: at("5", "", 0), "pass", {"passed": 1}),
        (lambda: at("9", "", 1), "9", {}),
    ],
)
def test_events(env: Any, move: str, expected: dict[str, int]) -> None:
    assert happened(env(), move) == expected


def test_the_potential() -> None:
    """(the other seat's pips − own pips) / (the sum of both): Light has 1 man with 5 to go, Dark one in hand, 15."""
    env = at("10", "", 2, men=1)
    state, variant = env.games.states[0], env.games.variants[0]
    values = [env.game.evaluation.potential(state, variant, seat) for seat in range(2)]
    assert values == pytest.approx([10 / 20, -10 / 20])
