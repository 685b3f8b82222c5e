"""Estimates with 95 % intervals, from plain arrays.

A sample has one number for each sampling unit. Units are independent of each other: a unit is a game, or a pair of
games with the same dice. The two games of a pair are not independent of each other, so a pair is one unit, not two.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

CONFIDENCE = 0.95
SIGNIFICANT = 1 - CONFIDENCE
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)


@dataclass(frozen=True)
class Estimate:
    """An estimate from a sample.

    Attributes:
        value: the estimate.
        low, high: the ends of its 95 % interval.
        count: the number of sampling units; 0 if there was nothing to measure, and then all other numbers are NaN.
        constant: whether several units all gave the same number, so that the sample does not show how numbers vary.
    """

    value: float
    low: float
    high: float
    count: int
    constant: bool = False

    def covers(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.low <= value <= self.high


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)
"""The estimate from an empty sample."""


def share(sample: ArrayLike) -> Estimate:
    """The share of ones in a sample (n,) of zeros and ones, with Wilson's interval."""
    hits = np.asarray(sample, np.bool_)
    count, total = len(hits), int(hits.sum())
    if not count:
        return NOTHING
    interval = scipy_stats().binomtest(total, count).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(total / count, float(interval.low), float(interval.high), count)


def constant_sample(
    value: float, count: int, low: float = -math.inf, high: float = math.inf, level: float = CONFIDENCE
) -> Estimate:
    """The mean of ``count`` numbers from ``low`` to ``high`` that all have the same ``value``.

    Since none of n games gave another number, at most a share of 1 − (α / 2)^(1 / n) of all games does (Clopper and
    Pearson, *The Use of Confidence or Fiducial Limits*, Biometrika 26, 1934). In the worst case all these numbers are
    ``low``, or all are ``high``. So the interval is unbounded where the range is unbounded.
    """
    others = 1 - ((1 - level) / 2) ** (1 / count)
    return Estimate(value, value - others * (value - low), value + others * (high - value), count, constant=True)


