"""Which tests are run, and what every process of a run does."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

import parlour
from tests.conftest import BY_COLLECTING, stood_for
from tests.support.cases import GAMES, PRINTED_GAMES


def test_collecting_compiles_nothing(pytestconfig: pytest.Config) -> None:
    """Every process collects all tests, so a game that is played for a parameter is compiled by all at once."""
    assert pytestconfig.stash[BY_COLLECTING] == []


@pytest.mark.parametrize(
    ("test", "games", "left"),
    [
        ("tests/engine/test_threads.py::test_all", GAMES, {"acey_ducey-v0", "checkers-v0", "pig-v0"}),
        ("tests/engine/test_threads.py::test_printed", PRINTED_GAMES, {*PRINTED_GAMES}),
        ("tests/games/test_golden.py::test_all", GAMES, {*GAMES}),
    ],
)
def test_what_other_games_stand_for_is_long(test: str, games: list[str], left: set[str]) -> None:
    """In tests of what games share; a game's own tests stay, with all variants."""
    cases = [(game, variant) for game in games for variant in parlour.variants(game)]
    items = [
        SimpleNamespace(
            nodeid=f"{test}[{game}-{variant}]", callspec=SimpleNamespace(params={"game": game, "variant": variant})
        )
        for game, variant in cases
    ]
    for item in stood_for(items):
        items.remove(item)
    assert {item.callspec.params["game"] for item in items} == left
    assert (len(items) == len(cases)) == (len(left) != 3)
