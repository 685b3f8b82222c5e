"""The result of an exploration: all combinations with their estimates, the Pareto front, the effect of each option."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.exploring.effects import Effect, effects
from parlour.arena.exploring.goals import MAX, MIN
from parlour.arena.exploring.pareto import front_of, front_shares
from parlour.arena.exploring.plan import ExplorationPlan
from parlour.arena.reporting.frames import frame_of, html_of
from parlour.arena.rulesets import Ruleset
from parlour.arena.statistics import Estimate

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Candidate:
    """A combination of option values, with its results.

    Attributes:
        number: its number among all combinations, from 1.
        ruleset: the combination.
        variant: the game's named variant with these rules; empty if there is none.
        rounds: how many rounds it played.
        games: how many games its estimates come from; for a finalist only those of the final round.
        estimates: by measure.
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


class Exploration:
    """The result of an exploration.

    Attributes:
        plan: the plan that was played.
        candidates: all combinations, in the order of the plan.
        all_effects: main effects and interactions, from the games of the first round.
    """

    def __init__(
        self, plan: ExplorationPlan, numbers: Mapping[str, NDArray[np.float64]], rounds: Sequence[int]
    ) -> None:
        """Makes estimates and tests.

        Args:
            plan: the plan that was played.
            numbers: by measure the value (K, B) of each combination for each seed; NaN where nothing was measured.
            rounds: how many rounds each combination played (K,).
        """
        self.plan = plan
        first = {key: values[:, : _units(plan, key, plan.rounds[0].high)] for key, values in numbers.items()}
        self.all_effects: list[Effect] = effects(plan.space, first, plan.goals)
        self.candidates = self._candidates(numbers, rounds)

    def _candidates(self, numbers: Mapping[str, NDArray[np.float64]], rounds: Sequence[int]) -> list[Candidate]:
        plan, last = self.plan, self.plan.rounds[-1]
        final = [k for k, played in enumerate(rounds) if played == len(plan.rounds)]
        fresh = [numbers[goal.measure.key][final][:, _units(plan, goal.measure.key, last.low) :] for goal in plan.goals]
        means = [np.array([_mean(sample) for sample in samples]) for samples in fresh]
        on_front = front_of(np.stack([goal.misses(values) for goal, values in zip(plan.goals, means)], axis=1))
        shares = front_shares(plan.goals, fresh, plan.seed)
        candidates = []
        for k, (ruleset, played) in enumerate(zip(plan.space.rulesets, rounds)):
            is_final = k in final
            low, high = (last.low, last.high) if is_final else (0, plan.rounds[played - 1].high)
            estimates = {}
            for goal in plan.goals:
                key = goal.measure.key
                sample = numbers[key][k, _units(plan, key, low) : _units(plan, key, high)]
                estimates[key] = goal.measure.kind.estimate(sample[~np.isnan(sample)].tolist())
            variant, games = plan.space.variant_of(ruleset), (high - low) * len(plan.groups)
            rank = final.index(k) if is_final else -1
            front = (bool(on_front[rank]), float(shares[rank])) if is_final else (False, float("nan"))
            candidates.append(Candidate(k + 1, ruleset, variant, played, games, estimates, *front))
        return candidates

    @property
    def finalists(self) -> list[Candidate]:
        """The combinations that played the final round: those on the front first."""
        final = [one for one in self.candidates if one.rounds == len(self.plan.rounds)]
        return sorted(final, key=lambda one: (not one.on_front, -one.front_share, one.number))

    @property
    def front(self) -> list[Candidate]:
        """The finalists that no other finalist dominates."""
        return [one for one in self.finalists if one.on_front]

    # --- in words ---

    @property
    def findings(self) -> list[str]:
        """The findings, one sentence each."""
        count = len(self.plan.space.rulesets)
        one = len(self.front) == 1
        lines = [
            f"{len(self.front)} of {count} combinations {'is' if one else 'are'} on the Pareto front of "
            f"{', '.join(goal.text for goal in self.plan.goals)}."
        ]
        for goal in self.plan.goals:
            own = [effect for effect in self.all_effects if effect.goal == goal and effect.under is None]
            shown = sorted((effect for effect in own if effect.significant), key=lambda one: -abs(one.estimate.value))
            lines += [f"{self.phrase(effect)}." for effect in shown]
            if not shown and own:
                largest = max(max(abs(effect.estimate.low), abs(effect.estimate.high)) for effect in own)
                unit = "points" if goal.measure.kind.unit == "%" else goal.measure.kind.unit
                size = f"{goal.measure.kind.show(largest)} {unit}".strip()
                lines.append(
                    f"{goal.measure.title}: no option is shown to change it; changes up to {size} are still possible."
                )
        return lines

    def phrase(self, effect: Effect) -> str:
        """An effect in words."""
        kind, wanted = effect.goal.measure.kind, effect.goal.wanted
        unit = "points" if kind.unit == "%" else kind.unit
        rises = effect.estimate.value > 0
        good = {MIN: not rises, MAX: rises}.get(wanted)
        direction = "" if good is None else ", towards the goal" if good else ", away from the goal"
        ends = sorted(abs(end) for end in (effect.estimate.low, effect.estimate.high))
        return (
            f"{effect.goal.measure.title}: {effect.title} {'raises' if rises else 'lowers'} it by "
            f"{kind.show(abs(effect.estimate.value))} {unit} ({kind.show(ends[0])} to {kind.show(ends[1])}{direction})"
        ).replace("  ", " ")

    def __str__(self) -> str:
        """The table of the finalists that ``parlour explore`` prints, and the findings, a line each."""
        from parlour.arena.reporting.terminal import exploration_tables, text_of

        return "\n".join([text_of(exploration_tables(self)), "", *self.findings])

    # --- as tables ---

    def combination_rows(self) -> list[dict[str, Any]]:
        """One row per combination: its option values, rounds and games, and its estimates with intervals."""
        rows = []
        for one in self.candidates:
            row: dict[str, Any] = {"number": one.number}
            row |= dict(zip(self.plan.space.options, self.plan.space.settings(one.ruleset)))
            row |= {"variant": one.variant, "rounds": one.rounds, "games": one.games, "front": one.on_front}
            row["front_share"] = one.front_share
            for key, estimate in one.estimates.items():
                row |= {key: estimate.value, f"{key}_low": estimate.low, f"{key}_high": estimate.high}
                row[f"{key}_n"] = estimate.count
            rows.append(row)
        return rows

    def effect_rows(self) -> list[dict[str, Any]]:
        """One row per effect: main effects first, then interactions, which have a second option."""
        return [
            {
                "measure": one.goal.measure.key, "option": one.change.option, "before": one.change.before,
                "after": one.change.after, "second_option": one.under.option if one.under else "",
                "second_before": one.under.before if one.under else "",
                "second_after": one.under.after if one.under else "", "matches": one.matches,
                "estimate": one.estimate.value, "low": one.estimate.low, "high": one.estimate.high,
                "n": one.estimate.count, "p": one.p, "p_corrected": one.corrected,
            }
            for one in self.all_effects
        ]  # fmt: skip

    @property
    def combinations(self) -> DataFrame:
        """`combination_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.combination_rows())

    @property
    def effects(self) -> DataFrame:
        """`effect_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.effect_rows())

    def report(self, folder: str | Path) -> Path:
        """Writes the report and its tables into a folder, which is made if it does not exist. The path of the report.
        OSError if they can't be written."""
        from parlour.arena.reporting.exploration import write_exploration

        return write_exploration(Path(folder), self)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading, and one row per finalist."""
        goals = self.plan.goals
        heading = ["no.", *self.plan.space.options, *(goal.text for goal in goals), "on the front"]
        rows = []
        for one in self.finalists:
            kinds = [goal.measure.kind for goal in goals]
            estimates = [one.estimates[goal.measure.key] for goal in goals]
            shown = [f"{kind.show(own.value)} ({kind.interval(own)})" for kind, own in zip(kinds, estimates)]
            settings = [str(value) for value in self.plan.space.settings(one.ruleset)]
            rows.append([str(one.number), *settings, *shown, f"{100 * one.front_share:.0f} %"])
        return heading, rows

    def _repr_html_(self) -> str:
        """`table` in HTML, for notebooks."""
        return html_of(*self.table())


def _units(plan: ExplorationPlan, key: str, games: int) -> int:
    """The number of sampling units in ``games`` games. A unit is a game, or a pair of games."""
    measure = next(goal.measure for goal in plan.goals if goal.measure.key == key)
    return games if measure.series == "even" else games // 2


def _mean(sample: NDArray[np.float64]) -> float:
    measured = sample[~np.isnan(sample)]
    return float(measured.mean()) if len(measured) else float("nan")
