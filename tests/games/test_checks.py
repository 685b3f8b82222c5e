"""The public checks (`parlour.testing`) on every game and variant, with the games' own invariants."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest

from parlour.interfaces.registry import find
from parlour.testing import CHECKS, Invariant, Subject, run_check
from tests.support.cases import GAMES, KINDS, VARIANTS

NO_GAMES = ("illegal_actions", "pettingzoo_api", "pettingzoo_render")
"""Checks of what no game can break by itself: they are run on `KINDS` alone."""
EACH_GAME = ("state", "garbled_texts", "options")
"""Checks whose code does not depend on the variant: they are run on the first alone."""
BENEATH = (
    "copies", "pixels", "pettingzoo_seed", "batch", "threads", "rows", "interpreted", "players", "records",
)  # fmt: skip
"""Checks of the engine and of pictures with the game's code, whatever its options: they are run on the first variant,
on the others among the long tests."""
FIRST = [(game, find(game).variants[0].name) for game in GAMES]
CASES = [
    (game, variant, check)
    for game, variant in VARIANTS
    for check in CHECKS
    if ((game, variant) in FIRST or check not in (*EACH_GAME, *BENEATH))
    and ((game, variant) in KINDS.items() or check not in NO_GAMES)
]
GAMES_PLAYED, GAMES_SAMPLED, ALL_GAMES = 4, 2, 10
"""How many random games a check plays: of a first variant, of the others, and among the long tests."""


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
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_checks_play_more_games_of_all_variants(game: str, variant: str) -> None:
    for check in CHECKS:
        if check not in EACH_GAME:
            run_check(check, Subject(find(game), variant, own_invariant(game), ALL_GAMES))
