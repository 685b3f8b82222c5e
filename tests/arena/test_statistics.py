"""Estimates and tests against published values and SciPy, and what intervals promise against simulated samples."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from parlour.arena.statistics import (
    Estimate,
    elo,
    holm,
    leans,
    mean,
    means_differ,
    occurrences,
    score,
    share,
    shares_differ,
)

TRIALS = 400
Draw = Callable[[np.random.Generator], NDArray[np.float64]]


def test_share_is_wilsons() -> None:
    """Newcombe, *Two-Sided Confidence Intervals for the Single Proportion*, Statistics in Medicine 17 (1998), table I,
    method 3: 81 of 263, 15 of 148, 0 of 20 and 1 of 29."""
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (hits, count), (low, high) in published.items():
        found = share([1] * hits + [0] * (count - hits))
        assert (found.value, found.count) == (hits / count, count)
        assert (found.low, found.high) == pytest.approx((low, high), abs=5e-5)


def test_mean_is_students() -> None:
    values = [3.0, 5.0, 4.0, 9.0, 1.5]
    found, expected = mean(values), stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.value, found.count) == (np.mean(values), 5)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high))


def test_occurrences_that_were_never_seen_are_not_never() -> None:
    assert occurrences([2, 0, 1, 3]).value == mean([2, 0, 1, 3]).value
    assert occurrences([1, 0, 0, 0]).low == 0
    none = occurrences([0] * 30)
    assert (none.value, none.low) == (0, 0)
    assert stats.poisson.pmf(0, none.high * 30) == pytest.approx(0.025)


def test_score_of_zeros_and_ones_is_agresti_and_coulls() -> None:
    hits, count, z = 7, 25, stats.norm.ppf(0.975)
    middle = (hits + z * z / 2) / (count + z * z)
    reach = z * math.sqrt(middle * (1 - middle) / (count + z * z))
    found = score([1] * hits + [0] * (count - hits))
    assert (found.value, found.low, found.high) == pytest.approx((hits / count, middle - reach, middle + reach))


def test_score_of_draws_alone_leaves_doubt() -> None:
    few, many = score([0.5] * 10), score([0.5] * 1000)
    assert few.value == many.value == 0.5
    assert 0 < few.low < many.low < 0.5 < many.high < few.high < 1


def test_elo() -> None:
    found = elo(Estimate(10 / 11, 0.5, 1.0, 9))
    assert (found.value, found.low, found.high, found.count) == pytest.approx((400, 0, math.inf, 9))
    assert elo(Estimate(0, 0, 0.2, 4)).low == -math.inf


def test_shares_differ_is_fishers() -> None:
    """The lady tasting tea: three of four cups against one of four."""
    assert shares_differ([1, 1, 1, 0], [1, 0, 0, 0]) == pytest.approx(34 / 70)
    assert shares_differ([1] * 8, [0] * 8) == pytest.approx(2 / math.comb(16, 8))


def test_means_differ_is_welchs() -> None:
    """Welch's example, as the R manual's `t.test(extra ~ group, data = sleep)` gives it: p = 0.07939."""
    first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
    second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]
    assert means_differ(first, second) == pytest.approx(0.07939, abs=5e-6)


def test_means_of_samples_that_do_not_vary() -> None:
    assert means_differ([500] * 9, [500] * 9) == 1
    assert means_differ([500] * 4, [80] * 4) == shares_differ([1] * 4, [0] * 4) == pytest.approx(2 / 70)


def test_leans_is_the_sign_test() -> None:
    assert leans([1] * 9 + [0] + [0.5] * 20) == pytest.approx(22 / 1024)
    assert leans([0.5] * 20) == 1


def test_holm() -> None:
    """As R's `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")`."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


def test_holm_is_seldom_wrong_even_once() -> None:
    generator = np.random.default_rng(1)
    wrong = [min(holm(generator.random(30).tolist())) < 0.05 for _ in range(TRIALS)]
    assert 0 < sum(wrong) <= TRIALS * 0.05 + 3 * math.sqrt(TRIALS * 0.05 * 0.95)


def _scores(p_win: float, p_draw: float) -> Draw:
    odds = [1 - p_win - p_draw, p_draw, p_win]
    return lambda generator: generator.choice([0.0, 0.5, 1.0], 40, p=odds)


@pytest.mark.parametrize(
    ("estimate", "draw", "truth"),
    [
        pytest.param(share, lambda g: g.random(40) < 0.1, 0.1, id="rare share"),
        pytest.param(share, lambda g: g.random(40) < 0.5, 0.5, id="even share"),
        pytest.param(score, _scores(0.5, 0.0), 0.5, id="scores without draws"),
        pytest.param(score, _scores(0.1, 0.8), 0.5, id="scores with many draws"),
        pytest.param(score, _scores(0.9, 0.05), 0.925, id="scores of one side"),
        pytest.param(mean, lambda g: g.normal(80, 20, 12), 80, id="means"),
        pytest.param(mean, lambda g: g.gamma(2, 40, 60), 80, id="skewed means"),
        pytest.param(occurrences, lambda g: g.poisson(0.05, 40), 0.05, id="rare counts"),
    ],
)
def test_intervals_cover_the_truth_nineteen_times_in_twenty(
    estimate: Callable[[NDArray[np.float64]], Estimate], draw: Draw, truth: float
) -> None:
    generator = np.random.default_rng(7)
    covered = sum(estimate(draw(generator)).covers(truth) for _ in range(TRIALS)) / TRIALS
    if estimate is occurrences:  # skewed, so the t interval is somewhat short; it must not be far off
        assert covered > 0.85
    else:
        assert 0.95 - 3 * math.sqrt(0.95 * 0.05 / TRIALS) < covered < 0.995
