"""Every wrapper on every other: each pair is right, or refused when it is made."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from gymnasium import spaces
from numpy.typing import NDArray

import parlour
from parlour.wrappers import (
    BatchThermometer,
    DiscountedWin,
    EventReward,
    Features,
    FlatFloat32,
    HistoryPlanes,
    PotentialShaping,
    SelfPlayEnv,
    SplitDice,
    Symmetry,
    VariantSelector,
)
from tests.wrappers.cases import BATCH_WRAPPERS, WRAPPERS, every_event, works_on
from tests.wrappers.rows import MODES, assert_rows_are_rewarded_alike
from tests.wrappers.test_all import mask_of

GAMES = ("agon-v0", *(pytest.param(game, marks=pytest.mark.long) for game in ("backgammon-v0", "royal_ur-v0")))
"""Between them: symmetries, dice, features, planes with steps and planes that can't be 0."""
PAIRED: dict[str, Callable[[Any], Any]] = {
    **{name: wrap for name, wrap in WRAPPERS.items() if name != "ObservationsKey of FlatFloat32"},
    "Features of int8": lambda env: Features(env, dtype="int8"),
    "PotentialShaping": lambda env: PotentialShaping(env, 1.0),
    "VariantSelector with a plane each": lambda env: VariantSelector(env, planes="variant"),
}


def made(wrap: Callable[[Any], Any], env: Any) -> Any:
    """The wrapped environment; None if it is refused with a reason."""
    try:
        return wrap(env)
    except ValueError as refusal:
        assert len(str(refusal)) > 30, refusal
        return None


def pairs(outer: str, game: str) -> dict[str, tuple[Any, Any]]:
    """All that a wrapper can be put on, each with the environment beneath."""
    beneath = {
        name: wrap(parlour.make(game, max_plies=60)) for name, wrap in PAIRED.items() if works_on_too(name, game)
    }
    found = {name: (made(PAIRED.get(outer, SelfPlayEnv), env), env) for name, env in beneath.items()}
    return {name: pair for name, pair in found.items() if pair[0] is not None}


def works_on_too(name: str, game: str) -> bool:
    return works_on("Features" if name.startswith("Features") else name, game)


def numbers_in(seen: Any) -> Any:
    """What an observation shows besides dice and mask."""
    if not isinstance(seen, dict):
        return seen
    return seen["observations"] if "observations" in seen else seen["observation"]


def problem(env: Any, seen: Any, beneath: Any) -> str:
    """How an observation contradicts the one beneath; empty if it doesn't."""
    shown, other = numbers_in(seen), numbers_in(beneath)
    if isinstance(env, (VariantSelector, HistoryPlanes)):
        same = np.array_equal(shown[: len(other)], other)
        return "" if same else "the first planes are not those beneath"
    if isinstance(env, FlatFloat32):
        space = numbers_in(env.env.observation_space(env.agent_selection).spaces)
        return "" if np.allclose(shown, scaled(other, space) if env._scale else other.ravel()) else "other numbers"
    if isinstance(env, SplitDice):
        total = float(shown.sum(dtype=float)) + float(seen["dice"].sum(dtype=float))
        return "" if np.isclose(total, other.sum(dtype=float)) else "the parts are not the whole"
    if isinstance(env, Symmetry):
        return (
            ""
            if np.array_equal(np.sort(shown.reshape(len(shown), -1)), np.sort(other.reshape(len(other), -1)))
            else "other numbers"
        )
    if type(env).__name__ in ("Thermometer", "Features"):
        return ""
    return "" if np.array_equal(shown, other) else "other numbers"


def scaled(numbers: NDArray[Any], space: Any) -> NDArray[Any]:
    low, high = space.low.ravel().astype(float), space.high.ravel().astype(float)
    numbers = numbers.ravel().astype(float)
    return np.where(high > low, (2 * numbers - low - high) / np.where(high > low, high - low, 1), 0)


def check_planes(env: Any) -> None:
    """The meanings of planes fit them, and have their bounds."""
    space = env.observation_space(env.possible_agents[0])
    box = numbers_in(space.spaces) if isinstance(space, spaces.Dict) else space
    if len(box.shape) != 3:
        return
    assert len(env.planes) == len(box.low)
    if box.dtype == np.int8:
        told = [(plane.low, plane.high) for plane in env.planes]
        assert told == [(int(low.min()), int(high.max())) for low, high in zip(box.low, box.high)]


def play(env: Any, beneath: Any, seed: int, plies: int) -> None:
    rng = np.random.default_rng(seed)
    env.reset(seed=seed)
    game_env = env.unwrapped
    for _ in range(plies):
        agent = env.agent_selection
        seen, _, terminated, truncated, _ = env.last()
        for each in env.possible_agents:
            assert env.observation_space(each).contains(env.observe(each)), each
        assert not problem(env, seen, beneath.observe(agent)), problem(env, seen, beneath.observe(agent))
        if terminated or truncated:
            env.reset()
            continue
        legal = np.flatnonzero(mask_of(env))
        assert [env.move_name(int(choice)) for choice in legal] == env.legal_moves()
        action = int(env.action_space(agent).start) + int(rng.choice(legal))
        names = {game_env.parse_move(name): name for name in game_env.legal_moves()}
        name, played = env.move_name(action), len(game_env._history.actions)
        env.step(action)
        if len(game_env._history.actions) > played:
            assert names[game_env._history.actions[-1]] == name


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("outer", PAIRED)
def test_each_pair_is_right_or_refused_when_it_is_made(outer: str, game: str) -> None:
    if not works_on_too(outer, game):
        pytest.skip(f"{outer} is not for {game}")
    for inner, (env, beneath) in pairs(outer, game).items():
        check_planes(env)
        for seed in (1, 2):
            try:
                play(env, beneath, seed, 25)
            except Exception as error:
                raise AssertionError(f"{outer} on {inner}") from error


