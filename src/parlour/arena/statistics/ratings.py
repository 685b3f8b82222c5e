"""Ratings from the results of games: a Bradley–Terry model on the Elo scale.

Axis letter: K players.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from parlour.arena.statistics import Estimate, Z

ELO = 400 / math.log(10)
"""Elo points for a factor of e in the odds of winning."""
PRIOR_DRAWS = 1.0
"""The number of drawn games that are added for every two players who have met. So a player that won or lost all its
games has a finite rating."""
ROUNDS, PRECISE = 100_000, 1e-10


def bradley_terry(scored: NDArray[np.float64]) -> NDArray[np.float64]:
    """The strength of each player: positive numbers p (K,) with geometric mean 1, so that i scores p_i / (p_i + p_j)
    against j.

    ``scored``: (K, K), how many points i scored against j, where a draw is ½ for both. The method is Hunter's
    minorisation–maximisation (*MM Algorithms for Generalized Bradley–Terry Models*, Annals of Statistics 32, 2004,
    equation 3).
    """
    played = scored + scored.T
    wins = scored.sum(axis=1)
    strength = np.ones(len(scored))
    for _ in range(ROUNDS):
        shares = played / (strength[:, None] + strength[None, :])
        better = wins / shares.sum(axis=1)
        better /= np.exp(np.log(better).mean())
        if np.abs(np.log(better / strength)).max() < PRECISE:
            return better
        strength = better
    return strength


def rate(scored: NDArray[np.float64], variances: NDArray[np.float64] | None = None) -> list[Estimate]:
    """Elo ratings with mean 0, with 95 % intervals. ``scored``: (K, K), how many points i scored against j; the games
    must connect all players, directly or through others. ``variances``: of these sums of points (K, K); None for those
    of games between players of these strengths.

    The intervals are those of the normal distribution, with the inverse of the Fisher information as covariance. There
    a draw counts as half a win and half a loss, so the intervals are slightly too wide rather than too narrow.
    """
    met = (scored + scored.T) > 0
    prior = np.where(met, PRIOR_DRAWS / 2, 0.0)
    strength = bradley_terry(scored + prior)
    expected = strength[:, None] / (strength[:, None] + strength[None, :])
    weights = (scored + scored.T + 2 * prior) * expected * (1 - expected)
    information = np.diag(weights.sum(axis=1)) - weights
    covariance = np.linalg.pinv(information, hermitian=True)
    if variances is not None:
        covariance = covariance @ (np.diag(variances.sum(axis=1)) - variances) @ covariance
    errors = ELO * np.sqrt(np.diag(covariance))
    ratings, games = ELO * np.log(strength), (scored + scored.T).sum(axis=1)
    return [
        Estimate(float(rating), float(rating - Z * error), float(rating + Z * error), int(count))
        for rating, error, count in zip(ratings, errors, games)
    ]
