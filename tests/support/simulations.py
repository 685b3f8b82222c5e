"""Synthetic samples with known truths, by which the tests check the statistics of `parlour.arena`, and
``benchmarks/simulations.py`` measures them.

Axis letters: R simulated matches.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import SCORE, SHARE, Kind, count_of, mean_of
from parlour.arena.statistics import (
    SIGNIFICANT,
    Estimate,
    balance,
    collision_entropy,
    concentration,
    detectable_share,
    diversity,
    elo,
    holm,
    mean,
    mean_difference,
    occurrences,
    outcome_uniformity,
    score,
    score_difference,
    share,
    share_difference,
    shares_differ,
    significant,
    standard_deviation,
)
from parlour.arena.statistics.engine_testing import NORMALISED, POINTS, PRIOR, Sprt, expected_score, normalised_elo

Draw = Callable[[np.random.Generator], NDArray[Any]]
SHAPES = {
    "even": [0.1, 0.2, 0.4, 0.2, 0.1],
    "drawish": [0.01, 0.08, 0.8, 0.1, 0.01],
    "decisive": [0.25, 0.0, 0.5, 0.0, 0.25],
    "one-sided": [0.01, 0.04, 0.2, 0.3, 0.45],
}
"""The probabilities of a pair's five outcomes."""
SEQUENTIAL = Sprt(0, 60, 0.05, 0.1)
"""The sequential test whose error rates are simulated."""
STEPS = 60
"""Of a bisection."""


class Case(NamedTuple):
    """An estimate, the samples that it is made from, and what it estimates."""

    estimate: Callable[[NDArray[Any]], Estimate]
    draw: Draw
    truth: float


def _scores(p_win: float, p_draw: float) -> Draw:
    probabilities = [1 - p_win - p_draw, p_draw, p_win]
    return lambda generator: generator.choice([0.0, 0.5, 1.0], 40, p=probabilities)


def _winners(shares: list[float]) -> Draw:
    """The seats that won 200 games, −1 for none, the last share."""
    codes = [*range(len(shares) - 1), -1]
    return lambda generator: generator.choice(codes, 200, p=shares).astype(float)


def _codes(effective: int) -> Draw:
    return lambda generator: generator.integers(0, effective, 200).astype(float)


def _pairs(shape: str, count: int) -> Draw:
    return lambda generator: generator.choice(POINTS, count, p=SHAPES[shape])


def _of_matches() -> dict[str, Case]:
    """Score, Elo and normalised Elo of matches of 50 and of 200 pairs."""
    found = {}
    for shape, probabilities in SHAPES.items():
        middle = float(np.array(probabilities) @ POINTS)
        spread = math.sqrt(float(np.array(probabilities) @ (POINTS - middle) ** 2))
        truths: list[tuple[str, Callable[[NDArray[Any]], Estimate], float]] = [
            ("score", score, middle),
            ("Elo", lambda sample: elo(score(sample)), 400 * math.log10(middle / (1 - middle))),
            ("normalised Elo", normalised_elo, NORMALISED * (middle - 0.5) / spread / math.sqrt(2)),
        ]
        for count in (50, 200):
            found |= {
                f"{name}, {count} {shape} pairs": Case(estimate, _pairs(shape, count), truth)
                for name, estimate, truth in truths
            }
    return found


INTERVALS: dict[str, Case] = {
    "rare share": Case(share, lambda g: g.random(40) < 0.1, 0.1),
    "even share": Case(share, lambda g: g.random(40) < 0.5, 0.5),
    "scores without draws": Case(score, _scores(0.5, 0.0), 0.5),
    "scores with many draws": Case(score, _scores(0.1, 0.8), 0.5),
    "scores of one side": Case(score, _scores(0.9, 0.05), 0.925),
    "means": Case(mean, lambda g: g.normal(80, 20, 30), 80),
    "skewed means": Case(mean, lambda g: g.gamma(2, 40, 30), 80),
    "means of truncated games": Case(mean, lambda g: 500 - g.exponential(60, 100), 440),
    "rare counts": Case(occurrences, lambda g: g.poisson(0.05, 40), 0.05),
    "counts": Case(occurrences, lambda g: g.poisson(5, 30), 5),
    "spread counts": Case(occurrences, lambda g: g.geometric(0.2, 40) - 1, 4),
    "standard deviations, normal": Case(standard_deviation, lambda g: g.normal(80, 20, 40), 20),
    "standard deviations, uniform": Case(standard_deviation, lambda g: g.uniform(0, 1, 40), math.sqrt(1 / 12)),
    "concentrations": Case(concentration, _codes(10), 0.1),
    "effective numbers": Case(diversity, _codes(10), 10),
    "entropies": Case(collision_entropy, _codes(8), 3),
    "balance of two seats": Case(balance, _winners([0.6, 0.3, 0.1]), 0.7),
    "balance of four seats": Case(balance, _winners([0.4, 0.3, 0.2, 0.1, 0.0]), 0.7),
    "outcome uniformity": Case(outcome_uniformity, _winners([0.6, 0.3, 0.1]), 1 - 0.81),
    **_of_matches(),
}
"""Every kind of interval, on samples as small and as skewed as those of games."""


