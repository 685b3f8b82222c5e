"""What a batch tells and takes row by row: as the environment that plays the same game does."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.batch import Batch
from parlour.interfaces.registry import find
from tests.support.cases import GAMES
from tests.support.games import batch_of, begun

DICE_GAMES = [game for game in GAMES if find(game).rules.DICE]


def played(game: str, num_games: int = 6, steps: int = 5) -> Batch:
    """A batch after some random plies."""
    return batch_of(game, num_games, plies=steps, seed=1)


def env_of(batch: Batch, row: int) -> Any:
    """The environment at the position of a row."""
    return begun(batch.game.id, None, position=batch.position(row))


def throw(game: str, first: int) -> tuple[int, ...]:
    rules = find(game).rules
    return tuple(die.faces[(first + k) % len(die.faces)] for k, die in enumerate(rules.DICE))


@pytest.mark.parametrize("game", GAMES)
def test_moves_and_outcomes_of_a_row(game: str) -> None:
    batch = played(game)
    for row in range(6):
        env = env_of(batch, row)
        assert batch.legal_moves(row) == env.legal_moves()
        assert batch.chance_outcomes(row) == env.chance_outcomes()
        assert not batch.chance_outcomes(row) or sum(
            chance for _, chance in batch.chance_outcomes(row)
        ) == pytest.approx(1)


@pytest.mark.parametrize("game", DICE_GAMES)
def test_each_row_is_given_its_own_throws(game: str) -> None:
    """They come in their order and in that row alone; then its random stream goes on where it stood."""
    batch, untouched = played(game), played(game)
    throws_of = {1: [throw(game, 1), throw(game, 3), throw(game, 4)], 4: [throw(game, 2)]}
    envs = {}
    for row, throws in throws_of.items():
        batch.set_dice(row, throws)
        env = envs[row] = env_of(batch, row)
        env.games.dice_rng["counter"] = batch.games.dice_rng["counter"][row]
        env.set_dice(throws)
    batch = pickle.loads(pickle.dumps(copy.deepcopy(batch)))
    for _ in range(25):
        actions = np.array([np.flatnonzero(mask)[0] for mask in batch.games.action_mask])
        batch.step(actions)
        untouched.step(np.array([np.flatnonzero(mask)[0] for mask in untouched.games.action_mask]))
        for row, env in list(envs.items()):
            env.step(int(actions[row]))
            if env.is_over():
                del envs[row]
                continue
            assert batch.position(row) == env.position()
            assert batch.games.dice(row) == env.dice
        for row in {0, 2, 3, 5}:
            assert batch.position(row) == untouched.position(row)


def test_given_throws_are_replaced_and_forgotten() -> None:
    batch = played("acey_ducey-v0", 3)
    for _ in range(300):
        batch.set_dice(0, [(6, 6)] * 5)
        batch.set_dice(2, [(1, 1)] * 2)
    assert len(batch.games.forced_dice) < 30
    dice_rng = batch.games.dice_rng
    left = [
        batch.games.forced_dice[dice_rng["forced_used"][row] : dice_rng["forced_end"][row]].tolist() for row in range(3)
    ]
    assert left == [[[6, 6, 2]] * 5, [], [[1, 1, 2]] * 2]
    batch.reset(options={"reset_mask": np.array([True, False, False])})
    assert (dice_rng["forced_used"] < dice_rng["forced_end"]).tolist() == [False, False, True]


@pytest.mark.parametrize("autoreset", ["same_step", "next_step"])
def test_throws_are_for_the_game_that_is_on(autoreset: str) -> None:
    """A game that begins by itself after another takes none of those that are left."""
    batch, untouched = (parlour.make_batch("pig-v0", 2, seed=0, max_plies=1, autoreset=autoreset) for _ in range(2))
    for each in (batch, untouched):
        each.reset()
    batch.set_dice(0, [(2, 2), (3, 3), (4, 4)])
    for each in (batch, untouched):
        each.step(np.zeros(2, np.int64))
    assert (batch.games.dice_rng["forced_used"] == batch.games.dice_rng["forced_end"]).all() or autoreset == "next_step"
    batch.step(np.zeros(2, np.int64))
    assert (batch.games.dice_rng["forced_used"] == batch.games.dice_rng["forced_end"]).all()


@pytest.mark.parametrize("game", GAMES)
def test_clones_play_alike(game: str) -> None:
    batch = played(game)
    if game in DICE_GAMES:
        batch.set_dice(3, [throw(game, 2), throw(game, 0)])
    whole, part, single = batch.clone(), batch.clone([3, 0]), batch.clone(3)
    assert [part.seed_of(0), part.seed_of(1)] == [batch.seed_of(3), batch.seed_of(0)]
    assert (whole.num_games, part.num_games, single.num_games) == (6, 2, 1)
    for _ in range(40):
        batch.step(batch.sample_actions())
        whole.step(whole.sample_actions())
        part.step(part.sample_actions())
        single.step(single.sample_actions())
        assert [whole.position(row) for row in range(6)] == [batch.position(row) for row in range(6)]
        assert [part.position(0), part.position(1), single.position(0)] == [
            batch.position(3), batch.position(0), batch.position(3)
        ]  # fmt: skip


def test_a_clone_goes_its_own_way() -> None:
    batch = played("acey_ducey-v0")
    before = [batch.position(row) for row in range(6)]
    batch.set_dice(2, [(5, 5)])
    twin, again = batch.clone([2, 1], seed=7), batch.clone([2, 1], seed=7)
    for each in (twin, again):
        for _ in range(30):
            each.step(each.sample_actions())
    assert [batch.position(row) for row in range(6)] == before
    assert [twin.position(row) for row in range(2)] == [again.position(row) for row in range(2)]
    assert twin.games.dice_rng["forced_used"].tolist() == twin.games.dice_rng["forced_end"].tolist()


def test_what_is_refused() -> None:
    batch = parlour.make_batch("acey_ducey-v0", 2, seed=0)
    for call in (
        batch.clone,
        lambda: batch.legal_moves(0),
        lambda: batch.set_dice(0, []),
        lambda: batch.chance_outcomes(0),
    ):
        with pytest.raises(AssertionError, match="reset"):
            call()
    batch.reset()
    for call in (batch.legal_moves, batch.chance_outcomes, lambda row: batch.set_dice(row, [(1, 2)])):
        with pytest.raises(IndexError, match="no game 2"):
            call(2)
        with pytest.raises(ValueError, match="by its number"):
            call(0.5)
    for throws, named in (([(0, 7)], "no face"), ([(1,)], "dice are thrown"), ([(1, 2, 3)], "no throw"), ("x", "list")):
        with pytest.raises(ValueError, match=named):
            batch.set_dice(0, throws)
    for rows, named in (([2], "no game 2"), ([0, 0], "at most once"), ([], "num_games")):
        with pytest.raises(ValueError, match=named):
            batch.clone(rows)
    with pytest.raises(ValueError, match="without dice"):
        played("checkers-v0", 1, 0).set_dice(0, [(1, 2)])
