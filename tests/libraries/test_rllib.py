"""RLlib's `PettingZooEnv` on `ObservationsKey(FlatFloat32(env))`: its keys, its flat float32, all seats ending at once,
and one round of its PPO under action masks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray.rllib", reason="RLlib (ray[rllib]) is not installed")

from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv

import parlour
from parlour.wrappers import FlatFloat32, ObservationsKey
from tests.support.cases import GAMES


def in_rllib(game: str, **options: Any) -> Any:
    return PettingZooEnv(ObservationsKey(FlatFloat32(parlour.make(game, max_plies=30, **options))))


@pytest.mark.parametrize("game", GAMES)
def test_games_end_for_all_seats_at_once(game: str) -> None:
    env = in_rllib(game, illegal_move="raise")
    seen, _ = env.reset(seed=3)
    rng = np.random.default_rng(3)
    plies = 0
    while True:
        ((agent, view),) = seen.items()
        assert view["observations"].dtype == np.float32
        assert view["observations"].ndim == 1
        assert env.get_observation_space(agent).contains(view)
        seen, _, terminated, truncated, _ = env.step({agent: int(rng.choice(np.flatnonzero(view["action_mask"])))})
        plies += 1
        if terminated["__all__"] or truncated["__all__"]:
            break
    assert 0 < plies <= 30


def test_its_ppo_trains_under_masks() -> None:
    import ray
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from ray.tune.registry import register_env

    register_env("swords", lambda config: in_rllib("swords_and_shields-v0", illegal_move="raise"))
    config = (
        PPOConfig()
        .environment("swords", disable_env_checking=True)  # the check plays what is not legal
        .multi_agent(policies={"both"}, policy_mapping_fn=lambda agent, episode, **rest: "both")
        .rl_module(rl_module_spec=RLModuleSpec(module_class=ActionMaskingTorchRLModule))
        .env_runners(num_env_runners=0)
        .training(train_batch_size_per_learner=120, minibatch_size=60, num_epochs=1)
    )
    try:
        algorithm = config.build_algo()
        result = algorithm.train()
        algorithm.stop()
    finally:
        ray.shutdown()
    assert result["env_runners"]["num_env_steps_sampled_lifetime"] >= 120
    assert result["learners"]["both"]["num_module_steps_trained"] > 0
