"""FactoredActions: two steps that together are one action of the game, and nothing else."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.engine.game import Game
from parlour.rulebook.protocol import ActionFactors
from parlour.wrappers import FactoredActions, FlatFloat32, Symmetry
from tests.support.cases import VARIANTS

SWORDS = "swords_and_shields-v0"
DOT, TARGET = 81, 16  # first and second choices of Swords & Shields


def begun(**options: Any) -> FactoredActions:
    env = FactoredActions(parlour.make(SWORDS, **options))
    env.reset(seed=0)
    return env


@pytest.mark.parametrize("inner", ["bare", "Symmetry"])
@pytest.mark.parametrize(("game", "variant"), VARIANTS)
def test_two_steps_are_one_action(game: str, variant: str, inner: str) -> None:
    """Masks of both steps together allow just the game's legal actions, in every position on the way."""
    beneath: Any = parlour.make(game, variant=variant, max_plies=40)
    if inner == "Symmetry":
        if not beneath.game.has_symmetries:
            return
        beneath = Symmetry(beneath)
    env, factors = FactoredActions(beneath), beneath.game.factors(beneath.values)
    firsts, sizes = len(factors.cells), np.bincount(factors.first)
    rng = np.random.default_rng(0)
    env.reset(seed=0)
    for _ in range(60):
        if env.is_over():
            env.reset()
        whole = beneath.last()[0]
        legal = np.flatnonzero(whole["action_mask"])
        agent, seen = env.agent_selection, env.last()[0]
        assert np.array_equal(seen["observation"][:-1], whole["observation"])
        assert not seen["observation"][-1].any()
        assert np.flatnonzero(seen["action_mask"]).tolist() == sorted(set(factors.first[legal]))
        split = [choice for choice in set(factors.first[legal]) if sizes[choice] > 1]
        assert len(set(factors.cells[split])) == len(split)  # each is shown in its own way
        action = int(rng.choice(legal))
        first, second = int(factors.first[action]), int(factors.second[action])
        move, reward = beneath.move_name(action), beneath.last()[1]
        assert env.parse_move(move) == env.parse_move(env.move_name(first)) == first
        assert env.last()[1] == reward
        if sizes[first] > 1:
            position = env.position()
            env.step(first)
            assert env.first_choice == first
            assert (env.position(), env.agent_selection) == (position, agent)
            assert env.rewards == dict.fromkeys(env.agents, 0.0)
            seen, total, terminated, truncated, info = env.last()
            assert (total, terminated, truncated, info) == (0.0, False, False, {})
            assert np.array_equal(seen["observation"][:-1], whole["observation"])
            marked, size = np.flatnonzero(seen["observation"][-1]).tolist(), seen["observation"][-1].size
            assert marked == ([factors.cells[first]] if factors.cells[first] >= 0 else list(range(size)))
            allowed = np.flatnonzero(seen["action_mask"]) - firsts
            assert allowed.tolist() == sorted(factors.second[legal[factors.first[legal] == first]])
            for other in set(env.agents) - {agent}:
                unseen = env.observe(other)
                assert not unseen["action_mask"].any()
                assert np.array_equal(unseen["observation"][:-1], beneath.observe(other)["observation"])
                assert not unseen["observation"][-1].any()
            assert env.parse_move(move) == firsts + second
            assert env.move_name(firsts + second) == move
            env.step(firsts + second)
        else:
            assert env.move_name(first) == move
            env.step(first)
        assert env.first_choice is None
        assert beneath.games.states["last_seat"][0] == int(agent.removeprefix("player_"))
        assert env.rewards == beneath.rewards


def test_choices_of_swords_and_shields_and_their_names() -> None:
    env = begun()
    assert env.action_space("player_0").n == DOT + TARGET
    assert env.legal_moves() == ["d1", "f1", "e2", "a4", "i4", "b5", "h5", "a6", "i6", "e8", "d9", "f9"]
    env.step(env.parse_move("d9-d6"))
    assert env.legal_moves() == ["d9-a9", "d9-b9", "d9-c9", "d9-d6", "d9-d7", "d9-d8"]
    env.step(env.parse_move("d9-d6"))
    assert "4ss3/4s4/4o4/s2so3s/" in env.position()
    assert env.agent_selection == "player_1"


def test_a_game_that_declares_nothing_is_played_as_it_is() -> None:
    env = FactoredActions(parlour.make("pig-v0"))
    assert env.action_space("player_0").n == 2
    env.reset(seed=0)
    assert env.legal_moves() == ["again", "hold"]
    env.step(0)
    assert env.game_env.games.states["plies"][0] == 1


