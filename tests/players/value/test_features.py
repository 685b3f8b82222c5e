"""The numbers that Acey Ducey gives to value networks."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.games.acey_ducey import positions as acey_ducey
from tests.players.value.networks import lookers, middle
from tests.support.games import batch_of


def numbers(games: Any, row: int, seat: int, fill: int = 0) -> Any:
    """As the kernel writes them, with some room after them."""
    evaluation = games.game.evaluation
    found = np.full(sum(feature.count for feature in evaluation.FEATURES) + 16, fill, np.int8)
    evaluation.features(games.states[row], games.variants[row], seat, found)
    return found


def parts(found: Any, games: Any) -> list[list[int]]:
    """The numbers of each of the game's features."""
    ends = np.cumsum([feature.count for feature in games.game.evaluation.FEATURES])
    return [part.tolist() for part in np.split(found[: ends[-1]], ends[:-1])]


def test_all_numbers_are_written_and_within_their_bounds() -> None:
    games = middle("acey_ducey-v0", rows=50, plies=120).games
    features = games.game.evaluation.FEATURES
    count = sum(feature.count for feature in features)
    lows = np.repeat([feature.low for feature in features], [feature.count for feature in features])
    highs = np.repeat([feature.high for feature in features], [feature.count for feature in features])
    for row in range(50):
        for seat in range(2):
            found = numbers(games, row, seat, 99)
            assert (found[:count] == numbers(games, row, seat)[:count]).all()
            assert (found[count:] == 99).all()
            assert ((lows <= found[:count]) & (found[:count] <= highs)).all()


def test_each_seat_counts_its_own_men_first() -> None:
    games = acey_ducey.at("6:r1 1:r2 20:b3", "3 5", dog=(0, 1)).unwrapped.games
    own, others, _, housed, off, left, choosing, again, *pairs = parts(numbers(games, 0, 0), games)
    assert [own[24 - 6], own[24 - 1], sum(own)] == [1, 2, 3]
    assert [others[20 - 1], sum(others)] == [3, 3]
    assert housed == [0, 1]
    assert off == [12, 11]
    assert left == [0, 0, 1, 0, 1, 0]
    assert choosing + again == [0, 0]
    mirrored = parts(numbers(games, 0, 1), games)
    assert mirrored[:2] == [others, own]
    assert [mirrored[3], mirrored[4]] == [[1, 0], [11, 12]]
    assert mirrored[8:] == [pair[::-1] for pair in pairs]


def test_before_a_throw_nothing_is_left_to_play() -> None:
    batch = batch_of("acey_ducey-v0", 40, plies=60, seed=2)
    games = batch.games
    seats, counted = lookers(batch), 0
    for row in range(40):
        before = parts(numbers(games, row, int(seats[row])), games)
        counted += sum(before[5]) + before[6][0] > 0
        games.states["due"][row] = 2
        after = parts(numbers(games, row, int(seats[row])), games)
        assert after[5] + after[6] == [0] * 7
        assert after[:5] == before[:5]
    assert counted == 40
