"""Differences between two samples: tests, intervals, and the correction for many tests. Samples are as in
`parlour.arena.statistics.estimates`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from parlour.arena.statistics.estimates import CONFIDENCE, all_alike, scipy_stats, score

SIGNIFICANT = 1 - CONFIDENCE
"""P-values below this are significant, after their correction."""
ALIKE = 1e-9
"""Numbers that differ by less are equal: means differ in their last digits."""


def shares_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Fisher's exact test between two samples of zeros and ones."""
    table = [[int(np.sum(hits)), len(hits) - int(np.sum(hits))] for hits in (np.asarray(first), np.asarray(second))]
    return float(scipy_stats().fisher_exact(table).pvalue)


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
    moments: list[tuple[Any, Any, int]] = [(sample.mean(), sample.std(ddof=1), len(sample)) for sample in (one, other)]
    return float(scipy_stats().ttest_ind_from_stats(*moments[0], *moments[1], equal_var=False).pvalue)


def share_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """An interval of the difference between the shares of ones in two samples, first minus second: Newcombe's, from two
    Wilson intervals (*Interval Estimation for the Difference between Independent Proportions*, Statistics in Medicine
    17, 1998, method 10)."""
    parts = []
    for sample in (first, second):
        hits = np.asarray(sample, np.bool_)
        ends = scipy_stats().binomtest(int(hits.sum()), len(hits)).proportion_ci(level, method="wilson")
        parts.append((float(hits.mean()), float(ends.low), float(ends.high)))
    (one, one_low, one_high), (two, two_low, two_high) = parts
    low = one - two - math.hypot(one - one_low, two_high - two)
    return low, one - two + math.hypot(one_high - one, two - two_low)


def score_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """An interval of the difference between two mean scores from 0 to 1, first minus second: as `share_difference`,
    from two intervals of `score`, so that players who won every game leave doubt."""
    one, two = score(first, level), score(second, level)
    low = one.value - two.value - math.hypot(one.value - one.low, two.high - two.value)
    return low, one.value - two.value + math.hypot(one.high - one.value, two.value - two.low)


def mean_difference(
    first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE, low: float = -math.inf, high: float = math.inf
) -> tuple[float, float]:
    """An interval of the difference between the means of two samples of numbers from ``low`` to ``high``, first minus
    second: Welch's; unbounded where one of them is a single number; from two intervals of `all_alike` where neither
    sample varies."""
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if min(len(one), len(other)) < 2:
        return -math.inf, math.inf
    errors = [float(sample.var(ddof=1)) / len(sample) for sample in (one, other)]
    difference, error = float(one.mean() - other.mean()), sum(errors)
    if np.ptp(one) == np.ptp(other) == 0:
        each = 1 - (1 - level) / 2
        above, below = (all_alike(float(sample[0]), len(sample), low, high, each) for sample in (one, other))
        return above.low - below.high, above.high - below.low
    freedom = error**2 / sum(part**2 / (len(sample) - 1) for part, sample in zip(errors, (one, other)))
    reach = float(scipy_stats().t.ppf(0.5 + level / 2, freedom)) * math.sqrt(error)
    return difference - reach, difference + reach


def concentrations_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Fisher's exact test between two samples of codes: how many pairs of neighbours are alike."""
    alike = []
    for sample in (first, second):
        codes = np.asarray(sample, np.float64)
        even = len(codes) - len(codes) % 2
        alike.append(codes[0:even:2] == codes[1:even:2])
    return shares_differ(*alike) if min(map(len, alike)) else 1.0


def leans(sample: ArrayLike, centre: float = 0.5) -> float:
    """The p-value of the sign test: whether values above ``centre`` are as likely as values below it."""
    values = np.asarray(sample, np.float64)
    above, below = int((values > centre).sum()), int((values < centre).sum())
    return float(scipy_stats().binomtest(above, above + below).pvalue) if above + below else 1.0


def differs_from_zero(sample: ArrayLike) -> float:
    """The p-value of Student's t test of whether the mean of a sample (n,) is 0; 1 for fewer than two numbers.

    Where the sample does not vary, Student's test is not defined; then it is the sign test.
    """
    values = np.asarray(sample, np.float64)
    if len(values) < 2:
        return 1.0
    spread = float(values.std(ddof=1))
    if spread < ALIKE:
        return leans(np.where(np.abs(values) < ALIKE, 0.0, values), 0.0)
    reach = abs(float(values.mean())) / spread * math.sqrt(len(values))
    return 2 * float(scipy_stats().t.sf(reach, len(values) - 1))


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm, *A Simple Sequentially Rejective Multiple Test Procedure*,
    Scandinavian Journal of Statistics 6, 1979): if all below 0.05 are believed, the chance that even one of them is
    wrong is at most 5 %, however the tests hang together."""
    adjusted, least = [0.0] * len(p_values), 0.0
    for rank, k in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[k]))
        adjusted[k] = least
    return adjusted
