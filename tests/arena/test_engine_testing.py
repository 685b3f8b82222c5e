"""Engine testing: pentanomial scores, normalised Elo, superiority, the sequential test, against simulated matches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from parlour.arena import Threads, match
from parlour.arena.statistics import elo, score
from parlour.arena.statistics.engine_testing import (
    MAX_DIFFERENCE,
    MAX_NORMALISED,
    POINTS,
    Sprt,
    expected_score,
    most_likely,
    normalised_elo,
    pentanomial,
    superiority,
)
from tests.support.cases import sampled
from tests.support.command_line import Run, check_error
from tests.support.simulations import SEQUENTIAL, SHAPES, log_likelihood_ratios, sequential


def test_pairs_are_counted_by_their_points() -> None:
    assert pentanomial([0, 0.25, 0.25, 0.5, 1, 1, 1]) == (1, 2, 1, 0, 3)
    assert pentanomial([]) == (0, 0, 0, 0, 0)


def test_normalised_elo_is_elo_without_draws() -> None:
    """Between near equals, where pairs are like independent games."""
    generator = np.random.default_rng(2)
    games = (generator.random((40_000, 2)) < expected_score(10)).mean(axis=1)
    assert normalised_elo(games).value == pytest.approx(elo(score(games)).value, rel=0.02)


def test_normalised_elo_of_pairs_that_do_not_vary() -> None:
    drawn = normalised_elo([0.5] * 10)
    assert (drawn.value, drawn.low < 0 < drawn.high) == (0, True)
    assert normalised_elo([]).count == 0


@pytest.mark.parametrize("each", [1.0, 0.75])
@pytest.mark.parametrize("pairs", [1, 2, 5, 10, 30, 1000])
def test_an_infinite_normalised_elo_is_shown_to_differ_from_0_where_the_score_differs_from_a_half(
    each: float, pairs: int
) -> None:
    won, lost = normalised_elo([each] * pairs), normalised_elo([1 - each] * pairs)
    assert (won.value, won.high, math.isfinite(won.low)) == (math.inf, math.inf, True)
    assert (won.low > 0) == (score([each] * pairs).low > 0.5)
    assert (lost.value, lost.low, lost.high) == (-math.inf, -math.inf, pytest.approx(-won.low))


def test_superiority() -> None:
    assert superiority([0.5] * 20) == pytest.approx(0.5)
    assert superiority([1.0] * 20) > 0.99
    assert superiority([0.0, 0.25, 0.5]) == pytest.approx(1 - superiority([1.0, 0.75, 0.5]))
    generator = np.random.default_rng(4)
    found = [superiority(generator.choice(POINTS, 100, p=SHAPES["even"])) > 0.95 for _ in range(1000)]
    assert sum(found) <= 60  # of equals


def test_themost_likely_probabilities_have_their_mean() -> None:
    for shape in SHAPES.values():
        observed = (np.array(shape) + 1e-3) / (1 + 5e-3)
        for mean in (0.2, 0.5, 0.7):
            found = most_likely(observed, POINTS - mean)
            assert found.sum() == pytest.approx(1)
            assert found @ POINTS == pytest.approx(mean)
            assert (found > 0).all()


def test_the_log_likelihood_ratio_is_that_of_simple_hypotheses() -> None:
    """With decisive pairs alone, of two outcomes, the most likely distributions are the hypotheses themselves."""
    test, wins, losses = Sprt(0, 50), 60, 40
    low, high = 0.5, expected_score(50)
    expected = wins * math.log(high / low) + losses * math.log((1 - high) / (1 - low))
    assert test.log_likelihood_ratio([losses, 0, 0, 0, wins]) == pytest.approx(expected, rel=0.01)
    assert test.log_likelihood_ratio([0] * 5) == 0


@pytest.mark.parametrize(
    ("test", "pairs", "printed"),
    [
        (Sprt(0, 2, normalised=True), [365, 16618, 36229, 16974, 390], 2.25),
        (Sprt(-1.75, 0.25, normalised=True), [127, 4883, 10712, 5150, 104], 3.01),
        (Sprt(0.5, 2.5), [223, 9863, 21279, 10037, 246], -3.07),
        (Sprt(0, 2), [871, 26175, 55983, 26678, 821], -4.98),
    ],
)
def test_the_log_likelihood_ratio_is_that_of_fastchess(test: Sprt, pairs: list[float], printed: float) -> None:
    """The numbers in its tests (Disservin/fastchess, app/tests/sprt_test.cpp), to the digits that it prints. (Not
    those of 104 pairs that are all won, where its approximation stops sooner than ours.)"""
    assert round(test.log_likelihood_ratio(pairs), 2) == printed


@sampled("runs", 250, 1000)
@pytest.mark.parametrize("shape", SHAPES)
def test_the_error_rates_of_the_sequential_test_are_within_their_bounds(shape: str, runs: int) -> None:
    """Where H0 is true, at most alpha accept H1; where H1 is true, at most beta accept H0, except for chance (three
    standard deviations): of so many matches each."""
    test = SEQUENTIAL
    wrong = (
        (sequential(test, shape, test.elo0, runs, 9).accepted_h1, test.alpha),
        (sequential(test, shape, test.elo1, runs, 10).accepted_h0, test.beta),
    )
    for errors, bound in wrong:
        assert errors <= runs * bound + 3 * math.sqrt(runs * bound * (1 - bound))


def test_simulated_matches_are_tested_as_real_ones_are() -> None:
    counts = np.random.default_rng(3).integers(0, 90, (40, 5)).astype(float)
    counts[:5, 2:] = 0
    expected = [SEQUENTIAL.log_likelihood_ratio(own.tolist()) for own in counts]
    assert log_likelihood_ratios(SEQUENTIAL, counts) == pytest.approx(expected, rel=1e-6, abs=1e-6)


@pytest.mark.parametrize("wrong", [(10, 0), (0, 0), (math.nan, 1), (0, math.inf), (0, 10, 0.5), (0, 10, 0.05, 0)])
def test_tests_that_are_not_valid(wrong: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"SPRT takes|alpha must|beta must"):
        Sprt(*wrong)


def test_normalised_elo_has_no_further_scores() -> None:
    with pytest.raises(ValueError, match="takes the counts alone, not 12 scores"):
        Sprt(0, 5, normalised=True).log_likelihood_ratio([1, 2, 3, 4, 5], np.linspace(0.4, 0.7, 12))


# --- matches ---

ACEY = "acey_ducey-v0"


def test_a_match_that_stops_by_a_test(tmp_path: Any) -> None:
    made = match(ACEY, "greedy", "random", judge="none", sprt=(0, 100), games=400, folder=tmp_path / "run")
    assert made.sequential is not None
    assert made.sequential.verdict == "H1"
    assert made.games == made.sequential.games < 400
    assert made.sequential.ratio >= made.sequential.test.bounds[1]
    assert "biased" in str(made)
    assert "(bounds −2.94 and +2.94)" in str(made)
    assert match(ACEY, "greedy", "random", judge="none", sprt=(0, 100), games=400, folder=tmp_path / "run") == made
    assert match(ACEY, "greedy", "random", judge="none", sprt=(0, 100), games=400, workers=Threads(1)) == made
    other = match(ACEY, "random", "greedy", judge="none", sprt=(0, 100), games=400)
    assert other.sequential is not None
    assert other.sequential.verdict == "H0"


def test_normalised_elo_goes_by_the_results_as_they_were_played() -> None:
    """A judge changes nothing, since differences are in standard deviations of these results. (Scores adjusted for luck
    vary less, so that all differences would look larger.)"""
    test = Sprt(0, 100, alpha=0.01, beta=0.01, normalised=True)
    played = [
        match("royal_ur-v0", "random", "champion", judge=judge, sprt=test, games=60) for judge in ("champion", "none")
    ]
    judged, plain = (one.sequential for one in played)
    assert judged == plain
    assert judged is not None
    assert judged.verdict == "H0"
    assert "adjusted" not in str(judged)


def test_a_match_without_a_verdict_says_so() -> None:
    made = match(ACEY, "greedy", "random", judge="none", sprt=(0, 5), games=6)
    assert made.sequential is not None
    assert made.sequential.verdict == "continue"
    assert made.games == 6
    assert "no verdict after 6 games" in str(made)


def test_further_games_confirm_a_verdict() -> None:
    made = match(ACEY, "greedy", "random", judge="none", sprt=(0, 100), games=400, confirm=20)
    assert made.sequential is not None
    confirmed = made.sequential.confirmation
    assert confirmed is not None
    assert (confirmed.games, confirmed.sequential) == (20, None)
    assert "biased" not in str(made)
    assert "20 further games" in str(made)
    with pytest.raises(ValueError, match="not 20 without one"):
        match(ACEY, "greedy", "random", confirm=20)


def test_the_command(run: Run) -> None:
    ask = ("match", "acey_ducey", "greedy", "random", "--games", 400, "--judge", "none")
    ran = run(*ask, "--sprt", "0,100", "--confirm", 20)
    assert (ran.status, ran.err) == (0, "")
    assert "SPRT of Elo 0 against 100 (α 0.05, β 0.05): H1 accepted: Elo 100 rather than 0 after" in ran.out
    assert "Further games, a number fixed beforehand:" in ran.out
    assert "are biased" in run(*ask, "--sprt", "0,100").out
    check_error(run(*ask, "--sprt", "0"), "--sprt '0'", "ELO0,ELO1")
    for bounds in ("10,0", "5,5", "nan,5", "0,inf", "-1e6,0", "0,1001"):
        check_error(run(*ask, f"--sprt={bounds}"), "from -1000 to 1000, the lower one first")
    check_error(run(*ask, "--sprt", "0,101", "--normalised"), "normalised Elo differences from -100 to 100")
    check_error(run(*ask, "--sprt", "0,10", "--alpha", 0.7), "alpha must lie between 0 and 0.5")
    check_error(run(*ask, "--confirm", 20), "not 20 without one")


@pytest.mark.parametrize("normalised", [False, True])
@pytest.mark.parametrize("counts", [(1, 0, 0, 0, 0), (0, 0, 500, 0, 0), (500, 0, 0, 0, 0), (0, 0, 0, 0, 9)])
def test_a_ratio_at_the_largest_differences_is_a_number(counts: tuple[int, ...], normalised: bool) -> None:
    """Also after draws alone, or losses alone."""
    most = MAX_NORMALISED if normalised else MAX_DIFFERENCE
    for scores in ([],) if normalised else ([], [1.0, 0.5, 0.5, 0.0, 0.61]):
        for bounds in ((-most, most), (most - 1, most), (-most, 0)):
            ratio = Sprt(*bounds, normalised=normalised).log_likelihood_ratio(counts, scores)
            assert math.isfinite(ratio)
