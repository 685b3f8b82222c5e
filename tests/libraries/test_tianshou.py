"""Tianshou's `PettingZooEnv`, and its DQN in self-play on it."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("tianshou", reason="Tianshou is not installed")

from tianshou.env import PettingZooEnv

import parlour
from tests.cases import GAMES

each_game = pytest.mark.parametrize("game", GAMES)


@each_game
def test_the_same_game_as_without_it(game: str) -> None:
    env, own = PettingZooEnv(parlour.make(game, max_plies=50)), parlour.make(game, max_plies=50)
    seen, _ = env.reset(seed=4)
    own.reset(seed=4)
    rng = np.random.default_rng(0)
    while not own.is_over():
        expected = own.observe(own.agent_selection)
        assert seen["agent_id"] == own.agent_selection
        assert np.array_equal(seen["obs"], expected["observation"])
        assert np.array_equal(np.asarray(seen["mask"], np.int8), expected["action_mask"])
        action = int(rng.choice(np.flatnonzero(seen["mask"])))
        seen, rewards, terminated, truncated, _ = env.step(action)
        own.step(action)
        assert list(rewards) == list(own.rewards.values())
        assert terminated == any(own.terminations.values())
        assert truncated == any(own.truncations.values())
