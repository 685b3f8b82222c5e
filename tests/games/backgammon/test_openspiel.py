"""OpenSpiel's backgammon as a second referee: the same positions after every whole turn of random games."""

from __future__ import annotations

import pytest

pytest.importorskip("pyspiel")

from tests.support.backgammon_openspiel import compare

GAMES, PARTS = 200, 8
"""An ordinary run compares the first part; ``python benchmarks/second_referees.py`` as many games as you like."""


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.long) for part in range(1, PARTS))])
@pytest.mark.parametrize("setup", ["standard", "hyper"])
def test_turns_end_where_openspiels_do(setup: str, part: int) -> None:
    turns = sum(compare(setup, seed) for seed in range(part, GAMES, PARTS))
    assert turns > 5 * GAMES / PARTS
