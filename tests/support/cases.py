"""Every game and variant that the tests of the shared machinery run over."""

from __future__ import annotations

import parlour

GAMES = list(parlour.games())
VARIANTS = [(game, variant) for game in GAMES for variant in parlour.variants(game)]
PRINTED_GAMES = [game for game in GAMES if game != "pig-v0"]
"""Without the toy."""
