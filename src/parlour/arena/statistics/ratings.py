"""Ratings on the Elo scale: a Bradley–Terry model of scores, and one of pairs of games, with draws and a first-seat
term.

In the model of pairs, which is fitted by joint maximum likelihood, the expected score of player i in the first seat
against j is 1 / (1 + exp(−t)) with t = (r_i − r_j + f) / `ELO`, so that ratings are on the usual scale of expected
scores, however frequent draws are. How that score divides into wins and draws follows Davidson (*On Extending the
Bradley–Terry Model to Accommodate Ties*, Journal of the American Statistical Association 65, 1970): for some u, wins,
draws and losses are in the proportion u² : ν u : 1. As in his model, only a player's points matter to its rating.

The two games of a pair have the same dice or opening, so they are not independent. The covariance is therefore the
"sandwich" A⁻¹ B A⁻¹ (White, *Maximum Likelihood Estimation of Misspecified Models*, Econometrica 50, 1982): A is the
Fisher information of the games, B the sum over pairs of the squared gradients of both games together.

Axis letters: K players, Q pairings of two players, R parameters. A result is 0, 1 or 2: twice a player's points.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.arena.statistics import Estimate, Z

ELO = 400 / math.log(10)
"""The Elo points of a factor e in the odds of winning."""
PRIOR_DRAWS = 1.0
"""The number of drawn games that are added for every two players who have met. So a player that won or lost all its
games has a finite rating."""
ROUNDS, PRECISE = 100_000, 1e-10
"""Of `bradley_terry`: the largest number of rounds, and the change of a logarithm at which it stops."""
RESULTS = 3
MAX_ADVANTAGE = 30.0
"""Larger differences between players, in units of `ELO`, count as this."""
STEP = 1e-5
"""Of numerical derivatives."""
PRIOR = np.array([[0.0, 0.0, 0.005], [0.0, 0.01, 0.0], [0.005, 0.0, 0.0]])
"""A fiftieth of a pair that is added for every two players who have met: half of it drawn, half won by the first seat
or by the second. So a player that won or lost all its games has a finite rating, and ν is finite without draws. A whole
pair would bring distant players too close: by 30 Elo in 60 pairs."""
WON_AND_LOST = np.diag([1.0, 0.0, 1.0])
"""A lost and a won pair, added where variances are estimated: equal results must not give an interval of width 0."""


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
    must connect all players, directly or through others. ``variances``: of these sums of points (K, K); None for the
    variances that the model expects.

    The intervals are those of the normal distribution, with the inverse of the Fisher information as covariance. It
    counts a draw as half a win and half a loss, which makes the intervals slightly too wide.
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


Floats = NDArray[np.float64]


def log_probabilities(advantage: ArrayLike, log_nu: float) -> Floats:
    """The logarithms of the probabilities that the first seat scores 0, ½ and 1: (…, 3).

    Args:
        advantage: t above, (…).
        log_nu: the logarithm of ν; the larger ν, the more draws.
    """
    t = np.clip(np.asarray(advantage, np.float64), -MAX_ADVANTAGE, MAX_ADVANTAGE)
    odds, nu = np.exp(np.abs(t)), math.exp(log_nu)
    half = nu * (odds - 1) / 4  # u solves u² − ν (odds − 1) / 2 · u − odds = 0: then the expected score is as wanted
    log_u = np.where(t < 0, -1, 1) * np.log(half + np.sqrt(half**2 + odds))
    terms = np.stack([np.zeros_like(log_u), log_nu + log_u, 2 * log_u], axis=-1)
    return terms - np.logaddexp.reduce(terms, axis=-1)[..., None]


def gradients_of(advantage: Floats, log_nu: float) -> tuple[Floats, Floats]:
    """The derivatives of `log_probabilities` by the advantage and by ``log_nu``: (…, 3) each."""
    by_advantage = log_probabilities(advantage + STEP, log_nu) - log_probabilities(advantage - STEP, log_nu)
    by_nu = log_probabilities(advantage, log_nu + STEP) - log_probabilities(advantage, log_nu - STEP)
    return by_advantage / (2 * STEP), by_nu / (2 * STEP)


def information(difference: ArrayLike, first_seat: float, log_nu: float) -> Floats:
    """The Fisher information of a pair of games on the ``difference`` (…) of two ratings, per squared Elo (…)."""
    total = np.zeros_like(np.asarray(difference, np.float64))
    for seat in (first_seat, -first_seat):
        advantage = (np.asarray(difference, np.float64) + seat) / ELO
        gradient, _ = gradients_of(advantage, log_nu)
        total += (np.exp(log_probabilities(advantage, log_nu)) * gradient**2).sum(axis=-1)
    return total / ELO**2


@dataclass(frozen=True)
class PairedResults:
    """Results of pairs of games between K players.

    Attributes:
        firsts, seconds: the two players of each pairing, whole numbers (Q,).
        tables: how many pairs had each result, (Q, 3, 3): entry [q, a, b] is the number of pairs in which the first of
            the two players scored a / 2 in the first seat and b / 2 in the second.
        players: K.
        zero: the player whose rating is 0.
    """

    firsts: NDArray[np.int64]
    seconds: NDArray[np.int64]
    tables: Floats
    players: int
    zero: int

    def fit(self) -> PairedRatings:
        """The ratings. ValueError unless the games connect all players."""
        from scipy.optimize import minimize

        met = np.eye(self.players, dtype=np.bool_)
        met[self.firsts, self.seconds] = met[self.seconds, self.firsts] = True
        if not np.linalg.matrix_power(met.astype(np.float64), self.players).all():
            raise ValueError("ratings need games that connect all players, directly or through others")
        start = np.zeros(self.players + 1)
        optimum = minimize(
            lambda x: self._minus_log_likelihood(x), start, jac=True, hess=lambda x: self._fisher(x),
            method="trust-exact",
            options={"gtol": 1e-7, "initial_trust_radius": 1.0, "max_trust_radius": 5.0},
        )  # fmt: skip
        return PairedRatings(self, optimum.x)

    @property
    def free(self) -> NDArray[np.int64]:
        """The players whose ratings are estimated: all but `zero` (K − 1,)."""
        return np.delete(np.arange(self.players), self.zero)

    @cached_property
    def design(self) -> Floats:
        """The design matrix, (2, Q, R − 1): by the game of a pair and the pairing, the coefficients of the advantage of
        the first seat. The parameters are the ratings of `free` and the first-seat term."""
        order, rows = np.zeros((len(self.firsts), self.players)), np.arange(len(self.firsts))
        order[rows, self.firsts], order[rows, self.seconds] = 1.0, -1.0
        ones = np.ones((len(rows), 1))
        return np.stack([np.hstack([sign * order[:, self.free], ones]) for sign in (1, -1)])

    def gradients(self, x: Floats) -> tuple[Floats, Floats]:
        """The logarithms of the probabilities of the results of the first seat, and their gradients: (2, Q, 3) and
        (2, Q, 3, R)."""
        advantage = self.design @ x[:-1]
        by_advantage, by_nu = gradients_of(advantage, x[-1])
        slopes = by_advantage[..., None] * self.design[:, :, None, :]
        return log_probabilities(advantage, x[-1]), np.concatenate([slopes, by_nu[..., None]], axis=-1)

    @cached_property
    def counts(self) -> Floats:
        """How often the first seat scored 0, ½ and 1, with the prior, (2, Q, 3), in each game of a pair."""
        tables = self.tables + PRIOR
        return np.stack([tables.sum(axis=2), tables.sum(axis=1)[:, ::-1]])

    def _minus_log_likelihood(self, x: Floats) -> tuple[float, Floats]:
        """Minus the log-likelihood, and the gradient of that (R,)."""
        logs, slopes = self.gradients(x)
        return -float((self.counts * logs).sum()), -np.einsum("gqo,gqor->r", self.counts, slopes)

    def _fisher(self, x: Floats) -> Floats:
        """The Fisher information (R, R)."""
        logs, slopes = self.gradients(x)
        weights = np.exp(logs) * self.counts.sum(axis=2, keepdims=True)
        return np.asarray(np.einsum("gqo,gqor,gqos->rs", weights, slopes, slopes))


@dataclass(frozen=True)
class PairedRatings:
    """Ratings from `PairedResults.fit`.

    Attributes:
        parameters: (R,), in units of `ELO`: ratings of ``results.free``, the first-seat term, the logarithm of ν.
    """

    results: PairedResults
    parameters: Floats

    @property
    def elo(self) -> Floats:
        """The ratings (K,), 0 for the player that is the zero."""
        return np.insert(ELO * self.parameters[:-2], self.results.zero, 0.0)

    @property
    def first_seat(self) -> float:
        """The advantage of the first seat, in Elo."""
        return float(ELO * self.parameters[-2])

    @property
    def log_nu(self) -> float:
        """The logarithm of ν; −∞ would mean no draws."""
        return float(self.parameters[-1])

    @cached_property
    def covariance(self) -> Floats:
        """The covariance matrix of the ratings (K, K), in squared Elo; zeros for the player that is the zero."""
        _, slopes = self.results.gradients(self.parameters)
        pair = slopes[0][:, :, None, :] + slopes[1][:, None, ::-1, :]  # [q, a, b]: of both games together
        weights = self.results.tables + PRIOR
        squares = np.einsum("qab,qabr,qabs->rs", weights, pair, pair)
        bread = np.linalg.inv(self.results._fisher(self.parameters))
        free = (ELO**2 * bread @ squares @ bread)[:-2, :-2]
        zero = self.results.zero
        return np.insert(np.insert(free, zero, 0.0, axis=0), zero, 0.0, axis=1)

    @property
    def half_widths(self) -> Floats:
        """Half the width of the 95 % interval of each rating (K,)."""
        return Z * np.sqrt(np.diag(self.covariance))

    @cached_property
    def expected(self) -> Floats:
        """The mean score of the first player of each pairing that the ratings expect (Q,)."""
        logs, _ = self.results.gradients(self.parameters)
        points = np.exp(logs) @ np.array([0.0, 0.5, 1.0])
        return np.asarray((points[0] + 1 - points[1]) / 2)

    def residuals(self) -> tuple[Floats, Floats]:
        """The score of the first player of each pairing minus the expected one, and the standard error of that score:
        (Q,) each. Residuals are larger than their errors if one number per player does not explain the results, such as
        where A beats B, B beats C and C beats A."""
        scores = (np.arange(RESULTS)[:, None] + np.arange(RESULTS)[None, :]) / 4
        pairs = self.results.tables.sum(axis=(1, 2))
        means = (self.results.tables * scores).sum(axis=(1, 2)) / np.maximum(pairs, 1)
        more = self.results.tables + WON_AND_LOST
        counts = more.sum(axis=(1, 2))
        middles = (more * scores).sum(axis=(1, 2)) / counts
        variances = (more * (scores - middles[:, None, None]) ** 2).sum(axis=(1, 2)) / counts
        return means - self.expected, np.sqrt(variances / np.maximum(pairs, 1))

    def intransitivity(self) -> float:
        """By how many Elo the scores of pairings typically depart from the ratings, beyond what chance explains: the
        root of the mean square of the residuals minus that of their errors, weighted by the inverse of the variance."""
        residuals, errors = self.residuals()
        slope = self.expected * (1 - self.expected) / ELO
        weights = (slope / errors) ** 2
        excess = ((residuals / slope) ** 2 - (errors / slope) ** 2) * weights
        return math.sqrt(max(float(excess.sum() / weights.sum()), 0.0))


def most_informative(ratings: PairedRatings, steps: int, pairs: int) -> list[int]:
    """The pairings to play next, ``pairs`` pairs of games each: each of the ``steps`` choices is the one that makes the
    sum of the squared variances of all ratings smallest. Indices of pairings (``steps``,), perhaps with repeats."""
    results, elo = ratings.results, ratings.elo
    covariance = ratings.covariance.copy()
    gaps = elo[results.firsts] - elo[results.seconds]
    gained = pairs * information(gaps, ratings.first_seat, ratings.log_nu)
    chosen = []
    for _ in range(steps):
        shared = covariance[:, results.firsts] - covariance[:, results.seconds]  # of rating and difference (K, Q)
        spread = shared[results.firsts, np.arange(len(gained))] - shared[results.seconds, np.arange(len(gained))]
        shrunk = np.diag(covariance)[:, None] - gained / (1 + gained * spread) * shared**2  # variances after each
        best = int(np.argmin((shrunk**2).sum(axis=0)))
        chosen.append(best)
        covariance -= gained[best] / (1 + gained[best] * spread[best]) * np.outer(shared[:, best], shared[:, best])
    return chosen
