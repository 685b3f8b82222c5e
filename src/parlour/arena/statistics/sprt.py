"""The sequential probability ratio test (SPRT) of a match, on the five outcomes of pairs of games."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.arena.statistics.pentanomial import NORMALISED, POINTS

PRIOR = 1e-3
"""Added to the count of each outcome, so that none has probability 0 (as in fishtest)."""
MAX_STEPS, EXACT = 100, 1e-9
"""Of `most_likely_effect`."""
CONTINUE, ACCEPT_H0, ACCEPT_H1 = "continue", "H0", "H1"


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test between two differences in Elo.

    Wald, *Sequential Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945. It is generalised to
    outcomes of unknown distribution, as in fishtest: the likelihood of a hypothesis is that of the most likely
    distribution of the five outcomes whose mean is the score that the hypothesis expects.

    Attributes:
        elo0, elo1: the Elo differences of the hypotheses H0 and H1 (``elo0 < elo1``).
        alpha: the probability of accepting H1 although H0 is true.
        beta: the probability of accepting H0 although H1 is true.
        normalised: whether the differences are in normalised Elo (`parlour.arena.statistics.pentanomial`), as fishtest
            and fastchess have it.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalised: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.elo0) and math.isfinite(self.elo1) and self.elo0 < self.elo1):
            raise ValueError(f"an SPRT takes two Elo differences, the lower one first, not {self.elo0}, {self.elo1}")
        for name in ("alpha", "beta"):
            if not 0 < getattr(self, name) < 0.5:
                raise ValueError(f"{name} must lie between 0 and 0.5, not {getattr(self, name)}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[float], scores: ArrayLike = ()) -> float:
        """The log of the likelihood of H1 divided by that of H0.

        Args:
            counts: the pentanomial counts of pairs (5,).
            scores: of pairs (n,) that can have any other score, such as one adjusted for luck. The most likely
                distribution is then one over these scores and the five (empirical likelihood).
        """
        others = np.asarray(scores, np.float64)
        total = sum(counts) + len(others)
        if not total:
            return 0.0
        seen = np.concatenate([np.asarray(counts, np.float64) + PRIOR, np.ones(len(others))])
        observed, outcomes = seen / (total + 5 * PRIOR), np.concatenate([POINTS, others])
        under_h0, under_h1 = (
            most_likely_effect(observed, elo * math.sqrt(2) / NORMALISED, outcomes)
            if self.normalised
            else most_likely(observed, expected_score(elo), outcomes)
            for elo in (self.elo0, self.elo1)
        )
        return float(total * (observed * np.log(under_h1 / under_h0)).sum())

    def verdict(self, ratio: float) -> str:
        """``"H0"``, ``"H1"`` or ``"continue"`` at a log-likelihood ratio."""
        low, high = self.bounds
        return ACCEPT_H1 if ratio >= high else ACCEPT_H0 if ratio <= low else CONTINUE


def expected_score(elo: float) -> float:
    """The expected score at a difference in Elo points."""
    return 1 / (1 + 10 ** (-elo / 400))


def most_likely(
    observed: NDArray[np.float64], mean: float, outcomes: NDArray[np.float64] = POINTS
) -> NDArray[np.float64]:
    """The most likely probabilities (k,) of the ``outcomes`` (k,) with a given mean; ``observed``: their shares."""
    return _balanced(observed, outcomes - mean)


def most_likely_effect(
    observed: NDArray[np.float64], effect: float, outcomes: NDArray[np.float64] = POINTS
) -> NDArray[np.float64]:
    """The most likely probabilities (k,) of the ``outcomes`` (k,) whose mean is ``effect`` standard deviations above ½.
    A step fits the condition linearised at the last distribution (Van den Bergh, *Comments on Normalized Elo*, section
    4.1)."""
    fitted = np.full(len(outcomes), 1 / len(outcomes))
    for _ in range(MAX_STEPS):
        last, mean = fitted, float(fitted @ outcomes)
        variance = float(fitted @ (outcomes - mean) ** 2)
        allowed = 0.5 * effect * math.sqrt(variance) * (1 + (outcomes - mean) ** 2 / variance)
        fitted = _balanced(observed, outcomes - 0.5 - allowed)
        if np.abs(fitted - last).max() < EXACT:
            break
    return fitted


def _balanced(observed: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The most likely probabilities (k,) under which ``offsets`` (k,) have the mean 0: p / (1 + θ · offset), where p
    are the ``observed`` shares and θ is the root of a monotone function (Owen, *Empirical Likelihood*, 2001, section
    2.9)."""
    from scipy import optimize

    low, high = -1 / offsets.max(), -1 / offsets.min()
    margin = 1e-9 * (high - low)
    theta = optimize.brentq(
        lambda t: float((observed * offsets / (1 + t * offsets)).sum()), low + margin, high - margin
    )
    return observed / (1 + theta * offsets)
