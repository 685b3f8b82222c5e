"""Goals of an exploration: the wanted value or range of a measure, and how far an estimate is from it."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures import Measure, measures_of
from parlour.arena.measures.registry import TRACE
from parlour.engine.game import Game
from parlour.errors import listing

MIN, MAX = "min", "max"
NUMBER = r"-?\d+(?:\.\d+)?"
RANGE = re.compile(rf"({NUMBER})?\.\.({NUMBER})?")
FORM = "MEASURE:min, MEASURE:max, or MEASURE:LOW..HIGH; several are separated by commas"


@dataclass(frozen=True)
class Goal:
    """A goal: a measure and its wanted value.

    Attributes:
        measure: the measure.
        wanted: ``"min"``, ``"max"``, or a range such as ``"100..200"``, in the unit in which the measure is shown.
        low, high: the ends of the range; infinite if the range has no such end.
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
        return words.get(self.wanted, f"within {self.wanted}{unit}")

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


def read_goals(game: Game, seats: int, texts: Sequence[str]) -> tuple[Goal, ...]:
    """The goals in texts such as ``undecided:min`` and ``plies:100..200``.

    Raises:
        ValueError: for an unknown measure, a measure that is not a mean over games, or a text of another form.
    """
    measures = {one.key: one for one in measures_of(game, seats)}
    goals: dict[str, Goal] = {}
    for text in texts:
        key, _, wanted = text.partition(":")
        if key not in measures:
            raise ValueError(f"goal {text!r}: there is no measure {key!r}; measures: {listing(list(measures))}")
        if key in goals:
            raise ValueError(f"goal {text!r}: the measure {key!r} has a goal already")
        measure = measures[key]
        if measure.kind.coded or measure.series == TRACE:
            valid = [one.key for one in measures.values() if not one.kind.coded and one.series != TRACE]
            raise ValueError(f"goal {text!r}: {key!r} is not a mean over games; valid: {listing(valid)}")
        goals[key] = Goal(measure, wanted, *_range(text, wanted))
    if not goals:
        raise ValueError(f"an exploration needs a goal; valid: {FORM}")
    return tuple(goals.values())


def _range(text: str, wanted: str) -> tuple[float, float]:
    if wanted in (MIN, MAX):
        return -math.inf, math.inf
    match = RANGE.fullmatch(wanted)
    if match is None or match[1] is match[2] is None:
        raise ValueError(f"goal {text!r} is not valid; valid: {FORM}")
    low, high = float(match[1] or -math.inf), float(match[2] or math.inf)
    if low > high:
        raise ValueError(f"goal {text!r}: {low:g} is above {high:g}")
    return low, high
