"""sb3-contrib's MaskablePPO, which reads masks from `SelfPlayEnv.action_masks`."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="sb3-contrib (stable-baselines3) is not installed")
self_play = pytest.importorskip("parlour.wrappers.self_play", reason="there is no SelfPlayEnv in this tree")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.utils import get_action_masks

import parlour
from tests.support.cases import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_it_learns_and_plays_what_is_legal(game: str) -> None:
    env = self_play.SelfPlayEnv(parlour.make(game, max_plies=40, illegal_move="raise"), "random")
    model = MaskablePPO("MultiInputPolicy", env, n_steps=32, batch_size=16, n_epochs=1, seed=0)
    model.learn(64)
    assert get_action_masks(model.get_env()).dtype == np.bool_
    seen, _ = env.reset(seed=1)
    for _ in range(20):
        masks = env.action_masks()
        action, _ = model.predict(seen, action_masks=masks)
        assert masks[int(action)]
        seen, _, terminated, truncated, _ = env.step(int(action))
        if terminated or truncated:
            seen, _ = env.reset()
