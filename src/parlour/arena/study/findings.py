"""The findings of a comparison: tests between variants, corrected for their number, and sentences about the results.

All pairs of variants are tested in the measures marked ``tested``, under every player. For measures with ``even_at``
each variant is also tested for a difference from that value. All tests are corrected together by Holm's procedure,
which keeps the probability of even one wrong claim in the whole report at 5 %. This is needed since a reader picks the
most striking sentence, so every sentence must hold. A difference is called significant only where its interval, too,
leaves out 0 (`parlour.arena.statistics.significant`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures import EVEN, Measure
from parlour.arena.measures.outcomes import FIRST_SEAT
from parlour.arena.setting.plans import Group
from parlour.arena.statistics import (
    SIGNIFICANT,
    Estimate,
    detectable_share,
    detectable_side,
    holm,
    paired,
    sign_test,
    significant,
)
from parlour.arena.study.plans import ComparisonPlan
from parlour.support.errors import listing

Numbers = Mapping[tuple[str, Group], Mapping[str, NDArray[np.float64]]]
"""By variant and group, by measure: the value for each sampling unit, in order; NaN where there is none."""
Figures = Mapping[tuple[str, Group], Mapping[str, Estimate]]
"""By variant and group, by measure: the estimate."""
Values: TypeAlias = "NDArray[np.float64]"
MAX_EFFECTS = 3
"""How many of the largest effects a sentence names where none was shown."""
SHOWN, REVERSED, OPEN = "✓", "⇄", "·"
"""Marks of a difference under one player: it is shown, the opposite is shown, or neither."""
FEW_GAMES = 100
"""With fewer games per group, a sentence says that these are few."""


class RankGoal(NamedTuple):
    """A goal by which variants are ranked.

    Attributes:
        measure: the key of its measure.
        distance: from the values of all variants to their distances from the goal, from 0 (reached) to 1.
        wanted: what it asks for, in words.
        difference: in what two variants differ, if they differ in its measure.
    """

    measure: str
    distance: Callable[[Values], Values]
    wanted: str
    difference: str


GOALS: Mapping[str, RankGoal] = {
    "decided": RankGoal("undecided", lambda shares: shares, "most games decided", "how many games are decided"),
    "fair": RankGoal(FIRST_SEAT, lambda scores: 2 * np.abs(scores - 0.5), "sides even", "how fair it is"),
    "short": RankGoal("plies", lambda plies: plies / np.nanmax(plies), "short games", "how long games are"),
    "long": RankGoal("plies", lambda plies: 1 - plies / np.nanmax(plies), "long games", "how long games are"),
    "skill": RankGoal("skill", lambda scores: 2 * (1 - scores), "skill counts", "how much skill counts"),
    "choice": RankGoal(
        "branching", lambda actions: 1 - actions / np.nanmax(actions), "much choice", "how much choice there is"
    ),
}
USUAL = ("decided", "fair", "skill")


@dataclass(frozen=True)
class Test:
    """One test.

    Attributes:
        second: the variant that it is compared with; empty if it is compared with ``even_at``.
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
        """Whether the corrected p-value is below 0.05 and the interval leaves out 0."""
        return significant(self.corrected, self.low, self.high)

    @property
    def direction(self) -> int:
        """`sign` if it is significant, else 0."""
        return self.sign if self.significant else 0


def estimate(plan: ComparisonPlan, numbers: Numbers, cut: Collection[tuple[str, Group]] = ()) -> Figures:
    """All estimates; count 0 where there was nothing to measure. ``cut``: where ``max_plies`` ended games."""
    return {
        (label, group): {
            measure.key: replace(
                measure.kind.estimate(known(samples[measure.key]).tolist()), cut=measure.cut and (label, group) in cut
            )
            for measure in plan.measured(group)
        }
        for (label, group), samples in numbers.items()
    }


