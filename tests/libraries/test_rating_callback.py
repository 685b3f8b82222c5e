"""`RatingCallback` rates a model of sb3-contrib while it learns."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="sb3-contrib (stable-baselines3) is not installed")

from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import configure
from stable_baselines3.common.vec_env import VecExtractDictObs

from parlour.arena import RatingCallback, Threads
from parlour.wrappers import SelfPlayVectorEnv, StableBaselinesVecEnv

UR = "royal_ur-v0"


def test_it_rates_a_model_while_it_learns(tmp_path: Path) -> None:
    env = StableBaselinesVecEnv(SelfPlayVectorEnv(UR, 8, opponent="random"))
    model = MaskablePPO("MultiInputPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=0)
    model.set_logger(configure(str(tmp_path), ["csv"]))
    callback = RatingCallback(UR, every=128, within=150, games=128, workers=Threads(1))
    model.learn(256, callback=callback)
    assert [steps for steps, _ in callback.ratings] == [128, 256]
    for _, rating in callback.ratings:
        assert rating.player == "model"
        assert rating.off_scale or np.isfinite(rating.elo)
        assert rating.games <= 128
    assert "rating/high" in (tmp_path / "progress.csv").read_text()


@pytest.mark.parametrize("policy", ["MultiInputPolicy", "MlpPolicy"])
def test_a_model_sees_in_ratings_what_it_learns_from(policy: str) -> None:
    inputs = "features"
    env = StableBaselinesVecEnv(SelfPlayVectorEnv(UR, 8, opponent="random", inputs=inputs))
    seen = VecExtractDictObs(env, "observation") if policy == "MlpPolicy" else env
    model = MaskablePPO(policy, seen, n_steps=16, batch_size=64, n_epochs=1, seed=0)
    callback = RatingCallback(UR, every=128, within=150, games=128, workers=Threads(1), inputs=inputs)
    model.learn(128, callback=callback)
    assert [steps for steps, _ in callback.ratings] == [128]


def test_inputs_that_a_game_lacks_are_refused_before_the_training() -> None:
    with pytest.raises(ValueError, match="checkers-v0 has no features of its own"):
        RatingCallback("checkers-v0", every=100, inputs="features")


def test_a_variant_without_a_ladder_is_refused_before_the_training() -> None:
    with pytest.raises(ValueError, match="no ladder"):
        RatingCallback("crown_and_anchor-v0", every=100)
