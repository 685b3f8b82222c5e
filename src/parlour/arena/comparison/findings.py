"""The findings of a comparison: tests between variants, corrected for their number, and sentences about the results.

All pairs of variants are tested in the measures marked ``tested``, under every player. For measures with ``even_at``
each variant is also tested for a difference from that value. All tests are corrected together by Holm's procedure,
which keeps the probability of even one wrong claim in the whole report at 5 %. This is needed since a reader picks the
most striking sentence, so every sentence must hold.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from parlour.arena.comparison.plan import ComparisonPlan, Group
from parlour.arena.measures import Measure
from parlour.arena.statistics import SIGNIFICANT, Estimate, holm, sign_test

Numbers = Mapping[tuple[str, Group], Mapping[str, NDArray[np.float64]]]
"""By variant and group, by measure: the value for each sampling unit, without units that have nothing to measure."""
Figures = Mapping[tuple[str, Group], Mapping[str, Estimate]]
"""By variant and group, by measure: the estimate."""


@dataclass(frozen=True)
class Test:
    """One test.

    Attributes:
        measure: the measure's key.
        group: the players.
        first: a variant.
        second: the variant that it is compared with; empty if it is compared with ``even_at``.
        p: the p-value.
        sign: 1 if the first is above the second, or above ``even_at``; −1 if below; 0 if equal.
        corrected: the p-value corrected for the number of tests.
        low, high: an interval of the difference, first minus second. Its level is such that all intervals of the report
            hold together at 95 %. NaN if there is no second variant.
    """

    __test__ = False  # pytest

    measure: str
    group: Group
    first: str
    second: str
    p: float
    sign: int
    corrected: float = 1.0
    low: float = math.nan
    high: float = math.nan

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 0.05."""
        return self.corrected < SIGNIFICANT

    @property
    def direction(self) -> int:
        """`sign` if it is significant, else 0."""
        return self.sign if self.significant else 0


def estimate(plan: ComparisonPlan, numbers: Numbers) -> Figures:
    """All estimates, with count 0 where there was nothing to measure."""
    return {
        (label, group): {one.key: one.kind.estimate(samples[one.key].tolist()) for one in plan.measured(group)}
        for (label, group), samples in numbers.items()
    }


def run_tests(plan: ComparisonPlan, numbers: Numbers) -> list[Test]:
    """All tests, corrected for their number."""
    tests: list[Test] = []
    labels = [ruleset.label for ruleset in plan.rulesets]
    for measure, group in tested(plan):
        samples = {label: numbers[label, group][measure.key] for label in labels}
        samples = {label: sample for label, sample in samples.items() if len(sample)}
        for first, second in combinations(samples, 2):
            p = measure.kind.differ(samples[first].tolist(), samples[second].tolist())
            sign = _sign(samples[first].mean() - samples[second].mean())
            tests.append(Test(measure.key, group, first, second, p, sign))
        if measure.even_at is not None:
            for label, sample in samples.items():
                p, sign = sign_test(sample, measure.even_at), _sign(sample.mean() - measure.even_at)
                tests.append(Test(measure.key, group, label, "", p, sign))
    level = 1 - SIGNIFICANT / max(len(tests), 1)
    kinds = {measure.key: measure.kind for measure in plan.measures}
    corrected = []
    for test, p in zip(tests, holm([test.p for test in tests])):
        low = high = math.nan
        if test.second:
            one, other = (numbers[label, test.group][test.measure].tolist() for label in (test.first, test.second))
            low, high = kinds[test.measure].difference(one, other, level)
        corrected.append(replace(test, corrected=p, low=low, high=high))
    return corrected


def tested(plan: ComparisonPlan) -> list[tuple[Measure, Group]]:
    """The measures that are tested, each with the groups of games on which it is tested."""
    return [(one, group) for one in plan.measures if one.tested for group in plan.groups if group.series == one.series]


def _sign(difference: float) -> int:
    return int(np.sign(difference)) if abs(difference) > 1e-12 else 0


# --- sentences ---


