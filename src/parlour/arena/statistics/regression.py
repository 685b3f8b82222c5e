"""Logistic regression with errors that allow for dependence within clusters."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.arena.statistics import Estimate, scipy_stats

ROUNDS, PRECISE, RIDGE = 100, 1e-9, 1e-3
MIN_CLUSTERS = 10
"""With fewer clusters nothing is said about how much they vary."""


def logistic(
    features: NDArray[np.float64], outcomes: NDArray[np.float64], clusters: NDArray[np.int64]
) -> list[Estimate]:
    """The coefficients of ``features`` (n, K) in the log odds of ``outcomes`` (n,) from 0 to 1, with an intercept
    beside them, and their 95 % intervals: (K,).

    Observations of the same cluster (``clusters``, (n,)), such as the positions of one game, depend on each other: the
    covariance is the sandwich of clusters (Liang and Zeger, *Longitudinal Data Analysis Using Generalized Linear
    Models*, Biometrika 73, 1986), with Student's quantiles of G − 1 for G clusters. A ridge of `RIDGE` keeps
    coefficients finite where a feature decides all outcomes. ValueError for fewer than `MIN_CLUSTERS` clusters.
    """
    names, places = np.unique(clusters, return_inverse=True)
    count = len(names)
    if count < MIN_CLUSTERS:
        raise ValueError(f"a regression needs {MIN_CLUSTERS} clusters or more, not {count}")
    design = np.column_stack([features, np.ones(len(features))])
    penalty = np.diag([RIDGE] * features.shape[1] + [0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(ROUNDS):
        expected = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (outcomes - expected) - penalty @ weights
        curvature = (design * (expected * (1 - expected))[:, None]).T @ design + penalty
        step = np.linalg.lstsq(curvature, slope, rcond=None)[0]
        weights += step
        if np.abs(step).max() < PRECISE:
            break
    scores = np.zeros((count, design.shape[1]))
    np.add.at(scores, places, design * (outcomes - expected)[:, None])
    inverse = np.linalg.pinv(curvature)
    covariance = inverse @ (scores.T @ scores) @ inverse * count / (count - 1)
    reach = float(scipy_stats().t.ppf(0.975, count - 1)) * np.sqrt(np.diag(covariance))
    return [
        Estimate(float(weight), float(weight - width), float(weight + width), count)
        for weight, width in zip(weights[:-1], reach)
    ]
