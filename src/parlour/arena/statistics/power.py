"""Statistical power: the smallest difference that a test can find."""

from __future__ import annotations

import math
from statistics import NormalDist

from parlour.arena.statistics import SIGNIFICANT, Z, scipy_stats

POWER = 0.8
"""The probability of finding a difference of the stated size."""
STEPS = 60
"""Steps of the bisection: more than a float has bits."""


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
