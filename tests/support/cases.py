"""Every game and variant that the tests of the shared machinery run over."""

from __future__ import annotations

from typing import Any

import pytest

import parlour
from parlour.rulebook.compiling import COMPILED

GAMES = list(parlour.games())
each_game = pytest.mark.parametrize("game", GAMES)
VARIANTS = [(game, variant) for game in GAMES for variant in parlour.variants(game)]
PRINTED_GAMES = [game for game in GAMES if game != "pig-v0"]
"""Without the toy."""
KINDS = {game: next(iter(parlour.variants(game))) for game in ("acey_ducey-v0", "checkers-v0", "pig-v0")}
"""A game with dice, one without, a toy of three seats, with their first variants: they stand for all games where the
rules do not matter."""
SEARCHING = ("interpreted", "players")
"""Checks that compile searches. In the ordinary run the starter game passes them, and examples and toys the others."""
needs_compiler = pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")


def sampled(name: str | tuple[str, ...], sample: Any, everything: Any) -> pytest.MarkDecorator:
    """Gives a test the argument ``name``, or several: ``sample`` in the ordinary run, ``everything`` among the long
    tests."""
    few, whole = ((sample,), (everything,)) if isinstance(name, str) else (sample, everything)
    cases = [pytest.param(*few, id="sample"), pytest.param(*whole, id="all", marks=pytest.mark.long)]
    return pytest.mark.parametrize(name, cases)
