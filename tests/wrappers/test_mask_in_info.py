"""MaskInInfo: a plain observation, and a list in the infos."""

from __future__ import annotations

import numpy as np
import pytest

import parlour
from parlour.wrappers import FlatFloat32, MaskInInfo, SplitDice, VariantSelector
from tests.support.cases import GAMES
from tests.support.games import begun
from tests.wrappers.cases import random_plies


@pytest.mark.parametrize("game", GAMES)
def test_the_mask_is_a_list_of_ints_in_the_infos(game: str) -> None:
    bare = parlour.make(game, max_plies=20)
    env = MaskInInfo(bare)
    for whole in random_plies(bare, 50):
        seen, _, _, _, info = env.last()
        assert np.array_equal(seen, whole["observation"])
        assert type(info["action_mask"]) is list
        assert {type(number) for number in info["action_mask"]} == {int}
        assert info["action_mask"] == whole["action_mask"].tolist()
        assert env.last(observe=False)[0] is None
        assert env.last(observe=False)[4] == info
        assert env.infos == {
            agent: {"action_mask": bare.observe(agent)["action_mask"].tolist()} for agent in env.agents
        }


def test_lists_are_the_callers_to_keep() -> None:
    env = MaskInInfo(parlour.make("pig-v0"))
    env.reset(seed=0)
    env.last()[4]["action_mask"][:] = [0, 0]
    env.infos["player_0"]["action_mask"][:] = [0, 0]
    assert env.last()[4]["action_mask"] == [1, 1]


def test_infos_from_beneath_stay() -> None:
    env = MaskInInfo(VariantSelector(parlour.make("swords_and_shields-v0"), ["tablut"]))
    env.reset(seed=0)
    assert set(env.last()[4]) == set(env.infos["player_1"]) == {"action_mask", "variant"}


def test_action_spaces_draw_under_the_list_as_under_the_array() -> None:
    env = begun("swords_and_shields-v0")
    space, mask = env.action_space("player_0"), env.last()[0]["action_mask"]
    draws = []
    for legal in (mask, mask.tolist()):
        space.seed(4)
        draws.append([int(space.sample(legal)) for _ in range(50)])
    assert draws[0] == draws[1]
    assert all(mask[draw] for draw in draws[1])


def test_goes_outside_others_and_refuses_more_than_one_tensor() -> None:
    env = MaskInInfo(FlatFloat32(parlour.make("pig-v0")))
    assert env.observation_space("player_0").dtype == np.float32
    with pytest.raises(ValueError, match="takes one tensor besides the mask, and finds 'action_mask', 'dice'"):
        MaskInInfo(SplitDice(parlour.make("pig-v0")))
