"""The Pareto front of several goals, and which candidates are kept when there is room for a few.

Axis letters: K candidates, G goals. ``misses`` (K, G) says how far each candidate is from each goal: the lower, the
better. A candidate dominates another if it is nowhere worse and somewhere better.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parlour.arena.exploring.goals import Goal

RESAMPLES = 1000


def front_of(misses: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Which candidates (K,) no other dominates."""
    no_worse = (misses[:, None, :] <= misses[None, :, :]).all(axis=2)
    better = (misses[:, None, :] < misses[None, :, :]).any(axis=2)
    return ~np.asarray((no_worse & better).any(axis=0), np.bool_)


def best(misses: NDArray[np.float64], count: int) -> list[int]:
    """The indices of ``count`` candidates, in ascending order. Fronts are taken one after another; of a front that does
    not fit as a whole, the candidates that are farthest from their neighbours are taken (non-dominated sorting with
    crowding distances: Deb, Pratap, Agarwal and Meyarivan, *A Fast and Elitist Multiobjective Genetic Algorithm:
    NSGA-II*, IEEE Transactions on Evolutionary Computation 6, 2002)."""
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
    """How far the neighbours (K,) of each candidate of a front lie apart, summed over goals, each in units of the
    front's extent; infinite at its ends."""
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
    """How stable the front is: the share of `RESAMPLES` in which each candidate (K,) is on it, of samples of the same
    games drawn with replacement (Efron, *Bootstrap Methods: Another Look at the Jackknife*, Annals of Statistics 7,
    1979).

    Args:
        goals: G goals.
        numbers: for each goal the numbers (K, n) of all candidates under the same n seeds; NaN where there is nothing
            to measure. Goals of the same kind of games are drawn together.
        seed: the random seed.
    """
    generator = np.random.default_rng(seed)
    weights: dict[str, NDArray[np.int64]] = {}
    misses = []
    for goal, found in zip(goals, numbers):
        count = found.shape[1]
        if goal.measure.series not in weights:
            weights[goal.measure.series] = generator.multinomial(count, np.full(count, 1 / count), RESAMPLES)
        drawn, measured = weights[goal.measure.series], ~np.isnan(found)
        with np.errstate(invalid="ignore"):
            means = (drawn @ np.where(measured, found, 0.0).T) / (drawn @ measured.T)
        misses.append(goal.misses(means))  # (samples, K)
    return np.mean([front_of(np.stack(one, axis=1)) for one in zip(*misses)], axis=0)
