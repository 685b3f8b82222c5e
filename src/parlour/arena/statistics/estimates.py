"""Estimates with 95 % intervals, from plain arrays.

A sample has one number for each sampling unit, and units are independent: a game, or a pair of games with the same
dice. The two games of a pair are not independent of one another, so a pair is one unit, not two.
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
    """What a sample says of a figure.

    Attributes:
        value: the estimate.
        low, high: the ends of its 95 % interval.
        count: how many sampling units it comes from; 0 where there was nothing to measure, all else being NaN.
        alike: whether all of several units gave the same number, by which nothing is known of how they vary.
    """

    value: float
    low: float
    high: float
    count: int
    alike: bool = False

    def covers(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.low <= value <= self.high


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)
"""Of an empty sample."""


def share(sample: ArrayLike) -> Estimate:
    """The share of ones in a sample (n,) of zeros and ones, with Wilson's interval."""
    hits = np.asarray(sample, np.bool_)
    count, total = len(hits), int(hits.sum())
    if not count:
        return NOTHING
    interval = scipy_stats().binomtest(total, count).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(total / count, float(interval.low), float(interval.high), count)


def all_alike(
    value: float, count: int, low: float = -math.inf, high: float = math.inf, level: float = CONFIDENCE
) -> Estimate:
    """The mean of ``count`` numbers from ``low`` to ``high`` that are all the same ``value``.

    At most a share of 1 − (α / 2)^(1 / n) of all games gives another number, since none of n games did (Clopper and
    Pearson, *The Use of Confidence or Fiducial Limits*, Biometrika 26, 1934). In the worst case all of these numbers
    are ``low``, or all are ``high``. So the interval is unbounded where the range is.
    """
    others = 1 - ((1 - level) / 2) ** (1 / count)
    return Estimate(value, value - others * (value - low), value + others * (high - value), count, alike=True)


def mean(sample: ArrayLike, low: float = -math.inf, high: float = math.inf) -> Estimate:
    """The mean of a sample (n,) of numbers from ``low`` to ``high``. A single number says nothing about the spread, and
    neither do numbers that are all the same (see `all_alike`).

    The interval reaches as far as Student's and as Hall's, which corrects for skewness (Hall, *On the Removal of
    Skewness by Transformation*, Journal of the Royal Statistical Society B 54, 1992, the transformation g₂ with
    Student's quantiles): lengths of games are skewed, and of samples of 30 Student's alone covers too few.
    """
    values = np.asarray(sample, np.float64)
    count = len(values)
    if not count:
        return NOTHING
    middle = float(values.mean())
    if count == 1:
        return Estimate(middle, low, high, count)
    if np.ptp(values) == 0:
        return all_alike(float(values[0]), count, low, high)
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

    The interval reaches from 0 up as far as that of `mean`, and as the score interval of a Poisson process, widened if
    the counts vary more than those of one. Where nothing was ever counted it ends at 3.84 / n, since "never seen" is
    not "never".
    """
    values = np.asarray(sample, np.float64)
    found = mean(values)
    if not found.count:
        return NOTHING
    variance = float(values.var(ddof=1)) if found.count > 1 else 0.0
    dispersion = max(1.0, variance / found.value) if found.value > 0 else 1.0
    half = Z * Z * dispersion / (2 * found.count)
    reach = math.sqrt(half * half + Z * Z * dispersion * found.value / found.count)
    low, high = found.value + half - reach, found.value + half + reach
    if found.count > 1 and not found.alike:
        low, high = min(low, found.low), max(high, found.high)
    return Estimate(found.value, max(low, 0.0), high, found.count)


def concentration(sample: ArrayLike) -> Estimate:
    """The probability that two units of a sample (n,) of codes are alike: Simpson's index, estimated from all pairs
    (Simpson, *Measurement of Diversity*, Nature 163, 1949).

    The interval is Wilson's, of the n / 2 pairs of neighbours, which are independent; it always holds the estimate.
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
    """The effective number of different codes in what a sample (n,) is drawn from: 1 / `concentration` (Hill,
    *Diversity and Evenness*, Ecology 54, 1973, the number of order 2)."""
    alike = concentration(sample)
    return Estimate(_inverse(alike.value), _inverse(alike.high), _inverse(alike.low), alike.count)


