"""The result of an exploration: all combinations with their estimates, the Pareto front, what each option changes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.exploring.effects import Effect, effects
from parlour.arena.exploring.goals import LEAST, MOST
from parlour.arena.exploring.pareto import front_of, front_shares
from parlour.arena.exploring.plan import ExplorationPlan
from parlour.arena.reporting.frames import frame_of, html_of
from parlour.arena.rulesets import Ruleset
from parlour.arena.statistics import Estimate

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Candidate:
    """A combination of option values, and what came of it.

    Attributes:
        number: its place among all combinations, from 1.
        ruleset: the combination.
        variant: the game's named variant with these rules; empty if none.
        rounds: how many rounds it played in.
        games: how many games its estimates come from: of a finalist only those of the final round.
        estimates: by measure.
        on_front: whether it is a finalist that no other finalist dominates.
        front_share: the share of bootstrap samples in which it is; NaN unless it is a finalist.
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
        plan: what was played.
        candidates: all combinations, in the order of the plan.
        all_effects: main effects and interactions, from the games of the first round.
    """

    def __init__(
        self, plan: ExplorationPlan, numbers: Mapping[str, NDArray[np.float64]], rounds: Sequence[int]
    ) -> None:
        """Estimates and tests.

        Args:
            plan: what was played.
            numbers: by measure a number (K, B) of each combination for each seed; NaN where nothing was measured.
            rounds: how many rounds each combination played in (K,).
        """
        self.plan = plan
        first = {key: found[:, : _units(plan, key, plan.rounds[0].high)] for key, found in numbers.items()}
        self.all_effects: list[Effect] = effects(plan.space, first, plan.goals)
        self.candidates = self._candidates(numbers, rounds)

    def _candidates(self, numbers: Mapping[str, NDArray[np.float64]], rounds: Sequence[int]) -> list[Candidate]:
        plan, last = self.plan, self.plan.rounds[-1]
        final = [place for place, played in enumerate(rounds) if played == len(plan.rounds)]
        fresh = [numbers[goal.measure.key][final][:, _units(plan, goal.measure.key, last.low) :] for goal in plan.goals]
        means = [np.array([_mean(sample) for sample in found]) for found in fresh]
        on_front = front_of(np.stack([goal.misses(found) for goal, found in zip(plan.goals, means)], axis=1))
        shares = front_shares(plan.goals, fresh, plan.seed)
        made = []
        for place, (ruleset, played) in enumerate(zip(plan.space.rulesets, rounds)):
            is_final = place in final
            low, high = (last.low, last.high) if is_final else (0, plan.rounds[played - 1].high)
            estimates = {}
            for goal in plan.goals:
                key = goal.measure.key
                sample = numbers[key][place, _units(plan, key, low) : _units(plan, key, high)]
                estimates[key] = goal.measure.kind.estimate(sample[~np.isnan(sample)].tolist())
            variant, games = plan.space.variant_of(ruleset), (high - low) * len(plan.groups)
            rank = final.index(place) if is_final else -1
            won = (bool(on_front[rank]), float(shares[rank])) if is_final else (False, float("nan"))
            made.append(Candidate(place + 1, ruleset, variant, played, games, estimates, *won))
        return made

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
        """What may be claimed, a sentence each."""
        count = len(self.plan.space.rulesets)
        one = len(self.front) == 1
        said = [
            f"{len(self.front)} of {count} combinations {'is' if one else 'are'} on the Pareto front of "
            f"{', '.join(goal.text for goal in self.plan.goals)}."
        ]
        for goal in self.plan.goals:
            own = [effect for effect in self.all_effects if effect.goal == goal and effect.under is None]
            shown = sorted((effect for effect in own if effect.significant), key=lambda one: -abs(one.found.value))
            said += [f"{self.phrase(effect)}." for effect in shown]
            if not shown and own:
                most = max(max(abs(effect.found.low), abs(effect.found.high)) for effect in own)
                unit = "points" if goal.measure.kind.unit == "%" else goal.measure.kind.unit
                still = f"{goal.measure.kind.show(most)} {unit}".strip()
                said.append(
                    f"{goal.measure.title}: no option is shown to change it; changes up to {still} are still possible."
                )
        return said

    def phrase(self, effect: Effect) -> str:
        """An effect in words."""
        kind, wanted = effect.goal.measure.kind, effect.goal.wanted
        unit = "points" if kind.unit == "%" else kind.unit
        rises = effect.found.value > 0
        good = {LEAST: not rises, MOST: rises}.get(wanted)
        aside = "" if good is None else ", towards the goal" if good else ", away from the goal"
        ends = sorted(abs(end) for end in (effect.found.low, effect.found.high))
        return (
            f"{effect.goal.measure.title}: {effect.title} {'raises' if rises else 'lowers'} it by "
            f"{kind.show(abs(effect.found.value))} {unit} ({kind.show(ends[0])} to {kind.show(ends[1])}{aside})"
        ).replace("  ", " ")

    def __str__(self) -> str:
        """The findings, a line each."""
        return "\n".join(self.findings)

    # --- as tables ---

    def combination_rows(self) -> list[dict[str, Any]]:
        """A row a combination: its option values, how far it came, and its estimates with intervals."""
        rows = []
        for one in self.candidates:
            row: dict[str, Any] = {"number": one.number}
            row |= dict(zip(self.plan.space.options, self.plan.space.settings(one.ruleset)))
            row |= {"variant": one.variant, "rounds": one.rounds, "games": one.games, "front": one.on_front}
            row["front_share"] = one.front_share
            for key, found in one.estimates.items():
                row |= {key: found.value, f"{key}_low": found.low, f"{key}_high": found.high, f"{key}_n": found.count}
            rows.append(row)
        return rows

    def effect_rows(self) -> list[dict[str, Any]]:
        """A row an effect: main effects first, then interactions, which have a second option."""
        return [
            {
                "measure": one.goal.measure.key, "option": one.change.option, "before": one.change.before,
                "after": one.change.after, "second_option": one.under.option if one.under else "",
                "second_before": one.under.before if one.under else "",
                "second_after": one.under.after if one.under else "", "matches": one.matches,
                "estimate": one.found.value, "low": one.found.low, "high": one.found.high, "n": one.found.count,
                "p": one.p, "p_corrected": one.corrected,
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
        """Writes the report and its tables into a folder, which is made if need be. The report's path. OSError if they
        can't be written."""
        from parlour.arena.reporting.exploration import write_exploration

        return write_exploration(Path(folder), self)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading and rows of the finalists."""
        goals = self.plan.goals
        heading = ["no.", *self.plan.space.options, *(goal.text for goal in goals), "on the front"]
        rows = []
        for one in self.finalists:
            cells = [goal.measure.kind for goal in goals]
            found = [one.estimates[goal.measure.key] for goal in goals]
            shown = [f"{kind.show(own.value)} ({kind.interval(own)})" for kind, own in zip(cells, found)]
            settings = [str(value) for value in self.plan.space.settings(one.ruleset)]
            rows.append([str(one.number), *settings, *shown, f"{100 * one.front_share:.0f} %"])
        return heading, rows

    def _repr_html_(self) -> str:
        """The finalists, for notebooks."""
        return html_of(*self.table())


def _units(plan: ExplorationPlan, key: str, games: int) -> int:
    """The number of sampling units in ``games`` games. A unit is a game, or a pair of games."""
    measure = next(goal.measure for goal in plan.goals if goal.measure.key == key)
    return games if measure.series == "even" else games // 2


def _mean(sample: NDArray[np.float64]) -> float:
    measured = sample[~np.isnan(sample)]
    return float(measured.mean()) if len(measured) else float("nan")
