"""VariantSelector, and the same in a batch."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.players import GamesView
from parlour.players.search.expectimax import Expectimax
from parlour.wrappers import VariantSelector
from tests.support.cases import GAMES
from tests.support.games import batch_of, begun

SWORDS = "swords_and_shields-v0"
NAMES = list(parlour.variants(SWORDS))


def played(env: VariantSelector, episodes: int) -> list[int]:
    numbers = []
    for _ in range(episodes):
        env.reset()
        numbers.append(env.last()[4]["variant"])
    return numbers


def random_game(env: Any, rng: np.random.Generator) -> list[Any]:
    """What is seen of a game up to and with its end."""
    seen = []
    while True:
        observation, _, terminated, truncated, info = env.last()
        seen.append(
            (env.agent_selection, observation["observation"].tobytes(), observation["action_mask"].tobytes(), info)
        )
        if terminated or truncated:
            return seen
        env.step(int(rng.choice(np.flatnonzero(observation["action_mask"]))))


def test_every_variant_is_played_as_its_own_environment_plays_it() -> None:
    env = VariantSelector(parlour.make(SWORDS, max_plies=60))
    assert env.labels == NAMES
    for number, name in enumerate(NAMES):
        env.reset(seed=4, options={"variant": name})
        alone = begun(SWORDS, 4, variant=name, max_plies=60)
        assert env.variant == name
        assert env.infos == {agent: {"variant": number} for agent in env.agents}
        ours, its = random_game(env, np.random.default_rng(number)), random_game(alone, np.random.default_rng(number))
        assert [row[:3] for row in ours] == [row[:3] for row in its]
        assert {row[3]["variant"] for row in ours} == {number}


def test_weights_are_kept_within_chance() -> None:
    env = VariantSelector(parlour.make(SWORDS), weights=[1, 0, 3])
    env.reset(seed=1)
    counts = Counter(played(env, 2000))
    assert counts[1] == 0
    assert abs(counts[2] - 1500) < 5 * np.sqrt(2000 * 0.25 * 0.75)  # five standard deviations: once in two million runs


def test_a_schedule_counts_episodes() -> None:
    env = VariantSelector(parlour.make(SWORDS), schedule={0: [1, 0, 0], 3: [0, 1, 0], 5: [0, 0, 1]})
    assert played(env, 7) == [0, 0, 0, 1, 1, 2, 2]


def test_a_function_chooses_by_episode_and_generator() -> None:
    def choose(episode: int, generator: np.random.Generator) -> str | int:
        return "tablut" if episode == 0 else int(generator.integers(3))

    runs = []
    for _ in range(2):
        env = VariantSelector(parlour.make(SWORDS), choose=choose)
        env.reset(seed=9)
        runs.append([env.last()[4]["variant"], *played(env, 30)])
    assert runs[0] == runs[1]
    assert runs[0][0] == NAMES.index("tablut")
    assert set(runs[0]) == {0, 1, 2}


def test_option_values_make_variants_and_options_given_to_make_stay() -> None:
    env = VariantSelector(parlour.make(SWORDS, max_plies=5), ["tablut", {"variant": "tablut", "repetition": 0}])
    env.reset(options={"variant": 1})
    assert env.labels == ["tablut", "tablut repetition=0"]
    assert env.variant == "tablut"
    assert env.values["repetition"] == 0
    assert env.values["max_plies"] == 5
    env.reset(options={"variant": "tablut"})
    assert env.values["repetition"] == 3


def test_planes_tell_the_variant_or_its_options() -> None:
    plain = parlour.make(SWORDS)
    own = plain.observation_space("player_0")["observation"].shape[0]
    one_hot = VariantSelector(parlour.make(SWORDS), planes="variant")
    by_option = VariantSelector(parlour.make(SWORDS), planes="options")
    differing = ["throne_hostile", "chief_beside_throne", "escape"]
    for number, name in enumerate(NAMES):
        for env, expected in (
            (one_hot, [int(k == number) for k in range(3)]),
            (by_option, [int(plain.unwrapped.game.resolve(name, {})[1][option] != plain.unwrapped.values[option])
                         for option in differing]),
        ):  # fmt: skip
            env.reset(options={"variant": name})
            planes = env.last()[0]["observation"]
            assert planes.shape == (own + 3, 9, 9)
            assert [np.unique(plane).tolist() for plane in planes[own:]] == [[value] for value in expected]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"variants": ["nowhere"]}, "no variant 'nowhere'; variants: 'milton_bradley'"),
        ({"variants": []}, "at least one"),
        ({"variants": ["tablut", "tablut"]}, "'tablut' is named twice"),
        ({"weights": [1, 2]}, "weights must be 3 finite numbers"),
        ({"weights": [0, 0, 0]}, "not all 0"),
        ({"weights": [1, -1, 1]}, "weights must be 3"),
        ({"schedule": {1: [1, 1, 1]}}, "a schedule maps first episodes"),
        ({"schedule": {0: [1, 1]}}, "weights must be 3"),
        ({"weights": [1, 1, 1], "schedule": {0: [1, 1, 1]}}, "weights and schedule can't be given together"),
        ({"planes": "colours"}, "variant_planes 'colours' is not valid; valid: 'variant', 'options' and None"),
    ],
)
def test_refuses_what_makes_no_sense(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        VariantSelector(parlour.make(SWORDS), **arguments)


def test_refuses_variants_of_other_spaces() -> None:
    with pytest.raises(ValueError, match="different spaces"):
        VariantSelector(parlour.make("pig-v0"), [{"players": 2}, {"players": 5}])
    with pytest.raises(ValueError, match="has other spaces"):
        VariantSelector(parlour.make("pig-v0", players=3), [{"players": 2}])
    env = begun("pig-v0", 1, players=3)
    before = env.position()
    with pytest.raises(ValueError, match="other spaces"):
        env.reset(options={"variant": {"players": 2}})
    assert env.position() == before


def test_a_reset_that_fails_changes_nothing() -> None:
    env, twin = (VariantSelector(parlour.make(SWORDS)) for _ in range(2))
    for one in (env, twin):
        one.reset(seed=2)
    for options, message in (
        ({"variant": "chess"}, "not among those that are played: 'milton_bradley'"),
        ({"variant": 3}, "not among those"),
        ({"position": "x"}, "a position needs its variant beside it"),
        ({"variant": 0, "position": "x"}, "x"),
    ):
        before = env.position()
        with pytest.raises(ValueError, match=message):
            env.reset(options=options)
        assert env.position() == before
    assert played(env, 20) == played(twin, 20)


# --- the same in a batch ---


@pytest.mark.parametrize("planes", [None, "variant", "options"])
@pytest.mark.parametrize("game", GAMES)
def test_rows_of_a_batch_play_as_a_selector_does(game: str, planes: str | None) -> None:
    """Bit for bit, over many episodes: variants, masks, observations, ends."""
    names = list(parlour.variants(game))
    weights = list(range(3, len(names) + 3))
    limits = {"max_plies": 8}
    batch = parlour.make_batch(
        game, 5, variant=names, weights=weights, variant_planes=planes, seed=8, threads=2, **limits
    )
    envs = [VariantSelector(parlour.make(game, **limits), weights=weights, planes=planes) for _ in range(5)]
    seen, infos = batch.reset()
    for i, env in enumerate(envs):
        env.reset(seed=batch.seed_of(i))
    episodes: Counter[int] = Counter()
    for _ in range(150):
        for i, env in enumerate(envs):
            observation, _, _, _, info = env.last()
            assert env.agent_selection == f"player_{infos['to_act'][i]}"
            assert np.array_equal(observation["observation"], seen["observation"][i])
            assert np.array_equal(observation["action_mask"], seen["action_mask"][i])
            if len(names) > 1:
                assert info["variant"] == infos["variant"][i]
                episodes[info["variant"]] += 1
        actions = batch.sample_actions().copy()
        seen, _, terminated, truncated, infos = batch.step(actions)
        for i, env in enumerate(envs):
            env.step(int(actions[i]))
            _, _, over, cut, _ = env.last()
            assert (over, cut) == (terminated[i], truncated[i])
            if over or cut:
                final = env.observe(f"player_{infos['final_to_act'][i]}")
                assert np.array_equal(final["observation"], infos["final_obs"]["observation"][i])
                env.reset()
    assert len(episodes) == (len(names) if len(names) > 1 else 0)


def test_weights_of_a_batch_can_change() -> None:
    batch = parlour.make_batch(SWORDS, 40, variant=NAMES, weights=[1, 0, 0], seed=3, max_plies=3)
    _, infos = batch.reset()
    assert set(infos["variant"]) == {0}
    batch.set_weights([0, 1, 1])
    assert set(infos["variant"]) == {0}  # those being played go on
    for _ in range(3):
        infos = batch.step(batch.sample_actions())[4]
    assert set(infos["variant"]) == {1, 2}
    with pytest.raises(ValueError, match="weights must be 3"):
        batch.set_weights([1, 1])


def test_a_batch_can_be_told_the_variant_of_each_row() -> None:
    batch = parlour.make_batch(SWORDS, 3, variant=NAMES, seed=3)
    _, infos = batch.reset(options={"variant": ["tablut", 0, "corner_escape"]})
    assert infos["variant"].tolist() == [1, 0, 2]
    _, infos = batch.reset(options={"variant": "tablut", "reset_mask": np.array([True, False, False])})
    assert infos["variant"].tolist() == [1, 0, 2]
    text = batch_of(SWORDS, 1, variant="corner_escape", seed=0)
    batch.reset(options={"variant": "corner_escape", "position": text.position(0)})
    assert batch.position(2) == text.position(0)
    for options, message in (
        ({"variant": "chess"}, "not among those"),
        ({"variant": ["tablut"]}, "variant takes one for all games, or a list of 3"),
        ({"position": text.position(0)}, "a position needs its variant beside it"),
    ):
        with pytest.raises(ValueError, match=message):
            batch.reset(options=options)
    assert batch.position(2) == text.position(0)


def test_repetition_counts_in_the_rows_whose_variant_looks_at_it() -> None:
    variants = [{"repetition": 2}, {"repetition": 0}]
    batch = parlour.make_batch(SWORDS, 2, variant=variants, seed=3, autoreset="disabled")
    batch.reset(options={"variant": [0, 1]})
    there_and_back = ["d9-c9", "d5-d6", "c9-d9", "d6-d5"]
    for move in there_and_back:
        action = batch.games.parse_move(0, move)
        terminated = batch.step(np.full(2, action))[2]
    assert terminated.tolist() == [True, False]


def test_variants_that_forbid_repetitions_and_others_are_played_in_turn() -> None:
    """A search that has begun under one variant goes by the rules of the other."""
    env = VariantSelector(
        parlour.make(SWORDS, illegal_move="raise"), ["tablut", {"repetition": 2, "repeats": "forbidden"}]
    )
    search = Expectimax(1)
    start = "9/9/9/9/2c6/9/9/6s2/9 o"
    legal = []
    for label in ("tablut", "milton_bradley repetition=2 repeats=forbidden") * 2:
        assert label in env.labels
        env.reset(seed=1, options={"variant": label, "position": start})
        for move in ("c5-c6", "g2-g3", "c6-c5"):
            env.step(env.unwrapped.parse_move(move))
        legal.append("g3-g2" in env.unwrapped.legal_moves())
        actions = np.zeros(1, np.int64)
        search.choose(GamesView(env.unwrapped.games), np.ones(1, np.bool_), actions)
        env.step(int(actions[0]))
    assert legal == [True, False, True, False]
