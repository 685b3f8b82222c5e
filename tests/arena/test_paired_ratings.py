"""Ratings from pairs of games, against simulated players whose strength is known."""

from __future__ import annotations

import numpy as np
import pytest

from parlour.arena.statistics.anchored_rating import AnchoredRating, Scale
from parlour.arena.statistics.control import adjusted
from parlour.arena.statistics.ratings import (
    ELO,
    PairedRatings,
    PairedResults,
    information,
    log_probabilities,
    most_informative,
)
from tests.support.cases import sampled

TRUTH = np.array([-500.0, -200.0, 0.0, 150.0, 300.0, 600.0])
ZERO, FIRST_SEAT, LOG_NU = 2, 60.0, float(np.log(1.5))


def drawn(random: np.random.Generator, difference: float, pairs: int, log_nu: float = LOG_NU) -> np.ndarray:
    """The table of pairs (3, 3) of a player so much stronger. In half of the pairs both games have the same luck,
    where a high number is good for the first seat."""
    luck = random.random((2, pairs))
    luck[1, : pairs // 2] = luck[0, : pairs // 2]
    results = []
    for sign, lucky in zip((1, -1), luck):
        shares = np.cumsum(np.exp(log_probabilities((sign * difference + FIRST_SEAT) / ELO, log_nu)))
        results.append(np.searchsorted(shares[:2], lucky))
    table = np.zeros((3, 3))
    np.add.at(table, (results[0], 2 - results[1]), 1)
    return table


def tournament(random: np.random.Generator, pairs: int, truth: np.ndarray = TRUTH) -> PairedResults:
    firsts, seconds = np.triu_indices(len(truth), 1)
    tables = [drawn(random, truth[i] - truth[j], pairs) for i, j in zip(firsts, seconds)]
    return PairedResults(firsts, seconds, np.array(tables), len(truth), min(ZERO, len(truth) - 1))


@pytest.mark.parametrize("log_nu", [-8.0, 0.0, 4.0])
def test_expected_scores_are_on_the_elo_scale_however_frequent_draws_are(log_nu: float) -> None:
    advantage = np.array([-20.0, -2.0, 0.0, 0.5, 20.0])
    probabilities = np.exp(log_probabilities(advantage, log_nu))
    assert probabilities.sum(axis=1) == pytest.approx(1)
    assert probabilities @ [0, 0.5, 1] == pytest.approx(1 / (1 + np.exp(-advantage)))


@sampled("tournaments", 30, 400)
def test_the_truth_is_found_and_the_intervals_hold_it(tournaments: int) -> None:
    random = np.random.default_rng(3)
    fits = [tournament(random, 60).fit() for _ in range(tournaments)]
    held = np.array([np.abs(fit.elo - TRUTH) <= fit.half_widths for fit in fits])[:, np.arange(len(TRUTH)) != ZERO]
    errors = np.array([fit.elo - TRUTH for fit in fits])
    assert held.mean() > (0.935 if tournaments > 30 else 0.9)
    assert np.abs(errors.mean(axis=0)).max() < 4 * errors.std(axis=0).max() / np.sqrt(tournaments)
    assert np.mean([fit.first_seat for fit in fits]) == pytest.approx(FIRST_SEAT, abs=8)
    assert np.mean([fit.log_nu for fit in fits]) == pytest.approx(LOG_NU, abs=0.1)


def test_shared_luck_is_seen() -> None:
    """Pairs in which one win goes with one loss say more than as many independent games."""
    split, apart = np.zeros((3, 3)), np.zeros((3, 3))
    split[0, 2] = split[2, 0] = 100
    apart[0, 0] = apart[0, 2] = apart[2, 0] = apart[2, 2] = 50
    reaches = [
        PairedResults(np.array([0]), np.array([1]), table[None], 2, 0).fit().half_widths[1] for table in (split, apart)
    ]
    assert reaches[0] < 0.2 * reaches[1]


def test_intransitive_players_are_told_from_transitive_ones() -> None:
    random = np.random.default_rng(4)
    circle = PairedResults(
        np.array([0, 1, 2]), np.array([1, 2, 0]), np.array([drawn(random, 200, 300) for _ in range(3)]), 3, 0
    ).fit()
    residuals, errors = circle.residuals()
    assert (residuals > 4 * errors).all()
    assert circle.intransitivity() == pytest.approx(200, abs=40)
    assert tournament(random, 300).fit().intransitivity() < 25


def test_all_games_won_give_a_finite_rating() -> None:
    won = np.zeros((1, 3, 3))
    won[0, 2, 2] = 20
    found = PairedResults(np.array([0]), np.array([1]), won, 2, 1).fit()
    assert 400 < found.elo[0] < 3000
    assert found.half_widths[0] > 100


def test_players_who_never_met_are_refused() -> None:
    with pytest.raises(ValueError, match="connect all players"):
        PairedResults(np.array([0]), np.array([1]), np.ones((1, 3, 3)), 3, 0).fit()


def test_the_pairings_that_tell_most_are_those_of_whom_least_is_known() -> None:
    random = np.random.default_rng(5)
    results = tournament(random, 40, np.array([0.0, 10.0, 20.0, 30.0]))
    results.tables[[k for k in range(6) if 3 in (results.firsts[k], results.seconds[k])]] /= 8
    chosen = most_informative(results.fit(), 3, 16)
    assert all(3 in (results.firsts[k], results.seconds[k]) for k in chosen)


def test_equal_players_tell_most() -> None:
    told = information(np.array([-300.0, 0.0, 300.0]), 0.0, -8.0)
    assert told[1] > 1.9 * told[0] == pytest.approx(1.9 * told[2])
    assert told[1] == pytest.approx(2 * 0.25 / ELO**2, rel=1e-3)  # two games without draws


@pytest.mark.parametrize("judged", [False, True])
@sampled("players", 15, 300)
def test_the_rating_of_one_player_is_as_sure_as_it_says(players: int, judged: bool) -> None:
    """With a judge: whose idea of luck is what a pair scored above its mean, with some noise."""
    random = np.random.default_rng(6)
    known = np.array([-500.0, -200.0, 0.0, 200.0, 500.0])
    covariance = np.diag([12.0**2, 10.0**2, 0.0, 10.0**2, 12.0**2])
    held, games, points = 0, [], (np.arange(3)[:, None] + np.arange(3)) / 4
    for _ in range(players):
        truth, opponents = random.uniform(-450, 450), random.multivariate_normal(known, covariance)
        scale, tables = Scale(known, covariance, FIRST_SEAT, LOG_NU), np.zeros((5, 3, 3))
        expected = Scale(opponents, covariance, FIRST_SEAT, LOG_NU).expected[:, _at(opponents, truth)]
        rating = AnchoredRating(scale, tables)
        luck = [np.zeros(0)] * 5
        while rating.half_width > 40:
            rung = rating.next_opponent(16)
            tables = tables.copy()
            tables[rung] += drawn(random, truth - opponents[rung], 16)
            scores = [np.repeat(points, table.astype(int).ravel()) for table in tables]
            luck[rung] = scores[rung] - expected[rung] + random.normal(scale=0.08, size=len(scores[rung]))
            without = tuple(adjusted(one, lucky) for one, lucky in zip(scores, luck)) if judged else ()
            rating = AnchoredRating(scale, tables, without)
        held += abs(rating.elo - truth) <= rating.half_width
        games.append(2 * tables.sum())
    assert held / players >= (0.93 if players > 15 else 0.8)
    assert np.mean(games) < (300 if judged else 600)


def _at(opponents: np.ndarray, truth: float) -> int:
    grid = Scale(opponents, np.eye(5), FIRST_SEAT, LOG_NU).grid
    return int(np.argmin(np.abs(grid - truth)))


def test_a_player_meets_those_of_its_own_strength() -> None:
    random = np.random.default_rng(7)
    known = np.array([-500.0, -200.0, 0.0, 200.0, 500.0])
    scale = Scale(known, np.eye(5) * 100.0, FIRST_SEAT, LOG_NU)
    tables = np.zeros((5, 3, 3))
    for rung in range(5):
        tables[rung] = drawn(random, 480 - known[rung], 16)
    rating = AnchoredRating(scale, tables)
    assert rating.next_opponent(16) == 4
    above, reach = rating.above()
    assert (above[:3] > reach[:3]).all()
    assert abs(above[4]) < reach[4]


def test_the_fit_says_what_it_expects() -> None:
    random = np.random.default_rng(8)
    found: PairedRatings = tournament(random, 400).fit()
    scores = (found.results.tables * (np.arange(3)[:, None] + np.arange(3)) / 4).sum(axis=(1, 2)) / 400
    assert found.expected == pytest.approx(scores, abs=0.06)
