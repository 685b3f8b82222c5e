"""Statistics of games from plain arrays: estimates with 95 % intervals, and tests of differences between two samples.

A sample has one number for each sampling unit. Units are independent of each other: a unit is a game, or a pair of
games with the same dice. The two games of a pair are not independent of each other, so a pair is one unit, not two.
Pairs of games, sequential tests and ratings have modules of their own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

CONFIDENCE = 0.95
SIGNIFICANT = 1 - CONFIDENCE
"""Corrected p-values below this are significant, if their intervals say so too: see `significant`."""
Z = NormalDist().inv_cdf(0.5 + CONFIDENCE / 2)
ALIKE = 1e-9
"""Numbers that differ by less count as equal, since means have rounding errors."""
POWER = 0.8
"""The probability of finding a difference of the stated size."""
STEPS = 60
"""Steps of the bisection: more than a float has bits."""


@dataclass(frozen=True)
class Estimate:
    """An estimate from a sample.

    Attributes:
        value: the estimate.
        low, high: the ends of its 95 % interval.
        count: the number of sampling units; 0 if there was nothing to measure, and then all other numbers are NaN.
        constant: whether several units all gave the same number, so that the sample does not show how numbers vary.
        cut: whether ``max_plies`` cut games, so that the value is only a lower bound of what there would be without.
    """

    value: float
    low: float
    high: float
    count: int
    constant: bool = False
    cut: bool = False

    def covers(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.low <= value <= self.high


NOTHING = Estimate(math.nan, math.nan, math.nan, 0)
"""The estimate from an empty sample."""


def share(sample: ArrayLike, level: float = CONFIDENCE) -> Estimate:
    """The share of ones in a sample (n,) of zeros and ones, with Wilson's interval."""
    hits = np.asarray(sample, np.bool_)
    count, total = len(hits), int(hits.sum())
    if not count:
        return NOTHING
    interval = scipy_stats().binomtest(total, count).proportion_ci(level, method="wilson")
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
    ends = np.clip([middle - spread * below, middle - spread * above], low, high)
    return Estimate(middle, float(ends[0]), float(ends[1]), count)


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
    pairs = share(codes[:-1:2] == codes[1::2])
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
    if not len(values):
        return NOTHING
    quantile = NormalDist().inv_cdf(0.5 + level / 2)
    middle, variance = agresti_coull(values, quantile)
    reach = quantile * math.sqrt(variance)
    return Estimate(float(values.mean()), max(middle - reach, 0.0), min(middle + reach, 1.0), len(values))


def agresti_coull(scores: NDArray[np.float64], quantile: float = Z) -> tuple[float, float]:
    """The mean of scores (n,) after adding z²/2 scores of 0 and of 1, and its variance. ``quantile``: z."""
    weight = len(scores) + quantile**2
    middle = (float(scores.sum()) + quantile**2 / 2) / weight
    return middle, ((float((scores**2).sum()) + quantile**2 / 2) / weight - middle**2) / weight


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


# --- differences between two samples ---


def shares_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Fisher's exact test between two samples of zeros and ones."""
    table = [[int(np.sum(hits)), len(hits) - int(np.sum(hits))] for hits in (np.asarray(first), np.asarray(second))]
    return float(scipy_stats().fisher_exact(table).pvalue)


def means_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Welch's t test between the means of two samples; 1 if one of them has a single number, from which
    no variance can be estimated.

    If both samples are constant, Welch's test is not defined. Then Fisher's test is used, on how often the first
    sample's value occurs in each sample.
    """
    left, right = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if min(len(left), len(right)) < 2:
        return 1.0
    if np.ptp(left) == np.ptp(right) == 0:
        return shares_differ(left == left[0], right == left[0])
    moments: list[tuple[Any, Any, int]] = [(sample.mean(), sample.std(ddof=1), len(sample)) for sample in (left, right)]
    return float(scipy_stats().ttest_ind_from_stats(*moments[0], *moments[1], equal_var=False).pvalue)


def share_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the difference between the shares of ones in two samples, first minus second: Newcombe's, from
    two Wilson intervals (*Interval Estimation for the Difference between Independent Proportions*, Statistics in
    Medicine 17, 1998, method 10)."""
    return _newcombe(share(first, level), share(second, level))


def _newcombe(first: Estimate, second: Estimate) -> tuple[float, float]:
    """Newcombe's interval of the difference of two estimates, from the interval of each."""
    size = first.value - second.value
    below = math.hypot(first.value - first.low, second.high - second.value)
    return size - below, size + math.hypot(first.high - first.value, second.value - second.low)


