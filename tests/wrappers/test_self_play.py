"""`SelfPlayEnv`: a Gymnasium environment, and the same play as a plain loop over the AEC environment."""

from __future__ import annotations

import copy
import pickle
from collections import Counter
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import parlour
from parlour.interfaces.registry import find, gymnasium_name
from parlour.players import GamesView, parse_player
from parlour.wrappers import HistoryPlanes, OpponentPool, SelfPlayEnv, SelfPlayVectorEnv
from parlour.wrappers.base import ObservationWrapper
from tests.support.cases import GAMES, each_game
from tests.wrappers.cases import by_what_it_sees, first_legal

SHORT: dict[str, Any] = {"max_plies": 60}
IDS = {
    "pig-v0": "Pig-v0",
    "swords_and_shields-v0": "SwordsAndShields-v0",
    "acey_ducey-v0": "AceyDucey-v0",
    "crown_and_anchor-v0": "CrownAndAnchor-v0",
    "checkers-v0": "Checkers-v0",
    "agon-v0": "Agon-v0",
    "royal_ur-v0": "RoyalUr-v0",
    "backgammon-v0": "Backgammon-v0",
}


def choice(point: int, mask: Any) -> int:
    legal = np.flatnonzero(mask)
    return int(legal[point % len(legal)])


def by_last_legal(observation: Any, mask: Any) -> Any:
    return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)


def flat(observation: Any) -> list[Any]:
    return [observation["observation"].tolist(), observation["action_mask"].tolist()]


def episode(env: SelfPlayEnv, observation: Any, rng: np.random.Generator) -> list[Any]:
    """What the learner sees of a game, up to its end."""
    seen = [flat(observation)]
    assert env.action_masks().dtype == np.bool_
    over = False
    while not over:
        observation, reward, terminated, truncated, info = env.step(
            choice(int(rng.integers(10**6)), env.action_masks())
        )
        seen.append((flat(observation), reward, terminated, truncated, info))
        over = terminated or truncated
    return seen


def plain_game(env: Any, seat: int, opponent: str, rng: np.random.Generator) -> list[Any] | None:
    """The same by a loop over the AEC environment, as PettingZoo's documentation has it; None if the learner is never
    to act."""
    seen: list[Any] = []
    learner = f"player_{seat}"
    gained = 0.0
    player = None if opponent == "seeing" else parse_player(opponent)

    def watch() -> None:
        flags = env.terminations[learner], env.truncations[learner]
        part = flat(env.observe(learner))
        seen.append((part, gained, *flags, {"seat": seat}) if seen else part)

    while not env.is_over():
        agent = env.agent_selection
        view = env.observe(agent)
        if agent == learner:
            watch()
            gained = 0.0
            action = choice(int(rng.integers(10**6)), view["action_mask"])
        elif player is None:
            action = int(by_what_it_sees(view["observation"][None], view["action_mask"][None])[0])
        else:
            actions = np.zeros(1, np.int64)
            env.games.observe()
            player.choose(GamesView(env.games), np.ones(1, np.bool_), actions)
            action = int(actions[0])
        env.step(action)
        gained += env.rewards[learner]
    if not seen:
        return None
    watch()
    return seen


@each_game
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("opponent", ["random", "greedy", "seeing"])
def test_is_a_plain_loop_over_the_aec_environment(game: str, opponent: str, seat: int) -> None:
    """Observations, rewards between the learner's plies, and ends; games without a ply of the learner's are left
    out."""
    env = SelfPlayEnv(parlour.make(game, **SHORT), by_what_it_sees if opponent == "seeing" else opponent, seat)
    plain = parlour.make(game, **SHORT)
    for seed in (3, None, None, 8, None):
        observation, info = env.reset(seed=seed)
        assert info == {"seat": seat}
        played = episode(env, observation, np.random.default_rng(7))
        plain.reset(seed=seed)
        while (expected := plain_game(plain, seat, opponent, np.random.default_rng(7))) is None:
            plain.reset()
        assert played == expected


@each_game
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("opponent", ["random", "greedy"])
def test_gymnasiums_checks(game: str, opponent: str, recwarn: Any) -> None:
    env = gymnasium.make(f"parlour/{gymnasium_name(find(game))}", opponent=opponent, render_mode="ansi")
    assert isinstance(env.unwrapped, SelfPlayEnv)
    check_env(env.unwrapped, skip_render_check=True)
    env.reset(seed=1)
    assert env.render() == env.unwrapped.env.ansi()
    env.close()


