"""SplitDice: the planes of the game in two tensors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.wrappers import FlatFloat32, HistoryPlanes, MaskInInfo, ObservationsKey, SplitDice, VariantSelector
from tests.support.cases import GAMES, VARIANTS
from tests.wrappers.cases import random_plies


@pytest.mark.parametrize("game", GAMES)
def test_both_parts_together_are_what_was_seen(game: str) -> None:
    env, bare = SplitDice(parlour.make(game)), parlour.make(game)
    is_dice = [plane.kind == "dice" for plane in bare.planes]
    assert [plane.kind for plane in env.planes] == ["board"] * (len(is_dice) - sum(is_dice))
    for seen, whole in zip(random_plies(env, 40), random_plies(bare, 40)):
        together = np.empty_like(whole["observation"])
        together[np.array(is_dice)] = seen["dice"]
        together[~np.array(is_dice)] = seen["observation"]
        assert together.tobytes() == whole["observation"].tobytes()
        assert seen["action_mask"].tobytes() == whole["action_mask"].tobytes()


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_a_game_has_planes_of_dice_just_when_it_has_dice(game: str, variant: str) -> None:
    env = parlour.make(game, variant=variant)
    assert {plane.kind for plane in env.planes} <= {"board", "dice"}
    assert any(plane.kind == "dice" for plane in env.planes) == bool(env.game.rules.DICE)


def test_dice_of_pig_are_the_faces() -> None:
    env = SplitDice(parlour.make("pig-v0"))
    env.reset(seed=1)
    seen = env.last()[0]
    assert seen["dice"].shape == (2, 1, 1)
    assert tuple(seen["dice"].ravel().tolist()) == env.dice
    assert env.observation_space("player_0")["dice"].high.ravel().tolist() == [6, 6]


def test_a_game_without_dice_has_an_empty_tensor() -> None:
    env = SplitDice(parlour.make("swords_and_shields-v0"))
    env.reset(seed=1)
    assert env.last()[0]["dice"].shape == (0, 9, 9)
    assert env.last()[0]["dice"].dtype == np.int8


def test_planes_that_wrappers_beneath_have_added_are_told_apart() -> None:
    pig = parlour.make("pig-v0")
    board = len(pig.planes) - 2
    for env, dice, rest in (
        (SplitDice(HistoryPlanes(parlour.make("pig-v0"), 3)), 6, 3 * board),
        (SplitDice(VariantSelector(parlour.make("pig-v0"), planes="variant")), 2, board + 2),
    ):
        env.reset(seed=1)
        seen = env.last()[0]
        assert seen["dice"].shape[0] == dice
        assert seen["observation"].shape[0] == rest == len(env.planes)
        assert tuple(seen["dice"][:2].ravel().tolist()) == env.dice


@pytest.mark.parametrize("inner", [FlatFloat32, ObservationsKey, MaskInInfo])
def test_refuses_what_has_no_planes(inner: Any) -> None:
    with pytest.raises(ValueError, match="outside"):
        SplitDice(inner(parlour.make("pig-v0")))
