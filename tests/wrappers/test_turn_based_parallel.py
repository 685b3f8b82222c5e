"""`TurnBasedParallel`: all seats step together, and the game is the very one that the AEC environment plays."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import parlour
from parlour.wrappers import HistoryPlanes, TurnBasedParallel
from tests.support.cases import GAMES

SWORDS = "swords_and_shields-v0"
WRAPPED = {"bare": lambda env: env, "wrapped": lambda env: HistoryPlanes(env, 2)}

each_game = pytest.mark.parametrize("game", GAMES)


def parallel(game: str, **options: Any) -> TurnBasedParallel:
    return TurnBasedParallel(parlour.make(game, **options))


def choices(seen: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    return {agent: int(rng.choice(np.flatnonzero(view["action_mask"]))) for agent, view in seen.items()}


def same(first: Any, second: Any) -> None:
    for part in first:
        assert np.array_equal(first[part], second[part]), part


@pytest.mark.filterwarnings("ignore")
@each_game
@pytest.mark.parametrize("name", WRAPPED)
def test_pettingzoo_api(game: str, name: str) -> None:
    parallel_api_test(TurnBasedParallel(WRAPPED[name](parlour.make(game))), num_cycles=100)
    parallel_seed_test(lambda: TurnBasedParallel(WRAPPED[name](parlour.make(game))), num_cycles=10)


@each_game
@pytest.mark.parametrize("name", WRAPPED)
def test_it_is_the_game_of_the_aec_environment(game: str, name: str) -> None:
    env, aec = TurnBasedParallel(WRAPPED[name](parlour.make(game))), WRAPPED[name](parlour.make(game))
    seen, infos = env.reset(seed=4)
    aec.reset(seed=4)
    rng = np.random.default_rng(0)
    finished = 0
    for _ in range(150):
        assert env.agents == aec.agents
        assert infos == aec.infos
        for agent in env.agents:
            expected = aec.observe(agent)
            same({"observation": seen[agent]["observation"]}, {"observation": expected["observation"]})
            wait = [int(agent != aec.agent_selection)]
            assert seen[agent]["action_mask"].tolist() == [*expected["action_mask"], *wait]
            assert env.observation_space(agent).contains(seen[agent])
        actions = choices(seen, rng)
        acting = aec.agent_selection
        assert [agent for agent, action in actions.items() if action != env.noop] == [acting]
        seen, rewards, terminations, truncations, infos = env.step(actions)
        aec.step(actions[acting])
        assert (rewards, terminations, truncations) == (aec.rewards, aec.terminations, aec.truncations)
        if terminations[acting] or truncations[acting]:
            finished += 1
            assert not env.agents
            assert not any(view["action_mask"].any() for view in seen.values())
            assert env.step({}) == ({}, {}, {}, {}, {})
            seen, infos = env.reset()
            aec.reset()
    assert finished or game != "pig-v0"


@pytest.mark.parametrize("seats", range(2, 13))
def test_any_number_of_seats(seats: int) -> None:
    env = parallel("pig-v0", players=seats, goal=10_000)
    seen, _ = env.reset(seed=seats)
    rng = np.random.default_rng(1)
    actors = set()
    for _ in range(12 * seats):
        assert len(env.agents) == seats
        actors.add(env.env.agent_selection)
        seen, rewards, *_ = env.step(choices(seen, rng))
        assert len(rewards) == seats
    assert len(actors) == seats


@each_game
def test_masks_are_those_of_the_position_that_is_observed(game: str) -> None:
    """PettingZoo's own conversion shows some masks of a ply ago."""
    env = parallel(game)
    seen, _ = env.reset(seed=9)
    rng = np.random.default_rng(9)
    for _ in range(60):
        if not env.agents:
            seen, _ = env.reset()
        legal = env.game_env.legal_moves()
        acting = env.env.agent_selection
        masks = {agent: np.flatnonzero(view["action_mask"]).tolist() for agent, view in seen.items()}
        assert [env.game_env.move_name(action) for action in masks.pop(acting)] == legal
        assert set(map(tuple, masks.values())) == {(env.noop,)}
        seen = env.step(choices(seen, rng))[0]


