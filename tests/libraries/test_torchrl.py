"""TorchRL's `PettingZooWrapper`: its own check of specifications, and rollouts of legal plies."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

pytest.importorskip("torchrl", reason="TorchRL is not installed")

import torch
from parlour.wrappers.turn_based_parallel import TurnBasedParallel
from parlour.wrappers.win_warning import WinWarning
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs

import parlour
from tests.cases import GAMES

each_game = pytest.mark.parametrize("game", GAMES)
pytestmark = pytest.mark.filterwarnings("ignore")


def in_turns(game: str, **options: Any) -> Any:
    env = parlour.make(game, max_plies=30, **options)
    return PettingZooWrapper(
        env, use_mask=True, group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT, categorical_actions=True
    )


def all_at_once(game: str, **options: Any) -> Any:
    env = TurnBasedParallel(parlour.make(game, max_plies=30, **options))
    return PettingZooWrapper(env, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, categorical_actions=True)


@each_game
@pytest.mark.parametrize("kind", [in_turns, all_at_once])
def test_its_own_check(game: str, kind: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env_specs(kind(game), seed=0)


@pytest.mark.parametrize("kind", [in_turns, all_at_once])
def test_rollouts_are_of_legal_plies(kind: Any) -> None:
    env = kind("swords_and_shields-v0", illegal_move="raise")
    env.set_seed(0)
    rollout = env.rollout(60, break_when_any_done=True)
    assert rollout.batch_size[0] == 30
    assert bool(rollout["next", "done"][-1].any())


def test_infos_of_a_wrapper_are_numbers_to_it() -> None:
    env = PettingZooWrapper(
        WinWarning(parlour.make("swords_and_shields-v0", max_plies=30)),
        use_mask=True,
        group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT,
        categorical_actions=True,
    )
    rollout = env.rollout(20)
    assert rollout["player_0", "info", "can_win"].dtype in (torch.int64, torch.float32)