def score_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the difference between two mean scores from 0 to 1, first minus second: as in `share_difference`,
    but from two intervals of `score`. So it has a width even if a player won every game."""
    return _newcombe(score(first, level), score(second, level))


def mean_difference(
    first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE, low: float = -math.inf, high: float = math.inf
) -> tuple[float, float]:
    """The interval of the difference between the means of two samples of numbers from ``low`` to ``high``, first minus
    second: Welch's. It is unbounded if one of the samples has a single number, and made from two intervals of
    `constant_sample` if both samples are constant."""
    left, right = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if min(len(left), len(right)) < 2:
        return -math.inf, math.inf
    errors = [float(sample.var(ddof=1)) / len(sample) for sample in (left, right)]
    difference, error = float(left.mean() - right.mean()), sum(errors)
    if np.ptp(left) == np.ptp(right) == 0:
        each = 1 - (1 - level) / 2
        above, below = (constant_sample(float(sample[0]), len(sample), low, high, each) for sample in (left, right))
        return above.low - below.high, above.high - below.low
    freedom = error**2 / sum(part**2 / (len(sample) - 1) for part, sample in zip(errors, (left, right)))
    reach = float(scipy_stats().t.ppf(0.5 + level / 2, freedom)) * math.sqrt(error)
    return difference - reach, difference + reach


def sign_test(sample: ArrayLike, centre: float = 0.5) -> float:
    """The p-value of the sign test: of whether values above ``centre`` are as likely as values below it."""
    values = np.asarray(sample, np.float64)
    above, below = int((values > centre).sum()), int((values < centre).sum())
    return float(scipy_stats().binomtest(above, above + below).pvalue) if above + below else 1.0


def differs_from_zero(sample: ArrayLike) -> float:
    """The p-value of Student's t test of whether the mean of a sample (n,) is 0; 1 for fewer than two numbers.

    If the sample is constant, Student's test is not defined, and the sign test is used.
    """
    values = np.asarray(sample, np.float64)
    if len(values) < 2:
        return 1.0
    spread = float(values.std(ddof=1))
    if spread < ALIKE:
        return sign_test(np.where(np.abs(values) < ALIKE, 0.0, values), 0.0)
    reach = abs(float(values.mean())) / spread * math.sqrt(len(values))
    return 2 * float(scipy_stats().t.sf(reach, len(values) - 1))


def significant(corrected: float, low: float = math.nan, high: float = math.nan) -> bool:
    """Whether a difference is called significant: its p-value, ``corrected`` for the number of tests, is below 0.05,
    and its interval, from ``low`` to ``high``, leaves out 0. Tests and intervals use different methods, each of which
    is valid for small samples, so one may contradict the other. Then nothing is claimed. NaN: there is no interval, and
    the test alone decides."""
    return corrected < SIGNIFICANT and not low <= 0 <= high


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm, *A Simple Sequentially Rejective Multiple Test Procedure*,
    Scandinavian Journal of Statistics 6, 1979): if all corrected values below 0.05 are called significant, the
    probability that even one of these claims is wrong is at most 5 %, whatever the dependence between the tests."""
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, k in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[k]))
        corrected[k] = largest
    return corrected


def detectable_share(games: int, tests: int) -> float:
    """The smallest difference between two shares near one half that Fisher's exact test finds with probability
    `POWER`, with ``games`` games for each share, at the level 5 % divided by the number of ``tests``. 1 if there is no
    such difference."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if games_needed(middle, tests) <= games else (middle, high)
    return high


def games_needed(difference: float, tests: int) -> float:
    """How many games for each share are needed to find a ``difference`` between two shares around one half with
    probability `POWER`: Fleiss, Levin and Paik, *Statistical Methods for Rates and Proportions*, 2003, section 4.2,
    with the continuity correction, which approximates Fisher's exact test."""
    if difference <= 0:
        return math.inf
    normal = NormalDist()
    first, second = (1 - difference) / 2, (1 + difference) / 2
    level, power = normal.inv_cdf(1 - SIGNIFICANT / (2 * max(tests, 1))), normal.inv_cdf(POWER)
    spread = math.sqrt(first * (1 - first) + second * (1 - second))
    uncorrected = ((level * math.sqrt(0.5) + power * spread) / difference) ** 2  # the mean of both shares is one half
    return uncorrected / 4 * (1 + math.sqrt(1 + 4 / (uncorrected * difference))) ** 2


def games_for(difference: float, tests: int) -> int:
    """`games_needed` as a round number: 1, 2 or 5 times a power of ten. ``difference`` > 0."""
    needed = games_needed(difference, tests)
    power = 10 ** math.floor(math.log10(needed))
    return int(next(power * k for k in (1, 2, 5, 10) if power * k >= needed))


def detectable_side(units: int, tests: int) -> float:
    """The smallest share of ``units`` on one side of a centre that the sign test finds with probability `POWER`, at the
    level 5 % divided by the number of ``tests``. NaN if not even all units on one side would be significant."""
    level, binom = SIGNIFICANT / max(tests, 1), scipy_stats().binom
    if 2 * 0.5**units >= level:
        return math.nan
    needed = int(binom.isf(level / 2, units, 0.5)) + 1
    low, high = 0.5, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if binom.sf(needed - 1, units, middle) >= POWER else (middle, high)
    return high


def half_width(games: int) -> float:
    """Half the width of Wilson's 95 % interval of a share near one half, from ``games`` games."""
    return Z / 2 / math.sqrt(games + Z * Z)
