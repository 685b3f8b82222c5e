"""`Batch.rollouts`: games from each row to their end, on copies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine.kernels import ply
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.state_records import copied
from tests.support.cases import GAMES
from tests.support.games import batch_of
from tests.support.kernels import call


def played(game: str, plies: int, rows: int = 3, threads: int = 1, **options: Any) -> parlour.Batch:
    return batch_of(game, rows, plies=plies, seed=5, threads=threads, autoreset="disabled", **options)


@pytest.mark.parametrize("game", GAMES)
def test_they_are_the_games_that_the_rules_and_the_rows_streams_give(game: str) -> None:
    """Held against games that are played ply by ply, each action drawn from the mask."""
    batch = played(game, 5, max_plies=150)
    games, rules = batch.games, batch.game.rules
    streams, variants = copied(games.player_rng), copied(games.variants)
    variants["repetition"] = 0
    found = batch.rollouts(num=4)
    faces, no_throws = np.empty(max(len(rules.DICE), 1), np.int8), np.zeros((0, len(rules.DICE) + 1), np.int8)
    mask, no_history = np.zeros_like(games.masks[0]), np.zeros(1, np.uint64)
    words = mask.view(np.uint64)
    for row in range(3):
        for k in range(4):
            state, rewards = copied(games.states[row : row + 1]), np.zeros(batch.num_seats)
            while state["end"][0] == 0:
                rules.legal(state[0], variants[row], mask, words)
                action = random_legal(words, count_legal(words), streams[row])
                arguments = action, streams[row], no_throws, faces, no_history, rewards
                call(games, ply.play, state[0], variants[row], *arguments)
            assert found.returns[row, k].tolist() == rewards.astype(np.float32).tolist()
            assert found.plies[row, k] == state["plies"][0] - games.states["plies"][row]
            assert found.truncated[row, k] == (rules.ENDS[state["end"][0]] == "max_plies")
    assert games.player_rng["counter"].tolist() == streams["counter"].tolist()


@pytest.mark.parametrize("policy", ["random", "greedy"])
def test_the_games_themselves_go_on_as_if_nothing_had_been_played(policy: str) -> None:
    batch, twin = (played("acey_ducey-v0", 10) for _ in range(2))
    first, second = batch.rollouts(policy, 2), batch.rollouts(policy, 2)
    assert (first.plies > 0).all()
    assert not np.array_equal(first.plies, second.plies)
    for _ in range(20):
        assert [batch.position(i) for i in range(3)] == [twin.position(i) for i in range(3)]
        actions = twin.sample_actions()
        batch.step(actions)
        twin.step(actions)


def test_they_are_the_same_on_any_number_of_threads_and_for_some_rows() -> None:
    alone = played("checkers-v0", 8, rows=7).rollouts(num=5)
    threads = played("checkers-v0", 8, rows=7, threads=2).rollouts(num=5)
    some = played("checkers-v0", 8, rows=7).rollouts(num=5, row_ids=[4, 0])
    for one, both, two in zip(alone, threads, some):
        assert np.array_equal(one, both)
        assert np.array_equal(one[[4, 0]], two)


def test_a_row_that_is_over_has_none() -> None:
    batch = played("pig-v0", 0, max_plies=3)
    for _ in range(3):
        batch.step(batch.sample_actions())
    found = batch.rollouts(num=2)
    assert found.returns.shape == (3, 2, batch.num_seats)
    assert not any(part.any() for part in found)


def test_what_is_no_valid_argument_is_refused() -> None:
    batch = parlour.make_batch("pig-v0", 2)
    with pytest.raises(AssertionError, match="before rollouts"):
        batch.rollouts()
    batch.reset()
    with pytest.raises(ValueError, match="policy 'mcts:5' is not valid; valid: 'random'"):
        batch.rollouts("mcts:5")
    with pytest.raises(ValueError, match="num must be a whole number from 1 up, not 0"):
        batch.rollouts(num=0)
    with pytest.raises(ValueError, match="row_ids: there is no game 2"):
        batch.rollouts(row_ids=[2])