def test_whoever_acts_off_turn_or_waits_on_turn_is_refused() -> None:
    env = parallel(SWORDS, illegal_move="raise")
    seen, _ = env.reset(seed=0)
    before = env.game_env.position()
    right = choices(seen, np.random.default_rng(0))
    first, second = env.env.agent_selection, next(a for a in env.agents if a != env.env.agent_selection)
    with pytest.raises(parlour.IllegalMove, match=rf"{second} is not to act, {first} is: it can only wait") as caught:
        env.step({**right, second: right[first]})
    assert caught.value.action == right[first]
    with pytest.raises(parlour.IllegalMove, match=rf"{first} is to act and can't wait; position.*; legal: "):
        env.step({**right, first: env.noop})
    illegal = int(np.flatnonzero(seen[first]["action_mask"] == 0)[0])
    with pytest.raises(parlour.IllegalMove, match="can't play"):
        env.step({**right, first: illegal})
    assert env.game_env.position() == before
    env.step(right)
    assert env.game_env.position() != before


def test_whoever_acts_off_turn_or_waits_on_turn_loses_a_point_and_ends_the_game() -> None:
    for culprit in (0, 1):
        env = parallel(SWORDS)
        seen, _ = env.reset(seed=0)
        actions = choices(seen, np.random.default_rng(0))
        acting = env.possible_agents.index(env.env.agent_selection)
        actions[f"player_{culprit}"] = env.noop if culprit == acting else 3
        seen, rewards, terminations, truncations, _ = env.step(actions)
        assert rewards == {f"player_{culprit}": -1.0, f"player_{1 - culprit}": 0.0}
        assert all(terminations.values())
        assert all(truncations.values())
        assert not env.agents
        assert not any(view["action_mask"].any() for view in seen.values())
        env.reset()
        assert env.agents == env.possible_agents


@pytest.mark.parametrize("action", [-1, "noop", 1.0, None, True, 10**6])
def test_what_is_no_action_is_refused(action: Any) -> None:
    env = parallel(SWORDS)
    env.reset(seed=0)
    with pytest.raises(ValueError, match=f"whole numbers from 0 to {env.noop}"):
        env.step(dict.fromkeys(env.agents, action))


def test_every_seat_must_give_an_action() -> None:
    env = parallel(SWORDS)
    env.reset(seed=0)
    for agents in ((), ("player_0",), ("player_0", "player_1", "player_2")):
        with pytest.raises(ValueError, match="one each for 'player_0' and 'player_1'"):
            env.step(dict.fromkeys(agents, env.noop))


def test_a_position_that_is_over_has_no_agents() -> None:
    env = parallel("swords_and_shields-v0", max_plies=1)
    seen, _ = env.reset(seed=1)
    env.step(choices(seen, np.random.default_rng(1)))
    text = env.game_env.position()
    seen, _ = env.reset(options={"position": text})
    assert not env.agents
    assert not any(view["action_mask"].any() for view in seen.values())


def test_before_reset_it_says_so() -> None:
    with pytest.raises(AttributeError, match="before reset"):
        parallel(SWORDS).step({})


def test_copies_go_on_alike_and_apart() -> None:
    env = parallel("pig-v0", players=4)
    seen, _ = env.reset(seed=3)
    rng = np.random.default_rng(3)
    for _ in range(3):
        seen = env.step(choices(seen, rng))[0]
    futures = []
    twins = [copy.deepcopy(env), env.clone(), pickle.loads(pickle.dumps(env))]
    for twin in twins:
        mine = np.random.default_rng(5)
        other, going = {agent: twin.observe(agent) for agent in twin.agents}, []
        while twin.agents:
            other, rewards, *_ = twin.step(choices(other, mine))
            going.append((twin.game_env.position(), rewards))
        futures.append(going)
    assert len(futures[0]) > 3
    assert futures == [futures[0]] * 3
    assert env.agents


def test_refuses_environments_without_masks_in_the_observation() -> None:
    from pettingzoo.classic import tictactoe_v3

    with pytest.raises(ValueError, match=r"not an environment of parlour\.make"):
        TurnBasedParallel(tictactoe_v3.env())
