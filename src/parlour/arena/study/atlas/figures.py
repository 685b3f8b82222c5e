"""The figures that an atlas adds to those of a comparison."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.of_atlas import OF_ATLAS
from parlour.arena.statistics import Estimate, mean
from parlour.support.typed_json import Struct

FIGURES = 5
"""How many significant figures are shown at most; kinds limit the decimal places."""


class Found(Struct, frozen=True):
    """A figure of an atlas.

    Attributes:
        measure: a key of `OF_ATLAS`.
        variant: the variant; of a distance the first of two.
        other: the second variant, the changed option, or the piece and its owner; empty where there is none.
        players: by whom.
        value, low, high, count: see `parlour.arena.statistics.Estimate`; None for what is not finite.
    """

    measure: str
    variant: str
    other: str
    players: str
    value: float | None
    low: float | None
    high: float | None
    count: int

    @property
    def estimate(self) -> Estimate:
        """The figure as an estimate."""
        low, high = (-math.inf if self.low is None else self.low), (math.inf if self.high is None else self.high)
        unknown = math.nan if low == -high else math.copysign(math.inf, low + high)
        return Estimate(unknown if self.value is None else self.value, low, high, self.count)

    @property
    def text(self) -> str:
        """The figure with its interval."""
        kind, estimate = OF_ATLAS[self.measure].kind, self.estimate
        value, interval = kind.figure(estimate, FIGURES), kind.interval(estimate, FIGURES)
        if math.isinf(estimate.value):
            return interval
        return value if estimate.low == estimate.high else f"{value} [{interval}]"

    @property
    def row(self) -> dict[str, object]:
        """The figure as a row of a table."""
        one = self.estimate
        return {
            "measure": self.measure, "variant": self.variant, "other": self.other, "players": self.players,
            "estimate": one.value, "low": one.low, "high": one.high, "n": one.count,
            "unit": OF_ATLAS[self.measure].kind.unit,
        }  # fmt: skip


def founds(variant: str, players: str, estimates: Mapping[str, Estimate], other: str = "") -> list[Found]:
    """Estimates by their measures as figures."""
    found = []
    for measure, one in estimates.items():
        value, low, high = (float(end) if math.isfinite(end) else None for end in (one.value, one.low, one.high))
        found.append(Found(measure, variant, other, players, value, low, high, one.count))
    return found


def clustered(values: NDArray[Any], clusters: Sequence[str], high: float) -> Estimate:
    """The mean of the clusters' means, from 0 to ``high``: positions of one opening depend on each other, openings do
    not."""
    by_cluster: dict[str, list[float]] = {}
    for value, cluster in zip(values.tolist(), clusters):
        by_cluster.setdefault(cluster, []).append(float(value))
    return mean([float(np.mean(own)) for own in by_cluster.values()], 0.0, high)
