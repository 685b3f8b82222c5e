"""Kinds of measures: how their values are estimated, tested and shown as text."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from parlour.arena import statistics
from parlour.arena.setting.plans import DRAW
from parlour.arena.statistics import Estimate, paired
from parlour.arena.statistics.engine_testing import normalised_elo

FIGURES = 3
"""How many significant figures of a value are shown."""
ALL = ("all lost", "all won")
"""Shown for an infinite difference in Elo."""
NONE = "–"
"""Shown for a value that can't occur or was not measured."""


@dataclass(frozen=True)
class Kind:
    """How the values of a kind of measure are estimated, tested and shown.

    Attributes:
        estimate: makes an estimate from a sample: one number for each sampling unit.
        differ: the p-value of the test for a difference between two samples; a ``coded`` kind is not tested.
        difference: the interval of the difference between two samples at a given level, first minus second.
        differ_paired, difference_paired: the same for samples whose units go together.
        unit: the unit of the measure wherever it is shown, written to a table, or wanted by a goal.
        scale: the factor by which a number of a sample is multiplied to be in ``unit``.
        digits: the largest number of decimal places.
        low, high: the smallest and the largest value that the measure can have, in ``unit``.
        coded: whether the number of a single unit is a code (such as the seat that won) and not a value of the measure.
            The mean over units is then not an estimate.
        unbounded: what is shown for −∞ and ∞.
        undecided: the number of a unit that says nothing about who is favoured; NaN where every number says something.
            If all units of a sample have it, there is nothing to measure: see `telling`.
    """

    estimate: Callable[[Sequence[float]], Estimate]
    differ: Callable[[Sequence[float], Sequence[float]], float] = statistics.means_differ
    difference: Callable[[Sequence[float], Sequence[float], float], tuple[float, float]] = statistics.mean_difference
    unit: str = ""
    scale: float = 1.0
    digits: int = 1
    low: float = -math.inf
    high: float = math.inf
    coded: bool = False
    unbounded: tuple[str, str] = ("−∞", "∞")
    undecided: float = math.nan
    differ_paired: Callable[[Sequence[float], Sequence[float]], float] = paired.means_differ
    difference_paired: Callable[[Sequence[float], Sequence[float], float], tuple[float, float]] = paired.mean_difference

    def telling(self, samples: NDArray[np.float64]) -> NDArray[np.float64]:
        """The samples (…, n), where a sample becomes all NaN if all of its units are `undecided`: however many draws
        there are, draws alone say nothing about fairness."""
        uninformative = (np.isnan(samples) | (samples == self.undecided)).all(axis=-1, keepdims=True)
        return np.where(uninformative, np.nan, samples)

    @property
    def difference_unit(self) -> str:
        """The unit of a difference between two values."""
        return "points" if self.unit == "%" else self.unit

    def scaled(self, estimate: Estimate) -> Estimate:
        """An estimate in `unit`."""
        value, low, high = (self.scale * number for number in (estimate.value, estimate.low, estimate.high))
        return replace(estimate, value=value, low=low, high=high)

    def show(self, value: float, figures: int = FIGURES) -> str:
        """A value as text without its unit, to ``figures`` significant figures; digits before the point are kept."""
        if math.isnan(value):
            return NONE
        if math.isinf(value):
            return self.unbounded[value > 0]
        before = len(str(int(abs(value * self.scale))))
        digits = min(self.digits, max(figures - before, 0))
        shown = round(value * self.scale, digits) + 0.0  # no −0
        return f"{shown:,.{digits}f}".replace("-", "−")

    def figure(self, estimate: Estimate, figures: int = FIGURES) -> str:
        """An estimate's value as text, without its unit; "≥ 500" if `max_plies` cut games."""
        return f"{'≥ ' if estimate.cut else ''}{self.show(estimate.value, figures)}"

    def phrase(self, estimate: Estimate) -> str:
        """An estimate's value as text, with its unit."""
        return f"{self.figure(estimate)} {self.unit}".strip()

    def text(self, estimate: Estimate, unit: bool = False) -> str:
        """An estimate as text with its interval, "54.2 (50.1 to 58.3)", also with its ``unit``; `NONE` for nothing."""
        if not estimate.count:
            return NONE
        return f"{self.phrase(estimate) if unit else self.figure(estimate)} ({self.interval(estimate)})"

    def change(self, value: float) -> str:
        """A difference as text, without its sign: "3.1 points", "12 plies"; "any size" if it is unbounded."""
        if math.isinf(value):
            return "any size"
        return f"{self.show(abs(value))} {self.difference_unit}".strip()

    def signed(self, value: float) -> str:
        """A change as text, with its sign: "+3.1 points"."""
        return f"{'+' if value > 0 else '−' if value < 0 else ''}{self.change(value)}"

    def interval(self, estimate: Estimate, figures: int = FIGURES) -> str:
        """The interval of an estimate as text: "3.1 to 4.5"; "3.1 and more" if it has no upper end; "the same in all
        30" if all 30 numbers are equal and the interval is unbounded."""
        if not estimate.count:
            return ""
        low, high = self.show(estimate.low, figures), self.show(estimate.high, figures)
        if estimate.constant and (math.isinf(estimate.low) or math.isinf(estimate.high)):
            return f"the same in all {estimate.count}"
        if math.isinf(estimate.low) and math.isinf(estimate.high):
            return "unknown"
        if math.isinf(estimate.low):
            return f"{high} and less"
        return f"{low} and more" if math.isinf(estimate.high) else f"{low} to {high}"


