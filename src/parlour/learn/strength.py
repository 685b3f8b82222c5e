"""The strength of a network: its score against fixed opponents, in the same games each time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from parlour.arena import Score, Threads, match
from parlour.arena.setting.openings import AUTO, AUTOMATIC_PLIES, RANDOM, random_openings
from parlour.learn.checkpoint import Strength
from parlour.learn.methods import Preparation
from parlour.players import Player

GAMES = 48
"""Games against each opponent, in all variants together; at least `MIN_GAMES` in each."""
MIN_GAMES = 8


def opponents_for(seats: int) -> tuple[str, ...]:
    """The opponents for measuring strength: random, one ply deep, and search without learning."""
    return ("random", "greedy", "expectimax:2") if seats == 2 else ("random", "greedy")


def openings_for(prepared: Preparation) -> str:
    """How the games that measure strength begin: see `parlour.arena.setting.openings`."""
    openings = random_openings(float(np.median(one.plies)) for one in prepared.played)
    return AUTO if prepared.game.rules.DICE or openings == f"{RANDOM}:{AUTOMATIC_PLIES}" else openings


def measure(prepared: Preparation, player: Player, opponents: Sequence[str], seed: int) -> list[Strength]:
    """Plays some games against each opponent, in all variants."""
    games = max(GAMES // len(prepared.variants) // 2 * 2, MIN_GAMES)
    strengths = []
    for opponent in opponents:
        scores = [
            match(
                prepared.game.id, player, opponent, games=games, variant=variant, seed=seed, workers=Threads(1),
                progress=False, openings=openings_for(prepared), **prepared.overrides,
            )
            for variant in prepared.variants
        ]  # fmt: skip
        strengths.append(pooled(opponent, scores))
    return strengths


def pooled(opponent: str, scores: Sequence[Score]) -> Strength:
    """The result of several matches against one opponent."""
    points = sum(one.wins + 0.5 * one.draws for one in scores)
    pairs = np.sum([one.pentanomial for one in scores], axis=0).tolist()
    return Strength(opponent, sum(one.games for one in scores), points, tuple(pairs))
