"""Random play of every game and variant: what must hold at every ply of every game.

A game adds invariants of its own by a function ``invariant(env)`` in ``tests/<game>/invariants.py``.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

import parlour
from tests.support.cases import VARIANTS

GAMES_EACH = 12


def own_invariant(game: str) -> Callable[[Any], None]:
    module = f"tests.games.{game.partition('-')[0]}.invariants"
    if game == "pig-v0" or find_spec(module) is None:
        return lambda env: None
    return import_module(module).invariant  # type: ignore[no-any-return]


@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_random_play(game: str, variant: str) -> None:
    env = parlour.make(game, variant=variant, illegal_move="raise")
    invariant = own_invariant(game)
    for seed in range(GAMES_EACH):
        env.reset(seed=seed)
        rng = np.random.default_rng(seed)
        while True:
            invariant(env)
            over = [env.terminations[agent] or env.truncations[agent] for agent in env.agents]
            assert all(over) or not any(over)  # all seats end together
            assert len(set(env.terminations.values())) == len(set(env.truncations.values())) == 1
            assert not (any(env.terminations.values()) and any(env.truncations.values()))
            masks = {agent: env.observe(agent)["action_mask"] for agent in env.agents}
            assert all(mask.dtype == np.int8 and set(np.unique(mask)) <= {0, 1} for mask in masks.values())
            seeing = [agent for agent, mask in masks.items() if mask.any()]
            assert seeing == ([] if any(over) else [env.agent_selection])
            if any(over):
                break
            plies = int(env.table.states["plies"][0])
            env.step(int(rng.choice(np.flatnonzero(masks[env.agent_selection]))))
            assert env.table.states["plies"][0] == plies + 1
        limit = env.values.get("max_plies")
        if any(env.truncations.values()):
            assert env.table.states["plies"][0] == limit
            assert env.table.ending(0) == "max_plies"
            assert not {1.0, -1.0} & set(env.rewards.values())
        else:
            assert env.table.ending(0) in env.game.rules.ENDS[2:]
