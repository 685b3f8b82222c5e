"""`StableBaselinesVecEnv`: the same games as beneath, told as stable-baselines3 tells them, and MaskablePPO on them.
`LegalActions`: its distribution."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="torch is not installed")
pytest.importorskip("sb3_contrib", reason="sb3-contrib (stable-baselines3) is not installed")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.vec_env import VecMonitor

import parlour
from parlour.wrappers import LegalActions, SelfPlayVectorEnv, StableBaselinesVecEnv
from tests.support.cases import GAMES

ROWS = 6


def rows_of(game: str, **options: Any) -> SelfPlayVectorEnv:
    return SelfPlayVectorEnv(game, ROWS, max_plies=30, **options)


def same(one: Any, other: Any) -> bool:
    return one.keys() == other.keys() and all(np.array_equal(one[key], other[key]) for key in one)


@pytest.mark.parametrize("game", GAMES)
def test_it_is_the_environment_beneath(game: str) -> None:
    """Observations, masks, rewards and ends of the same games, those that begin again included."""
    env, plain = StableBaselinesVecEnv(rows_of(game)), rows_of(game)
    env.seed(7)
    seen, (expected, _) = env.reset(), plain.reset(seed=[7 + row for row in range(ROWS)])
    rng, ended = np.random.default_rng(7), 0
    for _ in range(40):
        assert same(seen, expected)
        assert np.array_equal(get_action_masks(env), plain.action_masks())
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in plain.action_masks()])
        seen, rewards, dones, infos = env.step(actions)
        expected, plain_rewards, terminations, truncations, told = plain.step(actions)
        assert rewards.dtype == np.float32
        assert np.array_equal(rewards, plain_rewards.astype(np.float32))
        assert np.array_equal(dones, terminations | truncations)
        for row, info in enumerate(infos):
            if dones[row]:
                assert same(info["terminal_observation"], told["final_obs"][row])
                assert info["TimeLimit.truncated"] == truncations[row]
                assert info["seat"] == told["final_info"]["seat"][row]
                assert env.reset_infos[row] == {"seat": told["seat"][row]}
            else:
                assert info == {"seat": told["seat"][row]}
        ended += int(dones.sum())
    assert ended >= ROWS


def test_infos_tell_the_variant() -> None:
    env = StableBaselinesVecEnv(rows_of("agon-v0", variant=["classic", "ring"], seed=1))
    env.reset()
    assert {info["variant"] for info in env.reset_infos} == {0, 1}


def test_options_are_those_of_the_environment() -> None:
    env = StableBaselinesVecEnv(rows_of("agon-v0", variant=["classic", "ring"], seed=1))
    env.set_options({"variant": "ring"})
    env.reset()
    assert {info["variant"] for info in env.reset_infos} == {1}
    env.set_options([{"variant": row % 2} for row in range(ROWS)])
    with pytest.raises(ValueError, match="same options"):
        env.reset()


def test_attributes_and_methods_by_row() -> None:
    env = StableBaselinesVecEnv(rows_of("agon-v0", seed=1))
    env.reset()
    assert is_masking_supported(env)
    assert not env.has_attr("no_such_thing")
    assert env.get_attr("num_envs", [0, 2]) == [ROWS, ROWS]
    assert len(env.env_method("action_masks", indices=3)) == 1
    assert env.env_is_wrapped(VecMonitor) == [False] * ROWS
    with pytest.raises(ValueError, match="seed_of"):
        env.env_method("seed_of", 0)
    with pytest.raises(ValueError, match="all 6 rows"):
        env.set_attr("copy", False, [0])


def test_what_it_does_not_wrap() -> None:
    with pytest.raises(ValueError, match="SelfPlayVectorEnv"):
        StableBaselinesVecEnv(parlour.make_batch("agon-v0", 2))
    with pytest.raises(ValueError, match="same_step"):
        StableBaselinesVecEnv(rows_of("agon-v0", autoreset="next_step"))


def test_maskable_ppo_learns_and_plays_what_is_legal() -> None:
    env = VecMonitor(StableBaselinesVecEnv(rows_of("acey_ducey-v0", seed=3)))
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=48, n_epochs=1, seed=0)
    model.learn(2 * 16 * ROWS)
    assert model.ep_info_buffer[0]["l"] > 1
    seen = env.reset()
    for _ in range(20):
        masks = get_action_masks(env)
        actions, _ = model.predict(seen, action_masks=masks)
        assert masks[np.arange(ROWS), actions].all()
        seen, _, _, _ = env.step(actions)


def test_legal_actions_have_the_probabilities_of_sb3_contribs_own_distribution() -> None:
    env = StableBaselinesVecEnv(rows_of("swords_and_shields-v0", seed=1))
    policy = MaskablePPO("MultiInputPolicy", env, seed=1).policy
    seen, masks = env.reset(), np.array(env.env_method("action_masks"))
    (obs, _), actions = policy.obs_to_tensor(seen), torch.as_tensor([np.flatnonzero(mask)[-1] for mask in masks])
    expected = policy.evaluate_actions(obs, actions, masks)
    own = policy.get_distribution(obs, masks)
    policy.action_dist = LegalActions(int(env.action_space.n))
    for one, other in zip(policy.evaluate_actions(obs, actions, masks), expected):
        assert torch.allclose(one, other, atol=1e-5)
    distribution = policy.get_distribution(obs, masks)
    assert torch.equal(distribution.mode(), own.mode())
    drawn = torch.stack([distribution.sample() for _ in range(2000)])
    for row, mask in enumerate(masks):
        shares = np.bincount(drawn[:, row], minlength=len(mask)) / len(drawn)
        assert not shares[~mask].any()
        assert np.abs(shares - own.distribution.probs[row].detach().numpy()).max() < 0.05
