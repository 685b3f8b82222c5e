"""Tianshou's `PettingZooEnv`: the same game, and its collector and DQN of two seats on it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("tianshou", reason="Tianshou is not installed")

from tianshou.env import PettingZooEnv

import parlour
from tests.support.cases import each_game


def in_tianshou(game: str) -> Any:
    return PettingZooEnv(parlour.make(game, max_plies=50))


@each_game
def test_the_same_game_as_without_it(game: str) -> None:
    """It reads the rewards of each ply, and wants the same spaces for all seats."""
    env, own = in_tianshou(game), parlour.make(game, max_plies=50)
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


def test_its_collector_plays_only_what_is_legal() -> None:
    from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
    from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
    from tianshou.data import Collector, VectorReplayBuffer
    from tianshou.env import DummyVectorEnv

    games = [lambda: PettingZooEnv(parlour.make("swords_and_shields-v0", max_plies=50, illegal_move="raise"))] * 3
    env = games[0]()
    players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(env.action_space) for _ in env.agents]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
    collector = Collector(algorithm, DummyVectorEnv(games), VectorReplayBuffer(1000, 3))
    collector.reset()
    result = collector.collect(n_episode=4)
    assert result.n_collected_episodes == 4
    assert result.n_collected_steps > 40
