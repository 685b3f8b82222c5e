"""`examples/sb3_maskable_ppo.py`: cloning comes nearer to the expert, and what is trained plays as a policy file."""

from __future__ import annotations

import argparse
import importlib.util
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.arena import match

torch = pytest.importorskip("torch", reason="torch is not installed")
sb3_contrib = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")

from parlour.wrappers import SelfPlayVectorEnv, StableBaselinesVecEnv  # noqa: E402

EXAMPLE = Path(__file__).resolve().parents[2] / "examples" / "sb3_maskable_ppo.py"
GAME = "royal_ur-v0"


@pytest.fixture(scope="module")
def example() -> Any:
    """The example as a module."""
    spec = importlib.util.spec_from_file_location("sb3_maskable_ppo", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["sb3_maskable_ppo"] = module
    spec.loader.exec_module(module)
    return module


def run(example: Any, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> None:
    """The example as a program."""
    monkeypatch.setattr(sys, "argv", [str(EXAMPLE), "--quick", *arguments])
    example.main()


def test_cloning_comes_nearer_to_the_experts_actions_and_values(example: Any) -> None:
    args = argparse.Namespace(game=GAME, variant=None, warm_start="champion", inputs="features", seed=1)
    plies = example.expert_plies(args)
    model = sb3_contrib.MaskablePPO(
        "MultiInputPolicy", StableBaselinesVecEnv(SelfPlayVectorEnv(GAME, 2, inputs="features")), n_steps=8,
        batch_size=16, learning_rate=1e-3, seed=1,
        policy_kwargs={
            "features_extractor_class": example.Distinct, "features_extractor_kwargs": {"kept": np.arange(84)},
        },
    )  # fmt: skip
    fresh = next(plies)  # not learnt from

    def agreement_and_error() -> tuple[float, float]:
        seen = {"observation": fresh.observation, "action_mask": fresh.action_mask}
        chosen, _ = model.predict(seen, deterministic=True, action_masks=fresh.action_mask)
        with torch.no_grad():
            values = model.policy.predict_values(model.policy.obs_to_tensor(seen)[0]).flatten().numpy()
        return float((chosen == fresh.action).mean()), float(np.square(values - fresh.value).mean())

    agreed, erred = agreement_and_error()
    for _ in range(60):
        example.clone(model, next(plies))
    agrees, errs = agreement_and_error()
    assert agrees > agreed + 0.2
    assert errs < erred


def test_a_network_sees_the_inputs_that_are_kept_with_or_without_masks(example: Any) -> None:
    env = SelfPlayVectorEnv("checkers-v0", 2, inputs="thermometer")
    observation, _ = env.reset(seed=1)
    seen = {name: torch.as_tensor(array) for name, array in observation.items()}
    kept = np.array([1, 9, 500])
    network = example.Distinct(env.single_observation_space, kept)
    assert np.array_equal(network(seen), observation["observation"].reshape(2, -1)[:, kept])
    assert torch.equal(network(seen["observation"]), network(seen))


def test_what_is_trained_plays_by_the_inputs_that_it_has_learnt_from(
    example: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(example, monkeypatch, "--game", GAME, "--warm-start", "champion", "--out", str(tmp_path))
    out = capsys.readouterr().out
    assert out.count("score ") >= 3
    assert "s of processor time" in out
    score = match(GAME, f"policy:{tmp_path / 'policy.onnx'}", "random", games=4, seed=1)
    assert score.games == 4


def test_without_an_expert_it_learns_from_the_pool_alone(
    example: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(example, monkeypatch, "--game", "checkers-v0", "--out", str(tmp_path))
    out = capsys.readouterr().out
    assert "learning from" not in out
    assert (tmp_path / "model.zip").exists()
