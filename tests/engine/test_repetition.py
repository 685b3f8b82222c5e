"""Counting earlier positions: the filter in front of the keys never changes the count."""

from __future__ import annotations

import numpy as np
import pytest

import parlour
from parlour.engine.repetition import (
    FILTER_WORDS,
    copy_keys,
    earlier_occurrences,
    filter_bits,
    filter_word,
    has_room,
    keys_of,
    let_all_through,
    note,
)
from parlour.rulebook.chance import mix
from parlour.rulebook.state_records import as_record

WIDTH = 80


def keys(seed: int, count: int) -> list[np.uint64]:
    """Keys of which some come again, and of which many have the same bits in the filter."""
    rng = np.random.default_rng(seed)
    few = [mix(np.uint64(k)) for k in range(count // 2)]
    alike = [np.uint64(key) & np.uint64(0x3FFFF) for key in few]
    return [np.uint64((few + alike)[int(k)]) for k in rng.integers(2 * len(few), size=count)]


@pytest.mark.parametrize("seed", range(20))
def test_keys_are_counted_as_in_a_list(seed: int) -> None:
    row, past, passed = np.full(WIDTH, 2**64 - 1 - seed, np.uint64), [], 0
    for count, key in enumerate(keys(seed, 70)):
        if seed % 3 == 0 and count == 30:
            past = []  # an irreversible ply: the row begins again, whatever stands in it
        assert earlier_occurrences(row, len(past), key) == past.count(key)
        passed += int(row[filter_word(key)] & filter_bits(key) == filter_bits(key)) and key not in past
        note(row, len(past), key)
        past.append(key)
        assert keys_of(row)[: len(past)].tolist() == past
    assert passed  # the filter let through what only looked alike, and the count was right all the same


def test_a_new_position_is_seldom_counted_through() -> None:
    """Otherwise the filter would be right, but of no use."""
    row = np.zeros(WIDTH, np.uint64)
    for count in range(25):
        note(row, count, np.uint64(mix(np.uint64(count))))
    fresh = [np.uint64(mix(np.uint64(1000 + k))) for k in range(1000)]
    passed = sum(row[filter_word(key)] & filter_bits(key) == filter_bits(key) for key in fresh)
    assert passed < 100


def test_copies_and_rows_from_elsewhere_count_alike() -> None:
    row, copy, foreign = np.zeros((3, WIDTH), np.uint64)
    past = keys(3, 40)
    for count, key in enumerate(past):
        note(row, count, key)
    copy_keys(row, len(past), copy)
    keys_of(foreign)[: len(past)] = past
    let_all_through(foreign)
    for key in keys(4, 60):
        assert earlier_occurrences(row, 40, key) == past.count(key)
        assert earlier_occurrences(copy, 40, key) == past.count(key)
        assert earlier_occurrences(foreign, 40, key) == past.count(key)


def test_a_row_has_room_for_a_position_and_the_next() -> None:
    row = np.zeros(FILTER_WORDS + 5, np.uint64)
    assert [has_room(row, count) for count in range(5)] == [True, True, True, True, False]


@pytest.mark.parametrize("game", ["checkers-v0", "swords_and_shields-v0"])
def test_whole_games_count_as_a_list_does(game: str) -> None:
    """Whole games: positions are counted as a list of all keys since the last irreversible ply has them."""
    env = parlour.make(game, repetition=3, max_plies=600)
    again = 0
    for seed in range(3):
        env.reset(seed=seed)
        rng, seen = np.random.default_rng(seed), []
        while not env.is_over():
            state = env.games.states[0]
            if int(state["seen"]) < len(seen):
                seen = []
            if state["turn_over"]:
                seen.append(int(env.game.rules.position_key(as_record(env.games.states, 0))))
                assert int(state["occurrences"]) == seen.count(seen[-1])
                again += int(state["occurrences"]) > 1
            legal = np.flatnonzero(env.observe(env.agent_selection)["action_mask"])
            env.step(int(legal[int(rng.integers(min(len(legal), 2)))]))  # back and forth
    assert again
