"""Every game and variant that the tests of the shared machinery run over."""

from __future__ import annotations

from typing import Any

import pytest

import parlour

GAMES = list(parlour.games())
VARIANTS = [(game, variant) for game in GAMES for variant in parlour.variants(game)]
PRINTED_GAMES = [game for game in GAMES if game != "pig-v0"]
"""Without the toy."""


def sampled(name: str, sample: Any, everything: Any) -> pytest.MarkDecorator:
    """Gives a test the argument ``name``: ``sample`` in the ordinary run, ``everything`` among the long tests."""
    whole = pytest.param(everything, id="all", marks=pytest.mark.long)
    return pytest.mark.parametrize(name, [pytest.param(sample, id="sample"), whole])
