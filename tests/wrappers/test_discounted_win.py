"""`DiscountedWin`: a result after n plies is worth γ to the n; nothing else is touched."""

from __future__ import annotations

import numpy as np
import pytest

import parlour
from parlour.wrappers import DiscountedWin
from tests.support.cases import GAMES


@pytest.mark.parametrize("game", GAMES)
def test_results_alone_are_discounted(game: str) -> None:
    """Random games beside the bare ones; those that are cut stay as they are."""
    gamma = 0.9
    env = DiscountedWin(parlour.make(game), gamma)
    bare = env.unwrapped
    rng = np.random.default_rng(4)
    for seed in range(3):
        env.reset(seed=seed)
        for plies in range(1, 1000):
            mover = env.agent_selection
            env.step(int(rng.choice(np.flatnonzero(env.observe(mover)["action_mask"]))))
            factor = gamma**plies if env.terminations[mover] else 1.0
            assert env.rewards == {agent: reward * factor for agent, reward in bare.rewards.items()}
            if env.terminations[mover] or env.truncations[mover]:
                break


def test_the_sooner_the_better() -> None:
    """The Chief steps out after one ply, or after 21 by the text's count."""
    for text, plies in (("", 1), (" plies=20", 21)):
        env = DiscountedWin(parlour.make("swords_and_shields-v0"), 0.5)
        env.reset(options={"position": f"9/9/9/9/9/9/4c4/9/s7s o{text}"})
        env.step(env.parse_move("e3-a3"))
        assert env.rewards == {"player_0": -(0.5**plies), "player_1": 0.5**plies}
        assert env.last()[1] == env.rewards[env.agent_selection]


@pytest.mark.filterwarnings("ignore:.*Illegal move")
def test_cuts_and_illegal_moves_are_not_discounted() -> None:
    env = DiscountedWin(parlour.make("pig-v0", players=2, goal=100, max_plies=5), 0.5)
    env.reset(options={"position": "scores 0 0 | player_0 | turn 50 | dice 2 3 | 4"})
    env.step(env.parse_move("hold"))
    assert env.truncations["player_0"]
    assert env.rewards == {"player_0": 0.5, "player_1": 0.0}
    env = DiscountedWin(parlour.make("swords_and_shields-v0"), 0.5)
    env.reset()
    env.step(0)
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
