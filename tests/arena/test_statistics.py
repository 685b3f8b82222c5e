"""Estimates and tests against published values and SciPy, and what intervals promise against simulated samples."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from parlour.arena.measures.kinds import PERCENT, mean_of
from parlour.arena.statistics import (
    Estimate,
    detectable_share,
    diversity,
    elo,
    games_needed,
    half_width,
    holm,
    mean,
    mean_difference,
    means_differ,
    occurrences,
    outcome_uniformity,
    score,
    score_difference,
    share,
    shares_differ,
    sign_test,
    significant,
    standard_deviation,
)
from parlour.arena.statistics.engine_testing import Sprt
from tests.support.simulations import DIFFERENCES, INTERVALS, coverage, difference_coverage, power, reports


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


def test_mean_is_students_or_wider() -> None:
    values = [3.0, 5.0, 4.0, 9.0, 1.5]
    found, expected = mean(values), stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (found.value, found.count) == (np.mean(values), 5)
    assert found.low == pytest.approx(expected.low)
    assert found.high > expected.high  # the values are skewed to the right, so that Hall's reaches further there
    even = mean([1.0, 2.0, 3.0, 4.0, 5.0])
    expected = stats.ttest_1samp([1, 2, 3, 4, 5], 0).confidence_interval(0.95)
    assert (even.low, even.high) == pytest.approx((expected.low, expected.high))
    assert (mean([7.0]).low, mean([7.0]).high) == (-math.inf, math.inf)
    assert mean([]).count == 0


def test_occurrences_that_were_never_seen_are_not_never() -> None:
    assert occurrences([2, 0, 1, 3]).value == mean([2, 0, 1, 3]).value
    assert occurrences([1, 0, 0, 0]).low == 0
    none = occurrences([0] * 30)
    assert (none.value, none.low) == (0, 0)
    assert none.high == pytest.approx(stats.norm.ppf(0.975) ** 2 / 30)
    assert stats.poisson.pmf(0, none.high * 30) < 0.025


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


def test_equal_numbers_tell_nothing_of_the_spread() -> None:
    """Thirty games of seventeen plies: no interval without a width, and none at all where nothing bounds the number."""
    plies, percentage = mean([17.0] * 30), mean([80.0] * 30, 0, 100)
    assert (plies.low, plies.high, plies.constant) == (-math.inf, math.inf, True)
    assert not mean([17.0, 18.0]).constant
    exact = stats.binomtest(0, 30).proportion_ci(0.95).high  # others may be so many
    assert (percentage.low, percentage.high) == pytest.approx((80 - 80 * exact, 80 + 20 * exact))
    assert mean_of("plies", low=0).interval(plies) == "the same in all 30"
    assert PERCENT.interval(percentage) == f"{80 - 80 * exact:.1f} to {80 + 20 * exact:.1f}"
    assert standard_deviation([17] * 30).high == math.inf
    assert outcome_uniformity([0] * 30).low < 1
    assert occurrences([3] * 30).low < 3 < occurrences([3] * 30).high < 4
    assert mean_difference([17] * 30, [12] * 30) == (-math.inf, math.inf)
    low, high = mean_difference([80] * 30, [20] * 40, low=0, high=100)
    assert 0 < low < 60 < high < 100


def test_sign_test_is_the_sign_test() -> None:
    assert sign_test([1] * 9 + [0] + [0.5] * 20) == pytest.approx(22 / 1024)
    assert sign_test([0.5] * 20) == 1


def test_holm() -> None:
    """As R's `p.adjust(c(0.01, 0.04, 0.03, 0.005), "holm")`."""
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.9, 0.8]) == [1, 1]
    assert holm([]) == []


@pytest.mark.parametrize("name", INTERVALS)
def test_intervals_cover_the_truth_nineteen_times_in_twenty(name: str) -> None:
    """At least 94 of 100, over a thousand synthetic samples."""
    assert coverage(INTERVALS[name], 1000, 7) >= 0.94


@pytest.mark.parametrize("name", DIFFERENCES)
def test_differences_cover_the_truth(name: str) -> None:
    assert difference_coverage(DIFFERENCES[name], 1000, 3) >= 0.94


def test_reports_hold_their_promises() -> None:
    """Of 200 simulated reports on 24 differences, all intervals hold in 95 of 100 and no claim is wrong in 95 of 100,
    except for chance; most differences that tests find are claimed, none of those that an interval contradicts."""
    found, reach = reports(200, 4), 3 * math.sqrt(0.05 * 0.95 / 200)
    assert found.hold >= 0.95 - reach
    assert found.wrong <= 0.05 + reach
    assert 0 < found.contradicted < 0.15
    assert found.found == pytest.approx(found.tested * (1 - found.contradicted))


def test_significant_is_what_test_and_interval_say() -> None:
    assert significant(0.049, 0.1, 2) and significant(0.049, -2, -0.1)  # noqa: PT018
    assert not significant(0.051, 0.1, 2)
    assert not significant(0.0001, -23.4, 67.2)
    assert not significant(0.0001, 0, 1)
    assert not significant(0.0001, -math.inf, math.inf)
    assert significant(0.049)


def test_players_who_won_every_game_may_still_differ() -> None:
    low, high = score_difference([1.0] * 20, [1.0] * 20)
    assert -0.25 < low < -0.1
    assert high == -low


def test_diversity_of_codes_that_are_all_different() -> None:
    found = diversity(np.arange(60))
    assert (found.value, found.high) == (math.inf, math.inf)
    assert found.low > 8
    assert diversity([3.0] * 60).value == 1


@pytest.mark.parametrize(("games", "tests"), [(40, 20), (93, 1), (200, 50)])
def test_a_difference_of_the_stated_size_is_found_8_times_in_10(games: int, tests: int) -> None:
    """By Fisher's exact test at the corrected level, over 600 synthetic comparisons, except for chance (three standard
    deviations, and the steps in which an exact test goes)."""
    assert 0.73 <= power(games, tests, 600, 12) <= 0.87


def test_games_needed_are_those_of_the_tables() -> None:
    """Fleiss, Levin and Paik, *Statistical Methods for Rates and Proportions*, table A.4: 0.4 against 0.6 at 5 % and
    80 % needs 107."""
    assert math.ceil(games_needed(0.2, 1)) == 107
    assert detectable_share(107, 1) == pytest.approx(0.2, abs=0.001)
    assert games_needed(0, 1) == math.inf
    assert detectable_share(4, 1000) == 1
    even = share([0, 1] * 50)
    assert half_width(100) == pytest.approx((even.high - even.low) / 2)


@pytest.mark.parametrize(
    ("alpha", "beta", "low", "high"),
    [(0.05, 0.05, -2.94, 2.94), (0.05, 0.1, -2.25, 2.89), (0.1, 0.05, -2.89, 2.25), (0.01, 0.01, -4.60, 4.60)],
)
def test_verdicts_of_the_sequential_test(alpha: float, beta: float, low: float, high: float) -> None:
    """At Wald's bounds, as fishtest prints them: log(β / (1 − α)) and log((1 − β) / α)."""
    test = Sprt(0, 5, alpha, beta)
    assert [round(bound, 2) for bound in test.bounds] == [low, high]
    within = [low + 0.01, low / 2, 0.0, high / 2, high - 0.01]
    assert [test.verdict(ratio) for ratio in within] == ["continue"] * 5
    assert [test.verdict(ratio) for ratio in (low - 0.01, 2 * low)] == ["H0"] * 2
    assert [test.verdict(ratio) for ratio in (high + 0.01, 2 * high)] == ["H1"] * 2
