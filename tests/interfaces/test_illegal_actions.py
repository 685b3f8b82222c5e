"""What an illegal action brings in each face, as ``docs/illegal_actions.md`` says."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import turn_based_aec_to_parallel

import parlour
from parlour.support.errors import ActionOutOfRange, IllegalMove
from parlour.wrappers import SelfPlayEnv, SelfPlayVectorEnv
from tests.support.games import begun

GAME = "swords_and_shields-v0"
PAGE = Path(__file__).parents[2] / "docs" / "illegal_actions.md"
ENDS, ILLEGAL, OUT, WRONG = "−1 and the end", "IllegalMove", "ActionOutOfRange", "ValueError"
MODES = pytest.mark.parametrize(("illegal_move", "brings"), [("terminate", ENDS), ("raise", ILLEGAL)])
OUT_OF_RANGE = (1296, -1, 10**30, 1.0, 1.5, "d9-d6", True, np.True_, None, np.array([3, 4]))


def outcome(env: Any, step: Callable[[], Any], over: Callable[[], float | None]) -> str:
    """What a step brings; if it raises, nothing has changed. ``over``: the reward if the game is over by it."""
    before = content(env)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            step()
    except ValueError as error:
        assert content(env) == before
        if isinstance(error, ActionOutOfRange):
            assert isinstance(error, AssertionError)
            assert "0 to 1295" in str(error)
            return OUT
        return ILLEGAL if isinstance(error, IllegalMove) else WRONG
    return ENDS if over() == -1 else "played"


def content(env: Any) -> bytes:
    below = env.batch if hasattr(env, "batch") else getattr(getattr(env, "env", env), "unwrapped", env)
    games = below.games
    return b"".join(
        array.tobytes() for array in (games.states, games.dice_rng, games.player_rng, games.masks, games.planes)
    )


def aec(illegal_move: str) -> Any:
    return begun(GAME, illegal_move=illegal_move)


@MODES
def test_one_game(illegal_move: str, brings: str) -> None:
    def one(action: Any) -> str:
        env = aec(illegal_move)
        agent = env.agent_selection
        return outcome(env, lambda: env.step(action), lambda: env.rewards[agent] if env.terminations[agent] else None)

    assert one(0) == brings
    assert {one(action) for action in OUT_OF_RANGE} == {OUT}


@MODES
def test_all_seats_at_once(illegal_move: str, brings: str) -> None:
    def one(action: Any, off_turn: Any = 0) -> str:
        env = turn_based_aec_to_parallel(aec(illegal_move))
        env.reset(seed=0)
        told: list[Any] = []

        def step() -> None:
            told.append(env.step({"player_0": action, "player_1": off_turn}))

        return outcome(env.aec_env, step, lambda: min(told[0][1].values()) if any(told[0][2].values()) else None)

    legal = int(aec(illegal_move).last()[0]["action_mask"].argmax())
    assert [one(legal), one(legal, "x"), one(0)] == ["played", "played", brings]
    assert {one(action) for action in OUT_OF_RANGE if action is not None} == {OUT}


@MODES
def test_one_learning_seat(illegal_move: str, brings: str) -> None:
    def one(action: Any) -> str:
        env = SelfPlayEnv(parlour.make(GAME, illegal_move=illegal_move), seat=0)
        env.reset(seed=0)
        told: list[Any] = []
        return outcome(env, lambda: told.append(env.step(action)), lambda: told[0][1] if told[0][2] else None)

    assert one(0) == brings
    assert {one(action) for action in OUT_OF_RANGE} == {OUT}


@pytest.mark.parametrize("make", [parlour.make_batch, SelfPlayVectorEnv])
def test_many_games(make: Any) -> None:
    env = make(GAME, 3, seed=0)
    env.reset()
    for action in (0, 10**6, -1):
        actions = env.sample_actions().copy()
        actions[1] = action
        with pytest.raises(IllegalMove, match="game 1"):
            env.step(actions)
        assert outcome(env, lambda actions=actions: env.step(actions), lambda: None) == ILLEGAL  # type: ignore[misc]
    shapes = (5, 1.5, "x", None, [1], [[1, 2, 3]], [0, 1], [1, 2, 3, 4], [0.0] * 3, ["a"] * 3, [True] * 3)
    for wrong in (*shapes, np.full(3, 2**64 - 1, np.uint64)):
        with pytest.raises(ValueError, match=r"whole numbers of shape \(3,\)|whole numbers go up to"):
            env.step(wrong)
        assert outcome(env, lambda wrong=wrong: env.step(wrong), lambda: None) == WRONG  # type: ignore[misc]


def test_the_page_names_every_face() -> None:
    text = PAGE.read_text(encoding="utf-8")
    faces = "parlour.make raw_env turn_based_aec_to_parallel OpenSpielGame SelfPlayEnv Batch"
    for face in (*faces.split(), "SelfPlayVectorEnv"):
        assert f"`{face}" in text, face
    assert "](illegal_actions.md)" in (PAGE.parent / "concepts.md").read_text(encoding="utf-8")
