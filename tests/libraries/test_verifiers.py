"""Games in words as environments of verifiers, with a fake endpoint on loopback."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("verifiers.v1", reason="verifiers is not installed")

import verifiers.v1 as vf
from verifiers.v1.configs.cli.eval import EvalConfig
from verifiers.v1.utils.loaders import load_environment

from tests.support.fake_model import Model, fake_endpoint, plays_random, talks_nonsense

SEAT = {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}}


@pytest.fixture
def modules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The modules by whose names verifiers finds the environments, as their users write them."""
    for name, env in (("parlour_one", "OneSeat"), ("parlour_two", "TwoSeats")):
        lines = f"from parlour.text.adapters.verifiers import GameTaskset, {env}\n__all__ = ['GameTaskset', '{env}']\n"
        (tmp_path / f"{name}.py").write_text(lines)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("FAKE_KEY", "none")


def episode(model: Model, module: str, seats: list[str], **taskset: Any) -> vf.Episode:
    """One game."""

    async def go(address: str) -> vf.Episode:
        config = EvalConfig(
            env={"taskset": {"id": module, "game": "checkers-v0", **taskset}, **dict.fromkeys(seats, SEAT)},
            model="fake",
            client={"base_url": address, "api_key_var": "FAKE_KEY"},
        )
        env = load_environment(config.env)
        async with env.serving():
            context = vf.ModelContext(model="fake", client=config.client, sampling=config.sampling)
            return await env.run_episode(next(iter(env.taskset.load())), context)

    with fake_endpoint(model) as server:
        return asyncio.run(go(server.address))


@pytest.mark.usefixtures("modules")
def test_one_model_plays_and_is_scored_by_result_and_regret() -> None:
    settings = {"max_plies": 4, "judge": "expectimax:1", "seat": 0}
    found = episode(plays_random, "parlour_one", ["player"], settings=settings, regret_weight=0.5)
    assert found.ok, found.errors
    (trace,) = found.traces
    assert trace.num_turns == 2
    assert trace.agent.trainable
    assert trace.rewards["result"].score == 0
    assert trace.rewards["regret"].weight == 0.5
    assert trace.rewards["regret"].score <= 0
    assert trace.metrics["illegal"] == 0


@pytest.mark.usefixtures("modules")
def test_two_models_play_one_another_and_both_are_trainable() -> None:
    found = episode(plays_random, "parlour_two", ["first", "second"], settings={"max_plies": 4})
    assert found.ok, found.errors
    assert {(trace.agent.name, trace.agent.trainable, trace.num_turns) for trace in found.traces} == {
        ("first", True, 2),
        ("second", True, 2),
    }


@pytest.mark.usefixtures("modules")
def test_a_model_that_forfeits_gets_what_a_loss_brings() -> None:
    found = episode(talks_nonsense, "parlour_two", ["first", "second"], settings={"illegal": "retry:1"})
    assert {trace.agent.name: trace.rewards["result"].score for trace in found.traces} == {"first": -1, "second": 1}
    assert {trace.agent.name: trace.metrics["illegal"] for trace in found.traces} == {"first": 2, "second": 0}
