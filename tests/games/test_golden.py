"""Golden playthroughs: one a variant, none missing, none left over."""

from __future__ import annotations

import pytest

from tests.golden import FOLDER, path_of, playthrough
from tests.support.cases import PRINTED_GAMES, VARIANTS

PRINTED = [(game, variant) for game, variant in VARIANTS if game in PRINTED_GAMES]


@pytest.mark.parametrize(("game", "variant"), PRINTED)
def test_played_the_same_for_ever(game: str, variant: str) -> None:
    assert playthrough(game, variant) == path_of(game, variant).read_text(encoding="utf-8")


def test_none_is_missing_or_left_over() -> None:
    assert {path_of(*case) for case in PRINTED} == set(FOLDER.glob("*/*.txt"))