def mean(sample: ArrayLike, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """The mean of a sample (n,) of numbers from ``low`` to ``high``. A single number says nothing about the spread, and
    neither do numbers that are all the same (see `constant_sample`).

    The interval includes both Student's and Hall's interval. Hall's corrects for skewness (Hall, *On the Removal of
    Skewness by Transformation*, Journal of the Royal Statistical Society B 54, 1992, the transformation g₂ with
    Student's quantiles). It is needed since lengths of games are skewed: with samples of 30, fewer than 95 % of
    Student's intervals contain the mean.
    """
    values = np.asarray(sample, np.float64)
    count = len(values)
    if not count:
        return NOTHING
    middle = float(values.mean())
    if count == 1:
        return Estimate(middle, low, high, count)
    if np.ptp(values) == 0:
        return constant_sample(float(values[0]), count, low, high)
    spread = float(values.std(ddof=1))
    quantile = float(scipy_stats().t.ppf(0.5 + CONFIDENCE / 2, count - 1))
    skewness = float((((values - middle) / spread) ** 3).mean())
    reach = quantile / math.sqrt(count)
    below = max(reach, _hall(reach, skewness, count))
    above = min(-reach, _hall(-reach, skewness, count))
    return Estimate(middle, max(middle - spread * below, low), min(middle - spread * above, high), count)


def _hall(reach: float, skewness: float, count: int) -> float:
    """The inverse of Hall's transformation, in standard deviations of a single observation."""
    if abs(skewness) < 1e-9:
        return reach
    return float(np.cbrt(1 + skewness * (reach - skewness / (6 * count))) - 1) * 3 / skewness


def occurrences(sample: ArrayLike) -> Estimate:
    """The mean of a sample (n,) of counts.

    The interval includes that of `mean` and the score interval of a Poisson process, which is widened if the counts
    vary more than in a Poisson process. It does not go below 0. If all counts are 0, it ends at 3.84 / n: an event that
    was never seen may still occur.
    """
    values = np.asarray(sample, np.float64)
    estimate = mean(values)
    if not estimate.count:
        return NOTHING
    variance = float(values.var(ddof=1)) if estimate.count > 1 else 0.0
    dispersion = max(1.0, variance / estimate.value) if estimate.value > 0 else 1.0
    half = Z * Z * dispersion / (2 * estimate.count)
    reach = math.sqrt(half * half + Z * Z * dispersion * estimate.value / estimate.count)
    low, high = estimate.value + half - reach, estimate.value + half + reach
    if estimate.count > 1 and not estimate.constant:
        low, high = min(low, estimate.low), max(high, estimate.high)
    return Estimate(estimate.value, max(low, 0.0), high, estimate.count)


def concentration(sample: ArrayLike) -> Estimate:
    """The probability that two units have the same code, from a sample (n,) of codes: Simpson's index, estimated from
    all pairs (Simpson, *Measurement of Diversity*, Nature 163, 1949).

    The interval is Wilson's, from the n / 2 pairs of neighbours, which are independent. It is widened if needed, so
    that it contains the estimate.
    """
    codes = np.asarray(sample, np.float64)
    count = len(codes)
    if count < 2:
        return Estimate(math.nan, 0.0, 1.0, count) if count else NOTHING
    _, sizes = np.unique(codes, return_counts=True)
    value = float((sizes * (sizes - 1)).sum()) / (count * (count - 1))
    even = count - count % 2
    pairs = share(codes[0:even:2] == codes[1:even:2])
    return Estimate(value, min(pairs.low, value), max(pairs.high, value), count)


def diversity(sample: ArrayLike) -> Estimate:
    """The effective number of different codes in the population of a sample (n,): 1 / `concentration` (Hill, *Diversity
    and Evenness*, Ecology 54, 1973, the number of order 2)."""
    same = concentration(sample)
    return Estimate(_inverse(same.value), _inverse(same.high), _inverse(same.low), same.count)


def collision_entropy(sample: ArrayLike) -> Estimate:
    """The base-2 logarithm of `diversity`, in bits (Rényi, *On Measures of Entropy and Information*, Fourth Berkeley
    Symposium, 1961, of order 2)."""
    number = diversity(sample)
    return Estimate(math.log2(number.value), math.log2(number.low), math.log2(number.high), number.count)


def _inverse(value: float) -> float:
    return math.inf if value <= 0 else 1 / value


def standard_deviation(sample: ArrayLike) -> Estimate:
    """The standard deviation of a sample (n,), n ≥ 2.

    The interval is that of the logarithm of the variance, by Student's distribution and with the sample's kurtosis. The
    kurtosis counts as at least 3, that of the normal distribution.
    """
    values = np.asarray(sample, np.float64)
    count = len(values)
    if count < 2:
        return Estimate(math.nan, 0.0, math.inf, count) if count else NOTHING
    if np.ptp(values) == 0:
        return Estimate(0.0, 0.0, math.inf, count, constant=True)
    spread = float(values.std(ddof=1))
    kurtosis = max(float((((values - values.mean()) / spread) ** 4).mean()), 3.0)
    error = math.sqrt((kurtosis - 1) / count) / 2
    reach = math.exp(float(scipy_stats().t.ppf(0.5 + CONFIDENCE / 2, count - 1)) * error)
    return Estimate(spread, spread / reach, spread * reach, count)


def balance(sample: ArrayLike) -> Estimate:
    """One minus the greatest difference between two seats' shares of wins. ``sample``: (n,), the seat that won each
    game, −1 for none. The interval holds for all pairs of seats together (Bonferroni)."""
    winners = np.asarray(sample, np.int64)
    if not len(winners):
        return NOTHING
    seats = max(int(winners.max()) + 1, 2)
    pairs = seats * (seats - 1) // 2
    scores = [
        score((1.0 + (winners == a) - (winners == b)) / 2, 1 - (1 - CONFIDENCE) / pairs)
        for a in range(seats)
        for b in range(a)
    ]
    smallest = [0.0 if one.covers(0.5) else min(abs(2 * one.low - 1), abs(2 * one.high - 1)) for one in scores]
    largest = [max(abs(2 * one.low - 1), abs(2 * one.high - 1)) for one in scores]
    value = 1 - max(abs(2 * one.value - 1) for one in scores)
    return Estimate(value, 1 - max(largest), 1 - max(smallest), len(winners))


def outcome_uniformity(sample: ArrayLike) -> Estimate:
    """One minus the variance of a seat's outcome (1 for a win, 0 if nobody wins, −1 for a loss), averaged over seats.
    ``sample``: (n,), the seat that won each game, −1 for none."""
    winners = np.asarray(sample, np.int64)
    if not len(winners):
        return NOTHING
    seats = max(int(winners.max()) + 1, 2)
    outcomes = np.array([np.where(winners < 0, 0, np.where(winners == seat, 1, -1)) for seat in range(seats)])
    squares = ((outcomes - outcomes.mean(axis=1, keepdims=True)) ** 2).mean(axis=0)
    variance = mean(squares, 0.0, 4.0)
    return Estimate(1 - variance.value, max(1 - variance.high, 0.0), min(1 - variance.low, 1.0), variance.count)


def score(sample: ArrayLike, level: float = CONFIDENCE) -> Estimate:
    """The mean of a sample (n,) of scores from 0 to 1, where a draw is ½.

    The interval is Agresti and Coull's, extended to draws: that of the normal distribution after adding z²/2 scores of
    0 and z²/2 scores of 1. So it has a width even if a few games all ended alike (Agresti and Coull, *Approximate Is
    Better than "Exact" for Interval Estimation of Binomial Proportions*, American Statistician 52, 1998). For zeros and
    ones it is exactly theirs.
    """
    values = np.asarray(sample, np.float64)
    count = len(values)
    if not count:
        return NOTHING
    quantile = NormalDist().inv_cdf(0.5 + level / 2)
    weight = count + quantile**2
    middle = (float(values.sum()) + quantile**2 / 2) / weight
    spread = (float((values**2).sum()) + quantile**2 / 2) / weight - middle**2
    reach = quantile * math.sqrt(spread / weight)
    return Estimate(float(values.mean()), max(middle - reach, 0.0), min(middle + reach, 1.0), count)


def elo(expected: Estimate) -> Estimate:
    """A score as a difference in Elo points: 400 · log₁₀(s / (1 − s)), ±∞ at 1 and 0."""
    return Estimate(_elo(expected.value), _elo(expected.low), _elo(expected.high), expected.count)


def _elo(expected: float) -> float:
    if expected <= 0 or expected >= 1:
        return math.inf if expected >= 1 else -math.inf
    return 400 * math.log10(expected / (1 - expected))


def scipy_stats() -> Any:
    """`scipy.stats`, imported when first needed, since importing it takes as long as importing everything else."""
    from scipy import stats

    return stats