def headline(measure: Measure, group: Group, figures: Figures, tests: Sequence[Test]) -> str:
    """One line about the differences of a measure between variants, as its tests in one group of games allow it."""
    pairs = [test for test in tests if (test.measure, test.group) == (measure.key, group) and test.second]
    if not pairs:
        return measure.title
    differing = [test for test in pairs if test.significant]
    if not differing:
        return f"{measure.title}: no difference shown; {largest_possible(measure, pairs)}"
    values = {
        label: estimates[measure.key].value
        for (label, its_group), estimates in figures.items()
        if its_group == group and estimates[measure.key].count
    }
    order = sorted(values, key=lambda label: values[label])
    ends = {order[0], order[-1]}
    clearest = min(differing, key=lambda test: ({test.first, test.second} != ends, test.corrected))
    high, low = sorted((clearest.first, clearest.second), key=lambda label: values[label], reverse=True)
    shown = [f"{label} ({measure.kind.phrase(values[label])})" for label in (high, low)]
    line = f"{measure.title}: {shown[0]} above {shown[1]}"
    return line if len(pairs) == 1 else f"{line}; {len(differing)} of {len(pairs)} pairs of variants differ"


def largest_possible(measure: Measure, tests: Sequence[Test]) -> str:
    """How large a difference is still possible between variants for which none was shown."""
    ends = [abs(end) for test in tests if not test.significant for end in (test.low, test.high) if not math.isnan(end)]
    if not ends or math.isinf(max(ends)):
        return "differences of any size are still possible"
    unit = "points" if measure.kind.unit == "%" else measure.kind.unit
    if measure.kind.unit in ("Elo", "nElo"):  # tested as scores
        return f"differences up to {100 * max(ends):.3g} points of score are still possible"
    return f"differences up to {measure.kind.show(max(ends))} {unit} are still possible".replace("  ", " ")


def neutrality(measure: Measure, group: Group, figures: Figures, tests: Sequence[Test]) -> str:
    """Which variants differ from the neutral value of a measure; empty if that was not tested."""
    own_tests = [test for test in tests if (test.measure, test.group) == (measure.key, group) and not test.second]
    if measure.even_at is None or not own_tests:
        return ""
    sides: dict[str, list[str]] = {"above": [], "below": [], "open": []}
    for test in own_tests:
        sides["above" if test.direction > 0 else "below" if test.direction < 0 else "open"].append(test.first)
    even = f"{measure.kind.scale * measure.even_at:g} {measure.kind.unit}"
    if len(sides["open"]) == len(own_tests):
        return f"No evidence that the {measure.title[0].lower()}{measure.title[1:]} differs from {even} in any variant"
    parts = [f"{side} {even} in {_names(sides[side], len(own_tests))}" for side in ("above", "below") if sides[side]]
    if sides["open"]:
        parts.append(f"no evidence of a difference from {even} in {_names(sides['open'], len(own_tests))}")
    return f"{measure.title} is " + "; ".join(parts)


def sentences(plan: ComparisonPlan, figures: Figures, tests: Sequence[Test]) -> list[str]:
    """The findings, one sentence each. Measures without a significant difference come last."""
    differing: list[str] = []
    open_questions: list[str] = []
    several = sum(group.series == "even" for group in plan.groups) > 1
    for measure, group in tested(plan):
        under = f" [{group.title}]" if several and group.series == "even" else ""
        pairs = [test for test in tests if (test.measure, test.group) == (measure.key, group) and test.second]
        if pairs:
            line = f"{headline(measure, group, figures, tests)}{under}."
            (differing if any(test.significant for test in pairs) else open_questions).append(line)
        if sentence := neutrality(measure, group, figures, tests):
            differing.append(f"{sentence}{under}.")
    return differing + open_questions


def _names(names: Sequence[str], count: int) -> str:
    """Names as part of a sentence; "every variant" if they are all variants. ``count``: the number of variants."""
    if len(names) == count:
        return "every variant"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


# --- several players ---


