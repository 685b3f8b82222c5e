"""The measures that an atlas adds to those of single games, and their estimates. ``docs/measures.md`` defines them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import ELO, PERCENT, Kind, mean_of
from parlour.arena.measures.registry import Measure
from parlour.arena.statistics import Estimate, mean
from parlour.support.typed_json import Struct

POINTS, ODDS, MANY = mean_of("points", low=-100, high=100), mean_of("log odds", 2), mean_of("", 2, low=1)
FIGURES = 5
"""How many significant figures are shown at most; kinds limit the decimal places."""


def _measure(key: str, title: str, kind: Kind, meaning: str) -> tuple[str, Measure]:
    return key, Measure(key, title, meaning, kind, lambda game: None)


OF_ATLAS = dict([
    _measure("temperature", "Temperature", mean_of("", 4), "at which the player's policy is softened"),
    _measure("elo_lost", "Elo lost by it", ELO, "by the softened player against the player itself"),
    _measure("opening_entropy", "Entropy of openings", mean_of("bits"), "of the openings of the softened player"),
    _measure("first_moves", "First moves", mean_of("", 1), "effective number of first moves of the softened player"),
    _measure("moves", "Moves a ply", MANY, "effective number of moves at each ply of the opening"),
    _measure("opening_positions", "Positions after it", mean_of("", 0, low=1), "effective number of them"),
    _measure("settled", "Settled after", PERCENT, "of a decided game, before its winner leads for good by the network"),
    _measure("turned", "Turned", PERCENT, "decided games whose winner once expected a quarter or less by the network"),
    _measure("luck_share", "Share of luck", PERCENT, "of the variance of results that the dice explain, by a judge"),
    _measure("decided_more", "Decided more", POINTS, "decided games by the stronger of two players less by the weaker"),
    _measure("skill_slope", "Skill a doubling", mean_of("nElo", 0), "normalised Elo gained by doubling the search"),
    _measure("distance", "Distance of policies", mean_of("", 3), "mean Jensen–Shannon distance on shared positions"),
    _measure("agreement", "Same best move", PERCENT, "shared positions in which one move is best in both"),
    _measure("worth", "Worth of one more", ODDS, "of the score of its owner, by logistic regression"),
    _measure("nodes", "Nodes a ply", mean_of("", 0, low=0), "positions or simulations that the player looks at in one"),
    _measure("exact", "By perfect play", PERCENT, "the score of the seat that begins, by a table of exact values"),
    _measure("removed", "Worth by its removal", ODDS, "lost by its owner's score where one is taken off the board"),
    _measure("move_changed", "Best move changed", PERCENT, "positions whose best move loses if the option is changed"),
    _measure("value_changed", "Value changed", PERCENT, "positions whose value moves if the option is changed"),
])  # fmt: skip
"""By key, in the order of the page."""


class Found(Struct, frozen=True):
    """An estimate of an atlas.

    Attributes:
        measure: a key of `OF_ATLAS`.
        variant: the variant; for a distance the first of two.
        other: the second variant, the changed option, or the piece and its owner; empty where there is none.
        players: whose games or policies were measured.
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
        """The numbers as `parlour.arena.statistics.Estimate`."""
        low, high = (-math.inf if self.low is None else self.low), (math.inf if self.high is None else self.high)
        unknown = math.nan if low == -high else math.copysign(math.inf, low + high)
        return Estimate(unknown if self.value is None else self.value, low, high, self.count)

    @property
    def text(self) -> str:
        """The value with its interval."""
        kind, estimate = OF_ATLAS[self.measure].kind, self.estimate
        value, interval = kind.figure(estimate, FIGURES), kind.interval(estimate, FIGURES)
        if math.isinf(estimate.value):
            return interval
        return value if estimate.low == estimate.high else f"{value} [{interval}]"

    @property
    def row(self) -> dict[str, object]:
        """A row of a table."""
        estimate = self.estimate
        return {
            "measure": self.measure, "variant": self.variant, "other": self.other, "players": self.players,
            "estimate": estimate.value, "low": estimate.low, "high": estimate.high, "n": estimate.count,
            "unit": OF_ATLAS[self.measure].kind.unit,
        }  # fmt: skip


def founds(variant: str, players: str, estimates: Mapping[str, Estimate], other: str = "") -> list[Found]:
    """Estimates of a variant as they are saved. ``estimates``: by keys of `OF_ATLAS`; the rest as in `Found`."""
    entries = []
    for measure, estimate in estimates.items():
        value, low, high = (
            float(end) if math.isfinite(end) else None for end in (estimate.value, estimate.low, estimate.high)
        )
        entries.append(Found(measure, variant, other, players, value, low, high, estimate.count))
    return entries


def clustered(values: NDArray[Any], clusters: Sequence[str], high: float) -> Estimate:
    """The mean of the means of clusters, from 0 to ``high``. ``values``: (n,); ``clusters``: of each value the opening
    that it belongs to (n,). Positions of the same opening depend on each other; openings are independent."""
    by_cluster: dict[str, list[float]] = {}
    for value, cluster in zip(values.tolist(), clusters):
        by_cluster.setdefault(cluster, []).append(float(value))
    return mean([float(np.mean(cluster)) for cluster in by_cluster.values()], 0.0, high)
