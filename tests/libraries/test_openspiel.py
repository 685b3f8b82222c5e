"""The games as games of OpenSpiel: its own tests, its search and its learning run on them, and they are the same
games."""

from __future__ import annotations

import copy
import pickle
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel", reason="OpenSpiel (open_spiel) is not installed")

from open_spiel.python import rl_environment
from open_spiel.python.algorithms import mcts, tabular_qlearner
from open_spiel.python.observation import make_observation

import parlour
from parlour.wrappers.openspiel_game import OpenSpielGame, register
from tests.support.cases import VARIANTS, each_game

each_variant = pytest.mark.parametrize(("game", "variant"), VARIANTS)


def load(game: str, **parameters: Any) -> Any:
    return pyspiel.load_game(register(game), parameters)


def draw(state: Any, rng: np.random.Generator) -> int:
    """A legal action, or an outcome by its probability."""
    if state.is_chance_node():
        numbers, probabilities = zip(*state.chance_outcomes())
        return int(rng.choice(numbers, p=probabilities))
    return int(rng.choice(state.legal_actions()))


def play_on(state: Any, rng: np.random.Generator, steps: int) -> Any:
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(draw(state, rng))
    return state


@each_variant
def test_openspiels_random_simulation(game: str, variant: str) -> None:
    pyspiel.random_sim_test(load(game, variant=variant, max_plies=40), num_sims=1, serialize=True, verbose=False)


@each_variant
def test_it_is_the_game_of_the_environment(game: str, variant: str) -> None:
    """Positions, legal moves by name, planes of every seat, returns: throughout a game with the same throws."""
    rng = np.random.default_rng(5)
    loaded = load(game, variant=variant, max_plies=60)
    env = parlour.make(game, variant=variant, max_plies=60, illegal_move="raise")
    assert (loaded.num_players(), loaded.num_distinct_actions()) == (
        len(env.possible_agents),
        env.action_space("player_0").n,
    )
    observation = make_observation(loaded)
    state = loaded.new_initial_state()
    throws, actions, seen = [], [], []
    while not state.is_terminal():
        action = draw(state, rng)
        name = state.action_to_string(state.current_player(), action)
        if state.is_chance_node():
            throws.append(tuple(map(int, name.split()[1:])))
        else:
            planes = []
            for seat in range(loaded.num_players()):
                observation.set_from(state, seat)
                planes.append(observation.dict["observation"].copy())
            names = [state.action_to_string(action) for action in state.legal_actions()]
            seen.append((str(state), state.current_player(), names, planes))
            actions.append(action)
            assert name == names[state.legal_actions().index(action)]
        state.apply_action(action)
    env.reset(options={"dice": throws})
    totals = np.zeros(loaded.num_players())
    for (text, seat, names, planes), action in zip(seen, actions, strict=True):
        assert env.position() == text
        assert env.agent_selection == f"player_{seat}"
        assert env.legal_moves() == names
        for agent, plane in zip(env.possible_agents, planes, strict=True):
            assert np.array_equal(env.observe(agent)["observation"], plane)
        env.step(action)
        totals += list(env.rewards.values())
    assert env.is_over()
    assert state.returns() == pytest.approx(totals.tolist(), abs=1e-6)
    assert int(env.games.dice_rng["forced_used"][0]) == len(throws)


@each_game
def test_chance_nodes_have_the_exact_odds(game: str) -> None:
    loaded = load(game, max_plies=30)
    env = parlour.make(game)
    env.reset(seed=0)
    expected = env.chance_outcomes()
    state, rng, met = loaded.new_initial_state(), np.random.default_rng(2), 0
    while not state.is_terminal():
        if state.is_chance_node():
            outcomes = state.chance_outcomes()
            assert sum(probability for _, probability in outcomes) == pytest.approx(1)
            names = [state.action_to_string(pyspiel.PlayerId.CHANCE, number) for number, _ in outcomes]
            found = [tuple(map(int, name.split()[1:])) for name in names]
            if len(found[0]) == len(env.game.rules.DICE):
                assert [(faces, probability) for faces, (_, probability) in zip(found, outcomes)] == expected
                met += 1
            else:
                assert all(probability == 1 / 6 for _, probability in outcomes)
        state.apply_action(draw(state, rng))
    assert bool(met) == bool(expected)
    assert loaded.max_chance_outcomes() == len(expected)


