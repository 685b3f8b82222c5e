"""Differences between two samples whose units go together: unit k of both has the same opening and the same dice.

An opening or a throw affects both alike, and this cancels out, so that smaller differences are found. Samples are
arrays (n,) in the order of their units, NaN where a unit has nothing to measure. Units with NaN in either sample are
left out.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.arena.statistics import CONFIDENCE, differs_from_zero, scipy_stats, score, sign_test


def differences(first: ArrayLike, second: ArrayLike) -> NDArray[np.float64]:
    """First minus second, without NaN."""
    gaps = np.asarray(first, np.float64) - np.asarray(second, np.float64)
    return gaps[~np.isnan(gaps)]


def scores_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of a test between two samples of scores from 0 to 1: the sign test of the differences, which for
    shares is McNemar's (*Note on the Sampling Error of the Difference between Correlated Proportions*, Psychometrika
    12, 1947, exact). 1 where most differences have the opposite sign of their mean."""
    numbers = differences(first, second)
    signs, total = float(np.sign(numbers).sum()), float(numbers.sum())
    return sign_test(numbers, 0.0) if signs * total > 0 else 1.0


def score_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the mean difference between two samples of scores from 0 to 1: that of `statistics.score` of the
    differences, brought from −1 … 1 to 0 … 1."""
    interval = score((differences(first, second) + 1) / 2, level)
    return 2 * interval.low - 1, 2 * interval.high - 1


def means_differ(first: ArrayLike, second: ArrayLike) -> float:
    """The p-value of Student's t test of the differences."""
    return differs_from_zero(differences(first, second))


def mean_difference(first: ArrayLike, second: ArrayLike, level: float = CONFIDENCE) -> tuple[float, float]:
    """The interval of the mean difference, by Student's distribution; unbounded for fewer than two units, or where all
    differences are the same and so do not show how they vary."""
    numbers = differences(first, second)
    if len(numbers) < 2 or np.ptp(numbers) == 0:
        return -math.inf, math.inf
    error = float(numbers.std(ddof=1)) / math.sqrt(len(numbers))
    reach = error * float(scipy_stats().t.ppf(0.5 + level / 2, len(numbers) - 1))
    return float(numbers.mean()) - reach, float(numbers.mean()) + reach
