"""The Pareto front: which candidates are on it, and which are best."""

from __future__ import annotations

import numpy as np
import pytest

from parlour.arena.study.search_space import best, crowding, front_of, front_shares
from tests.arena.test_goals import goals_of


def test_the_front_is_what_no_other_dominates() -> None:
    misses = np.random.default_rng(1).integers(0, 5, (60, 3)).astype(float)
    expected = [not any((other <= own).all() and (other < own).any() for other in misses) for own in misses]
    assert front_of(misses).tolist() == expected
    assert front_of(np.array([[1.0, 1.0], [1.0, 1.0]])).all()  # equals do not dominate each other


def test_the_best_are_taken_front_by_front_and_then_where_they_stand_alone() -> None:
    front = [[0.0, 10.0], [1.0, 9.0], [1.1, 8.9], [5.0, 5.0], [10.0, 0.0]]
    misses = np.array([*front, [6.0, 6.0], [7.0, 7.0], [np.inf, 1.0]])
    assert best(misses, 8) == list(range(8))
    assert best(misses, 6) == [0, 1, 2, 3, 4, 5]
    assert best(misses, 3) == [0, 3, 4]  # the ends, and the one that is farthest from its neighbours
    assert np.isinf(crowding(np.array([[2.0, 2.0]]))).all()
    assert best(np.array([[3.0], [1.0], [2.0]]), 1) == [1]


def test_how_stable_the_front_is() -> None:
    (goal,) = goals_of("pig", ["plies:min"])
    generator = np.random.default_rng(3)
    clear = generator.normal([[10], [20]], 1, (2, 50))
    assert front_shares([goal], [clear], 1).tolist() == [1, 0]
    shares = front_shares([goal], [generator.normal(10, 1, (2, 50))], 1)
    assert 0 < shares.min() < shares.max() < 1
    assert shares.sum() == pytest.approx(1)
