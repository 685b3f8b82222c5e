"""The effect of each option on each measure: main effects and interactions of two options.

A main effect is the mean change of a measure between two combinations that differ in one option alone, over all such
pairs of combinations. So combinations that the game does not allow cause no bias. The interaction of two options is by
how much the effect of one depends on the other, averaged in the same way. Every combination plays game i with the same
seed. So the games i of all combinations give one value of each effect, and values of different seeds are independent.

Where an option has no effect beside others, its values are one combination (`parlour.arena.study.exploring.space`). It
counts once for each of these values in the effects of other options. It says nothing of the option itself, whose effect
is the mean over the combinations in which it has one.

Axis letters: K combinations, B seeds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from parlour.arena.statistics import NOTHING, Estimate, differs_from_zero, holm, mean, significant
from parlour.arena.study.exploring.goals import Goal
from parlour.arena.study.exploring.space import Space
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
    results = []
    for goal in goals:
        results += [_effect(goal, change, None, _main(space, change), numbers) for change in changes(space)]
    for goal in goals:
        for one, other in itertools.combinations(changes(space), 2):
            if one.option != other.option:
                results.append(_effect(goal, one, other, _interaction(space, one, other), numbers))
    measured = [effect for effect in results if effect.estimate.count]
    return [replace(effect, corrected=p) for effect, p in zip(measured, holm([effect.p for effect in measured]))]


def changes(space: Space) -> list[Change]:
    """All changes: for every option, every pair of its values."""
    return [
        Change(option, before, after)
        for option, values in space.options.items()
        for before, after in itertools.combinations(values, 2)
    ]


Match = tuple[tuple[int, ...], tuple[float, ...]]
"""Indices of combinations, and the sign with which each counts."""


def _main(space: Space, change: Change) -> Iterator[Match]:
    for settings, before in space.indices.items():
        changed = _changed(space, settings, change)
        if changed is not None and (after := space.indices.get(changed, before)) != before:
            yield (after, before), (1.0, -1.0)


def _interaction(space: Space, one: Change, other: Change) -> Iterator[Match]:
    """Groups of four combinations that differ in the two changes alone."""
    for settings, neither in space.indices.items():
        first, second = _changed(space, settings, one), _changed(space, settings, other)
        if first is None or second is None:
            continue
        both = _changed(space, first, other)
        indices = [space.indices[changed] for changed in (both, first, second) if changed in space.indices]
        if len({*indices, neither}) == 4:
            yield (*indices, neither), (1.0, -1.0, -1.0, 1.0)


def _changed(space: Space, settings: tuple[Value, ...], change: Change) -> tuple[Value, ...] | None:
    """The settings after a change; None if the option does not have the value before the change."""
    k = list(space.options).index(change.option)
    return (*settings[:k], change.after, *settings[k + 1 :]) if settings[k] == change.before else None


def _effect(
    goal: Goal, change: Change, under: Change | None, matches: Iterator[Match],
    numbers: Mapping[str, NDArray[np.float64]],
) -> Effect:  # fmt: skip
    sample = numbers[goal.measure.key]
    rows = [sum(sign * sample[k] for k, sign in zip(indices, signs)) for indices, signs in matches]
    if not rows:
        return Effect(goal, change, under, 0, NOTHING, math.nan)
    values = _column_means(np.stack(rows))
    kind = goal.measure.kind
    bound = (kind.high - kind.low) / kind.scale * (1 if under is None else 2)  # the largest effect that there can be
    estimate = mean(values, -bound, bound)
    return Effect(goal, change, under, len(rows), estimate, differs_from_zero(values))


def _column_means(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The mean of each column without its NaN; columns of NaN alone are left out."""
    measured = ~np.isnan(rows)
    kept = measured.any(axis=0)
    total = np.where(measured, rows, 0.0)[:, kept].sum(axis=0)
    means: NDArray[np.float64] = total / measured[:, kept].sum(axis=0)
    return means
