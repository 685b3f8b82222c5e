"""The strength of a network during training: its Elo relative to fixed opponents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from parlour.arena import Threads, match
from parlour.engine.game import Game
from parlour.players import Player

GAMES = 48
"""Games against each opponent, in all variants together; at least `MIN_GAMES` in each."""
MIN_GAMES = 8


@dataclass(frozen=True)
class Strength:
    """A player's result against one opponent.

    Attributes:
        opponent: its name.
        games: the number of games that count.
        points: a win is 1, a draw ½.
    """

    opponent: str
    games: int
    points: float

    @property
    def share(self) -> float:
        """Points per game."""
        return self.points / self.games if self.games else 0.5

    @property
    def elo(self) -> float:
        """Elo relative to the opponent. Half a win and half a loss are added, so that it is finite."""
        share = (self.points + 0.5) / (self.games + 1)
        return float(400 * np.log10(share / (1 - share)))


def opponents_for(seats: int) -> tuple[str, ...]:
    """The opponents for measuring strength: random, one ply deep, and search without learning."""
    return ("random", "greedy", "expectimax:2") if seats == 2 else ("random", "greedy")


def measure(
    game: Game, variants: Sequence[str], overrides: Mapping[str, Any], player: Player, opponents: Sequence[str],
    seed: int,
) -> list[Strength]:  # fmt: skip
    """Plays some games against each opponent, in all variants, from random openings if both players are
    deterministic."""
    games = max(GAMES // len(variants) // 2 * 2, MIN_GAMES)
    strengths = []
    for opponent in opponents:
        scores = [
            match(
                game.id, player, opponent, games=games, variant=variant, seed=seed, workers=Threads(1), progress=False,
                **overrides,
            )
            for variant in variants
        ]  # fmt: skip
        points = sum(one.wins + 0.5 * one.draws for one in scores)
        strengths.append(Strength(opponent, sum(one.games for one in scores), points))
    return strengths
