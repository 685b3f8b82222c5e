"""What a comparison may claim: tests between variants, corrected for their number, and the sentences that follow.

Tested are all pairs of variants in the measures marked ``tested``, and whether each variant leans to one side in those
with ``even_at``. All these tests are corrected together by Holm's procedure, which keeps the chance of even one wrong
claim in the whole report at 5 %: a reader picks the most striking sentence, so each of them has to hold.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from parlour.arena.measures import Chapter, Figures, Measure, Sample
from parlour.arena.statistics import SIGNIFICANT, holm, leans


@dataclass(frozen=True)
class Test:
    """One test.

    Attributes:
        measure: the measure's key.
        first: a variant.
        second: the variant that it is held against; empty where it is held against ``even_at``.
        p: the p-value.
        corrected: the p-value corrected for the number of tests.
    """

    __test__ = False  # pytest

    measure: str
    first: str
    second: str
    p: float
    corrected: float = 1.0

    @property
    def significant(self) -> bool:
        """Whether the report may claim it."""
        return self.corrected < SIGNIFICANT


def run_tests(parts: Sequence[Chapter], samples: Mapping[str, Sample]) -> list[Test]:
    """All tests, corrected."""
    tests = []
    for measure in (measure for part in parts for measure in part.measures if measure.tested):
        numbers = {variant: measure.numbers(sample) for variant, sample in samples.items()}
        for first, second in combinations(numbers, 2):
            tests.append(Test(measure.key, first, second, measure.kind.differ(numbers[first], numbers[second])))
        if measure.even_at is not None:
            tests += [
                Test(measure.key, variant, "", leans(values, measure.even_at)) for variant, values in numbers.items()
            ]
    corrected = holm([test.p for test in tests])
    return [replace(test, corrected=p) for test, p in zip(tests, corrected)]


def headline(measure: Measure, figures: Figures, tests: Sequence[Test]) -> str:
    """What the tests of a measure allow to be said of the variants, in a line; only its title where none were made."""
    pairs = [test for test in tests if test.measure == measure.key and test.second]
    if not pairs:
        return measure.title
    differing = [test for test in pairs if test.significant]
    if not differing:
        return f"{measure.title}: no significant difference"
    order = sorted(figures, key=lambda variant: figures[variant][measure.key].value)
    ends = {order[0], order[-1]}
    clearest = min(differing, key=lambda test: ({test.first, test.second} != ends, test.corrected))
    high, low = sorted(
        (clearest.first, clearest.second), key=lambda name: figures[name][measure.key].value, reverse=True
    )
    said = f"{measure.title}: {_shown(measure, figures, high)} above {_shown(measure, figures, low)}"
    return said if len(pairs) == 1 else f"{said}; {len(differing)} of {len(pairs)} pairs of variants differ"


def leanings(measure: Measure, figures: Figures, tests: Sequence[Test]) -> str:
    """Which variants lean to one side by a measure; empty where that was not tested."""
    against = [test for test in tests if test.measure == measure.key and not test.second]
    if measure.even_at is None or not against:
        return ""
    sides: dict[str, list[str]] = {"above": [], "below": [], "open": []}
    for test in against:
        higher = figures[test.first][measure.key].value > measure.even_at
        sides["open" if not test.significant else "above" if higher else "below"].append(test.first)
    even = f"{measure.kind.scale * measure.even_at:g} {measure.kind.unit}"
    if len(sides["open"]) == len(against):
        return f"{measure.title} is not told from {even} in any variant"
    parts = [f"{side} {even} in {_names(sides[side], len(against))}" for side in ("above", "below") if sides[side]]
    if sides["open"]:
        parts.append(f"not told from {even} in {_names(sides['open'], len(against))}")
    return f"{measure.title} is " + "; ".join(parts)


def sentences(parts: Sequence[Chapter], figures: Figures, tests: Sequence[Test]) -> list[str]:
    """The findings, a sentence each, those of measures in which nothing differs together in one."""
    said, alike = [], []
    for measure in (measure for part in parts for measure in part.measures if measure.tested):
        pairs = [test for test in tests if test.measure == measure.key and test.second]
        if any(test.significant for test in pairs):
            said.append(headline(measure, figures, tests) + ".")
        elif pairs:
            alike.append(measure.title)
        if leaning := leanings(measure, figures, tests):
            said.append(leaning + ".")
    if alike:
        said.append(f"No significant difference between the variants in: {', '.join(alike)}.")
    return said


def _shown(measure: Measure, figures: Figures, variant: str) -> str:
    return f"{variant} ({measure.kind.phrase(figures[variant][measure.key].value)})"


def _names(names: Sequence[str], count: int) -> str:
    """Names in a sentence, of so many variants."""
    if len(names) == count:
        return "every variant"
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))
