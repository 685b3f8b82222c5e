"""`SelfPlayVectorEnv`: Gymnasium's own `SyncVectorEnv` of `SelfPlayEnv`, bit for bit; threads, views, outside
opponents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from parlour.wrappers.opponent_pool import OpponentPool
from parlour.wrappers.self_play import SelfPlayEnv
from parlour.wrappers.self_play_vector import SelfPlayVectorEnv

import parlour
from parlour.players import Random
from tests.cases import GAMES

each_game = pytest.mark.parametrize("game", GAMES)
MODES = {
    "same_step": AutoresetMode.SAME_STEP,
    "next_step": AutoresetMode.NEXT_STEP,
    "disabled": AutoresetMode.DISABLED,
}
SHORT: dict[str, Any] = {"max_plies": 60}


def last_legal(observation: Any, mask: Any) -> Any:
    """A function that depends on the mask of each row alone."""
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def by_what_it_sees(observation: Any, mask: Any) -> Any:
    """A legal action that depends on every number of a row's observation and mask."""
    numbers = observation.reshape(len(mask), -1).astype(np.int64)
    point = (numbers * np.arange(1, numbers.shape[1] + 1)).sum(axis=1)
    return np.array([np.flatnonzero(row)[at % row.sum()] for row, at in zip(mask.astype(np.int64), point)])


class Sampler:
    """A player that is none of the built-in ones, so that it is asked from outside."""

    name = "sampler"

    def choose(self, table: Any, rows: Any, actions: Any) -> None:
        Random().choose(table, rows, actions)


def mixed_pool() -> OpponentPool:
    return OpponentPool({"random": "random", "greedy": "greedy", "seeing": by_what_it_sees, "sampler": Sampler()})


OPPONENTS: dict[str, Callable[[], Any]] = {
    "random": lambda: "random",
    "greedy": lambda: "greedy",
    "function": lambda: by_what_it_sees,
    "player": Sampler,
    "pool": mixed_pool,
}


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    """Dicts, arrays and arrays of objects alike, types and all."""
    assert type(ours) is type(theirs), where
    if isinstance(ours, dict):
        assert set(ours) == set(theirs), where
        for key in ours:
            assert_same(ours[key], theirs[key], f"{where}.{key}")
    elif isinstance(ours, tuple) or (isinstance(ours, np.ndarray) and ours.dtype == object):
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}[{k}]")
    elif isinstance(ours, np.ndarray):
        assert ours.dtype == theirs.dtype, where
        np.testing.assert_array_equal(ours, theirs, where)
    else:
        assert ours == theirs, where


def random_actions(rng: np.random.Generator, masks: Any) -> Any:
    """A legal action a row; −1 where none is."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else -1 for mask in masks])


@each_game
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_is_gymnasiums_vector_of_single_envs_bit_for_bit(game: str, mode: str, opponent: str) -> None:
    n, steps = 4, 90
    ours = SelfPlayVectorEnv(
        game, n, OPPONENTS[opponent](), autoreset=mode, threads=1 + (opponent == "greedy"), **SHORT
    )
    pool = OPPONENTS[opponent]()
    theirs = SyncVectorEnv(
        [lambda: SelfPlayEnv(parlour.make(game, illegal_move="raise", **SHORT), pool)] * n, autoreset_mode=MODES[mode]
    )
    seeds = [5, 6, 7, 8]
    assert_same(ours.reset(seed=seeds), theirs.reset(seed=seeds))
    rng = np.random.default_rng(1)
    ended, seats = 0, set()
    for _ in range(steps):
        actions = random_actions(rng, ours.action_masks())
        if mode == "next_step":
            actions[actions < 0] = 0
        step = ours.step(actions)
        assert_same(step, theirs.step(actions))
        over = step[2] | step[3]
        ended += over.sum()
        seats |= set(step[4]["seat"].tolist())
        if mode == "disabled" and over.any():
            options = {"reset_mask": over}
            assert_same(ours.reset(options=options), theirs.reset(options=dict(options)))
    assert ended >= 3
    assert seats == set(range(ours.batch.num_seats))
