"""The statistics of engine testing: paired games, normalised Elo, likelihood of superiority, and the sequential
probability ratio test (SPRT) of a match, on the five outcomes of pairs of games.

In the pentanomial model two games with the same opening or dice and exchanged seats are one observation with five
outcomes, from 0 to 2 points. The advantage that an opening or a throw gives to one seat then cancels out, and intervals
are narrower than those from single games. Sources: the documentation of fishtest, Stockfish's testing framework, and of
OpenBench; Van den Bergh, *Normalized Elo* and *Comments on Normalized Elo* (hardy.uhasselt.be/Fishtest), 2020 to 2021.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from parlour.arena.statistics import CONFIDENCE, NOTHING, Estimate, agresti_coull, score
from parlour.support.arguments import is_number, shown

POINTS = np.array([0.0, 0.25, 0.5, 0.75, 1.0])
"""The five outcomes of a pair, as mean scores of its two games."""
NORMALISED = 800 / math.log(10)
"""Normalised Elo points for a mean score that is one standard deviation of a single game above ½. For games without
draws between players of nearly equal strength, normalised Elo is the same as Elo."""
PRIOR = 1e-3
"""Added to the count of each outcome, so that none has probability 0 (as in fishtest)."""
MAX_STEPS, EXACT = 100, 1e-9
"""Of `most_likely_effect`: the largest number of steps, and the change of a probability at which it stops."""
MAX_DIFFERENCE, MAX_NORMALISED = 1000, 100
"""The largest Elo differences of a hypothesis. Beyond them hardly any distribution of the five outcomes fits, and a few
pairs show them without a test."""
CONTINUE, ACCEPT_H0, ACCEPT_H1 = "continue", "H0", "H1"


def pentanomial(pairs: ArrayLike) -> tuple[int, int, int, int, int]:
    """How many pairs scored 0, ½, 1, 1½ and 2 points. ``pairs``: mean scores (n,), multiples of ¼."""
    counts = np.bincount(np.rint(4 * np.asarray(pairs, np.float64)).astype(np.int64), minlength=5)
    losses, losing, even, winning, wins = counts.tolist()
    return losses, losing, even, winning, wins


def normalised_elo(pairs: ArrayLike) -> Estimate:
    """By how many standard deviations of a single game the mean of pair scores (n,) is above ½, times 800 / ln 10.

    Unlike Elo it does not shrink when draws become more frequent. So it shows how many games are needed to find a
    difference. The interval includes two intervals of a standardised mean (by Student's distribution, with skewness and
    kurtosis): one from these pairs, and one from these pairs with a lost and a won pair added. Because of the second it
    has a width even if the pairs hardly vary. Where all pairs have the same score, other than ½, the value is infinite,
    and so is that end of the interval; the other end lies as far from 0 as the interval of the score shows.
    """
    values = np.asarray(pairs, np.float64)
    if not len(values):
        return NOTHING
    _, low, high = _standardised(np.append(values, [0.0, 1.0]))
    value = math.copysign(math.inf, values.mean() - 0.5) if values.mean() != 0.5 else 0.0
    if len(values) > 1 and np.ptp(values) > 0:
        value, narrow, wide = _standardised(values)
        low, high = min(low, narrow), max(high, wide)
    elif value:
        least = _least(score(np.maximum(values, 1 - values)).low, low if value > 0 else -high)
        low, high = (least, value) if value > 0 else (value, -least)
    scale = NORMALISED / math.sqrt(2)
    return Estimate(scale * value, scale * low, scale * high, len(values))


def _least(mean: float, otherwise: float) -> float:
    """The least number of standard deviations by which a ``mean`` can be above ½: scores from 0 to 1 vary most where
    all are 0 or 1. Where it is not above ½, they may vary less: ``otherwise``."""
    return (mean - 0.5) / math.sqrt(mean * (1 - mean)) if mean > 0.5 else otherwise


def _standardised(values: NDArray[np.float64]) -> tuple[float, float, float]:
    """By how many standard deviations of a pair's score the mean of pair scores (n,) is above ½, and its interval. (The
    standard deviation of a pair's mean score is that of a single game divided by √2.)"""
    from scipy.special import stdtrit  # Student's quantile; `scipy.stats` has the same, and takes a second to import

    count, spread = len(values), float(values.std(ddof=1))
    standardised = (values - values.mean()) / spread
    effect = (float(values.mean()) - 0.5) / spread
    skewness, kurtosis = float((standardised**3).mean()), float((standardised**4).mean())
    variance = max(1 - effect * skewness + effect**2 * (kurtosis - 1) / 4, 0.0) / count
    reach = float(stdtrit(count - 1, 0.5 + CONFIDENCE / 2)) * math.sqrt(variance)
    return effect, effect - reach, effect + reach


