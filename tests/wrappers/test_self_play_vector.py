"""`SelfPlayVectorEnv`: Gymnasium's own `SyncVectorEnv` of `SelfPlayEnv`, bit for bit; threads, views, outside
opponents."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from importlib.metadata import version
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, SyncVectorEnv, VectorEnv
from gymnasium.wrappers import vector as vector_wrappers
from numpy.typing import NDArray

import parlour
from parlour.engine.repetition import FILTER_WORDS
from parlour.players import Random
from parlour.wrappers import OpponentPool, SelfPlayEnv, SelfPlayVectorEnv
from tests.support.alike import assert_same
from tests.support.cases import each_game
from tests.wrappers.cases import by_what_it_sees
from tests.wrappers.rows import MODES

SHORT: dict[str, Any] = {"max_plies": 60}


class Sampler:
    """A player that is not one of the built-in ones, so that it is asked from outside."""

    name = "sampler"

    def choose(self, view: Any, row_mask: Any, actions: Any) -> None:
        Random().choose(view, row_mask, actions)


def mixed_pool() -> OpponentPool:
    """Its results do not change which opponents come next."""
    policies = {"random": "random", "greedy": "greedy", "seeing": by_what_it_sees, "sampler": Sampler()}
    return OpponentPool(policies, choose="uniform")


OPPONENTS: dict[str, Callable[[], Any]] = {
    "random": lambda: "random",
    "greedy": lambda: "greedy",
    "function": lambda: by_what_it_sees,
    "player": Sampler,
    "pool": mixed_pool,
}


def random_actions(rng: np.random.Generator, masks: Any) -> Any:
    """A legal action a row; −1 where none is."""
    return np.array([rng.choice(np.flatnonzero(mask)) if mask.any() else -1 for mask in masks])


def beside_single_envs(
    ours: SelfPlayVectorEnv, one: Callable[[], SelfPlayEnv], steps: int
) -> Iterator[tuple[SelfPlayVectorEnv, Any, NDArray[np.bool_]]]:
    """Plays both with the same actions, ours being pickled on the way. Yields ours, each step, and what has ended in
    it; games that stay over are reset after that."""
    mode = ours.autoreset_mode
    theirs = SyncVectorEnv([one] * ours.num_envs, autoreset_mode=mode)
    seeds = [5, 6, 7, 8][: ours.num_envs]
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert_same(ours.reset(seed=seeds), theirs.reset(seed=seeds))
    rng = np.random.default_rng(1)
    for k in range(steps):
        ours = pickle.loads(pickle.dumps(ours)) if k == steps // 2 else ours
        actions = random_actions(rng, ours.action_masks())
        if mode == AutoresetMode.NEXT_STEP:
            actions[actions < 0] = 0
        step = ours.step(actions)
        assert_same(step, theirs.step(actions))
        over = step[2] | step[3]
        yield ours, step, over
        if mode == AutoresetMode.DISABLED and over.any():
            options = {"reset_mask": over}
            assert_same(ours.reset(options=options), theirs.reset(options=dict(options)))


@each_game
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponent", OPPONENTS)
def test_is_gymnasiums_vector_of_single_envs_bit_for_bit(game: str, mode: str, opponent: str) -> None:
    ours = SelfPlayVectorEnv(
        game, 4, OPPONENTS[opponent](), autoreset=mode, threads=1 + (opponent == "greedy"), **SHORT
    )
    other, ended, seats = OPPONENTS[opponent](), 0, set()
    for _, step, over in beside_single_envs(
        ours, lambda: SelfPlayEnv(parlour.make(game, illegal_move="raise", **SHORT), other), 90
    ):
        ended += over.sum()
        seats |= set(step[4]["seat"].tolist())
    assert ended >= 3
    assert seats == set(range(ours.batch.num_seats))


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("opponent", ["random", "function", "player"])
def test_a_learner_that_is_out_for_good_has_come_to_its_end(mode: str, opponent: str) -> None:
    """A seat without chips under a limited bank: the others may play on for long."""
    options: dict[str, Any] = {"players": 4, "bank": "limited", "start_chips": 3, "rounds": 10**9, "max_stake": 3}
    ours = SelfPlayVectorEnv("crown_and_anchor-v0", 4, OPPONENTS[opponent](), autoreset=mode, **options)
    other, out = OPPONENTS[opponent](), 0
    for env, _, over in beside_single_envs(
        ours, lambda: SelfPlayEnv(parlour.make("crown_and_anchor-v0", illegal_move="raise", **options), other), 60
    ):
        if mode != "same_step":
            out += (over & (env.batch.games.states["end"] == 0)).sum()
            assert not env.action_masks()[over].any()
        if mode == "disabled" and over.any():
            assert (copy.deepcopy(env).sample_actions()[over] == -1).all()
    assert mode == "same_step" or out > 5


def test_a_function_is_asked_where_there_is_a_choice() -> None:
    """The Banker of Crown and Anchor can only throw."""
    asked = []

    def noting(observation: Any, mask: Any) -> Any:
        asked.append(mask.sum(axis=1).min())
        return by_what_it_sees(observation, mask)

    env = SelfPlayVectorEnv("crown_and_anchor-v0", 8, noting, **SHORT)
    run(env, 40, seed=3)
    single = SelfPlayEnv(parlour.make("crown_and_anchor-v0", **SHORT), noting)
    single.reset(seed=3)
    for _ in range(5):
        single.step(int(single.action_masks().nonzero()[0][0]))
    assert len(asked) > 20
    assert min(asked) > 1


def test_what_a_function_is_given_it_may_write_into() -> None:
    def writing(observation: Any, mask: Any) -> Any:
        actions = by_what_it_sees(observation, mask)
        observation[:], mask[:] = 100, 1
        return actions

    quiet, loud = (SelfPlayVectorEnv("pig-v0", 8, player, **SHORT) for player in (by_what_it_sees, writing))
    assert_same(run(quiet, 60, seed=3), run(loud, 60, seed=3))

    def cheating(observation: Any, mask: Any) -> Any:
        mask[:] = 1
        return np.full(len(mask), mask.shape[1] - 1)

    env = SelfPlayVectorEnv("checkers-v0", 8, cheating, seed=1)
    with pytest.raises(parlour.IllegalMove, match="opponent 'cheating' can't play action"):
        env.reset()


def test_after_an_interruption_reset_is_needed() -> None:
    def interrupting(observation: Any, mask: Any) -> Any:
        if interrupted:
            raise KeyboardInterrupt
        return by_what_it_sees(observation, mask)

    interrupted = False
    env = SelfPlayVectorEnv("pig-v0", 8, interrupting, seed=3, **SHORT)
    expected = run(env, 5, seed=3)
    interrupted = True
    with pytest.raises(KeyboardInterrupt):
        for _ in range(100):
            env.step(env.sample_actions())
    interrupted = False
    for call in (
        lambda: env.step(np.zeros(8, np.int64)),
        lambda: env.reset(options={"reset_mask": np.ones(8, np.bool_)}),
    ):
        with pytest.raises(
            AssertionError, match=r"reset\(\) needs to be called before .* \(The latest call was interrupted"
        ):
            call()
    assert_same(run(env, 5, seed=3), expected)


def run(env: SelfPlayVectorEnv, steps: int, seed: int | None = None) -> list[Any]:
    """All that comes back, by the environment's own random actions."""
    seen: list[Any] = [] if seed is None else [env.reset(seed=seed)]
    return seen + [copy.deepcopy(env.step(env.sample_actions())) for _ in range(steps)]


