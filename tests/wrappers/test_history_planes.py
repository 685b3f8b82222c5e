"""HistoryPlanes: each seat's own latest observations."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.wrappers import FlatFloat32, HistoryPlanes, Thermometer
from tests.support.cases import GAMES


def stacked(now: Any, earlier: list[Any], k: int) -> Any:
    return np.concatenate([now, *reversed(earlier), *[np.zeros_like(now)] * k][:k])


@pytest.mark.parametrize("looks", ["each ply", "never before a step"])
@pytest.mark.parametrize("k", [1, 2, 4])
@pytest.mark.parametrize("game", GAMES)
def test_stacks_what_each_seat_saw_at_its_own_plies(game: str, k: int, looks: str) -> None:
    bare = parlour.make(game, max_plies=30)
    env = HistoryPlanes(bare, k)
    rng = np.random.default_rng(k)
    env.reset(seed=k)
    seen: dict[str, list[Any]] = {agent: [] for agent in env.possible_agents}
    channels = len(bare.planes)
    assert [plane.meaning for plane in env.planes] == [plane.meaning for plane in bare.planes] * k
    for _ in range(70):
        if bare.is_over():
            env.reset()
            seen = {agent: [] for agent in env.possible_agents}
        for agent in env.possible_agents if looks == "each ply" else []:
            now, shown = bare.observe(agent), env.observe(agent)
            assert shown["observation"].shape == (k * channels, *now["observation"].shape[1:])
            assert np.array_equal(shown["observation"], stacked(now["observation"], seen[agent], k))
            assert np.array_equal(shown["action_mask"], now["action_mask"])
        agent = env.agent_selection
        now = bare.observe(agent)
        env.step(int(rng.choice(np.flatnonzero(now["action_mask"]))))
        seen[agent].append(now["observation"])
    now = bare.observe(agent)["observation"]
    assert np.array_equal(env.observe(agent)["observation"], stacked(now, seen[agent], k))


def test_bounds_have_room_for_nothing() -> None:
    pig = parlour.make("pig-v0")
    space = HistoryPlanes(parlour.make("pig-v0"), 2).observation_space("player_0")["observation"]
    own = pig.observation_space("player_0")["observation"]
    assert space.low.ravel().tolist() == [*own.low.ravel(), *np.minimum(own.low, 0).ravel()]
    assert space.high.ravel().tolist() == [*own.high.ravel(), *np.maximum(own.high, 0).ravel()]


def test_a_refused_move_leaves_no_trace() -> None:
    env = HistoryPlanes(parlour.make("swords_and_shields-v0", illegal_move="raise"), 3)
    env.reset(seed=0)
    before = env.observe("player_0")["observation"]
    with pytest.raises(parlour.IllegalMove):
        env.step(0)
    assert np.array_equal(env.observe("player_0")["observation"], before)


def test_refuses_what_has_no_planes() -> None:
    with pytest.raises(ValueError, match=r"needs planes \(C, H, W\) beneath it"):
        HistoryPlanes(FlatFloat32(parlour.make("pig-v0")), 2)


def test_planes_that_are_never_0_may_be_so_in_the_past() -> None:
    """A die shows 1 to 6, and nothing before there was a ply: so do steps made of such planes."""
    env = HistoryPlanes(parlour.make("backgammon-v0"), 3)
    space = env.observation_space("player_0")["observation"]
    told = [(plane.low, plane.high) for plane in env.planes]
    assert told == [(int(low.min()), int(high.max())) for low, high in zip(space.low, space.high)]
    around = Thermometer(env, dtype="int8")
    around.reset(seed=1)
    for agent in around.possible_agents:
        assert around.observation_space(agent).contains(around.observe(agent))
