"""Games in words in Kaggle's shape, run by its own environments and its harness for language models."""

from __future__ import annotations

import os
from typing import Any

import pytest

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")  # it would ask another machine for prices
ke = pytest.importorskip("kaggle_environments", reason="kaggle_environments is not installed")

from kaggle_environments import core_harness

from parlour.text.adapters.kaggle import Harness, environment
from tests.support.fake_model import Model, fake_endpoint, plays_random, talks_nonsense


@pytest.fixture
def env() -> Any:
    ke.register("parlour_checkers", environment("checkers-v0", max_plies=40))
    return ke.make("parlour_checkers", configuration={"seed": 3})


def agent(address: str) -> Any:
    """Kaggle's own agent, which asks an endpoint."""
    return core_harness.create_agent_fn(
        Harness(), model_override=("openai/fake", {"api_base": address, "api_key": "none"})
    )


def test_a_game_is_run(env: Any) -> None:
    env.run(["random", lambda observation: observation.legalMoves[-1]])
    assert [one.status for one in env.state] == ["DONE", "DONE"]
    assert sum(one.reward for one in env.state) == 0
    assert "plies=" in env.render(mode="ansi")


def test_an_illegal_action_forfeits(env: Any) -> None:
    env.run([lambda observation: "I resign", "random"])
    assert [one.status for one in env.state] == ["INVALID", "DONE"]
    assert env.state[1].reward == 1


@pytest.mark.parametrize(("model", "status"), [(plays_random, "DONE"), (talks_nonsense, "INVALID")])
def test_kaggles_harness_plays_by_an_endpoint(env: Any, model: Model, status: str) -> None:
    with fake_endpoint(model) as server:
        env.run([agent(server.address), "random"])
        assert env.state[0].status == status
        prompt = server.asked[0][1]["messages"][-1]["content"]
        assert "Rules:" in str(prompt)
        assert "Legal moves:" in str(prompt)


def test_the_last_move_of_a_response_counts() -> None:
    found = Harness().parse_response("9-13 is weak. Move: 9 to 14", ["9-13", "9-14"], observation={})
    assert found.legal_action == "9-14"
    assert Harness().parse_response("Move: 1-2", ["9-13"], observation={}).legal_action is None
