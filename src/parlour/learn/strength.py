"""The strength of a network: its score against fixed opponents, in the same games each time."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any

import numpy as np
from msgspec import Meta

from parlour.arena import Score, Threads, match
from parlour.arena.matches.tally import elo_text
from parlour.arena.measures.kinds import ELO
from parlour.arena.setting.openings import AUTO, AUTOMATIC_PLIES, RANDOM, random_openings
from parlour.arena.statistics import Estimate, elo, score
from parlour.arena.statistics.engine_testing import POINTS
from parlour.learn.methods import Preparation
from parlour.players import Player
from parlour.support.typed_json import Count, Struct

GAMES = 48
"""Games against each opponent, in all variants together; at least `MIN_GAMES` in each."""
MIN_GAMES = 8
MAX_PAIRS = 10**6
Seconds = Annotated[float, Meta(ge=0, le=1e12)]


class Strength(Struct, frozen=True, array_like=True):
    """A player's result against one opponent.

    Attributes:
        points: a win is 1, a draw ½.
        pairs: how many pairs of games scored 0, ½, 1, 1½ and 2 points; empty if that is not known.
    """

    opponent: str
    games: Count
    points: Annotated[float, Meta(ge=0)]
    pairs: tuple[Annotated[int, Meta(ge=0, le=MAX_PAIRS)], ...] = ()

    def __post_init__(self) -> None:
        """ValueError for more points than games, and for pairs that are not those of the games."""
        if self.points > self.games:
            raise ValueError(f"{self.points} points in {self.games} games")
        if self.pairs and (len(self.pairs) != 5 or 2 * sum(self.pairs) != self.games):
            raise ValueError(f"{self.pairs} are not the pairs of {self.games} games")

    @property
    def score(self) -> Estimate:
        """Points per game, with its 95 % interval; from 0 to 1 if the pairs are not known."""
        if not any(self.pairs):
            return Estimate(self.points / self.games if self.games else math.nan, 0.0, 1.0, self.games)
        return score(np.repeat(POINTS, self.pairs))

    @property
    def elo(self) -> Estimate:
        """Elo relative to the opponent; infinite if all games were won or lost."""
        return elo(self.score)

    def __str__(self) -> str:
        """In words, such as ``all 48 won against greedy (Elo 284 and more)``."""
        return self._text(f" against {self.opponent}")

    def _text(self, against: str) -> str:
        if self.points in (0, self.games):
            word = "won" if self.points else "lost"
            return f"all {self.games} {word}{against} (Elo {ELO.interval(self.elo)})"
        return f"{self.points:g} of {self.games}{against} (Elo {elo_text(self.elo)})"

    @property
    def verdict(self) -> str:
        """Who is stronger, as far as the games show it: ``weaker than champion: all 48 lost (Elo −284 and less)``."""
        elo = self.elo
        shown = "stronger than" if elo.low > 0 else "weaker than" if elo.high < 0 else "not shown to be above or below"
        return f"{shown} {self.opponent}: {self._text('')}"

    def as_json(self) -> dict[str, Any]:
        """As in ``curve.json``: games, points, and score and Elo with their intervals (null: without a bound)."""
        estimates = {"score": (self.score, 4), "elo": (self.elo, 1)}
        return {
            "games": self.games,
            "points": self.points,
            **{
                name: [
                    round(number, digits) if math.isfinite(number) else None
                    for number in (estimate.value, estimate.low, estimate.high)
                ]
                for name, (estimate, digits) in estimates.items()
            },
        }


class Measured(Struct, frozen=True, array_like=True):
    """A measurement of strength.

    Attributes:
        seconds: processor time spent on learning, of all threads together.
    """

    seconds: Seconds
    plies: Count
    strengths: list[Strength]


def opponents_for(seats: int) -> tuple[str, ...]:
    """The opponents for measuring strength: random, one ply deep, and search without learning."""
    return ("random", "greedy", "expectimax:2") if seats == 2 else ("random", "greedy")


def openings_for(prepared: Preparation) -> str:
    """How the games that measure strength begin: see `parlour.arena.setting.openings`."""
    openings = random_openings(float(np.median(results.plies)) for results in prepared.played)
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
