"""The answer of a comparison or an exploration in plain words: what comes first, why, and what is not settled."""

from __future__ import annotations

import math
from collections.abc import Mapping

from parlour.arena.measures import Measure
from parlour.arena.measures.outcomes import FIRST_SEAT
from parlour.arena.statistics import Estimate
from parlour.arena.study.comparison.findings import Test
from parlour.arena.study.comparison.ranking import GOALS, measure_of, ranked, read_rank, shown_group
from parlour.arena.study.comparison.result import ComparisonResult
from parlour.arena.study.exploring.result import ExplorationResult

AS_IT_IS = "the variant as it is"
COUNTS = ("", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
FIRST_WORDS = {
    "decided": "most games decided", "fair": "sides even", "short": "short games", "long": "long games",
    "skill": "skill counts", "choice": "much choice",
}  # fmt: skip
"""What the goals ask for."""
SETTLED = {
    "decided": "how many games are decided", "fair": "how fair it is", "short": "how long games are",
    "long": "how long games are", "skill": "how much skill counts", "choice": "how much choice there is",
}  # fmt: skip
"""What differs where the measure of a goal does."""


def verdict(result: ComparisonResult) -> str:
    """Two or three sentences; empty if the variants are not ranked. Of two variants the first says which of them
    favours a side more."""
    plan = result.plan
    if not result.rank:
        return ""
    labels = ranked(plan, result.estimates, result.rank)
    told = [one for one in (_of_goal(result, labels[0], goal) for goal in result.rank) if one]
    by = "" if tuple(result.rank) == read_rank(plan, None) else f" by {', '.join(result.rank)}"
    count = COUNTS[len(labels)] if len(labels) < len(COUNTS) else str(len(labels))
    start = f"Best of {count}{by}: {labels[0]}" if len(labels) > 1 else labels[0]
    sentences = [f"{start} — {_joined(told)}."]
    if len(labels) > 1:
        sentences.append(_nearest(result, labels[0], labels[1]))
    if len(labels) == 2 and "fair" in result.rank:
        sentences.insert(0, _fairness(result, *labels))
    return " ".join(filter(None, sentences))


def exploration_verdict(result: ExplorationResult, settings: Mapping[int, str]) -> str:
    """Which finalist is best, what it is like, and whether others are as good. ``settings``: by their numbers, the
    finalists in words; empty for the variant as it is."""
    front = [one for one in result.finalists if one.on_front] or result.finalists
    best, others = front[0], ", ".join(f"no. {one.number}" for one in front[1:])
    told = [
        f"{goal.measure.title.lower()} {goal.measure.kind.phrase(best.estimates[goal.measure.key])}"
        for goal in result.plan.goals
    ]
    what = f"no. {best.number}, {settings[best.number] or AS_IT_IS}"
    kind = "rulesets" if result.plan.space.each else "combinations"
    start = f"Best of {len(result.plan.space.rulesets)} {kind}: {what} — {_joined(told)}."
    if not others:
        return f"{start} No other finalist is better in any goal."
    better = "is better in one goal, worse" if len(front) == 2 else "are better in one goal, worse"
    return f"{start} {others[0].upper()}{others[1:]} {better} in another."


def _joined(phrases: list[str]) -> str:
    """Phrases as one sentence."""
    return ", ".join(phrases) or "nothing was measured"


def _of_goal(result: ComparisonResult, label: str, goal: str) -> str:
    """What a variant is like where a goal is asked for; empty if that was not measured."""
    key, measure = _measure(result, goal)
    estimate = result.estimates[label, shown_group(result.plan, measure)][key]
    if not estimate.count:
        return ""
    percent = f"{100 * estimate.value:.0f} %"
    if goal == "decided":
        return f"{100 * (1 - estimate.value):.0f} % of its games are decided"
    if goal == "fair":
        return _side(result, label, key, estimate)
    if goal == "skill":
        return f"skill counts ({percent})" if estimate.low > 0.5 else f"skill is not shown to count ({percent})"
    return f"{estimate.value:.0f} {'plies a game' if key == 'plies' else 'actions to choose from'}"


def _side(result: ComparisonResult, label: str, key: str, estimate: Estimate) -> str:
    """Whether a side is shown to be favoured in a variant."""
    first, others = _sides(result, key)
    lean = next((test.direction for test in result.test_results if _is_test(result, test, key, label, "")), 0)
    percent = f"{100 * estimate.value:.0f} %"
    if lean == 0:
        return f"no side is shown to be favoured ({first} {percent})"
    return f"{first} is favoured ({percent})" if lean > 0 else f"{others} is favoured ({first} {percent})"


def _sides(result: ComparisonResult, key: str) -> tuple[str, str]:
    """What fairness is about: the seat that it counts for, and the others."""
    if key != FIRST_SEAT:
        return "the seat that begins", "the seat that does not"
    game, seats = result.plan.game, result.plan.rulesets[0].seats
    return game.seat_name(0), game.seat_name(1) if seats == 2 else "one of the others"


def _nearest(result: ComparisonResult, best: str, nearest: str) -> str:
    """The variant that comes next, and in which goals it is shown to differ."""
    differing = []
    for goal in result.rank:
        key, _ = _measure(result, goal)
        if any(test.significant for test in result.test_results if _is_test(result, test, key, best, nearest)):
            differing.append(SETTLED[goal])
    if differing:
        return f"Next: {nearest}; the two differ in {' and '.join(dict.fromkeys(differing))}."
    return f"Next: {nearest}; which of the two is better is not settled."


def _fairness(result: ComparisonResult, one: str, other: str) -> str:
    """Whether a side gains more in one of two variants than in the other, and by how much at most."""
    key, measure = _measure(result, "fair")
    test = next((test for test in result.test_results if _is_test(result, test, key, one, other)), None)
    if test is None or math.isnan(test.low):
        return ""
    group, side = shown_group(result.plan, measure), _sides(result, key)[0]
    values = {label: result.estimates[label, group][key] for label in (test.first, test.second)}
    size = values[test.first].value - values[test.second].value
    upper, lower = (test.first, test.second) if size >= 0 else (test.second, test.first)
    low, high = (test.low, test.high) if size >= 0 else (-test.high, -test.low)
    figures = f"{measure.kind.phrase(values[upper])} against {measure.kind.figure(values[lower])}"
    side = side[0].upper() + side[1:]
    if test.significant:
        interval = measure.kind.interval(Estimate(abs(size), low, high, values[upper].count))
        by = f"{measure.kind.change(abs(size))} ({interval})"
        return f"{side} gains more in {upper} than in {lower}: {figures}, by {by}."
    most = measure.kind.change(max(abs(low), abs(high)))
    return f"{side} is not shown to gain more in {upper} than in {lower}: {figures}, {most} apart at most."


def _measure(result: ComparisonResult, goal: str) -> tuple[str, Measure]:
    """The measure of a goal, by its key."""
    assert goal in GOALS
    key = measure_of(result.plan, goal)
    return key, next(one for one in result.plan.measures if one.key == key)


def _is_test(result: ComparisonResult, test: Test, key: str, one: str, other: str) -> bool:
    """Whether a test is of a measure in the games that are shown, between two variants, or (``other`` is empty) between
    one and the neutral value."""
    measure = next(own for own in result.plan.measures if own.key == key)
    same = {test.first, test.second} == {one, other}
    return test.measure == key and same and test.group == shown_group(result.plan, measure)