def superiority(pairs: ArrayLike) -> float:
    """The likelihood of superiority: the probability that the first player is the stronger one, from pair scores (n,).
    By the normal distribution, after adding z²/2 scores of 0 and z²/2 scores of 1 (see `statistics.score`)."""
    middle, variance = agresti_coull(np.asarray(pairs, np.float64))
    return 0.5 * math.erfc(-(middle - 0.5) / math.sqrt(2 * variance))


@dataclass(frozen=True)
class Sprt:
    """A sequential probability ratio test between two differences in Elo.

    Wald, *Sequential Tests of Statistical Hypotheses*, Annals of Mathematical Statistics 16, 1945. It is generalised to
    outcomes of unknown distribution, as in fishtest: the likelihood of a hypothesis is that of the most likely
    distribution of the five outcomes whose mean is the score that the hypothesis expects.

    Attributes:
        elo0, elo1: the Elo differences of the hypotheses H0 and H1 (``elo0 < elo1``), at most `MAX_DIFFERENCE`, or
            `MAX_NORMALISED`.
        alpha: the probability of accepting H1 although H0 is true.
        beta: the probability of accepting H0 although H1 is true.
        normalised: whether the differences are in normalised Elo, as in fishtest and fastchess.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05
    normalised: bool = False

    def __post_init__(self) -> None:
        kind, most = ("normalised Elo", MAX_NORMALISED) if self.normalised else ("Elo", MAX_DIFFERENCE)
        known = is_number(self.elo0) and is_number(self.elo1)
        if not (known and -most <= self.elo0 < self.elo1 <= most):
            raise ValueError(
                f"an SPRT takes two {kind} differences from {-most} to {most}, the lower one first, not "
                f"{shown(self.elo0)}, {shown(self.elo1)}"
            )
        for name in ("alpha", "beta"):
            if not (is_number(getattr(self, name)) and 0 < getattr(self, name) < 0.5):
                raise ValueError(f"{name} must lie between 0 and 0.5, not {shown(getattr(self, name))}")

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which H0 and H1 are accepted."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def log_likelihood_ratio(self, counts: Sequence[float], scores: ArrayLike = ()) -> float:
        """The log of the likelihood of H1 divided by that of H0.

        Args:
            counts: the pentanomial counts of pairs (5,).
            scores: of further pairs (n,), which can have any score, such as one adjusted for luck. The most likely
                distribution is then one over these scores and the five (empirical likelihood).

        Raises:
            ValueError: ``scores`` for normalised Elo, which is defined by the five outcomes.
        """
        others = np.asarray(scores, np.float64)
        if self.normalised and len(others):
            raise ValueError(f"a test of normalised Elo takes the counts alone, not {len(others)} scores")
        total = sum(counts) + len(others)
        if not total:
            return 0.0
        seen = np.concatenate([np.asarray(counts, np.float64) + PRIOR, np.ones(len(others))])
        observed, outcomes = seen / (total + 5 * PRIOR), np.concatenate([POINTS, others])
        under_h0, under_h1 = (
            most_likely_effect(observed, elo * math.sqrt(2) / NORMALISED)
            if self.normalised
            else most_likely(observed, outcomes - expected_score(elo))
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


def most_likely_effect(observed: NDArray[np.float64], effect: float) -> NDArray[np.float64]:
    """The most likely probabilities (5,) of `POINTS` whose mean is ``effect`` standard deviations above ½. A step fits
    the condition linearised at the last distribution (Van den Bergh, *Comments on Normalized Elo*, section 4.1)."""
    fitted = np.full(len(POINTS), 1 / len(POINTS))
    for _ in range(MAX_STEPS):
        last, mean = fitted, float(fitted @ POINTS)
        variance = float(fitted @ (POINTS - mean) ** 2)
        allowed = 0.5 * effect * math.sqrt(variance) * (1 + (POINTS - mean) ** 2 / variance)
        fitted = most_likely(observed, POINTS - 0.5 - allowed)
        if np.abs(fitted - last).max() < EXACT:
            break
    return fitted


def most_likely(observed: NDArray[np.float64], offsets: NDArray[np.float64]) -> NDArray[np.float64]:
    """The most likely probabilities (k,) of outcomes under which their ``offsets`` (k,), such as from a given mean,
    have the mean 0: p / (1 + θ · offset), where p are the ``observed`` shares and θ is the root of a monotone function
    (Owen, *Empirical Likelihood*, 2001, section 2.9)."""
    from scipy import optimize

    low, high = -1 / offsets.max(), -1 / offsets.min()
    margin = 1e-9 * (high - low)
    theta = optimize.brentq(
        lambda t: float((observed * offsets / (1 + t * offsets)).sum()), low + margin, high - margin
    )
    return observed / (1 + theta * offsets)
