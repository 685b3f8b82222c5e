"""ObservationsKey: nothing but a name."""

from __future__ import annotations

import numpy as np
import pytest

import parlour
from parlour.wrappers import FlatFloat32, ObservationsKey
from tests.support.cases import GAMES
from tests.wrappers.cases import random_plies


@pytest.mark.parametrize("game", GAMES)
def test_the_same_under_another_name(game: str) -> None:
    env, bare = ObservationsKey(parlour.make(game)), parlour.make(game)
    assert env.observation_space("player_0")["observations"] == bare.observation_space("player_0")["observation"]
    for seen, whole in zip(random_plies(env, 30), random_plies(bare, 30)):
        assert set(seen) == {"observations", "action_mask"}
        assert np.array_equal(seen["observations"], whole["observation"])
        assert np.array_equal(seen["action_mask"], whole["action_mask"])


def test_what_rllib_takes() -> None:
    space = ObservationsKey(FlatFloat32(parlour.make("swords_and_shields-v0"))).observation_space("player_0")
    assert space["observations"].shape == (8 * 81,)
    assert space["observations"].dtype == np.float32
    assert space["action_mask"].shape == (1296,)


def test_refuses_to_rename_twice() -> None:
    with pytest.raises(ValueError, match="finds 'action_mask' and 'observations'"):
        ObservationsKey(ObservationsKey(parlour.make("pig-v0")))
