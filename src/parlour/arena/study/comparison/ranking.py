"""The order of variants by a few stated goals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures import Measure
from parlour.arena.measures.outcomes import FIRST_SEAT
from parlour.arena.setting.plans import Group
from parlour.arena.study.comparison.findings import Figures
from parlour.arena.study.comparison.plan import ComparisonPlan
from parlour.support.errors import listing

Values: TypeAlias = "NDArray[np.float64]"
GOALS: Mapping[str, tuple[str, Callable[[Values], Values]]] = {
    "decided": ("undecided", lambda shares: shares),
    "fair": (FIRST_SEAT, lambda scores: 2 * np.abs(scores - 0.5)),
    "short": ("plies", lambda plies: plies / np.nanmax(plies)),
    "long": ("plies", lambda plies: 1 - plies / np.nanmax(plies)),
    "skill": ("skill", lambda scores: 2 * (1 - scores)),
    "choice": ("branching", lambda actions: 1 - actions / np.nanmax(actions)),
}
"""By its name: the measure of a goal, and how far the values of all variants are from the goal, 0 if it is met and 1 if
it is missed wholly."""
USUAL = ("decided", "fair", "skill")


def measure_of(plan: ComparisonPlan, goal: str) -> str:
    """The key of the measure of a goal in this comparison: of fairness that of the seat that begins, where it is not
    always the first."""
    key, _ = GOALS[goal]
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
    """The labels of the variants: those that are nearest to the goals ``rank``, on average, first. A variant without a
    figure misses a goal wholly."""
    labels = [ruleset.label for ruleset in plan.rulesets]
    measures = {one.key: one for one in plan.measures}
    missed = np.zeros(len(labels))
    for key, (_, distance) in ((measure_of(plan, name), GOALS[name]) for name in rank):
        group = shown_group(plan, measures[key])
        values = np.array([figures[label, group][key].value for label in labels])
        missed += np.nan_to_num(distance(values), nan=1.0) if np.isfinite(values).any() else 0.0
    return [labels[k] for k in np.argsort(missed, kind="stable")]