def _elo(scores: Sequence[float]) -> Estimate:
    return statistics.elo(statistics.score(scores))


SHARE = Kind(
    statistics.share, statistics.shares_differ, statistics.share_difference, "%", 100, low=0, high=100,
    differ_paired=paired.scores_differ, difference_paired=paired.score_difference,
)  # fmt: skip
"""A share of games: the number is 0 or 1."""
SCORE = replace(
    SHARE, estimate=statistics.score, differ=statistics.means_differ, difference=statistics.score_difference
)
"""A score from 0 to 1, where a draw is ½."""
FAIRNESS = replace(SCORE, undecided=DRAW)
"""The score of one seat against the others."""
ELO = Kind(_elo, unit="Elo", digits=0, coded=True, unbounded=ALL)
"""A score, shown as a difference in Elo points."""
NORMALISED_ELO = Kind(normalised_elo, unit="nElo", digits=0, coded=True, unbounded=ALL)
"""A score, shown as a difference in normalised Elo points."""
BALANCE = Kind(statistics.balance, unit="%", scale=100, low=0, high=100, coded=True, undecided=-1)
"""The seat that won, shown as one minus the greatest difference between two seats' shares of wins."""
UNIFORMITY = Kind(statistics.outcome_uniformity, digits=2, coded=True)
"""The seat that won, shown as one minus the mean variance of the seats' outcomes."""
SPREAD = Kind(statistics.standard_deviation, unit="plies", coded=True)
"""A number, shown as its standard deviation."""
DIVERSITY = Kind(statistics.diversity, coded=True)
"""A code, such as that of an opening, shown as the effective number of different ones."""
ENTROPY = Kind(statistics.collision_entropy, unit="bits", coded=True)
"""A code, shown as the entropy of the codes."""


def mean_of(unit: str, digits: int = 1, low: float = -math.inf, high: float = math.inf) -> Kind:
    """The kind of a mean of numbers from ``low`` to ``high``, shown in ``unit``."""
    difference = partial(statistics.mean_difference, low=low, high=high)
    estimate = partial(statistics.mean, low=low, high=high)
    return Kind(estimate, difference=difference, unit=unit, digits=digits, low=low, high=high)


def count_of(unit: str, digits: int = 2) -> Kind:
    """The kind of a mean of counts (0 or more), shown in ``unit``."""
    difference = partial(statistics.mean_difference, low=0.0)
    return Kind(statistics.occurrences, difference=difference, unit=unit, digits=digits, low=0)


PERCENT = mean_of("%", low=0, high=100)
"""A mean of percentages, such as a percentage of the plies of each game."""
