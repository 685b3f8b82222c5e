"""A digest of how a game plays: whether the rules are still those for which a network was trained."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from parlour.engine.arrays import SAME_STEP
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import Entry, VariantMix
from parlour.players.value.inputs import numbers_of

GAMES, PLIES = 16, 64
"""Random play in each variant."""


def play_digest(game: Game, variants: Sequence[Entry]) -> str:
    """Sixteen hex digits of random play in all variants: who acts, what is legal, the rewards, and what a network sees.
    They stay the same as long as the rules and the input numbers do, whatever their code looks like."""
    digest = hashlib.sha256()
    for entry in variants:
        games = Games(game, VariantMix(game, (entry,), np.ones(1)), GAMES)
        games.begin(seed_words(range(GAMES)))
        actions = np.zeros(GAMES, np.int64)
        for _ in range(PLIES):
            games.sample(actions)
            games.step(actions, SAME_STEP)
            seats = games.states["to_act"]
            numbers = numbers_of(games, np.arange(GAMES), seats)
            for array in (seats, games.action_mask, games.rewards, games.truncated, numbers):
                digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()[:16]
