"""Symmetry: what games declare is true, and episodes are shown by it."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

import parlour
from parlour.interfaces.registry import find
from parlour.testing.shapes import transformed
from parlour.wrappers import SplitDice, Symmetry
from tests.support.cases import GAMES
from tests.support.games import begun

SWORDS = "swords_and_shields-v0"
SYMMETRIC = [game for game in GAMES if find(game).has_symmetries]


@pytest.mark.parametrize("game", SYMMETRIC)
def test_masks_actions_names_and_observations_agree(game: str) -> None:
    names = Symmetry(parlour.make(game)).names
    for s, name in enumerate(names):
        bare = parlour.make(game)
        env, symmetries = Symmetry(bare), bare.game.symmetries(bare.values)
        rng = np.random.default_rng(s)
        env.reset(seed=1, options={"symmetry": name})
        assert env.symmetry == name
        for _ in range(15):
            for agent in env.possible_agents:
                np.testing.assert_equal(env.observe(agent), transformed(bare.observe(agent), symmetries, s))
            seen = env.last()[0]
            assert np.array_equal(seen["action_mask"], env.observe(env.agent_selection)["action_mask"])
            state = {"observation": bare.state(), "action_mask": seen["action_mask"]}
            assert np.array_equal(env.state(), transformed(state, symmetries, s)["observation"])
            legal = np.flatnonzero(seen["action_mask"])
            assert env.legal_moves() == [env.move_name(action) for action in legal]
            assert sorted(env.legal_moves()) == sorted(bare.legal_moves())
            assert [env.parse_move(move) for move in env.legal_moves()] == legal.tolist()
            action = rng.choice(legal)
            expected = bare.clone()
            expected.step(expected.parse_move(env.move_name(action)))
            env.step(action)
            assert bare.position() == expected.position()


def test_a_quarter_turn_is_clockwise() -> None:
    env = Symmetry(parlour.make(SWORDS))
    env.reset(seed=0, options={"symmetry": "quarter_turn"})
    env.step(parlour_index("i6-f6"))
    assert env.position().startswith("4ss3/4s4/4o4/s2so3s/")
    assert env.observe("player_1")["observation"][1, 5, 5] == 1  # f6


def parlour_index(move: str) -> int:
    return int(begun(SWORDS).parse_move(move))


def shown(env: Symmetry, episodes: int) -> list[str]:
    names = []
    for _ in range(episodes):
        env.reset()
        names.append(env.symmetry)
    return names


@pytest.mark.parametrize("game", SYMMETRIC)
def test_each_symmetry_is_drawn_as_often_from_the_seed(game: str) -> None:
    env, twin = (Symmetry(parlour.make(game)) for _ in range(2))
    for one in (env, twin):
        one.reset(seed=3)
    drawn = shown(env, 1000)
    assert shown(twin, 50) == drawn[:50]
    share = 1 / len(env.names)
    spread = 5 * np.sqrt(1000 * share * (1 - share))  # five standard deviations
    counts = Counter(drawn)
    assert all(abs(counts[name] - 1000 * share) < spread for name in env.names)
    firsts = []
    for seed in range(40):
        env.reset(seed=seed)
        firsts.append(env.symmetry)
    assert len(set(firsts)) > 1


def test_a_forced_symmetry_draws_nothing_and_a_wrong_one_changes_nothing() -> None:
    env, twin = (Symmetry(parlour.make(SWORDS)) for _ in range(2))
    for one in (env, twin):
        one.reset(seed=5)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    before = env.position(), env.symmetry
    for wrong in ("sideways", 8, -1, 1.0):
        with pytest.raises(ValueError, match=r"there is no symmetry .*symmetries: 'identity', 'quarter_turn'"):
            env.reset(options={"symmetry": wrong})
        assert (env.position(), env.symmetry) == before
    env.reset(options={"symmetry": 3})
    assert env.symmetry == env.names[3]
    assert shown(env, 20) == shown(twin, 20)


def test_errors_are_those_of_the_game() -> None:
    env = Symmetry(parlour.make(SWORDS, illegal_move="raise"))
    env.reset(seed=0, options={"symmetry": "half_turn"})
    with pytest.raises(parlour.IllegalMove, match="can't play i9-h9"):
        env.step(parlour_index("a1-b1"))
    for action in (-1, 1296, 2.5, True):
        with pytest.raises(parlour.IllegalMove, match="is not in the action space"):
            env.step(action)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no action of"):
        env.move_name(1296)
    with pytest.raises(ValueError, match="is no move"):
        env.parse_move("a1-b2")


def test_refuses_games_without_and_wrappers_that_belong_outside() -> None:
    with pytest.raises(ValueError, match=r"pig-v0 has no symmetries; games that have: .*'swords_and_shields-v0'"):
        Symmetry(parlour.make("pig-v0"))
    with pytest.raises(ValueError, match="Symmetry goes beneath wrappers that split observations"):
        Symmetry(SplitDice(parlour.make(SWORDS)))