@each_game
@pytest.mark.parametrize("opponent", ["random", "greedy", "pool"])
def test_threads_change_nothing(game: str, opponent: str) -> None:
    one, three = (SelfPlayVectorEnv(game, 11, OPPONENTS[opponent](), threads=threads, **SHORT) for threads in (1, 3))
    assert_same(run(one, 40, seed=1), run(three, 40, seed=1))


@each_game
def test_the_seed_reproduces_everything(game: str) -> None:
    def pooled(**options: Any) -> SelfPlayVectorEnv:
        return SelfPlayVectorEnv(game, 5, mixed_pool(), "alternate", **SHORT, **options)

    env = pooled()
    first, other, again = run(env, 40, seed=1), run(env, 40, seed=2), run(env, 40, seed=1)
    assert_same(first, again)
    with pytest.raises(AssertionError):
        assert_same(first, other)
    made, reset = pooled(seed=9), pooled()
    assert_same([made.reset(), *run(made, 9)], run(reset, 9, seed=9))


def test_new_seeds_for_some_rows_change_no_other() -> None:
    def seats(reseeds: bool) -> list[int]:
        env, drawn = SelfPlayVectorEnv("pig-v0", 2, seed=0, autoreset="disabled", max_plies=9), []
        env.reset(seed=[11, 22])
        for step in range(400):
            *_, terminated, truncated, infos = env.step(env.sample_actions())
            over = terminated | truncated
            drawn += [int(infos["seat"][1])] if over[1] else []
            if reseeds and step == 100:
                env.reset(seed=[5, 6], options={"reset_mask": np.array([True, False])})
                over[0] = False
            if over.any():
                env.reset(options={"reset_mask": over})
        return drawn

    assert len(set(seats(False))) > 1
    assert seats(True) == seats(False)


