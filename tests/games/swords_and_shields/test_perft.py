"""Perft by plies from the start (numbers from two independent programs), and by the referee elsewhere."""

from __future__ import annotations

import pytest

from parlour.rulebook.compiling import COMPILED
from tests.games.swords_and_shields.variants import VARIANT_OPTIONS
from tests.reference.swords_and_shields import Referee, perft
from tests.support.perft import assert_perft, divide

GAME = "swords_and_shields-v0"
KNOWN = {1: 80, 2: 4400, 3: 353200, 4: 19913864}


@pytest.mark.parametrize("depth", [1, 2, 3, pytest.param(4, marks=pytest.mark.long)] if COMPILED else [1, 2])
def test_perft_from_the_start(depth: int) -> None:
    assert_perft(KNOWN[depth], divide(GAME, depth))


MIDDLE = [
    "3s1s3/4s4/3o5/s2so3s/s1ooc1oos/s3o3s/4o4/2s1s4/3s1s3 s",
    "2s6/4c4/9/1o1s5/s2s3o1/4o4/2s6/9/4s2o1 o",
    "9/1s7/9/3s5/2sc5/3o5/9/6o2/1s7 s",
]


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
@pytest.mark.parametrize("position", MIDDLE)
def test_perft_in_the_middle_agrees_with_the_referee(variant: str, position: str) -> None:
    options = {"repetition": 0, "max_plies": 0}
    expected = perft(Referee(position=position, **VARIANT_OPTIONS[variant], **options), 2)
    assert_perft(expected, divide(GAME, 2, position, variant=variant, **options))
