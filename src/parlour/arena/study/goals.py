"""Goals of an exploration: the wanted value or range of a measure, how far an estimate is from it, and the Pareto
front of several goals.

Axis letters: K candidates, G goals. ``misses`` (K, G) is how far each candidate is from each goal; lower is better. A
candidate dominates another if it is worse in no goal and better in at least one.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures import Measure, mean_of, measures_of
from parlour.arena.measures.of_atlas import OF_ATLAS
from parlour.arena.measures.registry import TRACE
from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.support.errors import listing

MIN, MAX = "min", "max"
NUMBER = r"-?\d+(?:\.\d+)?"
VARIANT = "variant"
RANGE = re.compile(rf"({NUMBER}|{VARIANT})?\.\.({NUMBER}|{VARIANT})?(%)?")
FORM = (
    "MEASURE:min, MEASURE:max, or MEASURE:LOW..HIGH in the measure's unit, where 'variant' stands for what the variant "
    "has without a change; several are separated by commas"
)
CHANGES = Measure(
    "changes", "Changed options", "options whose value is not that of the variant", mean_of("", 0, low=0),
    lambda game: None, traced=False,
)  # fmt: skip
"""Of a combination, not of a game: `parlour.arena.explorations` fills it in."""


@dataclass(frozen=True)
class Goal:
    """A goal: a measure and its wanted value.

    Attributes:
        measure: the measure.
        wanted: ``"min"``, ``"max"``, or a range such as ``"100..200"``, in the unit of the measure; of a measure in
            percent also with its unit, as in ``"0.5..1%"``.
        low, high: the ends of the range; infinite if the range has no such end, NaN for that of the variant.
    """

    measure: Measure
    wanted: str
    low: float = -math.inf
    high: float = math.inf

    @property
    def text(self) -> str:
        """The goal as on the command line; `read_goals` reads it back."""
        return f"{self.measure.key}:{self.wanted}"

    @property
    def phrase(self) -> str:
        """In words, for headings."""
        unit = f" {self.measure.kind.unit}" if self.measure.kind.unit else ""
        words = {MIN: "as low as possible", MAX: "as high as possible"}
        return words.get(self.wanted, f"within {self.wanted.removesuffix('%').replace(VARIANT, 'the variant’s')}{unit}")

    @property
    def relative(self) -> bool:
        """Whether an end of the range is what the variant has."""
        return math.isnan(self.low) or math.isnan(self.high)

    def beside(self, known: float) -> Goal:
        """The goal with its numbers, if ``known`` is the mean of the variant's games."""
        low, high = (self.measure.kind.scale * known if math.isnan(end) else end for end in (self.low, self.high))
        return replace(self, low=low, high=high)

    def misses(self, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """How far estimates (n,) are from the goal; lower is better, and infinite for NaN."""
        if self.wanted == MIN:
            missed = values
        elif self.wanted == MAX:
            missed = -values
        else:
            shown = self.measure.kind.scale * values
            missed = np.maximum(np.maximum(self.low - shown, shown - self.high), 0.0)
        return np.where(np.isnan(missed), math.inf, missed)


def read_goals(game: Game, rulesets: Sequence[Ruleset], texts: Sequence[str]) -> tuple[Goal, ...]:
    """The goals in texts such as ``undecided:min`` and ``plies:100..200``, for combinations of option values.

    Raises:
        ValueError: for an unknown measure, a measure that is not a mean over games or that no combination can have, a
            text of another form, a range in which the measure can't be, or one that seems to be meant in another unit.
    """
    measures = {one.key: one for one in (*measures_of(game, rulesets[0].seats), CHANGES) if not one.exact}
    goals: dict[str, Goal] = {}
    for text in texts:
        key, _, wanted = text.partition(":")
        if key not in measures and key in OF_ATLAS:
            raise ValueError(
                f"goal {text!r}: {OF_ATLAS[key].title} is no mean over single games; 'parlour atlas' measures it, of "
                "variants that you name"
            )
        if key not in measures:
            raise ValueError(f"goal {text!r}: there is no measure {key!r}; measures: {listing(list(measures))}")
        if key in goals:
            raise ValueError(f"goal {text!r}: the measure {key!r} has a goal already")
        measure = measures[key]
        if measure.kind.coded or measure.series == TRACE:
            valid = [one.key for one in measures.values() if not one.kind.coded and one.series != TRACE]
            raise ValueError(f"goal {text!r}: {key!r} is not a mean over games; valid: {listing(valid)}")
        if not any(measure.applies(game, dict(ruleset.values)) for ruleset in rulesets):
            raise ValueError(f"goal {text!r}: {game.title} can't have {measure.title} in any of these combinations")
        goals[key] = Goal(measure, wanted, *_range(text, wanted, measure))
    if not goals:
        raise ValueError(f"an exploration needs a goal; valid: {FORM}")
    return tuple(goals.values())


def _range(text: str, wanted: str, measure: Measure) -> tuple[float, float]:
    """The ends of the range in a goal. ValueError as in `read_goals`."""
    if wanted in (MIN, MAX):
        return -math.inf, math.inf
    kind, match = measure.kind, RANGE.fullmatch(wanted)
    if match is None or match[1] is match[2] is None or (match[3] and kind.unit != "%"):
        raise ValueError(f"goal {text!r} is not valid; valid: {FORM}")
    low, high = (
        math.nan if end == VARIANT else float(end or unbounded)
        for end, unbounded in ((match[1], -math.inf), (match[2], math.inf))
    )
    if low > high:
        raise ValueError(f"goal {text!r}: {low:g} is above {high:g}")
    ends = [end for end in (low, high) if math.isfinite(end)]
    if not all(kind.low <= end <= kind.high for end in ends):
        limits = f"{kind.low:g} to {kind.high:g}" if math.isfinite(kind.high) else f"{kind.low:g} and more"
        raise ValueError(f"goal {text!r}: {measure.title} can only be {limits} {kind.unit}".rstrip())
    if kind.unit == "%" and not match[3] and max(ends, default=100) <= 1 and any(0 < end < 1 for end in ends):
        meant = "..".join(f"{100 * float(end):g}" if end else "" for end in match.groups()[:2])
        raise ValueError(
            f"goal {text!r}: {measure.title} is measured in percent, so this is less than 1 %; probably {measure.key}:"
            f"{meant} is meant, or else say {measure.key}:{wanted}%"
        )
    return low, high


RESAMPLES = 1000


def front_of(misses: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which candidates (K,) are on the Pareto front: no other candidate dominates them."""
    no_worse = (misses[:, None, :] <= misses[None, :, :]).all(axis=2)
    better = (misses[:, None, :] < misses[None, :, :]).any(axis=2)
    return ~np.asarray((no_worse & better).any(axis=0), np.bool_)


def best(misses: NDArray[np.float64], count: int) -> list[int]:
    """The indices of the best ``count`` candidates, in ascending order. The first front is taken, then the front of the
    remaining candidates, and so on. From a front that does not fit completely, the candidates that are farthest from
    their neighbours are taken (non-dominated sorting with crowding distances: Deb, Pratap, Agarwal and Meyarivan, *A
    Fast and Elitist Multiobjective Genetic Algorithm: NSGA-II*, IEEE Transactions on Evolutionary Computation 6,
    2002)."""
    kept: list[int] = []
    left = np.arange(len(misses))
    while len(kept) < count and len(left):
        on_front = front_of(misses[left])
        front = left[on_front]
        if len(kept) + len(front) > count:
            order = np.argsort(-crowding(misses[front]), kind="stable")
            front = front[order[: count - len(kept)]]
        kept += front.tolist()
        left = left[~on_front]
    return sorted(kept)


def crowding(misses: NDArray[np.float64]) -> NDArray[np.float64]:
    """The crowding distance (K,) of each candidate of a front: the distance between its two neighbours, summed over
    goals, each in units of the front's extent; infinite at the ends of the front."""
    distances = np.zeros(len(misses))
    for column in misses.T:
        order = np.argsort(column, kind="stable")
        finite = column[np.isfinite(column)]
        extent = float(np.ptp(finite)) if len(finite) else 0.0
        distances[order[[0, -1]]] = np.inf
        if extent > 0 and len(order) > 2:
            with np.errstate(invalid="ignore"):
                gaps = (column[order[2:]] - column[order[:-2]]) / extent
            distances[order[1:-1]] += np.nan_to_num(gaps, nan=0.0, posinf=np.inf)
    return distances


def front_shares(goals: Sequence[Goal], numbers: Sequence[NDArray[np.float64]], seed: int) -> NDArray[np.float64]:
    """How stable the front is: the share of `RESAMPLES` bootstrap samples in which each candidate (K,) is on the front.
    A bootstrap sample is drawn from the same games with replacement (Efron, *Bootstrap Methods: Another Look at the
    Jackknife*, Annals of Statistics 7, 1979).

    Args:
        goals: G goals.
        numbers: for each goal the values (K, n) of all candidates under the same n seeds; NaN where there is nothing to
            measure. Goals that are measured on the same games use the same samples of seeds.
    """
    generator = np.random.default_rng(seed)
    weights: dict[str, NDArray[np.int64]] = {}
    misses = []
    for goal, values in zip(goals, numbers):
        count = values.shape[1]
        if goal.measure.series not in weights:
            weights[goal.measure.series] = generator.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn, measured = weights[goal.measure.series], ~np.isnan(values)
        with np.errstate(invalid="ignore"):
            means = (drawn @ np.where(measured, values, 0.0).T) / (drawn @ measured.T)
        misses.append(goal.misses(means))  # (samples, K)
    return np.mean([front_of(np.stack(one, axis=1)) for one in zip(*misses)], axis=0)
