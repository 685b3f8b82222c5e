"""`parlour.dataset`: games of experts as arrays. `tests/libraries/test_minari.py` tests what is written of them."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.interfaces.registry import find
from parlour.learn.datasets import Datasets, playing
from parlour.learn.datasets.columns import COLUMNS, Columns
from parlour.players import GamesView, parse_player
from parlour.players.inputs import thermometer
from parlour.players.simulate import game_seeds
from parlour.records import read_records, record_game, write_records
from parlour.support.files import sha256_of
from tests.support.cases import GAMES
from tests.support.command_line import Run, check_error
from tests.support.games import begun

UR: dict[str, Any] = {"variant": "finkel", "men": 2}
LINE = "1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10x14 19x10"


def check_same(one: Columns, other: Columns) -> None:
    for name in COLUMNS:
        assert np.array_equal(getattr(one, name), getattr(other, name), equal_nan=name == "value"), name
        assert getattr(one, name).dtype == getattr(other, name).dtype, name


@pytest.mark.parametrize("game", GAMES)
def test_games_are_those_that_are_played_again(game: str) -> None:
    """In an environment with the game's seed, what was played leads from each position to the next; the returns are
    its rewards from there on."""
    data = parlour.dataset(game, player="random", games=4, noise=0.3, seed=5, max_plies=40)
    env = parlour.make(game, max_plies=40).unwrapped
    seeds = game_seeds(5, 4)
    assert sorted(set(data.game.tolist())) == [0, 1, 2, 3]
    for low, high in data.bounds():
        env.reset(seed=seeds[data.game[low]])
        rewards, seats = [], []
        for k in range(low, high):
            seen = env.observe(env.agent_selection)
            assert np.array_equal(data.observation[k], seen["observation"])
            assert np.array_equal(data.action_mask[k], seen["action_mask"] == 1)
            assert data.action_mask[k, data.action[k]]
            seats.append(env.possible_agents.index(env.agent_selection))
            env.step(int(data.played[k]))
            rewards.append(list(env.rewards.values()))
        assert env.is_over()
        assert data.seat[low:high].tolist() == seats
        for k, seat in enumerate(seats):
            assert data.returns[low + k] == pytest.approx(sum(one[seat] for one in rewards[k:]), abs=1e-6)
        assert set(data.truncated[low:high].tolist()) == {any(env.truncations.values())}
    assert np.isnan(data.value).all()
    assert 0 < (data.action != data.played).mean() < 0.5


@pytest.mark.parametrize(
    ("game", "player", "options"),
    [
        ("acey_ducey-v0", "champion", {"max_plies": 60}), ("checkers-v0", "champion:1", {"max_plies": 30}),
        ("checkers-v0", "mcts:20", {}),
    ],
)  # fmt: skip
def test_labels_and_values_are_the_players(game: str, player: str, options: dict[str, Any]) -> None:
    """Also where another ply was played. Who asks it about the position gets the same, but from a tree search."""
    data = parlour.dataset(game, player=player, games=1, noise=0.4, seed=1, **options)
    assert (data.action != data.played).any()
    env = begun(game, seed=game_seeds(1, 1)[0], **options)
    expert: Any = parse_player(player, env.game)
    for k in range(len(data)):
        if data.action_mask[k].sum() > 1 and "mcts" not in player:
            thought = expert.consider(GamesView(env.games))
            assert data.value[k] == np.float32(thought.values[data.seat[k]])
        env.step(int(data.played[k]))
    assert np.abs(data.value).max() <= 1
    assert len(np.unique(data.value)) > 3


def test_the_expert_is_asked_about_what_is_played() -> None:
    """Without noise both are the same; with nothing but noise the expert is asked all the same."""

    def first_legal(observation: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        return action_mask.argmax(axis=1)

    plain = parlour.dataset("checkers-v0", player=first_legal, games=3, noise=0, openings="random:4", max_plies=20)
    assert np.array_equal(plain.action, plain.played)
    assert np.array_equal(plain.action, plain.action_mask.argmax(axis=1))
    assert [high - low for low, high in plain.bounds()] == [16] * 3  # those of the opening are not kept
    noisy = parlour.dataset("checkers-v0", player=first_legal, games=3, noise=1, max_plies=20)
    assert np.array_equal(noisy.action, noisy.action_mask.argmax(axis=1))
    assert (noisy.action != noisy.played).mean() > 0.5


def test_games_that_are_alike_are_one() -> None:
    def first_legal(observation: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        return action_mask.argmax(axis=1)

    data = parlour.dataset("checkers-v0", player=first_legal, games=5, noise=0, max_plies=20)
    assert data.duplicates == 4
    assert set(data.game.tolist()) == {0}
    assert len(data) == 20
    assert parlour.dataset("checkers-v0", player="random", games=5, noise=0, max_plies=20).duplicates == 0


def test_openings_may_be_positions() -> None:
    env = begun("checkers-v0")
    for _ in range(6):
        env.step(int(env.observe(env.agent_selection)["action_mask"].argmax()))
    data = parlour.dataset("checkers-v0", player="random", games=2, openings=[env.position()])
    for low, _ in data.bounds():
        assert np.array_equal(data.observation[low], env.observe(env.agent_selection)["observation"])
    assert data.config.openings == [env.position()]


def test_other_inputs_are_of_the_same_games() -> None:
    planes, steps, features = (
        parlour.dataset("royal_ur-v0", player="greedy", games=3, seed=2, inputs=inputs)
        for inputs in ("planes", "thermometer", "features")
    )
    table = thermometer(find("royal_ur").layout(planes.config.options).planes)
    assert np.array_equal(steps.observation, table(planes.observation))
    assert steps.observation.dtype == features.observation.dtype == np.float32
    assert features.observation.ndim == 2
    for one in (steps, features):
        assert np.array_equal(planes.played, one.played)
        assert np.array_equal(planes.action_mask, one.action_mask)


def test_threads_do_not_change_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(playing, "GAMES_AT_ONCE", 3)
    one, three = (
        parlour.dataset("royal_ur-v0", player="greedy", games=8, noise=0.2, seed=3, threads=threads, **UR)
        for threads in (1, 3)
    )
    check_same(one, three)
    assert one.config == three.config


def test_bad_arguments_are_named() -> None:
    for given, told in (
        ({"noise": 1.5}, "noise, the share of random plies, must be a finite number from 0 to 1"),
        ({"noise": float("nan")}, "noise, the share of random plies, must be"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"threads": 0}, "threads must be a whole number from 1 to 1024"),
        ({"seed": -1}, "seed -1 is not valid"),
        ({"player": "nobody"}, "there is no player 'nobody'"),
        ({"player": 3}, "3 is not valid"),
        ({"inputs": "pixels"}, "'pixels'"),
        ({"inputs": "features"}, "checkers-v0 has no features"),
        ({"openings": "random:0"}, "random:PLIES takes 1 to"),
        ({"variant": "chess"}, "'chess'"),
        ({"boards": 2}, "'boards'"),
    ):
        with pytest.raises(ValueError, match=told):
            parlour.dataset("checkers-v0", **{"player": "random", **given})  # type: ignore[arg-type]


# --- recorded games ---


def test_records_are_data_too(tmp_path: Path) -> None:
    """Moves are the labels; returns are the rewards from there on."""
    env = parlour.make("royal_ur-v0", **UR).unwrapped
    records = [record_game(env, [parse_player("greedy")] * 2, seed) for seed in (1, 2, 1)]
    write_records(tmp_path / "games.jsonl", records)
    data = parlour.dataset.from_records(tmp_path / "games.jsonl")
    assert data.duplicates == 1
    assert [high - low for low, high in data.bounds()] == [len(record.moves) for record in records[:2]]
    env.reset(seed=1)
    for k, move in enumerate(records[0].moves):
        assert env.move_name(data.action[k]) == move
        assert np.array_equal(data.observation[k], env.observe(env.agent_selection)["observation"])
        assert data.returns[k] == records[0].returns[data.seat[k]]
        env.step(int(data.action[k]))
    assert data.config.identity == {"file": sha256_of(tmp_path / "games.jsonl")}


def test_a_pdn_tells_results(tmp_path: Path) -> None:
    """Most games of archives end before the rules end them."""
    file = tmp_path / "games.pdn"
    games = [(result, LINE) for result in ("1-0", "0-1", "1/2-1/2")] + [("*", "1. 9-14")]
    file.write_text("".join(f'[Result "{result}"]\n{moves} {result}\n\n' for result, moves in games))
    told = [record.result() for record in read_records(file)]
    data = parlour.dataset.from_records(file)
    assert data.config.games == 3  # one has no result
    assert data.duplicates == 2  # and the moves are the same
    file.write_text(
        "".join(f'[Result "{result}"]\n{LINE.replace("10x14 19x10", "10x14")} {result}\n' for result, _ in games[:1])
    )
    data = parlour.dataset.from_records(file)
    assert told[0] == [1, -1]
    assert data.returns.tolist() == [1, -1, 1, -1, 1, -1, 1]
    assert not data.truncated.any()
    assert np.isnan(data.value).all()


def test_records_that_can_not_be_used_are_named(tmp_path: Path) -> None:
    file = tmp_path / "games.pdn"
    file.write_text("1. 9-14 *\n")
    with pytest.raises(ValueError, match="none of its 1 games has a result"):
        parlour.dataset.from_records(file)
    records = [
        record_game(parlour.make("royal_ur-v0", men=men).unwrapped, [parse_player("random")] * 2, 1) for men in (2, 3)
    ]
    write_records(tmp_path / "games.jsonl", records)
    with pytest.raises(ValueError, match="game 2: not of the variant and the options of game 1"):
        parlour.dataset.from_records(tmp_path / "games.jsonl")


def test_folders_are_no_more(tmp_path: Path) -> None:
    """The error says what to use."""
    data = parlour.dataset("royal_ur-v0", player="random", games=1, **UR)
    for refused in (data.save, parlour.dataset.load):
        with pytest.raises(ValueError, match=r"to_minari.*minari\.load_dataset.*numpy\.load"):
            refused(tmp_path)


def test_the_command_says_what_it_needs(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("minari", "minari.dataset.minari_dataset"):  # another test may have imported it
        monkeypatch.setitem(sys.modules, module, None)
    check_error(run("dataset", "royal_ur", "--games", 1, "--out", "ur/champion-v0"), "pip install 'parlour[minari]'")


def test_the_face_is_one_object() -> None:
    assert isinstance(parlour.dataset, Datasets)
    assert parlour.Dataset.__name__ == "Dataset"