def test_rewards_between_plies_are_paid_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pig with its two actions as second choices: others' throws fine and pay a seat before it acts."""
    split = ActionFactors(np.zeros(2, np.int64), np.arange(2), np.array([-1]))
    monkeypatch.setattr(Game, "factors", lambda self, values: split)
    bare, twin = (parlour.make("pig-v0", fine=0.5, goal=60) for _ in range(2))
    env = FactoredActions(twin)
    rng = np.random.default_rng(0)
    rewarded = 0
    for game in range(5):
        bare.reset(seed=game)
        env.reset(seed=game)
        while not bare.is_over():
            agent, reward = bare.agent_selection, bare.last()[1]
            assert (env.agent_selection, env.last()[1]) == (agent, reward)
            env.step(0)
            assert env.last()[1] == 0
            assert env.last()[0]["observation"][-1].all()  # shown nowhere in particular
            assert env._cumulative_rewards == {**bare._cumulative_rewards, agent: 0.0}
            action = int(rng.integers(2))
            env.step(1 + action)
            bare.step(action)
            assert env.rewards == bare.rewards
            assert env._cumulative_rewards == bare._cumulative_rewards
            rewarded += reward != 0
    assert rewarded > 20


def test_a_loop_over_agents_sees_both_steps() -> None:
    env = FactoredActions(parlour.make(SWORDS, max_plies=6))
    env.reset(seed=0)
    turns = []
    for agent in env.agent_iter():
        seen, _, terminated, truncated, _ = env.last()
        turns.append(agent)
        env.step(None if terminated or truncated else int(np.flatnonzero(seen["action_mask"])[0]))
    assert turns[:12] == ["player_0", "player_0", "player_1", "player_1"] * 3
    assert len(turns) == 14


def test_copies_keep_a_choice_that_was_made() -> None:
    env = begun()
    env.step(env.parse_move("d9"))
    for twin in (copy.deepcopy(env), pickle.loads(pickle.dumps(env)), env.clone()):
        assert twin.first_choice == env.first_choice
        assert np.array_equal(twin.last()[0]["action_mask"], env.last()[0]["action_mask"])
        twin.step(twin.parse_move("d9-d6"))
        assert "s2so3s" in twin.position()
    assert env.first_choice is not None
    env.reset()
    assert env.first_choice is None
    assert env.last()[0]["action_mask"][:DOT].any()


@pytest.mark.parametrize("looks", [True, False])
def test_a_choice_that_is_not_legal_or_not_due_is_refused(looks: bool) -> None:
    env = begun(illegal_move="raise")
    blocked, free = DOT + 3, DOT + 2  # from d9 to e9, and to c9
    for due, choices, then in (("first", (0, free), "d9"), ("second", (0, env.parse_move("d9"), blocked), "d9-c9")):
        for choice in choices:
            before = env.position(), env.first_choice
            if looks:
                env.last()
            with pytest.raises(parlour.IllegalMove, match=f"player_0 can't make the {due} choice {choice} ") as caught:
                env.step(choice)
            assert (caught.value.action, caught.value.legal) == (choice, env.legal_moves())
            assert (env.position(), env.first_choice) == before
        env.step(env.parse_move(then))
    assert env.agent_selection == "player_1"


@pytest.mark.parametrize("wrong", [-1, DOT + TARGET, 2.5, True, "d9"])
def test_what_is_no_action_is_refused_whatever_happens_to_illegal_ones(wrong: Any) -> None:
    for illegal_move in ("raise", "terminate"):
        env = begun(illegal_move=illegal_move)
        for step in ("d9", "d9-d6"):
            with pytest.raises(AssertionError, match="first choices: 0 to 80, second ones: 81 to 96"):
                env.step(wrong)
            env.step(env.parse_move(step))


@pytest.mark.parametrize("before", [[], ["d9"]])
def test_a_choice_that_is_not_legal_can_end_the_game(before: list[str]) -> None:
    env = begun()
    for step in before:
        env.step(env.parse_move(step))
    env.step(0)
    assert env.is_over()
    assert env.rewards == {"player_0": -1.0, "player_1": 0.0}
    assert env.legal_moves() == []
    assert not env.last()[0]["action_mask"].any()
    while env.agents:
        env.step(None)


def test_names_that_mean_nothing_now() -> None:
    env = begun()
    for text in ("d9-e7", "d10", "", 3):
        with pytest.raises(ValueError, match="is no move"):
            env.parse_move(text)
    with pytest.raises(ValueError, match="85 is no choice that can be made now; legal: 'd1', 'f1'"):
        env.move_name(85)
    env.step(env.parse_move("d9"))
    with pytest.raises(ValueError, match="'e8-e7' does not begin with the choice made; legal: 'd9-a9'"):
        env.parse_move("e8-e7")
    with pytest.raises(ValueError, match="0 is no choice that can be made now"):
        env.move_name(0)


def test_refuses_what_it_cannot_split() -> None:
    with pytest.raises(ValueError, match="needs planes"):
        FactoredActions(FlatFloat32(parlour.make(SWORDS)))
    with pytest.raises(ValueError, match="needs the game's own 1296 actions"):
        FactoredActions(FactoredActions(parlour.make(SWORDS)))
