"""How small a difference a test can show."""

from __future__ import annotations

import math
from statistics import NormalDist

from parlour.arena.statistics.differences import SIGNIFICANT
from parlour.arena.statistics.estimates import Z

POWER = 0.8
"""The probability of finding a difference of the stated size."""
STEPS = 60
"""Of the bisection: more than a float has bits."""


def detectable_share(games: int, tests: int) -> float:
    """The smallest difference between two shares near one half that Fisher's exact test finds 8 times in 10, with
    ``games`` games for each share, at the level 5 % divided by the number of ``tests``. 1 if no difference is found as
    often."""
    low, high = 0.0, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if games_needed(middle, tests) <= games else (middle, high)
    return high


def games_needed(difference: float, tests: int) -> float:
    """How many games of each of two kinds it takes to find a ``difference`` between two shares round one half 8 times
    in 10: Fleiss, Levin and Paik, *Statistical Methods for Rates and Proportions*, 2003, section 4.2, with the
    correction for continuity, as Fisher's exact test needs it."""
    if difference <= 0:
        return math.inf
    normal = NormalDist()
    first, second = (1 - difference) / 2, (1 + difference) / 2
    level, power = normal.inv_cdf(1 - SIGNIFICANT / (2 * max(tests, 1))), normal.inv_cdf(POWER)
    spread = math.sqrt(first * (1 - first) + second * (1 - second))
    plain = ((level * math.sqrt(0.5) + power * spread) / difference) ** 2  # the mean of both shares is one half
    return plain / 4 * (1 + math.sqrt(1 + 4 / (plain * difference))) ** 2


def half_width(games: int) -> float:
    """Half of the width of Wilson's 95 % interval of a share near one half, from ``games`` games."""
    return Z / 2 / math.sqrt(games + Z * Z)
