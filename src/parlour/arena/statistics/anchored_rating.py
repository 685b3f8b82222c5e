"""The rating of one player on a scale that is fixed: that of players whose ratings are known.

The model is that of `parlour.arena.statistics.ratings`, with a known first-seat term and a known ν. The rating is the
posterior mean, with a very wide normal prior. Its variance is the sum of two: that which comes from the player's pairs
of games (the "sandwich", as there), and that which comes from the ratings of its opponents.

With a judge, scores adjusted for luck (`parlour.arena.statistics.control`) replace the raw scores in the score
equation: the derivative of the log-likelihood is 0. It depends only on the mean score against each opponent minus the
score that the rating expects, so the adjustment brings no bias. The rating moves by the difference of the two
solutions.

Axis letters: K opponents, G ratings of a grid.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from parlour.arena.statistics import Z
from parlour.arena.statistics.ratings import (
    ELO,
    RESULTS,
    WON_AND_LOST,
    Floats,
    gradients_of,
    information,
    log_probabilities,
)

WIDTH = 1000.0
"""The standard deviation of the rating before any game, in Elo; the mean is the middle of the scale."""
BEYOND, GRID = 1500.0, 4.0
"""How far the grid goes beyond the opponents, and its step."""


@dataclass(frozen=True)
class Scale:
    """Opponents whose ratings are known.

    Attributes:
        elo: their ratings (K,).
        covariance: of these ratings (K, K), in squared Elo.
        first_seat: the advantage of the first seat, in Elo.
        log_nu: the logarithm of ν, see `parlour.arena.statistics.ratings`.
    """

    elo: Floats
    covariance: Floats
    first_seat: float
    log_nu: float

    @cached_property
    def grid(self) -> Floats:
        """Ratings that a player may have (G,)."""
        return np.arange(self.elo.min() - BEYOND, self.elo.max() + BEYOND, GRID)

    @cached_property
    def logs(self) -> Floats:
        """The logarithms of the probabilities that a player of each rating of the grid scores 0, ½ and 1, (2, K, G, 3),
        in the first seat and in the other one, against each opponent."""
        differences = self.grid - self.elo[:, None]
        first = log_probabilities((differences + self.first_seat) / ELO, self.log_nu)
        second = log_probabilities((-differences + self.first_seat) / ELO, self.log_nu)[..., ::-1]
        return np.stack([first, second])

    @cached_property
    def expected(self) -> Floats:
        """The mean score of each rating of the grid against each opponent (K, G)."""
        return np.asarray(np.exp(self.logs).mean(axis=0) @ (np.arange(RESULTS) / 2))

    @cached_property
    def information(self) -> Floats:
        """What a pair of games against each opponent tells about each rating of the grid (K, G)."""
        return information(self.grid - self.elo[:, None], self.first_seat, self.log_nu)

    @cached_property
    def score_weights(self) -> Floats:
        """By how much the derivative of the log-likelihood grows with a pair's mean score, at each rating (K, G)."""
        return np.asarray(self.information / np.gradient(self.expected, GRID, axis=1))


