"""The public checks (`parlour.testing`) on every game and variant, with the games' own invariants."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest

from parlour.interfaces.registry import find
from parlour.testing import CHECKS, Invariant, Subject, run_check
from tests.support.cases import GAMES, VARIANTS

EACH_GAME = ("state", "garbled_texts", "options", "pettingzoo_render")
"""Checks whose code does not depend on the variant: they are run on the first alone."""
SLOW = ("interpreted",)
"""Checks that are run on the first variant; on the others among the long tests."""
FIRST = [(game, find(game).variants[0].name) for game in GAMES]
OTHERS = [case for case in VARIANTS if case not in FIRST]
CASES = [
    (game, variant, check)
    for game, variant in VARIANTS
    for check in CHECKS
    if check not in (*EACH_GAME, *SLOW) or (game, variant) in FIRST
]
GAMES_PLAYED, GAMES_SAMPLED = 10, 4
"""How many random games a check plays: of a first variant, and of the others in the ordinary run."""


def own_invariant(game: str) -> Invariant | None:
    """A game's ``tests/games/<game>/invariants.py``."""
    module = f"tests.games.{find(game).name}.invariants"
    if find_spec(f"tests.games.{find(game).name}") is None or find_spec(module) is None:
        return None
    return import_module(module).invariant  # type: ignore[no-any-return]


@pytest.mark.parametrize(("game", "variant", "check"), CASES)
def test_check(game: str, variant: str, check: str) -> None:
    games = GAMES_PLAYED if (game, variant) in FIRST else GAMES_SAMPLED
    run_check(check, Subject(find(game), variant, own_invariant(game), games))


@pytest.mark.long
@pytest.mark.parametrize(("game", "variant"), OTHERS)
def test_checks_play_as_many_games_of_other_variants(game: str, variant: str) -> None:
    for check in CHECKS:
        if check not in EACH_GAME:
            run_check(check, Subject(find(game), variant, own_invariant(game), GAMES_PLAYED))
