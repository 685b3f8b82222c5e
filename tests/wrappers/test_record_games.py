"""`RecordGames`: what it writes is read back and verified, whatever way the games began and the dice came."""

from __future__ import annotations

import copy
import json
import multiprocessing
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.registry import find
from parlour.records import GameRecord, read_records, replay
from parlour.testing.subject import random_action
from parlour.wrappers import RecordGames
from tests.support.cases import each_game
from tests.support.games import begun

SWORDS = "swords_and_shields-v0"
SHORT: dict[str, Any] = {"max_plies": 40}


def play(env: Any, rng: np.random.Generator) -> list[float]:
    """Plays the game to its end; the sum of each seat's rewards."""
    totals = np.zeros(len(env.possible_agents))
    while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
        env.step(random_action(env, rng))
        totals += list(env.unwrapped.rewards.values())
    return totals.tolist()


def verified(path: Path) -> list[GameRecord]:
    records = read_records(path)
    for number, record in enumerate(records, 1):
        list(replay(record, f"line {number}"))
    return records


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.jsonl"


@each_game
def test_games_from_a_seed_and_those_that_follow(game: str, path: Path) -> None:
    env = RecordGames(parlour.make(game, **SHORT), path)
    rng = np.random.default_rng(1)
    returns = []
    for seed in (7, None, None, 2**70):
        env.reset(seed=seed)
        returns.append(play(env, rng))
    records = verified(path)
    assert [record.seed for record in records] == [7, None, None, 2**70]
    assert [record.returns for record in records] == returns
    for record in records:
        assert (record.game, record.parlour) == (game, parlour.__version__)
        assert (record.variant, record.options) == (env.unwrapped.variant, env.unwrapped.values)
        assert record.players == env.possible_agents
        assert record.end
        assert record.position == ""
        assert (record.dice is not None) == bool(env.unwrapped.game.rules.DICE)


def test_the_first_game_without_a_seed_has_one(path: Path) -> None:
    env = RecordGames(parlour.make("pig-v0"), path)
    env.reset()
    play(env, np.random.default_rng(0))
    (record,) = verified(path)
    assert record.seed is not None
    same = GameRecord(**{**vars(record), "dice": None})
    list(replay(same, "from the seed alone"))


@each_game
def test_a_game_from_a_position(game: str, path: Path) -> None:
    env = begun(game, seed=2, **SHORT)
    rng = np.random.default_rng(2)
    for _ in range(3):
        env.step(random_action(env, rng))
    text = env.position()
    recorder = RecordGames(env, path)
    recorder.reset(options={"position": text})
    play(recorder, rng)
    (record,) = verified(path)
    assert record.position == text
    assert record.seed is None


def test_given_dice_are_recorded_whenever_they_are_given(path: Path) -> None:
    env = RecordGames(parlour.make("pig-v0", goal=60), path)
    env.reset(seed=1, options={"dice": [(3,), (6,), (2, 2), (5, 5)]})
    env.step(0)
    env.step(0)
    env.step(0)
    env.set_dice([(4, 3), (1, 1), (6, 6)])
    env.step(0)
    env.step(0)
    env.set_dice([(2, 3)])
    play(env, np.random.default_rng(0))
    (record,) = verified(path)
    assert record.dice is not None
    assert record.dice[:4] == [[3], [6], [2, 2], [5, 5]]
    assert [record.dice.index([4, 3]) + k for k in range(3)] == [6, 7, 8]
    assert record.dice[6:9] == [[4, 3], [1, 1], [6, 6]]
    assert [2, 3] in record.dice[9:]


def test_many_throws(path: Path) -> None:
    env = RecordGames(parlour.make("pig-v0", goal=10**6, max_plies=500), path)
    env.reset(seed=1)
    play(env, np.random.default_rng(0))
    (record,) = verified(path)
    assert record.dice is not None
    assert len(record.dice) > 500


def test_what_is_not_played_to_its_end_by_the_rules_is_not_recorded(path: Path) -> None:
    env = RecordGames(parlour.make(SWORDS, **SHORT), path)
    env.reset(seed=0)
    env.step(env.parse_move("d9-d6"))
    env.reset(seed=1)
    illegal = int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"] == 0)[0])
    env.step(illegal)
    for _ in env.agents[:]:
        env.step(None)
    assert path.read_text() == ""
    env.reset(seed=2)
    play(env, np.random.default_rng(0))
    for _ in env.agents[:]:
        env.step(None)
    assert len(verified(path)) == 1
    text = env.position()
    env.reset(options={"position": text})  # over already
    for _ in env.agents[:]:
        env.step(None)
    assert len(verified(path)) == 1