def run_tests(plan: ComparisonPlan, numbers: Numbers) -> list[Test]:
    """All tests, corrected for their number."""
    compared: list[tuple[Measure, Group, str, str]] = []
    for measure, group in tested(plan):
        labels = [label for label in plan.labels if len(known(numbers[label, group][measure.key]))]
        compared += [(measure, group, first, second) for first, second in combinations(labels, 2)]
        compared += [(measure, group, label, "") for label in labels if measure.even_at is not None]
    level = 1 - SIGNIFICANT / max(len(compared), 1)
    return corrected_together([_test(plan, numbers, level, *each) for each in compared])


def _test(
    plan: ComparisonPlan, numbers: Numbers, level: float, measure: Measure, group: Group, first: str, second: str
) -> Test:
    """A test, with the interval of the difference at a ``level``."""
    kind, sample = measure.kind, numbers[first, group][measure.key]
    if not second:
        return Test(measure.key, group, first, "", *_test_of_even(measure, known(sample)))
    other = numbers[second, group][measure.key]
    if plan.are_paired(first, second):
        gaps, both = paired.differences(sample, other), (sample.tolist(), other.tolist())
        sign = _sign(gaps.mean()) if len(gaps) else 0
        p, (low, high) = kind.differ_paired(*both), kind.difference_paired(*both, level)
    else:
        sample, other = known(sample), known(other)
        sign, both = _sign(sample.mean() - other.mean()), (sample.tolist(), other.tolist())
        p, (low, high) = kind.differ(*both), kind.difference(*both, level)
    return Test(measure.key, group, first, second, p, sign, low=low, high=high)


def corrected_together(tests: Sequence[Test]) -> list[Test]:
    """The tests with p-values corrected for their number, by Holm's procedure."""
    return [replace(test, corrected=p) for test, p in zip(tests, holm([test.p for test in tests]))]


def known(sample: NDArray[np.float64]) -> NDArray[np.float64]:
    """The numbers that are not NaN: of the units that have something to measure."""
    return sample[~np.isnan(sample)]


def tested(plan: ComparisonPlan) -> list[tuple[Measure, Group]]:
    """The measures that are tested, each with the groups of games on which it is tested."""
    return [(one, group) for one in plan.measures if one.tested for group in plan.groups if group.series == one.series]


def _test_of_even(measure: Measure, sample: NDArray[np.float64]) -> tuple[float, int]:
    """The p-value and the sign of a difference from ``even_at``, by the sign test, which counts how many numbers lie
    above and below. The p-value is 1 if the counts contradict the mean, or if the interval of the mean contains
    ``even_at``: then the sign test says nothing about the mean."""
    even_at = float(measure.even_at or 0)
    sign = _sign(sample.mean() - even_at)
    counted = int((sample > even_at).sum()) - int((sample < even_at).sum())
    agree = counted * sign > 0 and not measure.kind.estimate(sample.tolist()).covers(even_at)
    return (sign_test(sample, even_at) if agree else 1.0), sign


def _sign(difference: float) -> int:
    return int(np.sign(difference)) if abs(difference) > 1e-12 else 0


# --- sentences ---


