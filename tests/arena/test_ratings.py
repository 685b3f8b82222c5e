"""The Bradley-Terry fit against what its ratings must foretell, and its intervals against simulated players."""

from __future__ import annotations

import numpy as np
import pytest

from parlour.arena.statistics.ratings import ELO, PRIOR_DRAWS, bradley_terry, rate


def test_two_players_have_the_odds_of_their_games() -> None:
    strength = bradley_terry(np.array([[0.0, 75.0], [25.0, 0.0]]))
    assert strength[0] / strength[1] == pytest.approx(3)
    assert strength.prod() == pytest.approx(1)


def test_each_scores_as_much_as_its_strength_foretells() -> None:
    """The equations that define the fit: observed and expected scores agree (Hunter 2004, equation 2)."""
    random = np.random.default_rng(5)
    scored = random.integers(1, 30, (6, 6)).astype(float)
    np.fill_diagonal(scored, 0)
    scored[0, 3] = scored[3, 0] = 0  # these have not met
    strength = bradley_terry(scored)
    expected = (scored + scored.T) * strength[:, None] / (strength[:, None] + strength[None, :])
    assert expected.sum(axis=1) == pytest.approx(scored.sum(axis=1), rel=1e-7)


def test_who_has_won_everything_still_has_a_rating() -> None:
    best, worst = rate(np.array([[0.0, 10.0], [0.0, 0.0]]))
    odds = (10 + PRIOR_DRAWS / 2) / (PRIOR_DRAWS / 2)
    assert best.value - worst.value == pytest.approx(ELO * np.log(odds))
    assert best.low > 0 > worst.high
    assert best.count == 10


@pytest.mark.parametrize("games", [20, 100])
def test_intervals_hold_the_truth_nineteen_times_in_twenty(games: int) -> None:
    """At least 94 of 100, over a thousand synthetic tournaments of four players."""
    random = np.random.default_rng(1)
    truth = np.array([150.0, 0.0, -50.0, -100.0])
    chance = 1 / (1 + np.exp((truth[None, :] - truth[:, None]) / ELO))
    held = np.zeros(4)
    for _ in range(1000):
        scored = np.zeros((4, 4))
        for i in range(4):
            for j in range(i):
                scored[i, j] = random.binomial(games, chance[i, j])
                scored[j, i] = games - scored[i, j]
        held += [rating.covers(true) for rating, true in zip(rate(scored), truth)]
    assert held.min() >= 940
