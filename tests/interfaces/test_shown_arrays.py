"""What anyone writes into the arrays that games show changes neither play nor pay: of callers, and of players."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.interfaces.registry import find
from parlour.learn.datasets.columns import COLUMNS
from parlour.players import CheckedPlayer, parse_player
from parlour.players.names import KINDS
from parlour.wrappers import BothSeatsRollout, OpponentPool, SelfPlayEnv, SelfPlayVectorEnv
from tests.players.test_network_player import network
from tests.players.test_onnx import random_network
from tests.support.alike import assert_same
from tests.wrappers.cases import BATCH_WRAPPERS, WRAPPERS, first_legal, works_on
from tests.wrappers.rows import MODES

UR, CHECKERS = "royal_ur-v0", "checkers-v0"


def arrays_in(shown: Any) -> Iterator[NDArray[Any]]:
    """All arrays that something shown consists of."""
    if isinstance(shown, np.ndarray) and shown.dtype != object:
        yield shown
    elif isinstance(shown, (dict, list, tuple, np.ndarray)):
        for part in shown.values() if isinstance(shown, dict) else shown:
            yield from arrays_in(part)


def scribble(shown: Any) -> None:
    """Writes other numbers into all of them."""
    for array in arrays_in(shown):
        if array.flags.writeable:
            array[...] = ~array if array.dtype == np.bool_ else 1 - array


def leave(shown: Any) -> None:
    pass


def careless(observation: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
    """Plays the first legal action, and writes over all that it was given."""
    actions = action_mask.argmax(axis=-1)
    scribble((observation, action_mask))
    return np.asarray(actions)


def steps_of(env: Any, write: Callable[[Any], None], choose: Callable[[Any], Any], plies: int = 70) -> list[Any]:
    """What the steps of a batch or a vector environment show, in which games that are over are begun anew now and then;
    ``write`` gets it afterwards."""
    shown = env.reset()
    seen = [copy.deepcopy(shown)]
    for ply in range(plies):
        write(shown)
        actions = choose(env)
        played = np.array(actions)
        write(actions)
        shown = env.step(played)
        seen.append((played, copy.deepcopy(shown)))
        if isinstance((infos := seen[-1][1][4]).get("final_to_act"), np.ndarray):  # of other games nothing is said
            ended = infos["_final_obs"]
            infos["final_obs"] = {name: part[ended] for name, part in infos["final_obs"].items()}
            infos["final_to_act"] = infos["final_to_act"][ended]
        over = shown[2] | shown[3]
        if env.metadata["autoreset_mode"].value == "Disabled" and ply % 5 == 4 and over.any():
            shown = env.reset(options={"reset_mask": over})
    return seen


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", BATCH_WRAPPERS)
def test_a_batch_in_any_wrapper(name: str, mode: str) -> None:
    first, second = (
        steps_of(
            BATCH_WRAPPERS[name](parlour.make_batch("acey_ducey-v0", 7, seed=5, autoreset=mode, max_plies=40)), write,
            lambda env: env.sample_actions(),
        )
        for write in (leave, scribble)
    )  # fmt: skip
    assert_same(first, second)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("mode", MODES)
def test_a_batch_of_several_variants(mode: str, threads: int) -> None:
    options: dict[str, Any] = {"variant": ["american", "openspiel"], "variant_planes": "variant", "max_plies": 30}
    ours, theirs = (
        parlour.make_batch(CHECKERS, 40, seed=4, threads=threads, autoreset=mode, **options) for _ in range(2)
    )
    first, second = (
        steps_of(batch, write, lambda env: env.sample_actions()) for batch, write in ((ours, leave), (theirs, scribble))
    )
    assert_same(first, second)
    actions, legal = ours.sample_actions().copy(), ours.games.legal(7)
    actions[7] = np.flatnonzero(ours.games.action_mask[7] == 0)[0]
    theirs.games.action_mask[:] = 1
    with pytest.raises(parlour.IllegalMove, match=r"^game 7") as refusal:
        theirs.step(actions)
    assert refusal.value.legal == legal


OPPONENTS: dict[str, Callable[[], Any]] = {
    "function": lambda: careless,
    "greedy": lambda: "greedy",
    "mcts:3": lambda: "mcts:3",
    "pool": lambda: OpponentPool({"careless": careless, "random": "random"}),
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("inputs", ["planes", "thermometer"])
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_self_play_in_many_games(opponent: str, inputs: str, mode: str) -> None:
    def play(write: Callable[[Any], None]) -> list[Any]:
        env = SelfPlayVectorEnv(
            UR, 5, OPPONENTS[opponent](), seed=3, copy=False, autoreset=mode, inputs=inputs, max_plies=40
        )
        rng = np.random.default_rng(1)
        masks: list[Any] = []

        def choose(env: Any) -> Any:
            masks.append(env.action_masks())
            return np.where(masks[-1].any(1), (masks[-1] * rng.random(masks[-1].shape)).argmax(1), -1)

        return [steps_of(env, write, choose, 40), masks]

    assert_same(play(leave), play(scribble))


def test_rollouts_of_both_seats() -> None:
    def play(write: Callable[[Any], None]) -> list[Any]:
        batch = parlour.make_batch(UR, 5, seed=4, max_plies=40)
        rollout, found = BothSeatsRollout(batch, 30), []
        for _ in range(3):
            found.append(copy.deepcopy(vars(rollout.collect(lambda planes, mask: mask.argmax(1)))))
            write([batch.games.to_act, batch.games.terminated, batch.games.truncated])
        return found

    assert_same(play(leave), play(scribble))


def env_steps(env: Any, write: Callable[[Any], None], plies: int = 60) -> list[Any]:
    """What the plies of random play show; ``write`` gets it afterwards."""
    rng, seen = np.random.default_rng(2), []
    env.reset(seed=3)
    for _ in range(plies):
        shown = env.last()
        looked = {agent: env.observe(agent) for agent in env.possible_agents}
        seen.append(copy.deepcopy((shown, looked, dict(env.rewards))))
        agent = env.agent_selection
        own, start = looked[agent], int(env.action_space(agent).start)
        mask = own["action_mask"] if "action_mask" in own else env.infos[agent]["action_mask"]
        legal = np.flatnonzero(mask)
        write((shown, looked, env.infos))
        if shown[2] or shown[3]:
            env.reset()
        else:
            env.step(start + int(rng.choice(legal)))
    return seen


@pytest.mark.parametrize("name", ["GameEnv", *WRAPPERS])
def test_an_environment_in_any_wrapper(name: str) -> None:
    game = UR if works_on(name, UR) else "agon-v0"
    wrap = WRAPPERS.get(name, lambda env: env)
    first, second = (env_steps(wrap(parlour.make(game, max_plies=40)), write) for write in (leave, scribble))
    assert_same(first, second)


@pytest.mark.parametrize("opponent", OPPONENTS)
def test_self_play_in_one_game(opponent: str) -> None:
    def play(write: Callable[[Any], None]) -> list[Any]:
        env = SelfPlayEnv(parlour.make(UR, max_plies=40), OPPONENTS[opponent]())
        rng, found = np.random.default_rng(1), []
        shown: Any = env.reset(seed=3)
        for _ in range(50):
            masks = env.action_masks()
            found.append(copy.deepcopy((shown, masks)))
            action = int(rng.choice(np.flatnonzero(masks)))
            write((shown, masks))
            shown = env.step(action)
            if shown[2] or shown[3]:
                found.append(copy.deepcopy(shown))
                shown = env.reset()
        return found

    assert_same(play(leave), play(scribble))


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[str, dict[str, Any]]]:
    """A player of each kind, and some within others: names, the game of each and its options."""
    folder = tmp_path_factory.mktemp("players")
    parlour.solve(UR, out=folder / "ur", men=2)
    policy, _ = random_network(folder / "policy.onnx", UR)
    az = network(folder / "az.onnx", UR)
    champion = Path(str(find(UR).champion))
    two = {"men": 2}
    return {
        "random": (UR, {}), "greedy": (UR, {}), "mcts:5": (UR, {}), "mcts:5:greedy": (UR, {}),
        "expectimax:1": (UR, {}), "champion": (UR, {}), "champion:2": (UR, {}), f"value:{champion}": (UR, {}),
        f"value:{champion}:2": (UR, {}), f"policy:{policy}": (UR, {}), f"policy:{policy}:sample": (UR, {}),
        f"az:{az}:4": (UR, {}), f"exact:{folder / 'ur'}": (UR, two), f"expectimax:1:exact:{folder / 'ur'}": (UR, two),
        "blunder:50:champion": (UR, {}), "soft:0.1:champion": (UR, {}), "soft:0.1:expectimax:2": (CHECKERS, {}),
        "soft:0.1:champion:2": (CHECKERS, {}), f"python:{__name__}:careless": (UR, {}),
        f"blunder:50:python:{__name__}:careless": (UR, {}),
    }  # fmt: skip


def test_every_kind_of_player_is_tried(named: dict[str, Any]) -> None:
    assert {name.partition(":")[0] for name in named} == set(KINDS)


@pytest.mark.parametrize("k", range(20))
def test_a_player_that_is_asked_by_a_batch(k: int, named: dict[str, tuple[str, dict[str, Any]]]) -> None:
    assert len(named) == 20
    name, (game, options) = list(named.items())[k]

    def play(write: Callable[[Any], None]) -> list[Any]:
        batch = parlour.make_batch(game, 4, seed=7, **options)
        player = parse_player(name, find(game))
        return steps_of(batch, write, lambda env: env.ask(player), 12)

    assert_same(play(leave), play(scribble))


def test_what_a_player_writes_changes_neither_its_games_nor_what_others_see() -> None:
    class Scribbling:
        name = "scribbling"

        def choose(self, view: Any, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
            shown = view.observation, view.action_mask, view.legal_counts, view.to_act
            actions[row_mask] = view.action_mask[row_mask].argmax(axis=1)
            scribble(shown)

    batch = parlour.make_batch(UR, 4, seed=7)
    shown = batch.reset()
    before = copy.deepcopy(shown)
    players = [Scribbling(), CheckedPlayer("careless", None, careless)]
    for player in players:
        actions = batch.ask(player)
        assert_same(shown, before)
        assert (actions == before[0]["action_mask"].argmax(axis=1)).all()


def test_games_of_experts_show_what_the_expert_was_shown() -> None:
    first, second = (
        parlour.dataset(UR, player=f"python:{player.__module__}:{player.__name__}", games=5, max_plies=40)
        for player in (first_legal, careless)
    )
    for column in COLUMNS:
        np.testing.assert_array_equal(getattr(first, column), getattr(second, column))
