"""PettingZoo's own converter makes of each game a `ParallelEnv`, and it is the game of the AEC environment."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

import parlour
from parlour.wrappers import EventReward, VariantSelector
from tests.support.cases import each_game
from tests.wrappers.cases import every_event

MADE: dict[str, Callable[[str], Any]] = {
    "bare": lambda game: parlour.make(game, max_plies=60),
    "wrapped": lambda game: VariantSelector(EventReward(env := parlour.make(game, max_plies=60), every_event(env))),
}
each_kind = pytest.mark.parametrize("kind", MADE)


@pytest.mark.filterwarnings("ignore")
@each_game
@each_kind
def test_pettingzoo_api(game: str, kind: str) -> None:
    parallel_api_test(turn_based_aec_to_parallel(MADE[kind](game)), num_cycles=100)
    parallel_seed_test(lambda: turn_based_aec_to_parallel(MADE[kind](game)), num_cycles=10)


@each_game
@each_kind
def test_it_is_the_game_of_the_aec_environment(game: str, kind: str) -> None:
    """Only the seat to act has a mask; what the others give is not looked at."""
    env, aec, rng, finished = (
        turn_based_aec_to_parallel(MADE[kind](game)),
        MADE[kind](game),
        np.random.default_rng(0),
        0,
    )
    seen, _ = env.reset(seed=4)
    aec.reset(seed=4)
    for _ in range(150):
        acting = aec.agent_selection
        for agent in aec.possible_agents:
            expected = aec.observe(agent)
            assert all(np.array_equal(seen[agent][part], expected[part]) for part in expected), agent
            assert seen[agent]["action_mask"].any() == (agent == acting)
        action = int(rng.choice(np.flatnonzero(seen[acting]["action_mask"])))
        seen, rewards, terminations, truncations, infos = env.step(dict.fromkeys(env.agents, action))
        aec.step(action)
        assert (rewards, terminations, truncations) == (aec.rewards, aec.terminations, aec.truncations)
        if terminations[acting] or truncations[acting]:
            finished += 1
            assert not env.agents
            seen, _ = env.reset()
            aec.reset()
        else:
            assert {info["active_agent"] for info in infos.values()} == {aec.agent_selection}
    assert finished