def test_ids_for_gymnasium() -> None:
    for game in GAMES:
        assert gymnasium_name(find(game)) == IDS[game]
        assert f"parlour/{IDS[game]}" in gymnasium.registry


@each_game
def test_make_takes_options_for_both_faces(game: str) -> None:
    name, variant = f"parlour/{IDS[game]}", list(parlour.variants(game))[-1]
    single = gymnasium.make(name, opponent="greedy", seat=1, variant=variant, max_plies=30, illegal_move="raise")
    assert single.unwrapped.env.variant == variant
    assert single.unwrapped.env.values["max_plies"] == 30
    assert single.reset(seed=0)[1] == {"seat": 1}
    many = gymnasium.make_vec(name, num_envs=3, opponent="greedy", seat="alternate", variant=variant, max_plies=30)
    assert isinstance(many, SelfPlayVectorEnv)
    assert many.batch.variants == [variant]
    assert gymnasium.make_vec(name, num_envs=3, vectorization_mode="vector_entry_point").num_envs == 3
    sync = gymnasium.make_vec(name, num_envs=2, vectorization_mode="sync", opponent="random")
    assert sync.reset(seed=1)[0]["action_mask"].shape[0] == 2


@each_game
def test_the_seed_reproduces_opponents_and_seats(game: str) -> None:
    pool = OpponentPool({"random": "random", "greedy": "greedy", "seeing": by_what_it_sees})
    env = SelfPlayEnv(parlour.make(game, **SHORT), pool)

    def three_games(seed: int) -> list[Any]:
        played = []
        for each in (seed, None, None):
            observation, info = env.reset(seed=each)
            played += [info, env._matchmaker.opponent_of(0).name, *episode(env, observation, np.random.default_rng(2))]
        return played

    first = three_games(5)
    assert first != three_games(6)
    assert first == three_games(5)


def test_seats() -> None:
    """Each as often at random; in turn; always the same."""
    env = SelfPlayEnv(parlour.make("pig-v0"))
    drawn = Counter(env.reset(seed=seed)[1]["seat"] for seed in range(300))
    assert sorted(drawn) == [0, 1, 2]
    assert min(drawn.values()) > 60
    going_on = Counter(env.reset()[1]["seat"] for _ in range(300))
    assert min(going_on.values()) > 60
    alternating = SelfPlayEnv(parlour.make("pig-v0"), seat="alternate")
    seats = [alternating.reset(seed=4)[1]["seat"], *(alternating.reset()[1]["seat"] for _ in range(8))]
    assert seats == [(seats[0] + k) % 3 for k in range(9)]
    assert {alternating.reset(seed=seed)[1]["seat"] for seed in range(30)} == {0, 1, 2}
    assert {SelfPlayEnv(parlour.make("pig-v0"), seat=2).reset()[1]["seat"] for _ in range(9)} == {2}


def test_a_learner_who_does_not_begin_gets_what_it_was_paid_before() -> None:
    """In this pig a one costs its thrower 2, for the next seat. Player 0 throws a six and begins, throws again and
    throws a one: player 1 is paid before its first ply."""
    env = SelfPlayEnv(parlour.make("pig-v0", fine=2.0), lambda observation, mask: np.zeros(len(mask), int), seat=1)
    throws = [(6,), (3, 4), (1, 5), (2, 2), (3, 3), (1, 1), (6, 1), (2, 4), (5, 1), (4, 4)]
    env.reset(seed=0, options={"dice": throws})
    _, reward, *_ = env.step(0)
    assert reward == 2.0
    observation, reward, *_ = env.step(0)  # (1, 1): −2; player 2 throws a one and pays player 0, who pays player 1
    assert reward == 0.0
    assert observation["observation"].ravel().tolist() == [0, 0, 0, 8, 4, 4]


