"""How small a difference between two variants a comparison can show, before it is played."""

from __future__ import annotations

import math
from statistics import NormalDist

from parlour.arena.comparison_plan import ComparisonPlan
from parlour.arena.findings import tested
from parlour.arena.statistics import SIGNIFICANT

POWER = 0.8
"""How often a difference of that size is found."""
FEW = 100
"""Games below which a plan is said to be small."""


def count_tests(plan: ComparisonPlan) -> int:
    """How many tests a comparison makes, at most."""
    variants = len(plan.rulesets)
    pairs = variants * (variants - 1) // 2
    return sum(pairs + (variants if measure.even_at is not None else 0) for measure, _ in tested(plan))


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


def sentences(plan: ComparisonPlan) -> list[str]:
    """What the numbers of games can show, in words."""
    tests = count_tests(plan)
    if not tests or len(plan.rulesets) < 2:
        return []
    difference = 100 * detectable_share(plan.games, tests)
    said = [
        f"{plan.games} games per variant and player: a difference between two shares must be about "
        f"{difference:.0f} points to be found 8 times in 10 ({tests} tests, corrected together)."
    ]
    if plan.games < FEW:
        many = 4 * plan.games
        said.append(f"These are few games; with {many} it is {100 * detectable_share(many, tests):.0f} points.")
    return said
