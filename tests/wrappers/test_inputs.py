"""Thermometer and Features: exact numbers, and the same ones in all four interfaces."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.players.inputs import thermometer
from parlour.rulebook.protocol import Plane
from parlour.wrappers import (
    BatchFeatures,
    BatchPotentialShaping,
    BatchThermometer,
    BothSeatsRollout,
    Features,
    FlatFloat32,
    SelfPlayEnv,
    SelfPlayVectorEnv,
    SplitDice,
    Thermometer,
)
from tests.support.alike import assert_same
from tests.support.cases import GAMES
from tests.support.games import batch_of
from tests.wrappers.cases import by_what_it_sees, random_plies
from tests.wrappers.test_self_play_vector import beside_single_envs

ACEY = "acey_ducey-v0"
START = "- | in 15 15 | dog 0 0 | off 0 0 | r | dice 3 2 | left 3 3 | - | 0"
PLANES = (
    Plane("men", 0, 5, steps=(1, 3)),
    Plane("left", 0, 2, "dice", (1, 2)),
    Plane("ring", -1, 3),
    Plane("none", 2, 2),
)
SEEN = np.array([[[0, 1, 2, 3, 4, 5]], [[0, 1, 2, 0, 1, 2]], [[-1, 0, 1, 2, 3, 3]], [[2] * 6]], np.int8)
WAYS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "thermometer": (Thermometer, BatchThermometer),
    "thermometer:int8": (lambda env: Thermometer(env, "int8"), lambda batch: BatchThermometer(batch, "int8")),
    "features": (Features, BatchFeatures),
}
each_way = pytest.mark.parametrize("inputs", WAYS)


def test_counts_become_steps_and_all_else_goes_from_0_to_1() -> None:
    seen = thermometer(PLANES)(SEEN)
    assert seen.dtype == np.float32
    assert seen[:, 0].tolist() == [
        [0, 1, 1, 1, 1, 1],  # men: 1 or more
        [0, 0, 0, 1, 1, 1],  # 3 or more
        [0, 0, 0, 0, 0.5, 1],  # how many more than 3, of 2
        [0, 1, 1, 0, 1, 1],  # left: 1 or more
        [0, 0, 1, 0, 0, 1],  # 2 or more, which is the most
        [0, 0.25, 0.5, 0.75, 1, 1],  # ring
        [0] * 6,  # none
    ]
    assert [(plane.low, plane.high, plane.kind) for plane in thermometer(PLANES).planes] == [
        *[(0, 1, "board")] * 3, *[(0, 1, "dice")] * 2, *[(0, 1, "board")] * 2,
    ]  # fmt: skip


def test_as_int8_nothing_is_scaled() -> None:
    table = thermometer(PLANES, "int8")
    seen = table(SEEN)
    assert seen.dtype == np.int8
    assert seen[:, 0].tolist() == [
        [0, 1, 1, 1, 1, 1],
        [0, 0, 0, 1, 1, 1],
        [0, 0, 0, 0, 1, 2],
        [0, 1, 1, 0, 1, 1],
        [0, 0, 1, 0, 0, 1],
        [-1, 0, 1, 2, 3, 3],
        [2] * 6,
    ]
    space = table.space(1, 6)
    assert space.low[:, 0, 0].tolist() == [0, 0, 0, 0, 0, -1, 2]
    assert space.high[:, 0, 0].tolist() == [1, 1, 2, 1, 1, 3, 2]


@pytest.mark.parametrize("steps", [(0, 1), (2, 1), (1, 1), (1, 6)])
def test_a_plane_refuses_steps_that_do_not_ascend_within_its_bounds(steps: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"'men' has the steps .*; valid: ascending from 1 to 5"):
        Plane("men", 0, 5, steps=steps)


def test_what_is_seen_of_a_position_in_acey_ducey() -> None:
    """Fifteen men of either seat are still to enter, and the number 3 is left twice."""
    env = Thermometer(parlour.make(ACEY))
    env.reset(options={"position": START})
    seen = env.last()[0]["observation"]
    shown = {plane.meaning: seen[k, 0, 0] for k, plane in enumerate(env.planes)}
    steps = [*(f": {step} or more" for step in (1, 2, 3)), ": how many more than 3"]
    assert [shown["own men not entered yet" + step] for step in steps] == [1, 1, 1, 1]
    assert [shown["own men on each point" + step] for step in steps] == [0, 0, 0, 0]
    assert shown["own men borne off"] == 0
    left = [[shown[f"how often the number {number} is left to play: {k} or more"] for k in (1, 2)] for number in (2, 3)]
    assert left == [[0, 0], [1, 1]]


def test_the_features_of_a_position_in_acey_ducey() -> None:
    env = Features(parlour.make(ACEY))
    env.reset(options={"position": START})
    seen = env.last()[0]["observation"]
    assert seen.dtype == np.float32
    assert seen.tolist() == [
        *[0] * (2 * 24 * 7),  # men on steps: seven thresholds each
        *[1] * (2 * 8),  # not entered
        *[0] * (2 * 5 + 2 * 9),  # in the Dog House, borne off
        *[0, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0],  # how often each number is left: 1 or more, 2 or more
        *[0, 0],
        *[0] * (2 * 21),  # pips ahead and behind
        *[1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0],  # 25 pips until the rearmost men have passed each other
        *[0] * (2 * 11 + 2 * 7 + 2 * 6 + 2 * 5),  # in danger, points made, at home, in a row
        *[1] * (2 * 11),  # pips until all are home
    ]


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_shown_by_the_steps_that_it_declares(game: str) -> None:
    env, bare = Thermometer(parlour.make(game)), parlour.make(game)
    for seen, whole in zip(random_plies(env, 40), random_plies(bare, 40)):
        expected = []
        for plane, numbers in zip(bare.planes, whole["observation"].astype(float)):
            last = plane.steps[-1] if plane.steps else plane.low
            expected += [numbers >= step for step in plane.steps]
            if not plane.steps or last < plane.high:
                expected.append(np.maximum(numbers - last, 0) / max(plane.high - last, 1))
        assert np.array_equal(seen["observation"], np.array(expected, np.float32))
        assert seen["action_mask"].tobytes() == whole["action_mask"].tobytes()


def test_other_wrappers_go_on_top() -> None:
    env = SplitDice(Thermometer(parlour.make(ACEY)))
    env.reset(seed=1)
    seen = env.last()[0]
    assert seen["dice"].shape == (6 * 2 + 2, 1, 24)
    assert {plane.kind for plane in env.planes} == {"board"}
    flat = FlatFloat32(Features(parlour.make(ACEY)))
    flat.reset(seed=1)
    assert flat.observation_space("player_0").contains(flat.last()[0])


# --- the same in all interfaces ---


@each_way
@pytest.mark.parametrize("mode", ["same_step", "next_step", "disabled"])
def test_rows_of_a_batch_see_what_one_game_shows(inputs: str, mode: str) -> None:
    on_env, on_batch = WAYS[inputs]
    batch = on_batch(parlour.make_batch(ACEY, 4, seed=3, autoreset=mode, max_plies=20))
    envs = [on_env(parlour.make(ACEY, max_plies=20)) for _ in range(4)]
    for row, env in enumerate(envs):
        env.reset(seed=batch.seed_of(row))
    seen, infos = batch.reset()
    for _ in range(20):
        assert batch.observation_space.contains(seen)
        for row, env in enumerate(envs):
            assert_same(seen["observation"][row], env.last()[0]["observation"])
        batch = pickle.loads(pickle.dumps(copy.deepcopy(batch)))
        actions = batch.sample_actions()
        seen, _, _, truncations, infos = batch.step(actions)
        for row, env in enumerate(envs):
            env.step(int(actions[row]))
    assert truncations.all()
    if mode == "same_step" and inputs == "features":
        assert set(infos) == {"to_act"}
    elif mode == "same_step":
        for row, env in enumerate(envs):
            last = env.observe(f"player_{infos['final_to_act'][row]}")
            assert_same(infos["final_obs"]["observation"][row], last["observation"])


@each_way
@pytest.mark.parametrize("mode", ["same_step", "next_step"])
def test_a_vector_of_learners_is_that_of_single_ones_bit_for_bit(inputs: str, mode: str) -> None:
    ours = SelfPlayVectorEnv(ACEY, 3, by_what_it_sees, autoreset=mode, inputs=inputs, max_plies=30)
    on_env, ended = WAYS[inputs][0], 0
    for _, _, over in beside_single_envs(
        ours, lambda: SelfPlayEnv(on_env(parlour.make(ACEY, illegal_move="raise", max_plies=30)), by_what_it_sees), 40
    ):
        ended += int(over.sum())
    assert ended


def test_rollouts_keep_what_is_seen() -> None:
    batch = BatchPotentialShaping(BatchThermometer(parlour.make_batch(ACEY, 3, seed=1)))
    rollout = BothSeatsRollout(batch, 5).collect(by_what_it_sees)
    assert rollout.observation.dtype == np.float32
    assert rollout.observation.shape == (5, 3, 46, 1, 24)
    assert 0 < (rollout.observation % 1 > 0).mean() < 1


def test_copied_games_are_seen_likewise() -> None:
    source = batch_of(ACEY, 2, seed=1)
    batch = BatchThermometer(parlour.make_batch(ACEY, 2, seed=2))
    batch.reset()
    seen, _ = batch.copy_rows(source, [0, 1], [1, 0])
    planes = source.games.observation
    assert_same(seen["observation"], batch.seen(planes[::-1]))


def test_stable_baselines_takes_them() -> None:
    pytest.importorskip("stable_baselines3", reason="Stable-Baselines3 is not installed")
    from parlour.wrappers import StableBaselinesVecEnv

    env = StableBaselinesVecEnv(SelfPlayVectorEnv(ACEY, 2, inputs="features", max_plies=4, seed=1))
    assert env.observation_space["observation"].shape == (527,)
    env.reset()
    for _ in range(4):
        masks = env.env_method("action_masks")
        _, _, dones, infos = env.step(np.array([mask.argmax() for mask in masks]))
    ended = [info["terminal_observation"]["observation"] for done, info in zip(dones, infos) if done]
    assert all(env.observation_space["observation"].contains(seen) for seen in ended)


# --- what is refused ---


def test_a_game_without_features_is_told_which_have_them() -> None:
    message = r"agon-v0 has no features of its own; games that have: .*acey_ducey-v0"
    with pytest.raises(ValueError, match=message):
        Features(parlour.make("agon-v0"))
    with pytest.raises(ValueError, match=message):
        BatchFeatures(parlour.make_batch("agon-v0", 2))
    with pytest.raises(ValueError, match=message):
        SelfPlayVectorEnv("agon-v0", 2, inputs="features")


def test_what_is_not_valid_is_named_with_what_is() -> None:
    for wrapper in (Thermometer, Features):
        with pytest.raises(ValueError, match=r"dtype 'float64' is not valid; valid: 'float32' and 'int8'"):
            wrapper(parlour.make(ACEY), "float64")
    with pytest.raises(ValueError, match="inputs 'steps' is not valid; valid: 'planes', 'thermometer', "):
        SelfPlayVectorEnv(ACEY, 2, inputs="steps")
    with pytest.raises(ValueError, match="BatchThermometer wraps batches"):
        BatchThermometer(parlour.make(ACEY))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="not an environment"):
        Thermometer(parlour.make_batch(ACEY, 2))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="BatchFeatures needs the planes of a batch"):
        BatchFeatures(BatchThermometer(parlour.make_batch(ACEY, 2)))
    for inner in (Thermometer, SplitDice):
        with pytest.raises(ValueError, match="Features goes beneath wrappers that change observations or actions"):
            Features(inner(parlour.make(ACEY)))
    with pytest.raises(ValueError, match="put wrappers that flatten them outside"):
        Thermometer(FlatFloat32(parlour.make(ACEY)))
    with pytest.raises(ValueError, match="Thermometer needs planes of int8 beneath it, and finds float32"):
        Thermometer(Thermometer(parlour.make(ACEY)))