@each_game
def test_copies_go_their_own_way(game: str) -> None:
    state = play_on(load(game, max_plies=80).new_initial_state(), np.random.default_rng(1), 12)
    text = str(state)
    twins = [state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))]
    twins.append(state.get_game().deserialize_state(state.serialize()))
    ends = []
    for twin in twins:
        assert str(twin) == text
        assert twin.history() == state.history()
        ends.append((str(play_on(twin, np.random.default_rng(2), 30)), twin.returns()))
    assert str(state) == text
    assert all(one == other for one, other in pairwise(ends))
    assert ends[0][0] != text


@each_game
def test_openspiels_search_plays(game: str) -> None:
    """The search that is written in Python: the one in C++ crashes on every Python game, OpenSpiel's own among them."""
    loaded = load(game, max_plies=30)
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(0))
    player = mcts.MCTSBot(loaded, 2.0, 4, evaluator, random_state=np.random.RandomState(0))
    state, rng = loaded.new_initial_state(), np.random.default_rng(0)
    plies = 0
    while plies < 3 and not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(draw(state, rng))
            continue
        action = player.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        plies += 1


def test_openspiels_q_learner_learns_a_short_pig() -> None:
    """To hold is to win as soon as a throw reaches the goal: what it learns beats throwing for ever."""
    env = rl_environment.Environment(load("pig-v0", players=2, goal=4, max_plies=20))
    agents = [tabular_qlearner.QLearner(seat, env.action_spec()["num_actions"]) for seat in range(2)]
    env.seed(1)
    for _ in range(150):
        step, played = env.reset(), set()
        while not step.last():
            seat = step.observations["current_player"]
            played.add(seat)
            step = env.step([agents[seat].step(step).action])
        for seat in played:  # the learner does not bear an end without a ply of its own
            agents[seat].step(step)
    returns = np.zeros(2)
    for _ in range(20):
        step = env.reset()
        while not step.last():
            seat = step.observations["current_player"]
            greedy = agents[0].step(step, is_evaluation=True).action if seat == 0 else 0  # `again`, always
            step = env.step([greedy])
        returns += step.rewards
    assert returns[0] > returns[1]


@each_game
def test_observation_strings_and_tensors_are_openspiels(game: str) -> None:
    loaded = load(game, max_plies=20)
    state = play_on(loaded.new_initial_state(), np.random.default_rng(3), 6)
    assert np.prod(loaded.observation_tensor_shape()) == len(state.observation_tensor(0))
    assert str(state) in state.observation_string(0)
    assert state.information_state_string(0) == state.history_str()


def test_parameters_are_the_options() -> None:
    swords = load("swords_and_shields-v0", variant="tablut", repetition=0, max_plies=7)
    assert swords.max_game_length() == 7
    assert swords.book.variant_mix.entries[0].values == {
        **parlour.make("swords_and_shields-v0", variant="tablut", repetition=0, max_plies=7).values
    }
    pig = load("pig-v0", players=12, snake_eyes=1, fine=0.5, bank="points")
    assert pig.num_players() == 12
    assert pig.book.variant_mix.entries[0].values["snake_eyes"] is True
    assert pyspiel.load_game(str(pig)).book.variant_mix.entries[0].values == pig.book.variant_mix.entries[0].values


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"variant": "chess"}, "'chess'"),
        ({"players": 13}, "players"),
        ({"snake_eyes": 2}, "snake_eyes=2"),
        ({"bank": "money"}, "'money'"),
    ],
)
def test_parameters_that_are_not_valid(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        load("pig-v0", **parameters)


def test_illegal_actions_and_outcomes_are_refused() -> None:
    state = load("swords_and_shields-v0").new_initial_state()
    for action in (-2, 10**6, next(a for a in range(1000) if a not in state.legal_actions())):
        with pytest.raises(parlour.IllegalMove, match=str(action)):
            state.apply_action(action)
    dice = load("pig-v0").new_initial_state()
    with pytest.raises(ValueError, match="no outcome of a throw of 1 dice"):
        dice.apply_action(6)


@pytest.mark.parametrize("arguments", [(), ("agon-v0",), ({"variant": "ring"},)])
def test_games_are_loaded_by_openspiel_alone(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"is no game: pyspiel\.load_game\(register\('agon-v0'\)"):
        OpenSpielGame(*arguments)
    with pytest.raises(TypeError, match=r"OpenSpielGame\('ring'\) is no game"):
        type(load("agon-v0"))("ring")


def test_unknown_games_are_refused() -> None:
    with pytest.raises(ValueError, match="no game 'chess'"):
        register("chess")
