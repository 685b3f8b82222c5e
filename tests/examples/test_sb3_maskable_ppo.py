"""`examples/sb3_maskable_ppo.py`: cloning comes nearer to the expert, and what is trained plays as a policy file."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import numpy as np
import pytest

from parlour.arena import match

pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")

import sb3_contrib
import torch

from examples import sb3_maskable_ppo as example
from parlour.wrappers import SelfPlayVectorEnv

GAME = "royal_ur-v0"


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    """The example as a program."""
    monkeypatch.setattr(sys, "argv", ["sb3_maskable_ppo.py", "--quick", *arguments])
    example.main()


def test_cloning_comes_nearer_to_the_experts_actions_and_values() -> None:
    args = argparse.Namespace(game=GAME, variant=None, warm_start="champion", inputs="features", seed=1)
    plies = example.expert_plies(args)
    inputs = example.Distinct(next(plies).observation)
    games = example.Games(SelfPlayVectorEnv(GAME, 2, inputs="features"), inputs)
    model = sb3_contrib.MaskablePPO("MlpPolicy", games, n_steps=8, batch_size=16, learning_rate=1e-3, seed=1)
    fresh = next(plies)  # not learnt from

    def agreement_and_error() -> tuple[float, float]:
        seen = inputs(fresh.observation)
        chosen, _ = model.predict(seen.numpy(), deterministic=True, action_masks=fresh.action_mask)
        with torch.no_grad():
            values = model.policy.predict_values(seen).flatten().numpy()
        return float((chosen == fresh.action).mean()), float(np.square(values - fresh.value).mean())

    agreed, erred = agreement_and_error()
    for _ in range(60):
        example.clone(model, inputs, next(plies))
    agrees, errs = agreement_and_error()
    assert agrees > agreed + 0.2
    assert errs < erred


def test_of_inputs_that_are_alike_in_all_positions_one_is_seen() -> None:
    seen = np.array([[[0, 1], [0, 2]], [[0, 3], [0, 3]], [[0, 4], [0, 5]]], np.float32)  # two are always 0
    inputs = example.Distinct(seen)
    assert sorted(inputs.columns.tolist()) in ([0, 1, 3], [1, 2, 3])
    flat = seen.reshape(3, 4)[:, inputs.columns]
    assert np.array_equal(inputs(seen), flat)
    assert np.array_equal(inputs(torch.as_tensor(seen)), flat)


def test_a_game_that_is_cut_off_counts_as_lost() -> None:
    def games() -> SelfPlayVectorEnv:
        return SelfPlayVectorEnv("checkers-v0", 4, "random", 0, seed=1, max_plies=3, inputs="thermometer")

    first, _ = games().reset(seed=[1, 2, 3, 4])
    inputs = example.Distinct(np.concatenate([first["observation"], 1 - first["observation"]]))
    env = example.Games(games(), inputs)
    env.seed(1)
    assert np.array_equal(env.reset(), inputs(first["observation"]))
    rewards, ends = [], []
    for _ in range(2):
        env.step_async(env.unwrapped.env.sample_actions())
        seen, reward, over, infos = env.step_wait()
        assert seen.shape == (4, *env.observation_space.shape)
        assert not any("TimeLimit.truncated" in info for info in infos)  # or MaskablePPO would add a value
        rewards.append(reward.tolist())
        ends.append(over.tolist())
    assert ends == [[False] * 4, [True] * 4]
    assert rewards == [[0] * 4, [-1] * 4]


def test_what_is_trained_plays_by_the_inputs_that_it_has_learnt_from(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "--game", GAME, "--warm-start", "champion", "--out", str(tmp_path))
    out = capsys.readouterr().out
    assert out.count("score ") >= 3
    assert "s of processor time" in out
    assert "itself" not in out
    score = match(GAME, f"policy:{tmp_path / 'policy.onnx'}", "random", games=4, seed=1)
    assert score.games == 4


def test_without_an_expert_it_learns_from_the_pool_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(monkeypatch, "--game", "checkers-v0", "--out", str(tmp_path))
    out = capsys.readouterr().out
    assert "itself" in out
    assert (tmp_path / "model.zip").exists()
