"""The public checks (`parlour.testing`) on every game and variant, with the games' own invariants."""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

import pytest

from parlour.registry import find
from parlour.testing import CHECKS, Invariant, Subject, run_check
from tests.support.cases import VARIANTS

EACH_GAME = ("state", "garbled_texts", "options", "pettingzoo_render")
"""Checks whose code does not depend on the variant: they are run on the first alone."""
CASES = [
    (game, variant, check)
    for game, variant in VARIANTS
    for check in CHECKS
    if check not in EACH_GAME or variant == find(game).variants[0].name
]


def own_invariant(game: str) -> Invariant | None:
    """A game's ``tests/games/<game>/invariants.py``."""
    module = f"tests.games.{find(game).name}.invariants"
    if find_spec(f"tests.games.{find(game).name}") is None or find_spec(module) is None:
        return None
    return import_module(module).invariant  # type: ignore[no-any-return]


@pytest.mark.parametrize(("game", "variant", "check"), CASES)
def test_check(game: str, variant: str, check: str) -> None:
    run_check(check, Subject(find(game), variant, own_invariant(game)))
