"""TorchRL's `PettingZooWrapper` and, for many games at once, its `GymWrapper`: its own check of specifications, and
rollouts of legal plies."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

pytest.importorskip("torchrl", reason="TorchRL is not installed")

import torch
from torchrl.envs.libs.gym import GymWrapper
from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import MarlGroupMapType, check_env_specs

import parlour
from parlour.wrappers import SelfPlayVectorEnv, VariantSelector
from tests.support.cases import each_game

pytestmark = pytest.mark.filterwarnings("ignore")


def in_turns(game: str, **options: Any) -> Any:
    env = parlour.make(game, max_plies=30, **options)
    return PettingZooWrapper(
        env, use_mask=True, group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT, categorical_actions=True
    )


@each_game
def test_its_own_check(game: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        check_env_specs(in_turns(game), seed=0)


def test_rollouts_are_of_legal_plies() -> None:
    env = in_turns("swords_and_shields-v0", illegal_move="raise")
    env.set_seed(0)
    rollout = env.rollout(60, break_when_any_done=True)
    assert rollout.batch_size[0] == 30
    assert bool(rollout["next", "done"][-1].any())


def test_infos_of_a_wrapper_are_numbers_to_it() -> None:
    env = PettingZooWrapper(
        VariantSelector(parlour.make("swords_and_shields-v0", max_plies=30)),
        use_mask=True,
        group_map=MarlGroupMapType.ONE_GROUP_PER_AGENT,
        categorical_actions=True,
    )
    rollout = env.rollout(20)
    assert rollout["player_0", "info", "variant"].dtype in (torch.int64, torch.float32)


def test_many_games_at_once_are_reset_one_by_one() -> None:
    """`GymWrapper` takes the vector environment as it is; with ``disabled`` TorchRL itself begins games again."""
    env = GymWrapper(
        SelfPlayVectorEnv("acey_ducey-v0", 4, max_plies=30, seed=1, autoreset="disabled"),
        categorical_action_encoding=True,
    )

    def play(td: Any) -> Any:
        td["action"] = torch.multinomial(td["action_mask"].float(), 1).squeeze(-1)
        return td

    rollout = env.rollout(60, policy=play, break_when_any_done=False)
    assert rollout.batch_size == (4, 60)
    over = rollout["next", "truncated"].squeeze(-1)
    assert bool((over.sum(1) >= 2).all())
    legal = rollout["action_mask"].gather(-1, rollout["action"].unsqueeze(-1))
    assert bool(legal.all())
