"""The statistics of engine testing: paired games, normalised Elo, likelihood of superiority.

In the pentanomial model two games with the same opening or dice and exchanged seats are one observation with five
outcomes, from 0 to 2 points. The advantage that an opening or a throw gives to one seat then cancels out, and intervals
are narrower than those from single games. Sources: the documentation of fishtest, Stockfish's testing framework, and of
OpenBench; Van den Bergh, *Normalized Elo* and *Comments on Normalized Elo* (hardy.uhasselt.be/Fishtest), 2020 to 2021.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.arena.statistics import CONFIDENCE, NOTHING, Estimate, Z

POINTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The five outcomes of a pair, as mean scores of its two games."""
NORMALISED = 800 / math.log(10)
"""Normalised Elo points for a mean score that is one standard deviation of a single game above ½. For games without
draws between players of nearly equal strength, normalised Elo is the same as Elo."""


def pentanomial(pairs: ArrayLike) -> tuple[int, int, int, int, int]:
    """How many pairs scored 0, ½, 1, 1½ and 2 points. ``pairs``: mean scores (n,), multiples of ¼."""
    counts = np.bincount(np.rint(4 * np.asarray(pairs, np.float64)).astype(np.int64), minlength=5)
    one, two, three, four, five = counts.tolist()
    return one, two, three, four, five


def normalised_elo(pairs: ArrayLike) -> Estimate:
    """By how many standard deviations of a single game the mean of pair scores (n,) is above ½, times 800 / ln 10.

    Unlike Elo it does not shrink when draws become more frequent. So it shows how many games are needed to find a
    difference. The interval includes two intervals of a standardised mean (by Student's distribution, with skewness and
    kurtosis): one from these pairs, and one from these pairs with a lost and a won pair added. Because of the second it
    has a width even if the pairs hardly vary.
    """
    values = np.asarray(pairs, np.float64)
    if not len(values):
        return NOTHING
    _, low, high = _standardised(np.append(values, [0.0, 1.0]))
    value = math.copysign(math.inf, values.mean() - 0.5) if values.mean() != 0.5 else 0.0
    if len(values) > 1 and np.ptp(values) > 0:
        value, narrow, wide = _standardised(values)
        low, high = min(low, narrow), max(high, wide)
    scale = NORMALISED / math.sqrt(2)
    return Estimate(scale * value, scale * low, scale * high, len(values))


def _standardised(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """By how many standard deviations of a pair's score the mean of pair scores (n,) is above ½, and its interval. (The
    standard deviation of a pair's mean score is that of a single game divided by √2.)"""
    from scipy import stats

    count, spread = len(values), float(values.std(ddof=1))
    standardised = (values - values.mean()) / spread
    effect = (float(values.mean()) - 0.5) / spread
    skewness, kurtosis = float((standardised**3).mean()), float((standardised**4).mean())
    variance = max(1 - effect * skewness + effect**2 * (kurtosis - 1) / 4, 0.0) / count
    reach = float(stats.t.ppf(0.5 + CONFIDENCE / 2, count - 1)) * math.sqrt(variance)
    return effect, effect - reach, effect + reach


def superiority(pairs: ArrayLike) -> float:
    """The likelihood of superiority: the probability that the first player is the stronger one, from pair scores (n,).
    By the normal distribution, after adding z²/2 scores of 0 and z²/2 scores of 1 (see `statistics.score`)."""
    values = np.asarray(pairs, np.float64)
    weight = len(values) + Z * Z
    middle = (float(values.sum()) + Z * Z / 2) / weight
    spread = (float((values**2).sum()) + Z * Z / 2) / weight - middle**2
    return 0.5 * math.erfc(-(middle - 0.5) / math.sqrt(2 * spread / weight))