@dataclass(frozen=True)
class Compared:
    """A measure compared between variants in one group of games.

    Attributes:
        values: by variant its estimates, where there was something to measure.
        tests: those of the measure in these games.
    """

    measure: Measure
    group: Group
    values: Mapping[str, Estimate]
    tests: Sequence[Test]

    @classmethod
    def of(cls, measure: Measure, group: Group, figures: Figures, tests: Sequence[Test]) -> Compared:
        """From the figures and tests of a comparison."""
        every = {label: estimates[measure.key] for (label, its), estimates in figures.items() if its == group}
        values = {label: estimate for label, estimate in every.items() if estimate.count}
        return cls(
            measure, group, values, [test for test in tests if (test.measure, test.group) == (measure.key, group)]
        )

    @property
    def pairs(self) -> list[Test]:
        """The tests between two variants."""
        return [test for test in self.tests if test.second]

    @property
    def alone(self) -> list[Test]:
        """The tests of a variant against the neutral value."""
        return [test for test in self.tests if not test.second]

    def test(self, first: str, other: str = "") -> Test | None:
        """The test between two variants, or of one against the neutral value; None if there is none."""
        return next((test for test in self.tests if {test.first, test.second} == {first, other}), None)

    def effect(self, test: Test) -> tuple[str, str, Estimate]:
        """The variant with the higher value, the other one, and the difference with the interval of its test."""
        size, upper, lower = self.values[test.first].value - self.values[test.second].value, test.first, test.second
        low, high = test.low, test.high
        if size < 0:
            upper, lower, low, high = lower, upper, -high, -low
        return upper, lower, Estimate(abs(size), low, high, self.values[upper].count)

    def headline(self) -> str:
        """One line about the differences between variants, as the tests allow it."""
        kind, differing = self.measure.kind, [test for test in self.pairs if test.significant]
        if not self.pairs:
            return self.measure.title
        if not differing:
            return f"{self.measure.title}: no difference shown; {self.largest_possible()}"
        order = sorted(self.values, key=lambda label: -self.values[label].value)
        ends = {order[0], order[-1]}
        clearest = min(differing, key=lambda test: ({test.first, test.second} != ends, test.corrected))
        high, low, size = self.effect(clearest)
        upper, lower = (f"{label} ({kind.phrase(self.values[label])})" for label in (high, low))
        by = f"{kind.change(size.value)} ({kind.interval(size)})"
        line, order_in_words = f"{self.measure.title}: {upper} lies above {lower} by {by}", in_words(order, differing)
        repeats = len(order) == 2 or order_in_words == f"{high} lies above {low}"
        return line if repeats else f"{line}; {order_in_words}"

    def largest_possible(self) -> str:
        """How large a difference is still possible between variants for which none was shown."""
        ends = [abs(end) for test in self.pairs if not test.significant for end in (test.low, test.high)]
        largest = max((end for end in ends if not math.isnan(end)), default=math.inf)
        size = self.measure.kind.change(largest)
        return f"differences {'of' if math.isinf(largest) else 'up to'} {size} are still possible"

    def largest_differences(self) -> str:
        """The `MAX_EFFECTS` largest differences between variants, with the intervals of their tests."""
        kind, effects = self.measure.kind, [self.effect(test) for test in self.pairs]
        largest = sorted((one for one in effects if _sign(one[2].value)), key=lambda each: -each[2].value)[:MAX_EFFECTS]
        return ", ".join(
            f"{upper} − {lower} {kind.change(size.value)} ({kind.interval(size)})" for upper, lower, size in largest
        )

    def neutrality(self, tests: int) -> str:
        """Which variants are shown to differ from the measure's neutral value; and for the others how large a
        difference must be to be shown, with so many ``tests`` in all. Empty if that was not tested."""
        if self.measure.even_at is None or not self.alone:
            return ""
        open_in, shown = [test.first for test in self.alone if not test.significant], self.not_neutral()
        if not open_in:
            return shown
        largest = sorted(open_in, key=lambda label: -abs(self.values[label].value - float(self.measure.even_at or 0)))
        effects = [
            f"{label} {self.measure.kind.text(self.values[label], unit=True)}" for label in largest[:MAX_EFFECTS]
        ]
        where = _names(open_in, len(self.alone)) if shown else "any variant"
        start = f"{shown}; no" if shown else f"{self.measure.title}: no"
        fewest = min(self.values[label].count for label in open_in)
        unit = "games" if self.group.series == EVEN else "pairs of games"
        return (
            f"{start} difference from {self.measure.neutral} is shown in {where}, but {_power(fewest, unit, tests)}. "
            f"{'The largest' if len(effects) > 1 else 'These games'}: {', '.join(effects)}"
        )

    def not_neutral(self) -> str:
        """Which variants are shown to differ from the measure's neutral value, and which one most; empty if none is."""
        measure, even = self.measure, float(self.measure.even_at or 0)
        shown = {side: [test.first for test in self.alone if test.direction == side] for side in (1, -1)}
        parts = [
            f"{word} {measure.neutral} in {_names(shown[side], len(self.alone))}"
            for side, word in ((1, "above"), (-1, "below"))
            if shown[side]
        ]
        if not parts:
            return ""
        most = max(shown[1] + shown[-1], key=lambda label: abs(self.values[label].value - even))
        return f"{measure.title} is {'; '.join(parts)}: {most} {measure.kind.text(self.values[most], unit=True)}"