@dataclass(frozen=True)
class Conclusion:
    """A difference between two variants, or of one variant from ``even_at``, under several players.

    Attributes:
        measure: the measure.
        upper, lower: the variant with the higher value and the one with the lower value, according to most players; one
            of them is empty if a variant is compared with ``even_at``.
        holds: the players under which the difference is significant.
        reversed: the players under which the opposite difference is significant.
        open: the players under which neither is significant.
    """

    measure: Measure
    upper: str
    lower: str
    holds: tuple[str, ...]
    reversed: tuple[str, ...]
    open: tuple[str, ...]

    @property
    def status(self) -> str:
        """``"all"`` if it holds under all players, ``"turns"`` if some players reverse it, else ``"some"``."""
        return "turns" if self.reversed else "some" if self.open else "all"

    @property
    def claim(self) -> str:
        """In words: ``ring above classic``, or ``ring below 50 %``."""
        even = f"{self.measure.kind.scale * (self.measure.even_at or 0):g} {self.measure.kind.unit}".strip()
        return f"{self.upper} above {self.lower or even}" if self.upper else f"{self.lower} below {even}"


def all_players(plan: ComparisonPlan) -> str:
    """All players of a plan, in words: ``both players``, ``all 3 players``."""
    return "both players" if len(plan.players) == 2 else f"all {len(plan.players)} players"


def conclusions(plan: ComparisonPlan, tests: Sequence[Test]) -> list[Conclusion]:
    """All differences that are significant under at least one player, with the results under the other players. Empty
    if there is only one player."""
    if len(plan.players) < 2:
        return []
    by_pair: dict[tuple[str, str, str], list[Test]] = {}
    for test in tests:
        if test.group.series == "even":
            by_pair.setdefault((test.measure, test.first, test.second), []).append(test)
    measures = {measure.key: measure for measure in plan.measures}
    results = []
    for (key, first, second), own_tests in by_pair.items():
        if not any(test.significant for test in own_tests):
            continue
        total = sum(test.direction for test in own_tests)
        sign = _sign(total) or next(test.direction for test in own_tests if test.significant)
        upper, lower = (first, second) if sign > 0 else (second, first)
        sides = {
            side: tuple(test.group.title for test in own_tests if test.direction == side * sign) for side in (1, -1, 0)
        }
        results.append(Conclusion(measures[key], upper, lower, sides[1], sides[-1], sides[0]))
    return results


@dataclass(frozen=True)
class Dependence:
    """A figure of one variant that depends on who plays.

    Attributes:
        measure: the measure.
        variant: the variant.
        upper, lower: the players under which it is higher and lower.
        high, low: the estimates under these.
        corrected: the p-value of the difference, corrected for the number of all such tests of a report.
    """

    measure: Measure
    variant: str
    upper: str
    lower: str
    high: Estimate
    low: Estimate
    corrected: float

    @property
    def claim(self) -> str:
        """In words: classic: 84.5 % under expectimax:2, 8 % under mcts:20."""
        phrase = self.measure.kind.phrase
        return (
            f"{self.variant}: {phrase(self.high.value)} under {self.upper}, {phrase(self.low.value)} under {self.lower}"
        )


def dependences(plan: ComparisonPlan, numbers: Numbers, figures: Figures) -> list[Dependence]:
    """The tested figures in which two players differ significantly under the same variant, the largest difference of
    each variant and measure. These tests are corrected together by Holm's procedure, apart from those between
    variants."""
    groups = [group for group in plan.groups if group.series == "even"]
    found: list[tuple[Dependence, float]] = []
    for measure in (one for one in plan.measures if one.tested and one.series == "even"):
        for ruleset in plan.rulesets:
            for pair in combinations(groups, 2):
                samples = [numbers[ruleset.label, group][measure.key] for group in pair]
                if not all(map(len, samples)):
                    continue
                p = measure.kind.differ(samples[0].tolist(), samples[1].tolist())
                upper, lower = pair if samples[0].mean() >= samples[1].mean() else pair[::-1]
                high, low = (figures[ruleset.label, group][measure.key] for group in (upper, lower))
                found.append((Dependence(measure, ruleset.label, upper.title, lower.title, high, low, 1.0), p))
    largest: dict[tuple[str, str], Dependence] = {}
    for (one, _), p in zip(found, holm([p for _, p in found])):
        place = one.measure.key, one.variant
        known = largest.get(place)
        if p < SIGNIFICANT and (known is None or one.high.value - one.low.value > known.high.value - known.low.value):
            largest[place] = replace(one, corrected=p)
    return list(largest.values())