def test_a_game_over_before_the_learner_acts_is_no_episode() -> None:
    env = SelfPlayEnv(parlour.make("pig-v0", goal=1), lambda observation, mask: np.ones(len(mask), int), seat=0)
    many = SelfPlayVectorEnv("pig-v0", 8, lambda observation, mask: np.ones(len(mask), int), seat=0, goal=1)
    alone = parlour.make("pig-v0", goal=1)
    begins = set()
    for seed in range(20):
        env.reset(seed=seed)
        assert env.env.agent_selection == "player_0"
        assert env.step(1)[1:4] == (pytest.approx(env._returns[0, 0]), True, False)
        many.reset(seed=seed)
        assert many.batch.games.to_act.tolist() == [0] * 8
        alone.reset(seed=seed)
        begins.add(alone.agent_selection)
    assert len(begins) == 3
    never = SelfPlayEnv(parlour.make("swords_and_shields-v0", max_plies=1), seat=1)
    with pytest.raises(ValueError, match="100 games in a row were over before the learner could act"):
        never.reset()
    with pytest.raises(ValueError, match="100 games in a row were over before the learner could act"):
        SelfPlayVectorEnv("swords_and_shields-v0", 2, seat=1, max_plies=1).reset()


def test_positions_to_begin_from() -> None:
    text = "scores 3 4 5 | player_1 | turn 6 | dice 2 4 | 12"
    env = SelfPlayEnv(parlour.make("pig-v0"), lambda observation, mask: np.ones(len(mask), int), seat=0)
    env.reset(seed=1, options={"position": text, "dice": [(2, 2), (3, 3)]})
    assert env.env.position() == "scores 3 10 9 | player_0 | turn 6 | dice 3 3 | 14"
    almost = text.replace("scores 3 4 5", "scores 3 18 5")
    with pytest.raises(ValueError, match="the game is over before the learner can act"):
        env.reset(options={"position": almost})
    with pytest.raises(ValueError, match="position"):
        env.reset(options={"position": "nonsense"})


def test_an_illegal_action_is_a_game_lost() -> None:
    env = SelfPlayEnv(parlour.make("swords_and_shields-v0"), OpponentPool({"random": "random"}), seat=0)
    env.reset(seed=1)
    observation, reward, terminated, truncated, _ = env.step(0)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert not observation["action_mask"].any()
    assert env._matchmaker.pool.win_rates == {"random": 0.0}
    with pytest.raises(AssertionError, match="the game is over"):
        env.step(0)


@each_game
def test_over_wrappers_of_observations(game: str) -> None:
    """The learner and a function see what the wrapper shows them."""
    shapes = set()

    def opponent(observation: Any, mask: Any) -> Any:
        shapes.add(observation.shape[1:])
        return by_what_it_sees(observation, mask)

    env = SelfPlayEnv(HistoryPlanes(parlour.make(game, **SHORT), 2), opponent)
    observation, _ = env.reset(seed=2)
    assert env.observation_space.contains(observation)
    assert shapes <= {observation["observation"].shape}
    rng = np.random.default_rng(1)
    for _ in range(30):
        before = observation
        observation, _, terminated, truncated, _ = env.step(choice(int(rng.integers(99)), observation["action_mask"]))
        assert env.observation_space.contains(observation)
        half = len(observation["observation"]) // 2
        np.testing.assert_array_equal(observation["observation"][half:], before["observation"][:half])
        if terminated or truncated:
            observation, _ = env.reset()
    assert shapes == {observation["observation"].shape}
    check_env(SelfPlayEnv(HistoryPlanes(parlour.make(game), 2)), skip_render_check=True)


class Backwards(ObservationWrapper):
    """Actions are numbered from the last to the first."""

    def seen_space(self, space: Any) -> Any:
        return space

    def see(self, observation: Any, agent: str) -> Any:
        return {**observation, "action_mask": observation["action_mask"][::-1].copy()}

    def step(self, action: int | None) -> None:
        self.env.step(None if action is None else self.action_space(self.agent_selection).n - 1 - action)

    def parse_move(self, text: str) -> int:
        return int(self.action_space(self.agent_selection).n) - 1 - self.env.parse_move(text)