@dataclass(frozen=True)
class AnchoredRating:
    """A player's rating.

    Attributes:
        tables: how many pairs of games against each had each result, (K, 3, 3): entry [k, a, b] is the number of those
            in which the player scored a / 2 in the first seat and b / 2 in the other.
        adjusted: the mean scores of the same pairs adjusted for luck, (pairs,) for each opponent; empty: the rating
            comes from ``tables`` alone.
    """

    scale: Scale
    tables: Floats
    adjusted: tuple[Floats, ...] = ()

    @property
    def pairs(self) -> Floats:
        """How many pairs of games were played against each opponent (K,)."""
        return np.asarray(self.tables.sum(axis=(1, 2)))

    @cached_property
    def weights(self) -> Floats:
        """The probability of each rating of the grid (G,)."""
        grid, (first, second) = self.scale.grid, self.scale.logs
        logs = np.einsum("kgo,ko->g", first, self.tables.sum(axis=2)) + np.einsum(
            "kgo,ko->g", second, self.tables.sum(axis=1)
        )
        logs -= ((grid - (self.scale.elo.min() + self.scale.elo.max()) / 2) / WIDTH) ** 2 / 2
        weights = np.exp(logs - logs.max())
        return np.asarray(weights / weights.sum())

    @cached_property
    def elo(self) -> float:
        """The rating."""
        raw = float(self.weights @ self.scale.grid)
        if not self.adjusted:
            return raw
        points = (self.tables * (np.arange(RESULTS)[:, None] + np.arange(RESULTS)) / 4).sum(axis=(1, 2))
        return raw + self._likeliest(np.array([scores.sum() for scores in self.adjusted])) - self._likeliest(points)

    def _likeliest(self, points: Floats) -> float:
        """The rating at which the derivative of the log-likelihood is 0. ``points``: the sum of the mean scores of all
        pairs against each opponent (K,)."""
        grid = self.scale.grid
        slope = (self.scale.score_weights * (points[:, None] - self.pairs[:, None] * self.scale.expected)).sum(axis=0)
        slope -= (grid - (self.scale.elo.min() + self.scale.elo.max()) / 2) / WIDTH**2
        return float(np.interp(0.0, -slope, grid))

    @cached_property
    def expected_information(self) -> Floats:
        """What a pair of games against each opponent is expected to tell (K,)."""
        return np.asarray(self.scale.information @ self.weights)

    @cached_property
    def own_variance(self) -> float:
        """The variance of the rating that comes from the player's own games; infinite without games."""
        if not self.pairs.any():
            return math.inf
        squares = self._squares()
        more = squares[np.argmax(self.pairs * self.expected_information)] * WON_AND_LOST
        total = (self.tables * squares).sum()
        if self.adjusted:
            expected, weights = self.expected(), self.scale.score_weights[:, self._nearest]
            total = sum(w**2 * ((scores - e) ** 2).sum() for scores, e, w in zip(self.adjusted, expected, weights))
        return float((total + more.sum()) / (self.pairs @ self.expected_information) ** 2)

    def _squares(self) -> Floats:
        """The squared gradients of pairs with each result, (K, 3, 3)."""
        difference = self.elo - self.scale.elo
        first, _ = gradients_of((difference + self.scale.first_seat) / ELO, self.scale.log_nu)
        second, _ = gradients_of((-difference + self.scale.first_seat) / ELO, self.scale.log_nu)
        return np.asarray((first[:, :, None] - second[:, None, ::-1]) ** 2 / ELO**2)

    def _leverage(self, pairs: Floats) -> Floats:
        """By how much the rating moves if that of one opponent moves by 1 (…, K), after ``pairs`` (…, K)."""
        shares = pairs * self.expected_information
        return np.asarray(shares / shares.sum(axis=-1, keepdims=True))

    @property
    def half_width(self) -> float:
        """Half the width of the 95 % interval of the rating."""
        if not self.pairs.any():
            return math.inf
        leverage = self._leverage(self.pairs)
        return Z * math.sqrt(self.own_variance + leverage @ self.scale.covariance @ leverage)

    @property
    def own_half_width(self) -> float:
        """The same, if the ratings of the opponents were exact."""
        return Z * math.sqrt(self.own_variance)

    def above(self) -> tuple[Floats, Floats]:
        """The rating minus that of each opponent (K,), and half the width of the 95 % interval of each (K,)."""
        leverage = self._leverage(self.pairs) - np.eye(len(self.pairs))
        variances = self.own_variance + np.einsum("kj,ji,ki->k", leverage, self.scale.covariance, leverage)
        return self.elo - self.scale.elo, Z * np.sqrt(variances)

    def expected(self) -> Floats:
        """The mean score against each opponent that the rating expects (K,)."""
        return self.scale.expected[:, self._nearest]

    @property
    def _nearest(self) -> int:
        """The index in the grid that is nearest to the rating."""
        return int(np.argmin(np.abs(self.scale.grid - self.elo)))

    def next_opponent(self, pairs: int) -> int:
        """The opponent (an index) against whom ``pairs`` more pairs of games would make the variance smallest."""
        dispersion = self.own_variance * float(self.pairs @ self.expected_information) if self.pairs.any() else 1.0
        after = self.pairs + pairs * np.eye(len(self.pairs))  # [k]: if k is next
        leverage = self._leverage(after)
        variances = dispersion / (after @ self.expected_information) + np.einsum(
            "kj,ji,ki->k", leverage, self.scale.covariance, leverage
        )
        return int(np.argmin(variances))


def played_all(tables: Floats, result: int) -> NDArray[np.bool_]:
    """Against which opponents (K,) the player has lost all games (``result`` 0) or won all (2); at least one pair."""
    pairs = tables.sum(axis=(1, 2))
    return np.asarray((pairs > 0) & (tables[:, result, result] == pairs))