def in_words(order: Sequence[str], differing: Sequence[Test]) -> str:
    """Which variants differ, in words. ``order``: all of them, from high to low; ``differing``: the significant tests.
    Where a place in the order divides the variants so that each above it differs from each below it: "ring is highest,
    then bell; the others are not shown to differ". Otherwise a list of who lies above whom."""
    apart = {frozenset((test.first, test.second)) for test in differing}
    below = {name: [other for other in order[k:] if {name, other} in apart] for k, name in enumerate(order)}
    classes: list[list[str]] = []
    for k, name in enumerate(order):
        if all(set(order[k:]) <= set(below[above]) for above in order[:k]):  # such a place
            classes.append([])
        classes[-1].append(name)
    if len(classes) == 1:
        return "; ".join(_above(below))
    others = max(classes, key=len)
    if len(others) == 1:
        return _in_order("highest", classes)
    place = classes.index(others)
    inner = _above({name: [other for other in below[name] if other in others] for name in others})
    parts = [_in_order("highest", classes[:place]), _in_order("lowest", classes[:place:-1])]
    return "; ".join([*filter(None, parts), *(inner or ["the others are not shown to differ"])])


def _in_order(end: str, classes: Sequence[Sequence[str]]) -> str:
    """Who is highest or lowest, and who comes next; empty if there are no ``classes``."""
    first, *others = [_names(one, 0) for one in classes] or [""]
    start = f"{first} {'is' if len(classes[0]) == 1 else 'are'} {end}" if first else ""
    return ", then ".join([start, *others])


def _above(below: Mapping[str, Sequence[str]]) -> list[str]:
    """Who lies above whom, in words; variants that lie above the same others have one phrase together."""
    uppers: dict[tuple[str, ...], list[str]] = {}
    for name, lower in below.items():
        if lower:
            uppers.setdefault(tuple(lower), []).append(name)
    return [
        f"{_names(names, 0)} {'lies' if len(names) == 1 else 'lie'} above {_names(lower, 0)}"
        for lower, names in uppers.items()
    ]


def _power(units: int, unit: str, tests: int) -> str:
    """What ``units`` games or pairs of games could have shown."""
    share = 100 * detectable_side(units, tests)
    together = f"with {tests} tests corrected together"
    if math.isnan(share):
        return f"{units} {unit} are too few to show any ({together})"
    return f"{units} {unit} reveal only about {share:.0f}:{100 - share:.0f} or more ({together})"


def sentences(plan: ComparisonPlan, figures: Figures, tests: Sequence[Test]) -> list[str]:
    """The findings, each as one or two sentences. Measures without a significant difference come last."""
    differing: list[str] = []
    open_questions: list[str] = []
    several = len(plan.even_groups) > 1
    for measure, group in tested(plan):
        under = f" [{group.title}]" if several and group.series == EVEN else ""
        compared = Compared.of(measure, group, figures, tests)
        line = f"{compared.headline()}{under}."
        if any(test.significant for test in compared.pairs):
            differing.append(line)
        elif compared.pairs:
            largest = compared.largest_differences()
            open_questions.append(f"{line} The largest: {largest}." if largest else line)
        if sentence := compared.neutrality(len(tests)):
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
        upper, lower: the variant with the higher value and the one with the lower value, according to most players; one
            of them is empty if a variant is compared with ``even_at``.
        holds: the players under which the difference is significant.
        reversed: the players under which the opposite difference is significant.
        open: the players under which neither is significant, or nothing could be tested.
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
        """In words: ``ring lies above classic``, or ``ring lies below 50 %``."""
        even = self.measure.neutral
        return f"{self.upper} lies above {self.lower or even}" if self.upper else f"{self.lower} lies below {even}"