class Difference(NamedTuple):
    """An interval of a difference between two samples, the samples, and the truth."""

    interval: Callable[[NDArray[Any], NDArray[Any]], tuple[float, float]]
    first: Draw
    second: Draw
    truth: float


DIFFERENCES: dict[str, Difference] = {
    "shares": Difference(share_difference, lambda g: g.random(60) < 0.3, lambda g: g.random(50) < 0.5, -0.2),
    "means": Difference(mean_difference, lambda g: g.normal(8, 3, 30), lambda g: g.normal(5, 1, 40), 3),
    "scores": Difference(
        score_difference, lambda g: g.choice(9, 40) / 8, lambda g: g.choice([0, 0.5, 1], 30, p=[0.1, 0.5, 0.4]), -0.15
    ),
    "scores of one side": Difference(
        score_difference, lambda g: g.random(20) < 0.98, lambda g: g.random(20) < 0.9, 0.08
    ),
}


def coverage(case: Case, runs: int, seed: int) -> float:
    """In which share of so many samples the interval covers the truth."""
    generator = np.random.default_rng(seed)
    return sum(case.estimate(case.draw(generator)).covers(case.truth) for _ in range(runs)) / runs


def difference_coverage(case: Difference, runs: int, seed: int) -> float:
    """The same for an interval of a difference."""
    generator = np.random.default_rng(seed)
    covered = 0
    for _ in range(runs):
        low, high = case.interval(case.first(generator), case.second(generator))
        covered += low <= case.truth <= high
    return covered / runs


def power(games: int, tests: int, runs: int, seed: int) -> float:
    """In which share of so many comparisons Fisher's exact test, corrected for a number of ``tests``, finds the
    difference that `detectable_share` states for so many ``games``."""
    generator, difference = np.random.default_rng(seed), detectable_share(games, tests)
    found = 0
    for _ in range(runs):
        first, second = (generator.random(games) < (1 + sign * difference) / 2 for sign in (-1, 1))
        found += shares_differ(first, second) < 0.05 / tests
    return found / runs


# --- whole reports ---


class Compared(NamedTuple):
    """A measure of four variants: its kind, how a sample is drawn whose mean is given, and these means."""

    kind: Kind
    draw: Callable[[np.random.Generator, float], NDArray[Any]]
    truths: tuple[float, ...]


def _score_of(generator: np.random.Generator, middle: float) -> NDArray[Any]:
    """Scores of 40 games, of which a quarter are drawn."""
    return generator.choice([0.0, 0.5, 1.0], 40, p=[0.875 - middle, 0.25, middle - 0.125])


COMPARED = (
    Compared(SHARE, lambda g, middle: (g.random(40) < middle).astype(float), (0.1, 0.1, 0.5, 0.5)),
    Compared(SCORE, _score_of, (0.5, 0.5, 0.5, 0.75)),
    Compared(mean_of("plies", low=0), lambda g, middle: g.gamma(4, middle / 4, 40), (80, 80, 80, 120)),
    Compared(count_of("per game"), lambda g, middle: g.poisson(middle, 40).astype(float), (2, 2, 3, 3)),
)
"""What a simulated report compares: 24 pairs, of which 10 are alike."""


