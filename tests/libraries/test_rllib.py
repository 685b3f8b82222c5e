"""RLlib's `PettingZooEnv` on `ObservationsKey(FlatFloat32(env))`: its keys, its flat float32, all seats ending at once.
(Its PPO runs in examples/rllib_ppo.py.)"""

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
