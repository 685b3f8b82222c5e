"""The result of an exploration: all combinations with their estimates, the Pareto front, the effect of each option.

A main effect is the mean change of a measure between two combinations that differ in one option alone, over all such
pairs of combinations. So combinations that the game does not allow cause no bias. The interaction of two options is by
how much the effect of one depends on the other, averaged in the same way. Every combination plays game i with the same
seed. So the games i of all combinations give one value of each effect, and values of different seeds are independent.

Where an option has no effect under the values of others, its values are one combination
(`parlour.arena.study.search_space`). In the effects of other options that combination counts once for each of these
values. In the effect of the option itself it does not count.

Axis letters: K combinations, B seeds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.matches.tally import score_of, units_in_order
from parlour.arena.measures import EVEN, Kind
from parlour.arena.measures.registry import sample_of
from parlour.arena.setting.plans import Played
from parlour.arena.setting.rulesets import Ruleset
from parlour.arena.statistics import NOTHING, Estimate, differs_from_zero, holm, mean, significant
from parlour.arena.statistics.tables import DataFrame, frame_of, html_of
from parlour.arena.study.findings import MAX_EFFECTS, known
from parlour.arena.study.plans import ExplorationPlan
from parlour.arena.study.search_space import CHANGES, MAX, MIN, Goal, Space, front_of, front_shares
from parlour.rulebook.options import Value


@dataclass(frozen=True)
class Change:
    """A change of one option from one value to another."""

    option: str
    before: Value
    after: Value

    def __str__(self) -> str:
        """``geometry: line → ring``."""
        return f"{self.option}: {self.before} → {self.after}"


@dataclass(frozen=True)
class Effect:
    """The effect of a change of one option on a measure; or an interaction: by how much a second change changes it.

    Attributes:
        under: for an interaction, the change of the other option; None for a main effect.
        matches: the number of pairs (for interactions: groups of four) of combinations over which it is averaged.
        estimate: by how much the measure changes, with its 95 % interval.
        corrected: the p-value corrected for the number of all effects of an exploration.
    """

    goal: Goal
    change: Change
    under: Change | None
    matches: int
    estimate: Estimate
    p: float
    corrected: float = 1.0

    @property
    def significant(self) -> bool:
        """Whether the corrected p-value is below 0.05 and the interval leaves out 0."""
        return significant(self.corrected, self.estimate.low, self.estimate.high)

    @property
    def title(self) -> str:
        """``geometry: line → ring``, or ``geometry: line → ring, with entering: forbidden → trapped``."""
        return str(self.change) if self.under is None else f"{self.change}, with {self.under}"


def effects(space: Space, numbers: Mapping[str, NDArray[np.float64]], goals: Sequence[Goal]) -> list[Effect]:
    """All effects, main effects first, corrected together. ``numbers``: by measure, the values (K, B) of all
    combinations under the same seeds; NaN where there is nothing to measure."""
    alone = [(change,) for change in changes(space)]
    pairs = [pair for pair in itertools.combinations(changes(space), 2) if pair[0].option != pair[1].option]
    results = [_effect(space, goal, each, numbers) for several in (alone, pairs) for goal in goals for each in several]
    measured = [effect for effect in results if effect.estimate.count]
    return [replace(effect, corrected=p) for effect, p in zip(measured, holm([effect.p for effect in measured]))]


def changes(space: Space) -> list[Change]:
    """All changes: for every option, every pair of its values."""
    return [
        Change(option, before, after)
        for option, values in space.options.items()
        for before, after in itertools.combinations(values, 2)
    ]


def _effect(space: Space, goal: Goal, changes: Sequence[Change], numbers: Mapping[str, NDArray[np.float64]]) -> Effect:
    """The mean effect of a change, or the interaction of two, with its test. ``numbers``: see `effects`."""
    sample, change, under = numbers[goal.measure.key], changes[0], changes[1] if len(changes) > 1 else None
    rows = [sum(sign * sample[k] for k, sign in contrast) for contrast in _contrasts(space, changes)]
    if not rows:
        return Effect(goal, change, under, 0, NOTHING, math.nan)
    by_seed = np.stack(rows)
    values = np.nanmean(by_seed[:, ~np.isnan(by_seed).all(axis=0)], axis=0)
    kind = goal.measure.kind
    bound = (kind.high - kind.low) / kind.scale * len(changes)  # of the largest possible effect
    estimate = mean(values, -bound, bound)
    return Effect(goal, change, under, len(rows), estimate, differs_from_zero(values))


def _contrasts(space: Space, changes: Sequence[Change]) -> Iterator[list[tuple[int, float]]]:
    """Groups of two combinations that differ in a change alone, or of four that differ in two changes alone: the index
    of each, and the sign with which it counts, minus once for each change that is not made."""
    places = [list(space.options).index(change.option) for change in changes]
    for settings in space.indices:
        if any(settings[place] != change.before for place, change in zip(places, changes)):
            continue
        contrast = []
        for made in itertools.product((True, False), repeat=len(changes)):
            values = list(settings)
            for place, change, is_made in zip(places, changes, made):
                values[place] = change.after if is_made else change.before
            contrast.append((space.indices.get(tuple(values), -1), float((-1) ** made.count(False))))
        indices = {k for k, _ in contrast}
        if len(indices) == len(contrast) and -1 not in indices:
            yield contrast


@dataclass(frozen=True)
class Candidate:
    """A combination of option values, with its results.

    Attributes:
        number: its number among all combinations, from 1.
        variant: the game's named variant with these rules; empty if there is none.
        rounds: how many rounds it played.
        games: how many games its estimates come from; for a finalist only those of the final round.
        on_front: whether it is on the Pareto front: a finalist that no other finalist dominates.
        front_share: the share of bootstrap samples in which it is on the front; NaN unless it is a finalist.
    """

    number: int
    ruleset: Ruleset
    variant: str
    rounds: int
    games: int
    estimates: Mapping[str, Estimate]
    on_front: bool = False
    front_share: float = float("nan")


Games = Mapping[str, Mapping[int, Played]]
"""Games that have been played: by the key of a series, by their indices."""


def numbers_of(plan: ExplorationPlan, games: Games, combination: int, high: int) -> dict[str, NDArray[np.float64]]:
    """By measure, the value for each sampling unit among the first ``high`` games of a combination (an index); NaN for
    a unit that was not played, is not counted, or has nothing to measure."""
    by_measure: dict[str, NDArray[np.float64]] = {}
    for group, series in zip(plan.groups, plan.series[combination]):
        units = units_in_order(series, games[series.key], high)
        for measure in (goal.measure for goal in plan.goals):
            if measure is CHANGES and group.series == EVEN:
                changes = len(plan.space.changed(plan.space.rulesets[combination]))
                by_measure[measure.key] = np.array([changes if unit else np.nan for unit in units])
            elif measure.series == group.series:
                by_measure[measure.key] = sample_of(measure, plan.game, series, units)
    return by_measure


class ExplorationResult:
    """The result of an exploration, as data. `parlour.arena.Exploration` can also be printed and makes a report.

    Attributes:
        candidates: all combinations, in the order of the plan.
        all_effects: main effects and interactions, from the games of the first round.
        uncounted: how many games were not counted, since they repeat others or ended within their random opening.
        matches: with a judge, the results of the finalists' new games between two players, by their numbers, with and
            without the luck of the dice.
    """

    def __init__(self, plan: ExplorationPlan, games: Games, rounds: Sequence[int]) -> None:
        """Makes estimates and tests from all ``games``. ``rounds``: how many each combination played (K,)."""
        self.plan, last = plan, plan.rounds[-1]
        by_combination = [numbers_of(plan, games, k, last.high) for k in range(len(rounds))]
        numbers = {key: np.stack([values[key] for values in by_combination]) for key in by_combination[0]}
        first = {}
        for goal in plan.goals:
            values = numbers[goal.measure.key][:, : _units(goal, plan.rounds[0].high)]
            first[goal.measure.key] = goal.measure.kind.telling(values)
        tested = [goal for goal in plan.goals if goal.measure is not CHANGES]  # whose effects are known beforehand
        self.all_effects: list[Effect] = effects(plan.space, first, tested)
        self.candidates = self._candidates(numbers, games, rounds)
        counted = (units_in_order(series, games[series.key], last.high) for series in plan.plan.series)
        self.uncounted = sum(map(len, games.values())) - sum(len(unit or ()) for units in counted for unit in units)
        self.matches = {
            number: score_of(series, (game for game in games[series.key].values() if game.spec.index >= last.low))
            for number in sorted(one.number for one in self.finalists)
            for series in plan.series[number - 1]
            if series.judge
        }

    def _candidates(
        self, numbers: Mapping[str, NDArray[np.float64]], games: Games, rounds: Sequence[int]
    ) -> list[Candidate]:
        plan, last = self.plan, len(self.plan.rounds)
        final = [k for k, played in enumerate(rounds) if played == last]
        samples = [np.stack([self._sample(goal, numbers, k, last) for k in final]) for goal in plan.goals]
        unchanged = plan.space.unchanged
        variant_means = {} if unchanged is None else {
            goal.measure.key: mean_of_known(self._sample(goal, numbers, unchanged, rounds[unchanged]))
            for goal in plan.goals
        }  # fmt: skip
        goals = plan.resolved_goals(variant_means)
        misses = [goal.misses(np.array(list(map(mean_of_known, rows)))) for goal, rows in zip(goals, samples)]
        fronts = zip(front_of(np.stack(misses, axis=1)).tolist(), front_shares(goals, samples, plan.seed).tolist())
        front = dict(zip(final, fronts))
        candidates = []
        for k, (ruleset, played) in enumerate(zip(plan.space.rulesets, rounds)):
            low, high = self._games_of(played)
            even = [games[series.key] for series in plan.series[k] if not series.paired]
            is_cut = any(low <= index < high and game.truncated for own in even for index, game in own.items())
            estimates = {}
            for goal in plan.goals:
                sample = self._sample(goal, numbers, k, played)
                estimate = goal.measure.kind.estimate(known(sample).tolist())
                estimates[goal.measure.key] = replace(estimate, cut=goal.measure.cut and is_cut)
            variant, count = plan.space.variant_of(ruleset), (high - low) * len(plan.groups)
            on_front = front.get(k, (False, math.nan))
            candidates.append(Candidate(k + 1, ruleset, variant, played, count, estimates, *on_front))
        return candidates

    def _games_of(self, rounds: int) -> tuple[int, int]:
        """The first game, and the one after the last, from which a combination is estimated after so many ``rounds``:
        all its games; for a finalist only those of the last round."""
        last = self.plan.rounds[rounds - 1]
        return (last.low if rounds == len(self.plan.rounds) else 0), last.high

    def _sample(
        self, goal: Goal, numbers: Mapping[str, NDArray[np.float64]], combination: int, rounds: int
    ) -> NDArray[np.float64]:
        """The values of a goal's measure in the games from which a ``combination`` (an index) is estimated."""
        low, high = self._games_of(rounds)
        return goal.measure.kind.telling(numbers[goal.measure.key][combination, _units(goal, low) : _units(goal, high)])

    @property
    def finalists(self) -> list[Candidate]:
        """The combinations that played the final round: those on the front first."""
        final = [candidate for candidate in self.candidates if candidate.rounds == len(self.plan.rounds)]
        return sorted(final, key=lambda candidate: (not candidate.on_front, -candidate.front_share, candidate.number))

    @property
    def front(self) -> list[Candidate]:
        """The finalists that no other finalist dominates."""
        return [one for one in self.finalists if one.on_front]

    # --- in words ---

    @property
    def findings(self) -> list[str]:
        """The findings, one sentence each; first which values were never played."""
        goals = ", ".join(goal.text for goal in self.plan.goals)
        chosen = f"finalists, chosen among {len(self.plan.space.rulesets)} combinations,"
        lines = [
            *self.plan.space.warnings,
            f"{len(self.front)} of {len(self.finalists)} {'rulesets' if self.plan.space.each else chosen} "
            f"{'is' if len(self.front) == 1 else 'are'} on the Pareto front of {goals}.",
        ]
        lines += [line for goal in self.plan.goals for line in self._findings_about(goal)]
        return [*lines, self.note] if self.note else lines

    @property
    def note(self) -> str:
        """Sentences about short openings, and about games that are not counted; empty if there are none."""
        notes = self.plan.plan.short_openings
        if self.uncounted:
            notes.append(
                f"{self.uncounted} games are not counted: they are the same as others, move for move, or ended within "
                "their random opening."
            )
        return " ".join(notes)

    @property
    def main_findings(self) -> list[str]:
        """The first finding about each goal: the largest effect that is shown, if there is one."""
        return [line for goal in self.plan.goals for line in self._findings_about(goal)[:1]]

    def effects_on(self, goal: Goal) -> tuple[list[Effect], list[Effect]]:
        """The main effects on a goal's measure, and the interactions, each with the smallest p-values first."""
        effects = [effect for effect in self.all_effects if effect.goal == goal]
        effects.sort(key=lambda effect: (effect.corrected, effect.p))
        return [one for one in effects if one.under is None], [one for one in effects if one.under is not None]

    def _findings_about(self, goal: Goal) -> list[str]:
        effects = [effect for effect in self.all_effects if effect.goal == goal and effect.under is None]
        effects.sort(key=lambda each: -abs(each.estimate.value))
        shown = [effect for effect in effects if effect.significant]
        if shown or not effects:
            return [f"{self.phrase(effect)}{self._where(effect)}." for effect in shown]
        kind = goal.measure.kind
        largest = max(max(abs(effect.estimate.low), abs(effect.estimate.high)) for effect in effects)
        listed = ", ".join(f"{one.title} by {_signed(kind, one.estimate)}" for one in effects[:MAX_EFFECTS])
        return [
            f"{goal.measure.title}: no option is shown to change it; changes "
            f"{'of' if math.isinf(largest) else 'up to'} {kind.change(largest)} are still possible. "
            f"The largest: {listed}."
        ]

    def _where(self, main: Effect) -> str:
        """The end of a sentence about an effect: under which value of another option it is larger. Empty unless an
        interaction is shown that is at least as large as the effect."""
        kind = main.goal.measure.kind
        large = [
            (other, effect.estimate)
            for effect in self.all_effects
            if effect.goal == main.goal and effect.under is not None and effect.significant
            for change, other in ((effect.change, effect.under), (effect.under, effect.change))
            if change == main.change and abs(effect.estimate.value) >= abs(main.estimate.value)
        ]
        if not large:
            return ""
        other, more = max(large, key=lambda pair: abs(pair[1].value))
        with_after = (more.value > 0) == (main.estimate.value > 0)
        strong, weak = (other.after, other.before) if with_after else (other.before, other.after)
        return f"; {kind.change(abs(more.value))} more with {other.option}={strong} than with {weak}"

    def phrase(self, effect: Effect) -> str:
        """An effect in words."""
        kind, wanted = effect.goal.measure.kind, effect.goal.wanted
        rises = effect.estimate.value > 0
        good = {MIN: not rises, MAX: rises}.get(wanted)
        direction = "" if good is None else ", towards the goal" if good else ", away from the goal"
        return (
            f"{effect.goal.measure.title}: {effect.title} {'raises' if rises else 'lowers'} it: "
            f"{_signed(kind, effect.estimate)}{direction}"
        )

    # --- as tables ---

    def combination_rows(self) -> list[dict[str, Any]]:
        """One row per combination: its option values (None: without effect), rounds and games, and its estimates with
        intervals, in the measures' units."""
        rows = []
        for each in self.candidates:
            row: dict[str, Any] = {"number": each.number}
            row |= {name: each.ruleset.overrides.get(name) for name in self.plan.space.options}
            row |= {"variant": each.variant, "rounds": each.rounds, "games": each.games, "front": each.on_front}
            row["front_share"] = each.front_share
            for goal in self.plan.goals:
                key = goal.measure.key
                estimate = goal.measure.kind.scaled(each.estimates[key])
                row |= {key: estimate.value, f"{key}_low": estimate.low, f"{key}_high": estimate.high}
                row |= {f"{key}_n": estimate.count, f"{key}_cut": estimate.cut}
            rows.append(row)
        return rows

    def effect_rows(self) -> list[dict[str, Any]]:
        """One row per effect, in ``unit``: main effects first, then interactions, which have a second option."""
        return [
            {
                "measure": effect.goal.measure.key, "option": effect.change.option, "before": effect.change.before,
                "after": effect.change.after, "second_option": effect.under.option if effect.under else "",
                "second_before": effect.under.before if effect.under else "",
                "second_after": effect.under.after if effect.under else "", "matches": effect.matches,
                "estimate": shown.value, "low": shown.low, "high": shown.high, "n": shown.count, "p": effect.p,
                "p_corrected": effect.corrected, "unit": effect.goal.measure.kind.difference_unit,
            }
            for effect in self.all_effects
            for shown in [effect.goal.measure.kind.scaled(effect.estimate)]
        ]  # fmt: skip

    @property
    def combinations(self) -> DataFrame:
        """`combination_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.combination_rows())

    @property
    def effects(self) -> DataFrame:
        """`effect_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.effect_rows())

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading, and one row per finalist."""
        goals = self.plan.goals
        heading = ["no.", *self.plan.space.options, *(goal.text for goal in goals), "on the front"]
        rows = []
        for each in self.finalists:
            kinds = [goal.measure.kind for goal in goals]
            estimates = [each.estimates[goal.measure.key] for goal in goals]
            shown = [kind.text(estimate) for kind, estimate in zip(kinds, estimates)]
            rows.append(
                [str(each.number), *self.plan.space.shown(each.ruleset), *shown, f"{100 * each.front_share:.0f} %"]
            )
        return heading, rows

    def _repr_html_(self) -> str:
        return html_of(*self.table())


def _signed(kind: Kind, change: Estimate) -> str:
    """A change with its sign and its interval: "+3.1 points (−0.4 to 6.6)"."""
    return f"{kind.signed(change.value)} ({kind.interval(change)})"


def _units(goal: Goal, games: int) -> int:
    """The number of sampling units of a goal's measure in ``games`` games. A unit is a game, or a pair of games."""
    return games if goal.measure.series == EVEN else games // 2


def mean_of_known(sample: NDArray[np.float64]) -> float:
    """The mean of the numbers that are not NaN; NaN if there are none."""
    measured = known(sample)
    return float(measured.mean()) if len(measured) else math.nan
