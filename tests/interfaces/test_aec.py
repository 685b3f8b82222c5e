"""The PettingZoo face, for every game and variant."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo
import pytest
from gymnasium.spaces import Discrete
from pettingzoo.test import api_test
from pettingzoo.utils import wrappers
from pettingzoo.utils.env_logger import EnvLogger

import parlour
import parlour.envs
from parlour.engine.game_files import RESERVED
from parlour.engine.kernels.step import step_one
from parlour.engine.trees.nodes import edge_dtype, node_dtype
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.interfaces.spaces import ActionSpace
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.protocol import MAX_ACTIONS
from parlour.testing.subject import random_action
from parlour.wrappers.self_play import make_self_play
from parlour.wrappers.self_play_vector import SelfPlayVectorEnv
from tests.support.cases import PRINTED_GAMES, each_game
from tests.support.games import begun
from tests.support.own_games import copy_game

WRITTEN = (
    "states", "variants", "dice_rng", "terminated", "truncated", "to_act", "masks", "legal_bits", "counts", "planes",
)  # fmt: skip


def future(env: GameEnv, seed: int, plies: int = 60) -> list[Any]:
    """What comes of random play from here: all that can be observed, ply by ply."""
    rng = np.random.default_rng(seed)
    seen: list[Any] = []
    while len(seen) < plies and not env.is_over():
        env.step(random_action(env, rng))
        views = [env.observe(agent) for agent in env.agents]
        seen.append(
            [env.position(), env.dice, dict(env.rewards), dict(env.terminations), dict(env.truncations)]
            + [view[key].tobytes() for view in views for key in view]
        )
    return seen


# --- PettingZoo's own tests ---


@pytest.mark.parametrize("players", [2, 3, 4, 7, 12])
@pytest.mark.filterwarnings("ignore:Observation")
def test_pettingzoo_api_for_many_seats(players: int) -> None:
    api_test(parlour.make("pig-v0", players=players), num_cycles=100)


# --- ways to get one ---


@pytest.mark.parametrize("game", PRINTED_GAMES)
def test_three_ways_to_make_the_same(game: str) -> None:
    module = __import__(f"parlour.envs.{game.replace('-', '_')}", fromlist=["env"])
    made = [parlour.make(game), module.env(), getattr(parlour.envs, game.replace("-", "_")).env()]
    if hasattr(pettingzoo, "make"):
        made.append(pettingzoo.make("aec", f"parlour/{game}"))
    for env in made:
        assert isinstance(env, GameEnv)
        assert env.illegal_move == "terminate"
        assert env.metadata["name"] == game.replace("-", "_")
    assert module.raw_env().illegal_move == "raise"


def test_pettingzoo_make_passes_options_on() -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    env = pettingzoo.make("aec", "parlour/swords_and_shields-v0", variant="tablut", max_plies=7)
    assert env.unwrapped.variant == "tablut"
    assert env.unwrapped.values["max_plies"] == 7


def test_pettingzoo_makes_a_game_in_parallel() -> None:
    if not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    env = pettingzoo.make("parallel", "parlour/royal_ur-v0", variant="masters")
    seen, _ = env.reset(seed=1)
    turns = 0
    while env.agents:
        (agent,) = [agent for agent in env.agents if seen[agent]["action_mask"].any()]  # the other one waits
        action = int(seen[agent]["action_mask"].argmax())
        seen, rewards, *_ = env.step(dict.fromkeys(env.agents, action))
        turns += 1
    assert turns > 100
    assert sorted(rewards.values()) == [-1, 1]


# --- conventions (DESIGN) ---


@each_game
def test_what_is_returned_is_the_callers_to_keep(game: str) -> None:
    env = begun(game)
    rng = np.random.default_rng(0)
    kept = [(env.last()[0], env.state(), env.observe(env.possible_agents[-1]))]
    copies = copy.deepcopy(kept)
    for _ in range(10):
        env.step(random_action(env, rng))
        kept.append((env.last()[0], env.state(), env.observe(env.possible_agents[-1])))
        copies.append(copy.deepcopy(kept[-1]))
    np.testing.assert_equal(kept, copies)
    kept[-1][0]["action_mask"][:] = 1  # and what the caller does to it, the game does not notice
    np.testing.assert_equal(env.last()[0], copies[-1][0])


@each_game
def test_actions_of_any_integer_type(game: str) -> None:
    for kind in (int, np.int32, np.int64, np.uint8, np.array):
        env = begun(game, 4, illegal_move="raise")
        action = random_action(env, np.random.default_rng(2))
        if action > 255 and kind is np.uint8:
            continue
        env.step(kind(action))
        other = begun(game, 4, illegal_move="raise")
        other.step(action)
        assert env.position() == other.position()


def test_masked_sampling_draws_as_gymnasium_does() -> None:
    ours, theirs = ActionSpace(1296), Discrete(1296)
    ours.seed(5)
    theirs.seed(5)
    rng = np.random.default_rng(0)
    for _ in range(200):
        mask = (rng.random(1296) < rng.random() / 5).astype(np.int8)
        assert ours.sample(mask) == theirs.sample(mask)
    assert ours.sample(np.zeros(1296, np.int8)) == theirs.sample(np.zeros(1296, np.int8)) == 0
    with pytest.raises(AssertionError):
        ours.sample(np.ones(5, np.int8))


# --- copies ---


@pytest.mark.parametrize(
    "make_copy", [lambda env: env.clone(), copy.deepcopy, copy.copy], ids=["clone", "deepcopy", "copy"]
)
def test_a_copy_shares_nothing_that_is_written_to(make_copy: Any) -> None:
    env = begun("checkers-v0")
    env.action_space("player_0").seed(3)
    env.notes = ["mine"]
    twin = make_copy(env)
    assert twin.notes == ["mine"]
    twin.notes.append("its own")
    twin.infos["player_0"]["note"] = 1
    assert (env.notes, env.infos["player_0"]) == (["mine"], {})
    mask = env.observe("player_0")["action_mask"]
    draws = [[int(each.action_space("player_0").sample(mask)) for _ in range(20)] for each in (env, twin)]
    assert draws[0] == draws[1]
    before, text = {name: getattr(env.games, name).tobytes() for name in WRITTEN}, env.position()
    future(twin, 0, 20)
    assert {name: getattr(env.games, name).tobytes() for name in WRITTEN} == before
    assert env.position() == text != twin.position()


@pytest.mark.parametrize("game", ["checkers-v0", "pig-v0"])
def test_a_step_leaves_nothing_stale(game: str) -> None:
    """What players and searches read of a game is what `observe` would write, so that they can be asked at any time."""
    env = begun(game, 4)
    rng = np.random.default_rng(4)
    for _ in range(60):
        if env.is_over():
            break
        env.step(random_action(env, rng))
        left = {name: getattr(env.games, name).tobytes() for name in WRITTEN}
        env.games.observe()
        assert {name: getattr(env.games, name).tobytes() for name in WRITTEN} == left


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled")
def test_a_clone_looks_for_no_compiled_call(monkeypatch: pytest.MonkeyPatch) -> None:
    """Numba takes three times as long to find one as a copy and its first ply take."""
    env = begun("royal_ur-v0", 1)
    action = int(env.last()[0]["action_mask"].argmax())
    env.clone().step(action)

    def refuse(kernel: Any, types: Any) -> None:
        raise AssertionError(f"{kernel} is looked for again")

    monkeypatch.setattr(type(step_one), "compile", refuse)
    env.clone().step(action)


def test_a_clone_rolls_the_same_future_or_another() -> None:
    env = begun("pig-v0", 1)
    same = [future(env.clone(), 3) for _ in range(2)]
    assert same[0] == same[1]
    assert future(env.clone(seed=8), 3) != same[0]
    assert future(env.clone(seed=8), 3) == future(env.clone(seed=8), 3)


@each_game
def test_copies_before_the_first_reset(game: str) -> None:
    for twin in (pickle.loads(pickle.dumps(parlour.make(game))), copy.deepcopy(parlour.make(game))):
        with pytest.raises(AssertionError, match="reset"):
            twin.step(0)
        twin.reset(seed=0)
        assert twin.legal_moves()


# --- seeds ---


def test_seeds() -> None:
    env = parlour.make("pig-v0")
    for seed in (0, 1, 2**63, 2**64 - 1, 2**64, 10**30, np.int64(7)):
        env.reset(seed=seed)
        first = [env.position()] + future(env, 0)
        env.reset()
        second = [env.position()] + future(env, 0)
        env.reset(seed=seed)
        assert [env.position()] + future(env, 0) == first
        env.reset()  # the stream goes on
        assert [env.position()] + future(env, 0) == second
        assert first != second
    starts = set()
    for seed in (0, 1, 2**64, 2**64 + 1):
        env.reset(seed=seed)
        starts.add(str(future(env, 0)))
    assert len(starts) == 4


# --- the order of calls, and illegal actions: held against PettingZoo's own stack around raw_env ---


def stacked(game: str, **options: Any) -> Any:
    raw = parlour.make(game, illegal_move="raise", **options)
    return wrappers.OrderEnforcingWrapper(
        wrappers.AssertOutOfBoundsWrapper(wrappers.TerminateIllegalWrapper(raw, illegal_reward=-1))
    )


def outcome(call: Any) -> Any:
    """What a call returns or raises, and what it warns of."""
    EnvLogger.flush()
    EnvLogger.suppress_output()
    try:
        result: Any = ("returned", call())
    except (AssertionError, AttributeError, ValueError) as error:
        kinds = (AssertionError, AttributeError, ValueError)
        result = ("raised", next(kind for kind in kinds if isinstance(error, kind)))
        if "reset" in str(error):
            result += (str(error),)
    return result, list(dict.fromkeys(EnvLogger.mqueue))


@each_game
def test_before_reset_as_the_stack(game: str) -> None:
    calls = [
        lambda env: env.step(0), lambda env: env.observe("player_0"), lambda env: env.state(), lambda env: env.render(),
        lambda env: env.agent_iter(), lambda env: env.rewards, lambda env: env.terminations,
        lambda env: env.truncations, lambda env: env.infos, lambda env: env.agent_selection, lambda env: env.num_agents,
        lambda env: env.agents,
    ]  # fmt: skip
    for call in calls:
        got = outcome(lambda call=call: call(parlour.make(game)))
        assert got == outcome(lambda call=call: call(stacked(game)))
        assert got[0][0] == "raised"


@each_game
@pytest.mark.parametrize("seed", range(4))
def test_illegal_and_late_actions_as_the_stack(game: str, seed: int) -> None:
    """Random play with an illegal, absent or out-of-range action thrown in, then on to the very end and beyond."""
    envs = [parlour.make(game), stacked(game)]
    rngs = [np.random.default_rng(seed) for _ in envs]
    illegal_at = seed * 3 if seed else 10**6
    for env in envs:
        env.reset(seed=seed)
    for ply in range(1500):
        if not envs[0].agents:
            break
        agents = [env.agent_selection for env in envs]
        assert agents[0] == agents[1]
        lasts = [env.last() for env in envs]
        np.testing.assert_equal(lasts[0], lasts[1])
        actions: list[Any] = []
        for (seen, _, terminated, truncated, _), rng in zip(lasts, rngs):
            mask = seen["action_mask"]
            if terminated or truncated:
                actions.append(None)
            elif ply == illegal_at and not mask.all():
                actions.append(int(rng.choice(np.flatnonzero(mask == 0))))
            else:
                actions.append(int(rng.choice(np.flatnonzero(mask))))
        wrong = [len(lasts[0][0]["action_mask"]), -1, 1.0, "a1", None if actions[0] is not None else 0]
        for action in wrong:
            refused = [outcome(lambda env=env, action=action: env.step(action)) for env in envs]
            assert refused[0][0][:2] == refused[1][0][:2]
            assert refused[0][0][0] == "raised"
        results = [outcome(lambda env=env, action=action: env.step(action)) for env, action in zip(envs, actions)]
        assert results[0] == results[1]
        for name in ("agents", "rewards", "terminations", "truncations", "infos", "_cumulative_rewards"):
            assert getattr(envs[0], name) == getattr(envs[1], name), name
    assert not envs[0].agents
    late = [outcome(lambda env=env: env.step(None)) for env in envs]
    assert late[0] == late[1]
    assert late[0][0] == ("returned", None)
    assert late[0][1], "a step after the end is warned of"


@pytest.mark.filterwarnings("ignore:.*Illegal move")
def test_nothing_is_legal_after_an_illegal_move() -> None:
    """Also for the seat whose last step has been taken."""
    env = begun("checkers-v0", 1)
    env.step(127)
    env.step(None)
    assert [env.observe(agent)["action_mask"].any() for agent in env.possible_agents] == [False, False]


def test_agent_iter_wants_a_step_in_between() -> None:
    env = begun("swords_and_shields-v0")
    seats = iter(env.agent_iter())
    next(seats)
    with pytest.raises(AssertionError, match="step"):
        next(seats)


def test_illegal_move_raised_says_all_and_changes_nothing() -> None:
    env = begun("swords_and_shields-v0", illegal_move="raise")
    before, action = env.position(), env.parse_move("d9-d3")
    with pytest.raises(parlour.IllegalMove) as caught:
        env.step(action)
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.action, error.name, error.position, error.legal) == (action, "d9-d3", before, env.legal_moves())
    for part in ("player_0", "d9-d3", before, env.legal_moves()[0]):
        assert part in str(error)
    assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert env.position() == before
    assert not any(env.terminations.values())


# --- bad arguments ---


def test_unknown_games_and_agents() -> None:
    with pytest.raises(ValueError, match=r"chess-v0.*swords_and_shields-v0"):
        parlour.make("chess-v0")
    for call in (parlour.variants, parlour.options):
        with pytest.raises(ValueError, match="no game 7"):
            call(7)  # type: ignore[arg-type]
    env = begun("swords_and_shields-v0")
    for ask in (env.observe, env.observation_space, env.action_space):
        with pytest.raises(ValueError, match=r"player_7.*player_0.*player_1"):
            ask("player_7")


def test_settle_sees_the_options_together() -> None:
    assert parlour.make("pig-v0", players=6).values["goal"] == 10
    assert parlour.make("pig-v0", players=6, goal=20).values["goal"] == 20
    with pytest.raises(ValueError, match="fine has no effect with bank=nothing"):
        parlour.make("pig-v0", fine=0.5, bank="nothing")


def test_registering_another_package_under_a_known_id(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pig = parlour.register("tests.toy_games.pig")
    assert pig.id == "pig-v0"
    copy_game(pig.folder, tmp_path / "sty" / "pig")
    monkeypatch.syspath_prepend(str(tmp_path))
    with pytest.raises(ValueError, match=r"pig-v0.*belongs to tests\.toy_games\.pig"):
        parlour.register("sty.pig")


def test_no_option_is_called_like_an_argument_of_what_makes_or_begins_an_environment() -> None:
    functions = parlour.make, parlour.make_batch, make_self_play, SelfPlayVectorEnv.__init__, GameEnv.reset
    arguments = {name: each.kind for function in functions for name, each in signature(function).parameters.items()}
    taken = {name for name, kind in arguments.items() if kind is not Parameter.VAR_KEYWORD}
    assert set(RESERVED) == {"actions", *taken} - {"self"}


def test_a_game_of_too_many_actions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """At registration, if a variant has them; with other option values, whatever is made of it."""
    game, most = find("pig-v0"), {3: MAX_ACTIONS, 11: MAX_ACTIONS + 1}
    plain = game.rules.layout
    monkeypatch.setattr(
        game.rules, "layout", lambda values: replace(plain(values), actions=most.get(values["players"], 2))
    )
    assert parlour.register(game.package) is game
    assert parlour.make("pig-v0").action_space("player_0").n == 32_767
    refusal = "pig-v0 has 32768 actions; a game has at most 32767"
    for refused in (
        lambda: parlour.make("pig-v0", players=11),
        lambda: parlour.make_batch("pig-v0", 2, players=11),
        lambda: parlour.info("pig-v0", players=11),
    ):
        with pytest.raises(ValueError, match=refusal):
            refused()
    most[3] = MAX_ACTIONS + 1
    with pytest.raises(ValueError, match=refusal):
        parlour.register(game.package)


def test_16_bits_hold_all_actions_and_how_many_are_legal() -> None:
    kinds = find("pig-v0").rules.STATE["last_action"], edge_dtype(2)["action"], *(
        node_dtype(2)[name] for name in ("count", "tried")
    )  # fmt: skip
    assert [np.iinfo(kind).max for kind in kinds] == [MAX_ACTIONS] * 4


# --- dice ---


def test_given_dice_then_the_streams_own() -> None:
    env = begun("pig-v0", 3, throws=[(2,), (6,), (3, 4)], players=4, illegal_move="raise")
    assert env.agent_selection == "player_1"
    assert env.dice == (3, 4)
    env.set_dice([(5, 2), (4, 4)])
    env.step(0)
    assert env.dice == (5, 2)
    twin = env.clone()  # the throws still to come go along
    for each in (env, twin):
        each.step(1)
        assert each.dice == (4, 4)
    rolled = future(env, 1)
    assert rolled == future(twin, 1)
    env.reset(options={"position": "scores 1 2 3 4 | player_2 | turn 4 | dice 2 2 | 9", "dice": [(3, 3)]})
    env.step(0)
    assert env.position() == "scores 1 2 3 4 | player_2 | turn 10 | dice 3 3 | 10"


@pytest.mark.parametrize(
    ("dice", "message"),
    [
        ([(2,), (6,), (3,)], r"throw 2: \(3,\) comes where 2 dice are thrown"),
        ([(2, 3)], r"throw 0: \(2, 3\) comes where 1 die is thrown"),
        ([(7,)], "throw 0: 7 is no face of a die; faces: 1 to 6"),
        ([(0,)], "throw 0: 0 is no face"),
        ([(2,), (3, 4, 5)], r"throw 1: \(3, 4, 5\) is no throw"),
        ([(True,)], "True is no face"),
        ([("3",)], "'3' is no face"),
        ([5], "throw 0: 5 is no throw"),
        (7, "given as a list of throws"),
    ],
)
def test_impossible_throws(dice: Any, message: str) -> None:
    env = begun("pig-v0", 1)
    before = env.position()
    with pytest.raises(ValueError, match=message):
        env.reset(seed=9, options={"dice": dice})
    assert env.position() == before
    twin = env.clone()
    assert future(env, 0) == future(twin, 0)
    fresh = begun("pig-v0", 1)
    if dice != [(2, 3)]:
        with pytest.raises(ValueError):
            fresh.set_dice(dice)


def test_a_game_without_dice_takes_none() -> None:
    env = begun("swords_and_shields-v0")
    assert env.dice == ()
    assert env.chance_outcomes() == []
    env.set_dice([])
    with pytest.raises(ValueError, match="without dice"):
        env.set_dice([(1, 2)])
    with pytest.raises(ValueError, match="without dice"):
        env.reset(options={"dice": [(1,)]})


def test_chance_outcomes_are_exact() -> None:
    env = begun("pig-v0")
    outcomes = env.chance_outcomes()
    assert len(outcomes) == 21
    assert [faces for faces, _ in outcomes] == sorted(faces for faces, _ in outcomes)
    assert all(chance == (1 if a == b else 2) / 36 for (a, b), chance in outcomes)
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)
    while not env.is_over():
        env.step(1)
    assert env.chance_outcomes() == []


# --- rendering without a mode ---


def test_rendering_without_a_mode_warns() -> None:
    env = begun("swords_and_shields-v0")
    with pytest.warns(UserWarning, match="render_mode"):
        assert env.render() is None


def test_resuming_again_and_again_takes_no_more_room() -> None:
    """Room for earlier positions grows with their number, not with how often a text is read after a ply."""
    env = begun("checkers-v0")
    width = env.games.history.shape[1]
    text = env.position()
    for _ in range(20):
        env.reset(options={"position": text})
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert env.games.history.shape[1] == width
