"""Control variates: results of games minus a multiple of the luck in them, which has the same mean and varies less.

The mean of the luck is exactly 0 (`parlour.players.luck`). So a result minus c times its luck has the mean of the
result, as long as c does not depend on that luck (Glasserman, *Monte Carlo Methods in Financial Engineering*, 2003,
section 4.1). The best c is the slope of a regression of results on luck. Here each unit's slope is estimated from other
units: in a match from all others, in a sequential test from those before. So the estimate of c brings no bias.

A slope that might be chance is made smaller, by the share 4 / t², where t is its ratio to its standard error, and is 0
where t is below 2 (in the manner of James and Stein, *Estimation with Quadratic Loss*, Fourth Berkeley Symposium,
1961). So a bad judge makes the result hardly less exact.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

FEWEST = 5
"""A slope is estimated from this many units at least; from fewer it is 0."""
CERTAIN = 2.0
"""Below this ratio to its standard error a slope counts as 0."""


def adjusted(results: ArrayLike, luck: ArrayLike) -> NDArray[np.float64]:
    """The ``results`` (n,) of independent units, each minus its ``luck`` (n,) times a slope from all other units."""
    x, y = np.asarray(results, np.float64), np.asarray(luck, np.float64)
    terms = _terms(x, y)
    return np.asarray(x - slopes(terms.sum(axis=1, keepdims=True) - terms) * y)


def worth(results: ArrayLike, adjusted_results: ArrayLike) -> float:
    """How many times as many units would be needed without the adjustment: the variance of ``results`` (n,) divided by
    that of ``adjusted_results``. NaN if one of them does not vary."""
    before, after = (float(np.var(np.asarray(sample, np.float64))) for sample in (results, adjusted_results))
    return before / after if min(before, after) > 0 else math.nan


class RunningAdjustment:
    """Adjusts results one after another: each by the slope from those before it."""

    def __init__(self) -> None:
        self._sums = np.zeros((6, 1))

    def add(self, result: float, luck: float) -> float:
        """The next result, adjusted."""
        slope = float(slopes(self._sums)[0])
        self._sums += _terms(np.array([result]), np.array([luck]))
        return result - slope * luck


def _terms(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """The terms whose sums `slopes` takes, (6, n)."""
    return np.array([np.ones_like(x), x, y, x * x, y * y, x * y])


def slopes(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """The slopes (k,) of results on luck from k ``sums`` of the terms of units, (6, k): the number of units, results,
    luck, their squares and their product."""
    count, x, y, xx, yy, xy = sums
    n = np.maximum(count, FEWEST)
    var_x, var_y, both = xx / n - (x / n) ** 2, yy / n - (y / n) ** 2, xy / n - x / n * y / n
    known = (count >= FEWEST) & (var_x > 1e-12) & (var_y > 1e-12)
    slope = np.divide(both, var_y, out=np.zeros_like(both), where=known)
    explained = slope * both
    left = np.maximum(var_x - explained, 0)
    chance = np.divide(CERTAIN**2 * left, (n - 2) * explained, out=np.ones_like(both), where=known & (explained > 0))
    return np.asarray(slope * np.maximum(1 - chance, 0))
