"""What each option changes: main effects and interactions of pairs, from combinations that all played the same seeds.

A main effect is the mean change of a measure between combinations that differ in one option alone, over all such
combinations that there are: so those that were left out bias nothing. The interaction of two options is how much the
effect of one changes with the other, in the same way. Every combination plays game i with the same seed, so game i of
all of them gives one value of each effect, and these values are independent from seed to seed.

Axis letters: K combinations, B seeds.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from parlour.arena.exploring.goals import Goal
from parlour.arena.exploring.space import Space
from parlour.arena.statistics import NOTHING, SIGNIFICANT, Estimate, differs_from_zero, holm, mean
from parlour.rulebook.options import Value


@dataclass(frozen=True)
class Change:
    """An option that goes from one value to another."""

    option: str
    before: Value
    after: Value

    def __str__(self) -> str:
        """``geometry: line → ring``."""
        return f"{self.option}: {self.before} → {self.after}"


@dataclass(frozen=True)
class Effect:
    """What a change of one option does to a measure, or by how much it does more under a change of another.

    Attributes:
        goal: the goal whose measure it is.
        change: the change.
        under: the change of another option, of an interaction; None of a main effect.
        matches: how many pairs, or fours, of combinations it is the mean of.
        found: by how much the measure changes, with its 95 % interval.
        p: the p-value.
        corrected: the p-value corrected for the number of all effects of an exploration.
    """

    goal: Goal
    change: Change
    under: Change | None
    matches: int
    found: Estimate
    p: float
    corrected: float = 1.0

    @property
    def significant(self) -> bool:
        """Whether the report may claim it."""
        return self.corrected < SIGNIFICANT

    @property
    def title(self) -> str:
        """``geometry: line → ring``, or ``geometry: line → ring, with entering: forbidden → trapped``."""
        return str(self.change) if self.under is None else f"{self.change}, with {self.under}"


def effects(space: Space, numbers: Mapping[str, NDArray[np.float64]], goals: Sequence[Goal]) -> list[Effect]:
    """All effects, main effects first, corrected together. ``numbers``: by measure, (K, B) under the same seeds; NaN
    where there is nothing to measure."""
    found = []
    for goal in goals:
        found += [_effect(goal, change, None, _main(space, change), numbers) for change in changes(space)]
    for goal in goals:
        for one, other in itertools.combinations(changes(space), 2):
            if one.option != other.option:
                found.append(_effect(goal, one, other, _interaction(space, one, other), numbers))
    kept = [effect for effect in found if effect.found.count]
    return [replace(effect, corrected=p) for effect, p in zip(kept, holm([effect.p for effect in kept]))]


def changes(space: Space) -> list[Change]:
    """Every option with every two of its values."""
    return [
        Change(option, before, after)
        for option, values in space.options.items()
        for before, after in itertools.combinations(values, 2)
    ]


Match = tuple[tuple[int, ...], tuple[float, ...]]
"""Combinations, and the sign of each."""


def _main(space: Space, change: Change) -> Iterator[Match]:
    """Pairs of combinations that differ in the change alone."""
    for settings, place in space.places.items():
        after = _moved(space, settings, change)
        if after is not None and (other := space.places.get(after)) is not None:
            yield (other, place), (1.0, -1.0)


def _interaction(space: Space, one: Change, other: Change) -> Iterator[Match]:
    """Fours of combinations that differ in the two changes alone."""
    for settings, place in space.places.items():
        first, second = _moved(space, settings, one), _moved(space, settings, other)
        if first is None or second is None:
            continue
        both = _moved(space, first, other)
        found = [space.places.get(moved) for moved in (both, first, second) if moved is not None]
        places = [own for own in found if own is not None]
        if len(places) == 3:
            yield (*places, place), (1.0, -1.0, -1.0, 1.0)


def _moved(space: Space, settings: tuple[Value, ...], change: Change) -> tuple[Value, ...] | None:
    """The settings after a change; None if it does not begin there."""
    k = list(space.options).index(change.option)
    return (*settings[:k], change.after, *settings[k + 1 :]) if settings[k] == change.before else None


def _effect(
    goal: Goal, change: Change, under: Change | None, matches: Iterator[Match],
    numbers: Mapping[str, NDArray[np.float64]],
) -> Effect:  # fmt: skip
    sample = numbers[goal.measure.key]
    rows = [sum(sign * sample[place] for place, sign in zip(places, signs)) for places, signs in matches]
    if not rows:
        return Effect(goal, change, under, 0, NOTHING, math.nan)
    values = _column_means(np.stack(rows))
    most = 1.0 if under is None else 2.0  # of what lies between 0 and 1
    found = mean(values, -most, most) if goal.measure.kind.bounded else mean(values)
    return Effect(goal, change, under, len(rows), found, differs_from_zero(values))


def _column_means(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """The means of columns without their NaN; of those that have anything else."""
    measured = ~np.isnan(rows)
    some = measured.any(axis=0)
    total = np.where(measured, rows, 0.0)[:, some].sum(axis=0)
    means: NDArray[np.float64] = total / measured[:, some].sum(axis=0)
    return means
