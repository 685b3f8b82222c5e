"""Golden playthroughs: one a variant, none missing, none left over; and the pins of what comes with a game."""

from __future__ import annotations

import pytest

from parlour.interfaces.registry import find
from parlour.players.value import load
from parlour.players.value.pins import PLAY, Pin, pins_beside, read_pins
from tests.golden import FOLDER, digest, path_of, pins_now, pins_text, playthrough, read_digests
from tests.support.cases import PRINTED_GAMES, VARIANTS, needs_compiler

PRINTED = [(game, variant) for game, variant in VARIANTS if game in PRINTED_GAMES]


@pytest.mark.parametrize(("game", "variant"), PRINTED)
def test_played_the_same_for_ever(game: str, variant: str) -> None:
    assert playthrough(game, variant) == path_of(game, variant).read_text(encoding="utf-8")


def test_none_is_missing_or_left_over() -> None:
    assert {path_of(*case) for case in PRINTED} == set(FOLDER.glob("*/*.txt"))


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_a_version_of_a_game_is_played_the_same_for_ever(game: str) -> None:
    """The digests of all versions are kept, so that new playthroughs need a new version."""
    digests = read_digests()
    written = {v: digest(path_of(game, v).read_text(encoding="utf-8")) for g, v in PRINTED if g == game}
    assert digests[game] == written
    spec = find(game)
    earlier = [f"{spec.name}-v{number}" for number in range(int(game.rpartition("v")[2]) + 1)]
    assert [id for id in digests if id.startswith(f"{spec.name}-v")] == earlier


@needs_compiler
@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_pins_are_of_the_rules_as_they_are(game: str) -> None:
    """If play has changed, champion and ladders are to be made anew."""
    written = (find(game).folder / PLAY).read_text(encoding="utf-8")
    assert written == pins_text(pins_now(game)), "python -m tests.golden writes play.json anew, if play is the same"


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_all_that_comes_with_a_game_is_pinned(game: str) -> None:
    """Ladders, which are of named variants, and all variants of the champion, which have these variants' values."""
    found = find(game)
    assert list(read_pins(found)) == [variant.name for variant in found.variants]
    assert found.champion is not None
    pins = pins_beside(found.champion, found, load(found.champion, found).variants)
    assert all(isinstance(pin, Pin) for pin in pins)