@each_game
def test_a_full_history_halts_nobody(game: str) -> None:
    """Opponents play within a call for as long as there is room to count positions; then there is more of it."""
    usual, cramped = (SelfPlayVectorEnv(game, 6, "random", max_plies=100) for _ in range(2))
    games = cramped.batch.games
    counted = games.history.shape[1] > 1
    if counted:
        games.history = games.history[:, : FILTER_WORDS + 2].copy()
    assert_same(run(usual, 60, seed=3), run(cramped, 60, seed=3))
    assert games.history.shape[1] > 2 * (FILTER_WORDS + 2) or not counted


@each_game
@pytest.mark.parametrize("mode", MODES)
def test_copies_go_on_alike_and_apart(game: str, mode: str) -> None:
    env = SelfPlayVectorEnv(game, 4, "greedy", "alternate", autoreset=mode, **SHORT)
    run(env, 15, seed=3)
    twins = [copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = run(env, 30)
    for twin in twins:
        assert_same(run(twin, 30), expected)


@each_game
def test_what_is_returned_belongs_to_the_caller_unless_copy_is_off(game: str) -> None:
    env = SelfPlayVectorEnv(game, 3, "random")
    kept = env.reset(seed=1)
    snapshot = copy.deepcopy(kept)
    later = env.step(env.sample_actions())
    again = copy.deepcopy(later)
    run(env, 5)
    assert_same(kept, snapshot)
    assert_same(later, again)
    views = SelfPlayVectorEnv(game, 3, "random", copy=False)
    seen, _ = views.reset(seed=1)
    assert_same(run(views, 5)[-1][0], seen)


def test_is_a_vector_env() -> None:
    env = SelfPlayVectorEnv("swords_and_shields-v0", 3, autoreset="next_step")
    assert isinstance(env, VectorEnv)
    assert env.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    observation, infos = env.reset(seed=0)
    assert env.observation_space.contains(observation)
    assert env.action_space.contains(env.sample_actions())
    assert env.action_masks().dtype == np.bool_
    np.testing.assert_array_equal(env.action_masks(), observation["action_mask"] == 1)
    assert infos["_seat"].all()
    assert env.seed_of(1) == env.batch.seed_of(1)
    env.close()


def test_several_variants_in_one() -> None:
    env = SelfPlayVectorEnv("pig-v0", 32, "greedy", variant=["pig", "strict"], weights=[1, 3], variant_planes="variant")
    seen, infos = env.reset(seed=0)
    np.testing.assert_array_equal(seen["observation"][:, -1, 0, 0], infos["variant"])
    assert set(infos["variant"].tolist()) == {0, 1}
    *_, infos = env.step(np.ones(32, np.int64))
    assert infos["_variant"].all()


def test_a_function_is_asked_for_all_its_rows_at_once() -> None:
    asked: list[int] = []

    def counting(observation: Any, mask: Any) -> Any:
        asked.append(len(mask))
        return mask.argmax(axis=1)

    env = SelfPlayVectorEnv("swords_and_shields-v0", 64, counting, seat=0)
    env.reset(seed=0)
    env.step(env.sample_actions())
    assert asked == [64]


def test_a_game_that_stays_over_takes_no_action() -> None:
    env = SelfPlayVectorEnv("pig-v0", 2, lambda observation, mask: np.ones(len(mask), int), autoreset="disabled")
    env.reset(seed=0)
    over = np.zeros(2, np.bool_)
    while not over.any():
        _, _, terminations, truncations, _ = env.step(np.ones(2, np.int64))
        over = terminations | truncations
    ended = env.batch.position(int(over.argmax()))
    with pytest.raises(parlour.IllegalMove, match="is over and takes only action −1"):
        env.step(np.ones(2, np.int64))
    _, rewards, terminations, _, _ = env.step(np.where(over, -1, 1))
    assert rewards[over].tolist() == [0.0] * over.sum()
    assert terminations[over].all()
    assert env.batch.position(int(over.argmax())) == ended


def test_positions_to_begin_from() -> None:
    text = "scores 3 4 5 | player_1 | turn 6 | dice 2 4 | 12"
    env = SelfPlayVectorEnv("pig-v0", 3, "greedy", seat=0, goal=100)
    env.reset(seed=1, options={"position": text})
    assert (env.batch.games.states["plies"] > 12).all()
    with pytest.raises(ValueError, match="the game is over before the learner can act"):
        SelfPlayVectorEnv("pig-v0", 3, lambda observation, mask: np.ones(len(mask), int), seat=0).reset(
            options={"position": text.replace("3 4 5", "3 18 5")}
        )


OF_OBSERVATIONS: dict[str, Any] = {
    "FlattenObservation": lambda env: vector_wrappers.FlattenObservation(env),
    "NormalizeObservation": lambda env: vector_wrappers.NormalizeObservation(vector_wrappers.FlattenObservation(env)),
    "RescaleObservation": lambda env: vector_wrappers.RescaleObservation(vector_wrappers.FlattenObservation(env), 0, 1),
    "FilterObservation": lambda env: vector_wrappers.FilterObservation(env, ["observation"]),
    "DtypeObservation": lambda env: vector_wrappers.DtypeObservation(
        vector_wrappers.FlattenObservation(env), np.float32
    ),
}


def refused() -> Any:
    """How Gymnasium refuses an autoreset mode: 1.1 by an assertion without a message."""
    if version("gymnasium").startswith("1.1."):
        return pytest.raises(AssertionError)
    return pytest.raises(ValueError, match="NEXT_STEP")


@pytest.mark.parametrize("name", [*OF_OBSERVATIONS, "RecordEpisodeStatistics"])
def test_gymnasiums_own_wrappers_take_it_or_refuse_it_as_the_class_says(name: str) -> None:
    wrap = OF_OBSERVATIONS.get(name, vector_wrappers.RecordEpisodeStatistics)
    assert name in str(SelfPlayVectorEnv.__doc__)
    for mode in ("same_step", "next_step"):
        env = SelfPlayVectorEnv("pig-v0", 3, seed=0, autoreset=mode, max_plies=6)
        if mode == "same_step" and name in OF_OBSERVATIONS:
            with refused():
                wrap(env)
            continue
        wrapped = wrap(env)
        wrapped.reset(seed=0)
        for _ in range(20):
            wrapped.step(env.sample_actions())


def test_more_rows_than_one_call_may_play_on() -> None:
    """What a call leaves over, the next one does: rows at the end of many play as they do among few."""
    many = SelfPlayVectorEnv("pig-v0", 150_000, "greedy", seed=1)
    last = [many.seed_of(i) for i in range(149_992, 150_000)]
    few = SelfPlayVectorEnv("pig-v0", 8, "greedy")
    few.reset(seed=last)
    many.reset()
    for _ in range(3):
        actions, own = many.sample_actions(), few.sample_actions()
        assert (actions[-8:] == own).all()
        seen, others = many.step(actions), few.step(own)
        for key in seen[0]:
            assert (seen[0][key][-8:] == others[0][key]).all()
        for k in (1, 2, 3):
            assert (seen[k][-8:] == others[k]).all()