def all_players(plan: ComparisonPlan) -> str:
    """All players of a plan, in words: ``both players``, ``all 3 players``."""
    return "both players" if len(plan.players) == 2 else f"all {len(plan.players)} players"


def conclusions(plan: ComparisonPlan, tests: Sequence[Test], added: Sequence[Measure] = ()) -> list[Conclusion]:
    """All differences that are significant under at least one player, with the results under the other players.
    ``added``: measures that are not in the plan; in these only players with a test count."""
    by_pair: dict[tuple[str, str, str], list[Test]] = {}
    for test in tests:
        if test.group.series == EVEN:
            by_pair.setdefault((test.measure, test.first, test.second), []).append(test)
    measures = {measure.key: measure for measure in (*plan.measures, *added)}
    results = []
    for (key, first, second), tests_of_pair in by_pair.items():
        if not any(test.significant for test in tests_of_pair):
            continue
        total = sum(test.direction for test in tests_of_pair)
        sign = _sign(total) or next(test.direction for test in tests_of_pair if test.significant)
        upper, lower = (first, second) if sign > 0 else (second, first)
        directions = {test.group.title: test.direction * sign for test in tests_of_pair}
        names = directions if measures[key] in added else plan.players
        sides = {side: tuple(name for name in names if directions.get(name, 0) == side) for side in (1, -1, 0)}
        results.append(Conclusion(measures[key], upper, lower, sides[1], sides[-1], sides[0]))
    return results


@dataclass(frozen=True)
class Claim:
    """Differences of one measure that are shown under the same players.

    Attributes:
        title: of the measure.
        text: who lies above whom, in words.
        marks: for each player one of `SHOWN`, `REVERSED` and `OPEN`; empty where nothing was tested.
    """

    title: str
    text: str
    marks: tuple[str, ...]


def claims(conclusions: Sequence[Conclusion], players: Sequence[str]) -> list[Claim]:
    """Conclusions in words: first those that hold under all ``players``, then those that some reverse, then the rest.
    Those on the same measure that have the same marks are together."""
    alike: dict[tuple[str, tuple[str, ...]], list[Conclusion]] = {}
    for conclusion in sorted(conclusions, key=lambda each: ("all", "turns", "some").index(each.status)):
        signs = {SHOWN: conclusion.holds, REVERSED: conclusion.reversed, OPEN: conclusion.open}
        marks = tuple(next((sign for sign, names in signs.items() if name in names), "") for name in players)
        alike.setdefault((conclusion.measure.title, marks), []).append(conclusion)
    listed = []
    for (title, marks), several in alike.items():
        below: dict[str, list[str]] = {}
        for each in several:
            below.setdefault(each.upper, []).extend([each.lower] if each.upper and each.lower else [])
        even = [one.claim for one in several if not (one.upper and one.lower)]
        listed.append(Claim(title, "; ".join(_above(below) + even), marks))
    return listed


@dataclass(frozen=True)
class Dependence:
    """A measure of one variant that depends on who plays.

    Attributes:
        upper, lower: the players under which it is higher and lower.
        high, low: the estimates under these players.
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
        """In words: classic: 84.5 % under expectimax:2, 8.0 under mcts:20."""
        high, low = self.measure.kind.phrase(self.high), self.measure.kind.figure(self.low)
        return f"{self.variant}: {high} under {self.upper}, {low} under {self.lower}"


def dependences(plan: ComparisonPlan, numbers: Numbers, figures: Figures) -> list[Dependence]:
    """For each variant and tested measure the largest significant difference between two players, if there is one.
    These tests are corrected together by Holm's procedure, without those between variants."""
    groups = plan.even_groups
    tests: list[tuple[Dependence, float, list[list[float]]]] = []
    for measure in (one for one in plan.measures if one.tested and one.series == EVEN):
        for ruleset in plan.rulesets:
            for pair in combinations(groups, 2):
                samples = [known(numbers[ruleset.label, group][measure.key]).tolist() for group in pair]
                if not all(samples):
                    continue
                p = measure.kind.differ(*samples)
                upper, lower = pair if np.mean(samples[0]) >= np.mean(samples[1]) else pair[::-1]
                high, low = (figures[ruleset.label, group][measure.key] for group in (upper, lower))
                tests.append((Dependence(measure, ruleset.label, upper.title, lower.title, high, low, 1.0), p, samples))
    largest: dict[tuple[str, str], Dependence] = {}
    level = 1 - SIGNIFICANT / max(len(tests), 1)
    for (dependence, _, samples), p in zip(tests, holm([p for _, p, _ in tests])):
        place = dependence.measure.key, dependence.variant
        previous = largest.get(place)
        size = dependence.high.value - dependence.low.value
        if previous is not None and size <= previous.high.value - previous.low.value:
            continue
        if significant(p, *dependence.measure.kind.difference(samples[0], samples[1], level)):
            largest[place] = replace(dependence, corrected=p)
    return list(largest.values())


