"""Estimates with 95 % intervals, tests between samples, and the correction for many tests, on plain arrays.

A sample has one number for each sampling unit, and units are independent: a game, or a pair of games with the same
dice. The two games of a pair are not independent of one another, so a pair is one unit, not two.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
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
        count: how many sampling units it comes from.
    """

    value: float
    low: float
    high: float
    count: int

    def covers(self, value: float) -> bool:
        """Whether a value lies in the interval."""
        return self.low <= value <= self.high


def share(sample: ArrayLike) -> Estimate:
    """The share of ones in a sample (n,) of zeros and ones, with Wilson's interval."""
    hits = np.asarray(sample, np.bool_)
    count, total = len(hits), int(hits.sum())
    interval = _scipy().binomtest(total, count).proportion_ci(CONFIDENCE, method="wilson")
    return Estimate(total / count, float(interval.low), float(interval.high), count)


def mean(sample: ArrayLike) -> Estimate:
    """The mean of a sample (n,), n ≥ 1, with the t interval; that of a single number is unbounded."""
    values = np.asarray(sample, np.float64)
    count, middle = len(values), float(values.mean())
    if count == 1:
        return Estimate(middle, -math.inf, math.inf, count)
    reach = float(_scipy().t.ppf(0.5 + CONFIDENCE / 2, count - 1) * values.std(ddof=1) / math.sqrt(count))
    return Estimate(middle, middle - reach, middle + reach, count)


def occurrences(sample: ArrayLike) -> Estimate:
    """The mean of a sample (n,) of counts, n ≥ 1: the t interval from 0 up; where nothing was ever counted, up to the
    rate at which a Poisson process would show nothing with a chance of 2.5 %, since "never seen" is not "never"."""
    found = mean(sample)
    if not np.any(sample):
        return Estimate(0.0, 0.0, -math.log((1 - CONFIDENCE) / 2) / found.count, found.count)
    return Estimate(found.value, max(found.low, 0.0), found.high, found.count)


def score(sample: ArrayLike) -> Estimate:
    """The mean of a sample (n,) of scores from 0 to 1, a draw being ½.

    The interval is Agresti and Coull's, carried over to draws: that of the normal distribution after z²/2 scores of 0
    and as many of 1 have been added, so that a few games that all went the same way leave doubt (Agresti and Coull,
    *Approximate Is Better than "Exact" for Interval Estimation of Binomial Proportions*, American Statistician 52,
    1998). With zeros and ones alone it is theirs.
    """
    values = np.asarray(sample, np.float64)
    count = len(values)
    weight = count + Z * Z
    middle = (float(values.sum()) + Z * Z / 2) / weight
    spread = (float((values**2).sum()) + Z * Z / 2) / weight - middle**2
    reach = Z * math.sqrt(spread / weight)
    return Estimate(float(values.mean()), max(middle - reach, 0.0), min(middle + reach, 1.0), count)


def elo(expected: Estimate) -> Estimate:
    """A score as a difference in Elo points: 400 · log₁₀(s / (1 − s)), ±∞ at 1 and 0."""
    return Estimate(_elo(expected.value), _elo(expected.low), _elo(expected.high), expected.count)


def _elo(expected: float) -> float:
    if expected <= 0 or expected >= 1:
        return math.inf if expected >= 1 else -math.inf
    return 400 * math.log10(expected / (1 - expected))


def shares_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Fisher's exact test between two samples of zeros and ones."""
    table = [[int(np.sum(hits)), len(hits) - int(np.sum(hits))] for hits in (np.asarray(first), np.asarray(second))]
    return float(_scipy().fisher_exact(table).pvalue)


def means_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Welch's t test between the means of two samples; 1 where one of them is a single number, from
    which no variance can be estimated.

    Where neither sample varies, Welch's test is not defined; then Fisher's is made of who has which value.
    """
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if min(len(one), len(other)) < 2:
        return 1.0
    if np.ptp(one) == np.ptp(other) == 0:
        return shares_differ(one == one[0], other == one[0])
    moments = [(sample.mean(), sample.std(ddof=1), len(sample)) for sample in (one, other)]
    return float(_scipy().ttest_ind_from_stats(*moments[0], *moments[1], equal_var=False).pvalue)


def leans(sample: ArrayLike, centre: float = 0.5) -> float:
    """The p-value of the sign test: whether values above ``centre`` are as likely as values below it."""
    values = np.asarray(sample, np.float64)
    above, below = int((values > centre).sum()), int((values < centre).sum())
    return float(_scipy().binomtest(above, above + below).pvalue) if above + below else 1.0


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm, *A Simple Sequentially Rejective Multiple Test Procedure*,
    Scandinavian Journal of Statistics 6, 1979): if all below 0.05 are believed, the chance that even one of them is
    wrong is at most 5 %, however the tests hang together."""
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, k in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = least
    return adjusted


def _scipy() -> Any:
    """`scipy.stats`, fetched when it is first needed: it takes as long to import as all else."""
    from scipy import stats

    return stats
