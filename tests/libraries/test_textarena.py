"""Games in words in TextArena's shape, made and wrapped by TextArena itself."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

ta = pytest.importorskip("textarena", reason="textarena is not installed")

from textarena.envs.registration import ENV_REGISTRY

from parlour.text.adapters.textarena import TextArenaGame


@pytest.fixture
def env() -> Iterator[Any]:
    ta.register("parlour-checkers", TextArenaGame, [ta.wrappers.LLMObservationWrapper], game="checkers-v0")
    yield ta.make("parlour-checkers")
    del ENV_REGISTRY["parlour-checkers"]


def play(env: Any, seed: int) -> tuple[list[str], dict[int, float], dict[int, dict[str, Any]]]:
    env.reset(num_players=2, seed=seed)
    rng, done, told = random.Random(seed), False, []
    while not done:
        _, observation = env.get_observation()
        told.append(observation)
        done, _ = env.step(rng.choice(observation.rpartition("Legal moves: ")[2].split("\n")[0].split()))
    return told, *env.close()


def test_a_whole_game_is_played_between_two(env: Any) -> None:
    told, rewards, infos = play(env, 3)
    assert "You are Black" in told[0]
    assert "You are White" in told[1]
    assert sum(rewards.values()) == 0
    assert set(rewards.values()) <= {-1.0, 0.0, 1.0}
    assert not infos[0]["invalid_move"]
    assert abs(infos[0]["turn_count"] - infos[1]["turn_count"]) < 30


def test_the_process_is_not_seeded(env: Any) -> None:
    random.seed(5)
    drawn = random.random()
    random.seed(5)
    env.reset(num_players=2, seed=1)
    assert random.random() == drawn


def test_an_illegal_reply_may_be_tried_again_and_then_forfeits(env: Any) -> None:
    env.reset(num_players=2, seed=1)
    assert [env.step("I resign")[0] for _ in range(3)] == [False, False, True]
    rewards, infos = env.close()
    assert rewards == {0: -1.0, 1: 1.0}
    assert infos[0]["invalid_move"]
    assert not infos[1]["invalid_move"]


def test_another_number_of_players_is_refused(env: Any) -> None:
    with pytest.raises(ValueError, match="checkers-v0 has 2 seats here, not 3"):
        env.reset(num_players=3)