def test_other_variants_and_options(path: Path) -> None:
    env = RecordGames(parlour.make(SWORDS, repetition=2), path)
    names = ["tablut", "corner_escape", {"variant": "tablut", "max_plies": 30}]
    for name in names:
        env.reset(options={"variant": name})
        play(env, np.random.default_rng(3))
    records = verified(path)
    assert [record.variant for record in records] == ["tablut", "corner_escape", "tablut"]
    assert [record.options["repetition"] for record in records] == [2, 2, 2]
    assert records[2].options["max_plies"] == 30


def test_copies_record_their_own_games(path: Path) -> None:
    env = RecordGames(parlour.make("pig-v0", goal=40), path)
    env.reset(seed=4)
    for action in (0, 0, 1, 0):
        env.step(action)
    twins = [copy.deepcopy(env), env.clone(), pickle.loads(pickle.dumps(env)), env.clone(seed=99)]
    for one in (env, *twins):
        play(one, np.random.default_rng(5))
    records = verified(path)
    assert records[:4] == [records[0]] * 4
    assert records[4].dice != records[0].dice
    assert len({tuple(map(tuple, (record.dice or [])[:6])) for record in records}) == 1


def test_players_have_names(path: Path) -> None:
    env = RecordGames(parlour.make(SWORDS, **SHORT), path, players=["learner", "José"])
    env.reset(seed=0)
    play(env, np.random.default_rng(0))
    assert verified(path)[0].players == ["learner", "José"]
    for players in (["one"], "ab", [1, 2], 5):
        with pytest.raises(ValueError, match="players must be 2 texts"):
            RecordGames(parlour.make(SWORDS), path, players)  # type: ignore[arg-type]


def test_lines_are_added(path: Path) -> None:
    for seed in (1, 2):
        env = RecordGames(parlour.make(SWORDS, **SHORT), path)
        env.reset(seed=seed)
        play(env, np.random.default_rng(seed))
        assert path.read_text().endswith("}\n")  # before anything is closed
    assert [record.seed for record in verified(path)] == [1, 2]


def record_some(path: Path, first: int) -> None:
    env = RecordGames(parlour.make("pig-v0", goal=500, max_plies=300), path)
    for seed in range(first, first + 15):
        env.reset(seed=seed)
        play(env, np.random.default_rng(seed))


def test_processes_share_a_file(path: Path) -> None:
    context = multiprocessing.get_context("fork")
    workers = [context.Process(target=record_some, args=(path, 100 * k)) for k in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert sorted(line["seed"] for line in lines) == [100 * k + n for k in range(3) for n in range(15)]


@pytest.mark.parametrize("name", [".", "none/games.jsonl", "a\0b", 5])
def test_a_file_that_cannot_be_written_is_refused_at_once(name: Any, tmp_path: Path) -> None:
    where = tmp_path / name if isinstance(name, str) else name
    with pytest.raises(ValueError, match=r"games can't be recorded in|path must name a file"):
        RecordGames(parlour.make(SWORDS), where)


@each_game
def test_a_file_of_another_form_is_refused(game: str, tmp_path: Path) -> None:
    for suffix in find(game).record_forms:
        with pytest.raises(ValueError, match="not that of JSON lines"):
            RecordGames(parlour.make(game), tmp_path / f"games{suffix}")


# --- what is not true ---


def recorded_game(path: Path, **options: Any) -> GameRecord:
    env = RecordGames(parlour.make("pig-v0", goal=40, **options), path)
    env.reset(seed=6)
    env.reset()
    play(env, np.random.default_rng(6))
    return read_records(path)[0]


def refusal(record: GameRecord, **changes: Any) -> str:
    with pytest.raises(ValueError, match=r"^here") as caught:
        list(replay(GameRecord(**{**vars(record), **changes}), "here"))
    return str(caught.value)


def test_dice_that_do_not_belong_to_the_game_are_found(path: Path) -> None:
    record = recorded_game(path)
    dice = record.dice
    assert dice is not None
    assert "needs fewer" in refusal(record, dice=[*dice, [2, 2]])
    refusal(record, dice=dice[:-1], seed=3)
    for wrong in ([*dice[:-1], [1]], [*dice[:-1], [0, 7]], [[1, 1], *dice[1:]], [], [*dice, 5]):
        refusal(record, dice=wrong)
    assert "'seed' or its 'dice'" in refusal(record, dice=None)
    refusal(record, position="scores 0 0 0 | player_0 | turn 5 | dice 2 3 | 0")
    refusal(record, position="nowhere")


def test_a_throw_that_is_missing_is_found_where_it_changes_nothing(path: Path) -> None:
    record = recorded_game(path, max_plies=3)
    assert record.dice is not None
    assert record.moves[-1] == "hold"  # the next seat's throw is the last thing that happens
    assert "needs more or other" in refusal(record, dice=record.dice[:-1])
