"""Differences between two samples: tests, intervals, and the correction for multiple tests. Samples are arrays as in
`parlour.arena.statistics.estimates`."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from parlour.arena.statistics.estimates import CONFIDENCE, constant_sample, scipy_stats, score

SIGNIFICANT = 1 - CONFIDENCE
"""Corrected p-values below this are significant."""
ALIKE = 1e-9
"""Numbers that differ by less count as equal, since means have rounding errors."""


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
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if min(len(one), len(other)) < 2:
        return 1.0
    if np.ptp(one) == np.ptp(other) == 0:
        return shares_differ(one == one[0], other == one[0])
    moments: list[tuple[Any, Any, int]] = [(sample.mean(), sample.std(ddof=1), len(sample)) for sample in (one, other)]
    return float(scipy_stats().ttest_ind_from_stats(*moments[0], *moments[1], equal_var=False).pvalue)


def share_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the difference between the shares of ones in two samples, first minus second: Newcombe's, from
    two Wilson intervals (*Interval Estimation for the Difference between Independent Proportions*, Statistics in
    Medicine 17, 1998, method 10)."""
    parts = []
    for sample in (first, second):
        hits = np.asarray(sample, np.bool_)
        ends = scipy_stats().binomtest(int(hits.sum()), len(hits)).proportion_ci(level, method="wilson")
        parts.append((float(hits.mean()), float(ends.low), float(ends.high)))
    (one, one_low, one_high), (two, two_low, two_high) = parts
    low = one - two - math.hypot(one - one_low, two_high - two)
    return low, one - two + math.hypot(one_high - one, two - two_low)


def score_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the difference between two mean scores from 0 to 1, first minus second: as in `share_difference`,
    but from two intervals of `score`. So it has a width even if a player won every game."""
    one, two = score(first, level), score(second, level)
    low = one.value - two.value - math.hypot(one.value - one.low, two.high - two.value)
    return low, one.value - two.value + math.hypot(one.high - one.value, two.value - two.low)


def mean_difference(
    first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE, low: float = -math.inf, high: float = math.inf
) -> tuple[float, float]:
    """The interval of the difference between the means of two samples of numbers from ``low`` to ``high``, first minus
    second: Welch's. It is unbounded if one of the samples has a single number, and made from two intervals of
    `constant_sample` if both samples are constant."""
    one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
    if min(len(one), len(other)) < 2:
        return -math.inf, math.inf
    errors = [float(sample.var(ddof=1)) / len(sample) for sample in (one, other)]
    difference, error = float(one.mean() - other.mean()), sum(errors)
    if np.ptp(one) == np.ptp(other) == 0:
        each = 1 - (1 - level) / 2
        above, below = (constant_sample(float(sample[0]), len(sample), low, high, each) for sample in (one, other))
        return above.low - below.high, above.high - below.low
    freedom = error**2 / sum(part**2 / (len(sample) - 1) for part, sample in zip(errors, (one, other)))
    reach = float(scipy_stats().t.ppf(0.5 + level / 2, freedom)) * math.sqrt(error)
    return difference - reach, difference + reach


def concentrations_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Fisher's exact test between two samples of codes: in how many pairs of neighbours both codes are
    equal. 1 if a sample has no pair."""
    equal_pairs = []
    for sample in (first, second):
        codes = np.asarray(sample, np.float64)
        even = len(codes) - len(codes) % 2
        equal_pairs.append(codes[0:even:2] == codes[1:even:2])
    return shares_differ(*equal_pairs) if min(map(len, equal_pairs)) else 1.0


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


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values corrected for their number (Holm, *A Simple Sequentially Rejective Multiple Test Procedure*,
    Scandinavian Journal of Statistics 6, 1979): if all corrected values below 0.05 are called significant, the
    probability that even one of these claims is wrong is at most 5 %, whatever the dependence between the tests."""
    corrected, largest = [0.0] * len(p_values), 0.0
    for rank, k in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[k]))
        corrected[k] = largest
    return corrected