def collision_entropy(sample: ArrayLike) -> Estimate:
    """The base-2 logarithm of `diversity`, in bits (Rényi, *On Measures of Entropy and Information*, Fourth Berkeley
    Symposium, 1961, of order 2)."""
    number = diversity(sample)
    return Estimate(math.log2(number.value), math.log2(number.low), math.log2(number.high), number.count)


def _inverse(value: float) -> float:
    return math.inf if value <= 0 else 1 / value


def standard_deviation(sample: ArrayLike) -> Estimate:
    """The standard deviation of a sample (n,), n ≥ 2.

    The interval is that of the logarithm of the variance with the sample's kurtosis, by Student's distribution, and
    reaches at least as far as the one for normal distributions.
    """
    values = np.asarray(sample, np.float64)
    count = len(values)
    if count < 2:
        return Estimate(math.nan, 0.0, math.inf, count) if count else NOTHING
    if np.ptp(values) == 0:
        return Estimate(0.0, 0.0, math.inf, count, alike=True)
    spread = float(values.std(ddof=1))
    kurtosis = max(float((((values - values.mean()) / spread) ** 4).mean()), 3.0)
    error = math.sqrt((kurtosis - 1) / count) / 2
    reach = math.exp(float(scipy_stats().t.ppf(0.5 + CONFIDENCE / 2, count - 1)) * error)
    return Estimate(spread, spread / reach, spread * reach, count)


def balance(sample: ArrayLike) -> Estimate:
    """One minus the greatest difference between the shares of games that two seats win. ``sample``: (n,), the seat that
    won each game, −1 for none. The interval holds for all pairs of seats at once (Bonferroni)."""
    winners = np.asarray(sample, np.int64)
    if not len(winners):
        return NOTHING
    seats = max(int(winners.max()) + 1, 2)
    pairs = seats * (seats - 1) // 2
    found = [
        score((1.0 + (winners == a) - (winners == b)) / 2, 1 - (1 - CONFIDENCE) / pairs)
        for a in range(seats)
        for b in range(a)
    ]
    least = [0.0 if one.covers(0.5) else min(abs(2 * one.low - 1), abs(2 * one.high - 1)) for one in found]
    most = [max(abs(2 * one.low - 1), abs(2 * one.high - 1)) for one in found]
    return Estimate(1 - max(abs(2 * one.value - 1) for one in found), 1 - max(most), 1 - max(least), len(winners))


def outcome_uniformity(sample: ArrayLike) -> Estimate:
    """One minus the variance of a seat's outcome, 1 for a win, 0 if nobody wins, −1 for a loss, averaged over seats.
    ``sample``: (n,), the seat that won each game, −1 for none."""
    winners = np.asarray(sample, np.int64)
    if not len(winners):
        return NOTHING
    seats = max(int(winners.max()) + 1, 2)
    outcomes = np.array([np.where(winners < 0, 0, np.where(winners == seat, 1, -1)) for seat in range(seats)])
    squares = ((outcomes - outcomes.mean(axis=1, keepdims=True)) ** 2).mean(axis=0)
    found = mean(squares, 0.0, 4.0)
    return Estimate(1 - found.value, max(1 - found.high, 0.0), min(1 - found.low, 1.0), found.count)


def score(sample: ArrayLike, level: float = CONFIDENCE) -> Estimate:
    """The mean of a sample (n,) of scores from 0 to 1, a draw being ½.

    The interval is Agresti and Coull's, carried over to draws: that of the normal distribution after z²/2 scores of 0
    and as many of 1 have been added, so that a few games that all went the same way leave doubt (Agresti and Coull,
    *Approximate Is Better than "Exact" for Interval Estimation of Binomial Proportions*, American Statistician 52,
    1998). With zeros and ones alone it is theirs.
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
    """`scipy.stats`, fetched when it is first needed: it takes as long to import as all else."""
    from scipy import stats

    return stats
