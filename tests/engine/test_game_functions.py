"""The functions of a game in Numba code of somebody else: docs/own_kernels.md."""

from __future__ import annotations

from typing import Any

import numba
import numpy as np
import pytest

import parlour
from parlour.rulebook.state_records import copied

CASES = [
    ("checkers-v0", {}),
    ("swords_and_shields-v0", {"max_plies": 60}),
    ("swords_and_shields-v0", {"repetition": 2, "repeats": "forbidden"}),
    ("agon-v0", {"variant": "ring", "repetition": 2, "repeats": "loses"}),
]
COUNTS = ("plies", "seen", "occurrences", "end", "to_act")


@pytest.mark.parametrize(("game", "options"), CASES, ids=[f"{game}-{k}" for k, (game, _) in enumerate(CASES)])
def test_close_ply_ends_a_ply_as_the_environment_does(game: str, options: dict[str, Any]) -> None:
    env, rng = parlour.make(game, **options).unwrapped, np.random.default_rng(3)
    rules, functions = env.game.rules, env.game.functions

    @numba.njit
    def play(state: Any, variant: Any, action: int, seen: Any, rewards: Any) -> None:
        rules.apply(state, variant, action, rewards)
        functions.close_ply(state, variant, seen, rewards)

    for seed in range(3):
        env.reset(seed=seed)
        while not env.is_over():
            games = env.games
            games.make_room()
            state, seen, rewards = copied(games.states), games.history[0].copy(), np.zeros(games.layout.seats)
            action = int(rng.choice(np.flatnonzero(games.action_mask[0])))
            play(state[0], games.variants[0], action, seen, rewards)
            env.step(action)
            assert [state[name][0] for name in COUNTS] == [env.games.states[name][0] for name in COUNTS]
            assert rewards.tolist() == env.games.rewards[0].tolist()


def test_what_was_shown_before_says_what_to_use() -> None:
    with pytest.raises(AttributeError, match="functions has close_ply"):
        parlour.make("pig-v0").unwrapped.game.compiled  # noqa: B018