class Reports(NamedTuple):
    """Of many simulated reports.

    Attributes:
        hold: in which share of them all intervals of differences hold the truth.
        wrong: in which share of them a difference is called significant that does not exist, or is the other way round.
        tested: how many differences a report finds on average by its tests alone.
        contradicted: of these, in which share the interval holds 0.
        found: how many it finds where both must say so.
    """

    hold: float
    wrong: float
    tested: float
    contradicted: float
    found: float


def reports(runs: int, seed: int) -> Reports:
    """Makes so many reports on `COMPARED`, tested and corrected as `parlour.arena.study.findings` does."""
    generator = np.random.default_rng(seed)
    hold = wrong = tested = contradicted = found = 0
    for _ in range(runs):
        pairs = []
        for one in COMPARED:
            samples = [one.draw(generator, truth).tolist() for truth in one.truths]
            pairs += [
                (one.kind, samples[a], samples[b], one.truths[a] - one.truths[b])
                for a, b in combinations(range(len(samples)), 2)
            ]
        level = 1 - SIGNIFICANT / len(pairs)
        intervals = [kind.difference(first, second, level) for kind, first, second, _ in pairs]
        corrected = holm([kind.differ(first, second) for kind, first, second, _ in pairs])
        claims = [significant(p, *ends) for p, ends in zip(corrected, intervals)]
        signs = [np.sign(np.mean(first) - np.mean(second)) for _, first, second, _ in pairs]
        hold += all(low <= truth <= high for (low, high), (*_, truth) in zip(intervals, pairs))
        wrong += any(claim and sign != np.sign(truth) for claim, sign, (*_, truth) in zip(claims, signs, pairs))
        tested += sum(p < SIGNIFICANT for p in corrected)
        contradicted += sum(p < SIGNIFICANT and low <= 0 <= high for p, (low, high) in zip(corrected, intervals))
        found += sum(claims)
    return Reports(hold / runs, wrong / runs, tested / runs, contradicted / tested, found / runs)


# --- the sequential test, for many matches at once ---


def log_likelihood_ratios(test: Sprt, counts: NDArray[np.float64]) -> NDArray[np.float64]:
    """`Sprt.log_likelihood_ratio` of many matches: counts (R, 5) to (R,), by bisection."""
    total = counts.sum(axis=1, keepdims=True)
    observed = (counts + PRIOR) / (total + 5 * PRIOR)
    less, more = (_most_likely(observed, expected_score(difference)) for difference in (test.elo0, test.elo1))
    ratios: NDArray[np.float64] = total[:, 0] * (observed * np.log(more / less)).sum(axis=1)
    return ratios


def _most_likely(observed: NDArray[np.float64], middle: float) -> NDArray[np.float64]:
    """`parlour.arena.statistics.engine_testing.most_likely` of many distributions (R, 5)."""
    offsets = POINTS - middle
    low = np.full((len(observed), 1), -1 / offsets.max())
    high = np.full((len(observed), 1), -1 / offsets.min())
    for _ in range(STEPS):
        theta = (low + high) / 2
        above = (observed * offsets / (1 + theta * offsets)).sum(axis=1, keepdims=True) > 0  # it falls with theta
        low, high = np.where(above, theta, low), np.where(above, high, theta)
    return observed / (1 + (low + high) / 2 * offsets)


class Ended(NamedTuple):
    """How many of R matches ended for each hypothesis, and after how many pairs on average."""

    accepted_h0: int
    accepted_h1: int
    pairs: float


def sequential(test: Sprt, shape: str, true_elo: float, runs: int, seed: int) -> Ended:
    """Plays that number of matches until the test ends, between players of a true difference, with outcomes of about
    a ``shape``."""
    generator = np.random.default_rng(seed)
    probabilities = _most_likely((np.array([SHAPES[shape]]) + PRIOR) / (1 + 5 * PRIOR), expected_score(true_elo))[0]
    low, high = test.bounds
    counts, accepted, pairs, pair = np.zeros((runs, 5)), [0, 0], 0, 0
    while len(counts):
        pair += 1
        counts[np.arange(len(counts)), generator.choice(5, len(counts), p=probabilities)] += 1
        ratios = log_likelihood_ratios(test, counts)
        for place, ended in enumerate((ratios <= low, ratios >= high)):
            accepted[place] += int(ended.sum())
        going = (ratios > low) & (ratios < high)
        pairs += pair * int((~going).sum())
        counts = counts[going]
    return Ended(*accepted, pairs / runs)
