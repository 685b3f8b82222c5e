"""FlatFloat32: vectors of the very numbers, or of their places between the bounds."""

from __future__ import annotations

import numpy as np
import pytest

import parlour
from parlour.wrappers import FlatFloat32, MaskInInfo, SplitDice
from tests.support.cases import GAMES
from tests.wrappers.cases import random_plies


@pytest.mark.parametrize("game", GAMES)
def test_the_numbers_and_bounds_are_those_of_the_planes(game: str) -> None:
    env, bare = FlatFloat32(parlour.make(game)), parlour.make(game)
    space, own = env.observation_space("player_1")["observation"], bare.observation_space("player_1")["observation"]
    assert space.dtype == np.float32
    assert space.low.tolist() == own.low.ravel().tolist()
    assert space.high.tolist() == own.high.ravel().tolist()
    for seen, whole in zip(random_plies(env, 40), random_plies(bare, 40)):
        assert seen["observation"].dtype == np.float32
        assert seen["observation"].tolist() == whole["observation"].ravel().tolist()
        assert seen["action_mask"].tobytes() == whole["action_mask"].tobytes()


@pytest.mark.parametrize("game", GAMES)
def test_scaled_numbers_are_places_between_the_bounds(game: str) -> None:
    env, bare = FlatFloat32(parlour.make(game), scale=True), parlour.make(game)
    own = bare.observation_space("player_0")["observation"]
    low, high = own.low.ravel().astype(float), own.high.ravel().astype(float)
    for seen, whole in zip(random_plies(env, 40), random_plies(bare, 40)):
        back = low + (seen["observation"].astype(float) + 1) / 2 * (high - low)
        assert np.abs(back - whole["observation"].ravel()).max() < 1e-4
        assert np.abs(seen["observation"]).max() <= 1


def test_bounds_are_hit_exactly_whatever_they_are() -> None:
    env = FlatFloat32(parlour.make("pig-v0"), scale=True)
    middles, halves = env._places["observation"]
    for low in range(-128, 128):
        for high in range(low, 128):
            middles[:], halves[:] = (low + high) / 2, (high - low) / 2 or 1
            for value, place in ((low, -1), (high, 1)):
                planes = np.full((len(middles), 1, 1), value, np.int8)
                seen = env.see({"observation": planes}, "player_0")["observation"]
                assert (seen == (place if high > low else 0)).all()


def test_dice_of_their_own_are_flattened_too() -> None:
    env = FlatFloat32(SplitDice(parlour.make("pig-v0")))
    env.reset(seed=2)
    seen = env.last()[0]
    assert seen["dice"].dtype == np.float32
    assert tuple(seen["dice"].tolist()) == env.dice
    assert seen["observation"].shape == (4,)


def test_refuses_what_shows_no_mask() -> None:
    with pytest.raises(ValueError, match="'observation' and 'action_mask' beneath it, and finds Box"):
        FlatFloat32(MaskInInfo(parlour.make("pig-v0")))