@pytest.mark.parametrize("game", GAMES)
def test_a_learner_of_each_wrapper(game: str) -> None:
    for inner, (env, _) in pairs("SelfPlayEnv", game).items():
        rng = np.random.default_rng(1)
        shown: Any = env.reset(seed=1)
        for _ in range(25):
            assert env.observation_space.contains(shown[0]), inner
            shown = env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))
            shown = env.reset() if shown[2] or shown[3] else shown


REWARDS: dict[str, Callable[[Any], Any]] = {
    "EventReward": lambda env: EventReward(env, every_event(env.unwrapped), zero_sum=True),
    "PotentialShaping": lambda env: PotentialShaping(env, 1.0),
    "DiscountedWin": lambda env: DiscountedWin(env, 0.9),
}


def paid(env: Any, moves: list[int], rng: np.random.Generator | None) -> list[tuple[float, ...]]:
    """The sums of rewards after each ply of the game. ``rng`` draws the plies, which are added to ``moves``; None: they
    are those of ``moves``."""
    env.reset(seed=4)
    game_env, totals, found = env.unwrapped, dict.fromkeys(env.possible_agents, 0.0), []
    while not game_env.is_over() and len(found) < 60:
        agent, before = env.agent_selection, len(game_env._history.actions)
        start = int(env.action_space(agent).start)
        env.step(start + int(rng.choice(np.flatnonzero(mask_of(env)))) if rng else moves[before])
        for seat, reward in env.rewards.items():
            totals[seat] += reward
        if len(game_env._history.actions) > before:
            moves += game_env._history.actions[before:] if rng else []
            found.append(tuple(np.round(list(totals.values()), 9)))
    return found


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", REWARDS)
def test_rewards_are_the_same_whatever_is_around_or_beneath(name: str, game: str) -> None:
    wrap, others = REWARDS[name], [other for other in PAIRED if works_on_too(other, game)]
    for other in others:
        if other.startswith("VariantSelector") or other in REWARDS:
            continue
        for env in (wrap(PAIRED[other](parlour.make(game))), PAIRED[other](wrap(parlour.make(game)))):
            moves: list[int] = []
            pays = paid(env, moves, np.random.default_rng(3))
            assert pays == paid(wrap(parlour.make(game)), moves, None), other


@pytest.mark.parametrize("game", ["acey_ducey-v0", "agon-v0"])
@pytest.mark.parametrize("outer", BATCH_WRAPPERS)
def test_each_pair_of_a_batch_is_right_or_refused_when_it_is_made(outer: str, game: str) -> None:
    for inner, wrap in BATCH_WRAPPERS.items():
        if not all(works_on(name.removeprefix("Batch"), game) for name in (outer, inner)):
            continue
        env = made(BATCH_WRAPPERS[outer], wrap(parlour.make_batch(game, 4, seed=2, max_plies=40)))
        if env is None:
            continue
        seen, _ = env.reset()
        for _ in range(60):
            assert env.observation_space.contains(seen), (outer, inner)
            seen, rewards, *_ = env.step(env.sample_actions())
            assert np.isfinite(rewards).all()


BOTH: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    name: (BATCH_WRAPPERS[f"Batch{name}"], WRAPPERS[name]) for name in REWARDS
}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name", BOTH)
@pytest.mark.parametrize(("game", "options"), [("pig-v0", {}), ("royal_ur-v0", {"men": 2})])
def test_rewards_of_a_batch_are_those_of_environments(game: str, options: Any, name: str, mode: str) -> None:
    assert_rows_are_rewarded_alike(game, *BOTH[name], mode, **options)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("inner", BOTH)
@pytest.mark.parametrize("outer", BOTH)
def test_two_changes_of_rewards_are_those_of_environments(outer: str, inner: str, mode: str) -> None:
    """Bit for bit: rewards are rounded once, at the end."""
    (batch_outer, env_outer), (batch_inner, env_inner) = BOTH[outer], BOTH[inner]
    assert_rows_are_rewarded_alike(
        "royal_ur-v0", lambda batch: batch_outer(batch_inner(batch)), lambda env: env_outer(env_inner(env)), mode,
        men=2,
    )  # fmt: skip


def test_rewards_of_a_batch_are_rounded_once() -> None:
    """Also where another wrapper is beneath that changes only what is seen."""
    first, second = (
        BATCH_WRAPPERS["BatchEventReward"](wrap(parlour.make_batch("pig-v0", 6, seed=2, fine=0.1)))
        for wrap in (lambda batch: batch, BATCH_WRAPPERS["BatchThermometer"])
    )
    for env in (first, second):
        env.reset()
    for _ in range(100):
        actions = first.sample_actions()
        np.testing.assert_array_equal(first.step(actions)[1], second.step(actions)[1])


@pytest.mark.parametrize("wrap", [lambda batch: batch, BatchThermometer], ids=["batch", "wrapped"])
def test_copies_of_a_batch_go_on_alike_and_apart(wrap: Any) -> None:
    batch = wrap(parlour.make_batch("backgammon-v0", 3, seed=1))
    batch.reset()
    twins = [copy.copy(batch), copy.deepcopy(batch), pickle.loads(pickle.dumps(batch))]
    actions = batch.sample_actions()
    expected, *others = [each.step(actions)[0]["observation"] for each in (batch, *twins)]
    assert all(np.array_equal(other, expected) for other in others)
    assert len({each.unwrapped.games.states.ctypes.data for each in (batch, *twins)}) == 4
