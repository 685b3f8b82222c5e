"""The Pareto front of several goals, and the choice of the best candidates.

Axis letters: K candidates, G goals. ``misses`` (K, G) is how far each candidate is from each goal; lower is better. A
candidate dominates another if it is worse in no goal and better in at least one.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parlour.arena.study.exploring.goals import Goal

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
