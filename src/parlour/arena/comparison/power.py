"""How small a difference between two variants a comparison can show, before it is played."""

from __future__ import annotations

from parlour.arena.comparison.findings import tested
from parlour.arena.comparison.plan import ComparisonPlan
from parlour.arena.statistics.power import detectable_share

FEW = 100
"""A plan with fewer games per group is said to be small."""


def count_tests(plan: ComparisonPlan) -> int:
    """The largest number of tests that a comparison can make."""
    variants = len(plan.rulesets)
    pairs = variants * (variants - 1) // 2
    return sum(pairs + (variants if measure.even_at is not None else 0) for measure, _ in tested(plan))


def sentences(plan: ComparisonPlan) -> list[str]:
    """In words: how large a difference must be to be found with this number of games. Empty if nothing is tested."""
    tests = count_tests(plan)
    if not tests or len(plan.rulesets) < 2:
        return []
    corrected = f"(up to {tests} tests, corrected together)"
    difference = round(100 * detectable_share(plan.games, tests))
    if difference < 100:
        found = f"a difference between two shares must be about {difference} points to be found 8 times in 10"
    else:
        found = "too few to find any difference between two shares 8 times in 10"
    lines = [f"{plan.games} games per variant and player: {found} {corrected}."]
    if plan.games < FEW:
        more = 4 * plan.games
        lines.append(f"These are few games; with {more} it is {100 * detectable_share(more, tests):.0f} points.")
    return lines