def count_tests(plan: ComparisonPlan) -> int:
    """The largest number of tests that a comparison can make."""
    variants = len(plan.rulesets)
    pairs = variants * (variants - 1) // 2
    return sum(pairs + (variants if measure.even_at is not None else 0) for measure, _ in tested(plan))


def power_sentences(plan: ComparisonPlan) -> list[str]:
    """In words: how large a difference must be to be found with this number of games. Empty if nothing is tested."""
    tests = count_tests(plan)
    if not tests or len(plan.rulesets) < 2:
        return []
    corrected = f"(up to {tests} tests, corrected together)"
    difference = round(100 * detectable_share(plan.games, tests))
    if difference < 100:
        power = f"show only differences between two shares above about {difference} points"
    else:
        power = "are too few to show any difference between two shares"
    lines = [f"{plan.games} games per variant and player {power} {corrected}."]
    if plan.games < FEW_GAMES:
        more = 4 * plan.games
        lines.append(f"These are few games; {more} show {100 * detectable_share(more, tests):.0f} points.")
    return lines


def measure_of(plan: ComparisonPlan, goal: str) -> str:
    """The key of the measure of a goal in this comparison. For fairness it is the score of the seat that begins, if
    that is not always the first seat."""
    key = GOALS[goal].measure
    return plan.fairness if key == FIRST_SEAT else key


def read_rank(plan: ComparisonPlan, wanted: Sequence[str] | None) -> tuple[str, ...]:
    """The goals by which a comparison ranks its variants. None: those of `USUAL` that are measured. ValueError for a
    name that is no goal, that is given twice, or whose measure this comparison does not have."""
    measured = {one.key for one in plan.measures}
    valid = [name for name in GOALS if measure_of(plan, name) in measured]
    if wanted is None:
        return tuple(name for name in USUAL if name in valid)
    for name in wanted:
        if name not in valid or list(wanted).count(name) > 1:
            raise ValueError(f"rank {','.join(wanted)!r}: {name!r} is not valid; valid, each once: {listing(valid)}")
    return tuple(wanted)


def shown_group(plan: ComparisonPlan, measure: Measure) -> Group:
    """The games whose figures the summary shows: those of the first player, or of the two whose skill is compared."""
    return next(group for group in plan.groups if group.series == measure.series)


def ranked(plan: ComparisonPlan, figures: Figures, rank: Sequence[str]) -> list[str]:
    """The labels of the variants by their mean distance from the goals ``rank``, the nearest first. Without an estimate
    the distance is 1."""
    labels = plan.labels
    measures = {one.key: one for one in plan.measures}
    missed = np.zeros(len(labels))
    for name in rank:
        key = measure_of(plan, name)
        group = shown_group(plan, measures[key])
        values = np.array([figures[label, group][key].value for label in labels])
        missed += np.nan_to_num(GOALS[name].distance(values), nan=1.0) if np.isfinite(values).any() else 0.0
    return [labels[k] for k in np.argsort(missed, kind="stable")]
