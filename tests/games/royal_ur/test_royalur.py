"""The package `royalur` as a second referee: the same throws and moves in both, ply by ply, never set right again."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("royalur")

from tests.games.royal_ur.variants import COMBINED, VARIANT_OPTIONS
from tests.support.royal_ur_royalur import compare

GAMES = 40
"""Of each variant; ``python benchmarks/second_referees.py`` compares as many games as you like."""


@pytest.mark.parametrize("variant", VARIANT_OPTIONS)
def test_plays_as_royalur_plays(variant: str) -> None:
    assert compare(VARIANT_OPTIONS[variant], range(GAMES)) > 50 * GAMES


@pytest.mark.parametrize("options", COMBINED, ids=lambda options: "-".join(map(str, options.values())))
def test_plays_as_royalur_plays_with_other_options(options: dict[str, Any]) -> None:
    assert compare(options, range(2)) > 0
