"""What players are given of the games that they play: `GamesView`."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine.view import games_of
from parlour.players import GamesView, parse_player
from tests.support.games import batch_of

ACEY = "acey_ducey-v0"


def played(plies: int, **options: Any) -> parlour.Batch:
    return batch_of(ACEY, 5, plies=plies, seed=3, autoreset="disabled", **options)


def test_a_view_shows_what_the_batch_shows() -> None:
    batch = played(9)
    view, (observation, mask) = GamesView(batch.games), (batch.games.observation, batch.games.action_mask)
    assert (view.game_id, view.num_games, view.num_seats) == (ACEY, 5, 2)
    assert (view.num_actions, view.observation_shape) == (mask.shape[1], observation.shape[1:])
    assert np.array_equal(view.observation, observation)
    assert np.array_equal(view.action_mask, mask)
    assert np.array_equal(view.legal_counts, mask.sum(axis=1))
    assert np.array_equal(view.to_act, batch.games.to_act)
    for row in range(5):
        assert view.position(row) == batch.position(row)
        names = view.legal_moves(row)
        assert names == batch.legal_moves(row)
        actions = [view.parse_move(row, name) for name in names]
        assert actions == np.flatnonzero(mask[row]).tolist()
        assert [view.move_name(row, action) for action in actions] == names


def test_a_view_looks_ahead_as_the_batch_does() -> None:
    batch, rows = played(9), np.array([3, 1])
    view = GamesView(batch.games)
    for own, its in (
        (view.after_states(rows), batch.after_states(rows)),
        (view.turn_ends(rows), batch.turn_ends(rows)),
    ):
        assert len(its.actions) > 0
        assert all(np.array_equal(one, other) for one, other in zip(own, its))


def test_random_choices_come_from_the_rows_own_streams() -> None:
    """What is drawn for a row does not depend on the rows beside it, and the next draw is another one."""
    actions, alone = np.full(5, -7), np.full(5, -7)
    everyone, one = np.ones(5, np.bool_), np.arange(5) == 2
    GamesView(played(9).games).sample(everyone, actions)
    GamesView(played(9).games).sample(one, alone)
    assert alone.tolist() == [-7, -7, actions[2], -7, -7]
    view = GamesView(played(9).games)
    numbers = view.random_numbers(np.arange(5))
    assert ((numbers >= 0) & (numbers < 1)).all()
    assert GamesView(played(9).games).random_numbers(np.array([2])) == numbers[2]
    assert (view.random_numbers(np.arange(5)) != numbers).all()


def test_a_batch_asks_a_player_for_all_games_that_run() -> None:
    batch = played(0, max_plies=12)
    greedy, over = parse_player("greedy"), np.zeros(5, np.bool_)
    for _ in range(12):
        actions = batch.ask(greedy)
        assert batch.games.action_mask[np.arange(5), actions].all()
        _, _, terminated, truncated, _ = batch.step(actions)
        over = terminated | truncated
    assert over.all()
    assert batch.ask(greedy).tolist() == [-1] * 5
    with pytest.raises(AssertionError, match="needs to be called before ask"):
        parlour.make_batch(ACEY, 2).ask(greedy)


def test_what_searches_take() -> None:
    batch, env = played(0), parlour.make(ACEY)
    assert games_of(batch) is games_of(GamesView(batch.games)) is batch.games
    assert games_of(env) is env.unwrapped.games
    with pytest.raises(ValueError, match=r"a search needs a batch of .*, not 3"):
        games_of(3)