def test_over_wrappers_of_actions() -> None:
    """A function plays by what it is shown; a player of the game can't."""
    turned = SelfPlayEnv(Backwards(parlour.make("swords_and_shields-v0")), first_legal, 1)
    usual = SelfPlayEnv(parlour.make("swords_and_shields-v0"), by_last_legal, 1)
    turned.reset(seed=1)
    observation, _ = usual.reset(seed=1)
    for _ in range(6):
        last = len(observation["action_mask"]) - 1
        action = int(observation["action_mask"].argmax())
        observation, *_ = usual.step(action)
        seen, *_ = turned.step(last - action)
        np.testing.assert_array_equal(seen["action_mask"], observation["action_mask"][::-1])
        assert turned.env.unwrapped.position() == usual.env.unwrapped.position()
    with pytest.raises(ValueError, match="opponent 'greedy' plays by the game's own actions"):
        SelfPlayEnv(Backwards(parlour.make("swords_and_shields-v0")), "greedy", 1).reset()


@each_game
def test_copies_go_on_alike_and_apart(game: str) -> None:
    env = SelfPlayEnv(parlour.make(game, **SHORT), "greedy", "alternate")
    observation, _ = env.reset(seed=1)
    for _ in range(2):
        observation, _, terminated, truncated, _ = env.step(choice(1, observation["action_mask"]))
        if terminated or truncated:
            observation, _ = env.reset()

    def go_on(twin: SelfPlayEnv) -> list[Any]:
        played = episode(twin, observation, np.random.default_rng(3))
        following, info = twin.reset()
        return [*played, info, *episode(twin, following, np.random.default_rng(4))]

    twins = [copy.copy(env), copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    expected = go_on(env)
    for twin in twins:
        assert go_on(twin) == expected


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("robot",), r"there is no player 'robot'; players: 'random', 'greedy', 'reckless'"),
        ((3,), "opponent '3': 3 is not valid; valid: a player's name"),
        (("random", 3), "seat 3 is not valid; valid: 'random' and 'alternate', or a number from 0 to 2"),
        (("random", "first"), "seat 'first' is not valid"),
        (("random", True), "seat True is not valid"),
    ],
)
def test_arguments_that_are_not_valid(arguments: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SelfPlayEnv(parlour.make("pig-v0"), *arguments)
    with pytest.raises(ValueError, match=message):
        SelfPlayVectorEnv("pig-v0", 2, *arguments)


def test_environments_that_are_not_valid() -> None:
    from pettingzoo.classic import tictactoe_v3

    with pytest.raises(ValueError, match=r"not an environment of parlour\.make"):
        SelfPlayEnv(tictactoe_v3.env())
    env = SelfPlayEnv(parlour.make("pig-v0"))
    with pytest.raises(AssertionError, match="reset"):
        env.step(0)


@pytest.mark.parametrize("answer", [99, -1])
def test_an_opponents_illegal_action_is_named(answer: int) -> None:
    def clumsy(observation: Any, mask: Any) -> Any:
        return np.full(len(mask), answer)

    with pytest.raises(parlour.IllegalMove, match=rf"opponent 'clumsy' can't play action {answer} as player_0"):
        SelfPlayEnv(parlour.make("swords_and_shields-v0"), clumsy, 1).reset(seed=0)
    with pytest.raises(parlour.IllegalMove, match=rf"opponent 'clumsy' can't play action {answer} as player_0"):
        SelfPlayVectorEnv("swords_and_shields-v0", 3, clumsy, 1).reset(seed=0)


@pytest.mark.parametrize("plies", [0, 3])
def test_what_an_opponent_raises_asks_for_a_reset(plies: int) -> None:
    """Else the learner's action would be played for the opponent."""
    asked = 0

    def failing(observation: Any, mask: Any) -> Any:
        nonlocal asked
        asked += 1
        if asked == plies + 1:
            raise RuntimeError
        return mask.argmax(axis=1)

    def play() -> None:
        env.reset(seed=0)
        while True:
            env.step(int(env.action_masks().argmax()))

    env = SelfPlayEnv(parlour.make("checkers-v0"), failing, 1)
    with pytest.raises(RuntimeError):
        play()
    with pytest.raises(AssertionError, match="reset"):
        env.step(int(env.env.observe("player_0")["action_mask"].argmax()))
    env.reset(seed=0)
    env.step(int(env.action_masks().argmax()))


def test_an_opponents_answer_of_another_form_is_named() -> None:
    for answer in (np.zeros(7, int), np.zeros(1), None):
        env = SelfPlayEnv(parlour.make("swords_and_shields-v0"), lambda observation, mask, answer=answer: answer, 1)
        with pytest.raises(ValueError, match="must give whole numbers of shape"):
            env.reset(seed=2)
