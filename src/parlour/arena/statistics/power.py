"""How small a difference a test can show."""

from __future__ import annotations

import math
from statistics import NormalDist

from parlour.arena.statistics.differences import SIGNIFICANT

POWER = 0.8
"""The probability of finding a difference of the stated size."""


def detectable_share(games: int, tests: int) -> float:
    """The difference between two shares of games round one half that is found 8 times in 10: Fisher's or the normal
    test, at the level 5 % divided by the number of ``tests``, of so many ``games`` each (Fleiss, Levin and Paik,
    *Statistical Methods for Rates and Proportions*, 2003, section 4.2, without continuity correction)."""
    normal = NormalDist()
    wanted = normal.inv_cdf(1 - SIGNIFICANT / (2 * max(tests, 1))) + normal.inv_cdf(POWER)
    low, high = 0.0, 1.0
    for _ in range(60):  # the variance shrinks as the shares part
        middle = (low + high) / 2
        spread = math.sqrt(2 * (0.25 - middle * middle / 4))
        low, high = (low, middle) if middle * math.sqrt(games) >= wanted * spread else (middle, high)
    return high
