"""`parlour.dataset`: games of experts as arrays, and their files, which are not trusted."""

from __future__ import annotations

import io
import shutil
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from numpy.typing import NDArray

import parlour
from parlour.interfaces.registry import find
from parlour.learn.datasets import Datasets, files, plans
from parlour.learn.datasets.columns import COLUMNS, Columns
from parlour.learn.datasets.files import CONFIG, read_config, shard_path, write_played
from parlour.learn.datasets.plans import DatasetPlan, make_plan
from parlour.players import GamesView, parse_player
from parlour.players.inputs import thermometer
from parlour.players.simulate import game_seeds
from parlour.records import read_records, record_game, write_records
from parlour.support.files import UNFINISHED, sha256_of
from parlour.support.locks import LOCK
from tests.support.cases import GAMES
from tests.support.faults import EVERY_BYTE, damaged, disk_full_from, tree

UR: dict[str, Any] = {"variant": "finkel", "men": 2}
LINE = "1. 11-15 23-18 2. 8-11 27-23 3. 4-8 23-19 4. 10x14 19x10"


@pytest.fixture
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Shards of three games."""
    monkeypatch.setattr(plans, "GAMES_A_SHARD", 3)


def ur_plan(**other: Any) -> DatasetPlan:
    given = {"variant": "finkel", "values": {"men": 2}, "player": "greedy", "games": 8, "noise": 0.2, "seed": 3}
    return make_plan(find("royal_ur"), **given | other)


def written(folder: Path) -> dict[str, bytes]:
    """The files of a folder, without the lock."""
    return {name: content for name, content in tree(folder).items() if name != LOCK}


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
    env = parlour.make(game, **options).unwrapped
    env.reset(seed=game_seeds(1, 1)[0])
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
    env = parlour.make("checkers-v0").unwrapped
    env.reset(seed=0)
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


@pytest.mark.usefixtures("small_shards")
def test_threads_do_not_change_it() -> None:
    one, three = (
        parlour.dataset("royal_ur-v0", player="greedy", games=8, noise=0.2, seed=3, threads=threads, **UR)
        for threads in (1, 3)
    )
    check_same(one, three)
    assert one.config == three.config


def test_bad_arguments_are_named() -> None:
    for given, told in (
        ({"noise": 1.5}, "noise must be a number from 0 to 1"),
        ({"noise": float("nan")}, "noise must be"),
        ({"games": 0}, "games must be a whole number from 1"),
        ({"threads": 0}, "threads must be a whole number from 1 to 512"),
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


# --- files ---


@pytest.mark.usefixtures("small_shards")
def test_a_saved_data_set_is_that_of_the_command(tmp_path: Path) -> None:
    """The same bytes, twice; and what is loaded is what was played."""
    data = parlour.dataset("royal_ur-v0", player="greedy", games=8, noise=0.2, seed=3, **UR)
    data.save(tmp_path / "saved")
    config = write_played(ur_plan(), tmp_path / "played", threads=2)
    assert written(tmp_path / "saved") == written(tmp_path / "played")
    assert {*written(tmp_path / "played")} == {CONFIG, *(f"shard-0000{k}.npz" for k in range(3))}
    assert sum(shard.plies for shard in config.shards) == len(data)
    data.save(tmp_path / "saved")
    assert written(tmp_path / "saved") == written(tmp_path / "played")
    check_same(parlour.dataset.load(tmp_path / "saved"), data)
    assert parlour.dataset.load(str(tmp_path / "saved")).config.player == "greedy"
    assert np.load(shard_path(tmp_path / "saved", 0))["action"].dtype == np.int64  # for anyone with NumPy


@pytest.mark.usefixtures("small_shards")
def test_a_stopped_run_goes_on(tmp_path: Path) -> None:
    """Stopped while any game is played, and when the disk is full at any call; then it ends with the same bytes."""
    write_played(ur_plan(), tmp_path / "undisturbed")
    whole = written(tmp_path / "undisturbed")
    for stop in range(1, 9):

        def on_games(count: int, stop: int = stop) -> None:
            nonlocal done
            done += count
            if done >= stop:
                raise KeyboardInterrupt

        done, folder = 0, tmp_path / f"stopped_{stop}"
        with pytest.raises(KeyboardInterrupt):
            write_played(ur_plan(), folder, on_games=on_games)
        left = written(folder)
        assert {name: content for name, content in left.items() if name != CONFIG}.items() <= whole.items()
        assert files.count_kept(folder) == 3 * ((stop - 1) // 3)
        with pytest.raises(ValueError, match=r"not finished: \d of 3 shards"):
            parlour.dataset.load(folder)
        write_played(ur_plan(), folder)
        assert written(folder) == whole


@pytest.mark.usefixtures("small_shards")
def test_a_full_disk_leaves_whole_files(tmp_path: Path) -> None:
    write_played(ur_plan(), tmp_path / "undisturbed")
    whole, call, calls = written(tmp_path / "undisturbed"), 1, 2
    while call < calls:
        folder = tmp_path / f"full_{call}"
        with disk_full_from(call) as made:
            try:
                write_played(ur_plan(), folder)
            except (OSError, ValueError):
                pass
            else:
                break
            calls = made[0] + 1
        for name, content in written(folder).items():
            if not name.startswith(UNFINISHED) and name != CONFIG:
                assert content == whole[name]
        write_played(ur_plan(), folder)
        assert written(folder) == whole
        shutil.rmtree(folder)
        call += 1
    assert call > 10


@pytest.fixture
def folder(tmp_path: Path, small_shards: None) -> Path:
    """A data set of five games in two shards."""
    write_played(ur_plan(games=5), tmp_path / "data")
    return tmp_path / "data"


@EVERY_BYTE
def test_damaged_files_are_refused(cases: int | None, folder: Path) -> None:
    for file in (shard_path(folder, 0), folder / CONFIG):
        whole = file.read_bytes()
        for content in damaged(whole, 40 if cases else 2000):
            file.write_bytes(content)
            try:
                read = parlour.dataset.load(folder)
            except ValueError as error:
                assert str(file) in str(error)
            else:  # a space for another, or the case of an escape
                assert file.name == CONFIG
                assert read.config == parlour.dataset.load(folder).config
        file.write_bytes(whole)
    parlour.dataset.load(folder)


def name_again(folder: Path, **other: Any) -> None:
    """Lets ``config.json`` name the files that there are."""
    config = read_config(folder)
    shards = [
        msgspec.structs.replace(one, sha256=sha256_of(shard_path(folder, k))) for k, one in enumerate(config.shards)
    ]
    sealed = msgspec.structs.replace(config, **{"shards": shards, **other}).sealed()
    (folder / CONFIG).write_bytes(msgspec.json.encode(sealed))


def setting(name: str, value: Any, ply: int = 0) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name][ply] = value

    return change


def making(name: str, value: Callable[[Any], Any]) -> Callable[[dict[str, Any]], None]:
    def change(arrays: dict[str, Any]) -> None:
        arrays[name] = value(arrays[name])

    return change


FOREIGN: dict[str, tuple[Callable[[dict[str, Any]], Any], str]] = {
    "pickled": (making("game", lambda game: np.array([object] * len(game), object)), "an array is object of shape"),
    "dtype": (making("observation", lambda seen: seen.astype(np.int16)), "an array is int16 of shape"),
    "planes": (making("observation", lambda seen: seen[:, :-1]), "an array is int8 of shape"),
    "plies": (making("returns", lambda returns: returns[:-1]), "an array is float32 of shape"),
    "by columns": (making("action_mask", np.asfortranarray), ", column by column, not bool"),
    "missing": (lambda arrays: arrays.pop("seat"), "its arrays are"),
    "more": (lambda arrays: arrays.update(more=np.zeros(3)), "its arrays are"),
    "action": (setting("action", 10_000), "action 10000 of ply 0 is not legal"),
    "illegal": (setting("played", -1, 2), "played -1 of ply 2 is not legal"),
    "seat": (setting("seat", 2), "a seat is not one of 0 to 1"),
    "order": (setting("game", 4), "its games are not those from 0 to 2, in order"),
    "game": (setting("game", -1), "its games are not those from 0 to 2, in order"),
    "return": (setting("returns", np.nan), "a return is no number"),
    "flag": (making("truncated", lambda flags: (flags.view(np.uint8) + 2).view(bool)), "a flag is neither 0 nor 1"),
}
"""What is done to the arrays of a shard, and what is then said."""


@pytest.mark.parametrize("kind", FOREIGN)
def test_foreign_arrays_are_refused(kind: str, folder: Path) -> None:
    """Also where ``config.json`` names them."""
    change, told = FOREIGN[kind]
    arrays = dict(np.load(shard_path(folder, 0)))
    change(arrays)
    np.savez_compressed(shard_path(folder, 0), **arrays)
    name_again(folder)
    with pytest.raises(ValueError, match=told) as caught:
        parlour.dataset.load(folder)
    assert str(shard_path(folder, 0)) in str(caught.value)


def test_what_is_no_archive_of_arrays_is_refused(folder: Path) -> None:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for name in COLUMNS:
            archive.writestr(f"{name}.npy", b"\x93NUMPY\x03\x00")
    for content, told in ((b"PK\x05\x06", "not a zip file"), (packed.getvalue(), "version")):
        shard_path(folder, 0).write_bytes(content)
        name_again(folder)
        with pytest.raises(ValueError, match=told):
            parlour.dataset.load(folder)
    shard_path(folder, 0).unlink()
    with pytest.raises(FileNotFoundError):
        parlour.dataset.load(folder)


def test_foreign_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no data set: it has no config\.json"):
        parlour.dataset.load(tmp_path)
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").touch()
    with pytest.raises(ValueError, match=r"holds 'letter\.txt' and no config\.json"):
        write_played(ur_plan(), tmp_path / "mine")
    before = written(folder)
    for other, told in (
        ({"seed": 4}, "seed 3, not 4"),
        ({"games": 6}, "games 5, not 6"),
        ({"player": "random"}, "player"),
    ):
        with pytest.raises(ValueError, match=f"holds a data set with {told}"):
            write_played(ur_plan(**{"games": 5, **other}), folder)
    assert written(folder) == before
    for other, told in (
        ({"rules": "0" * 16}, "made under other rules"),
        ({"options": {**read_config(folder).options, "men": 9}}, "'men'|made under other rules"),
        ({"game": "chess-v0"}, "there is no game 'chess-v0'"),
        ({"inputs": "pixels"}, "'pixels'"),
        ({"games": 4}, "its games are not those from 3 to 3"),
        ({"shards": read_config(folder).shards * 9}, "18 shards, where 5 games have 2"),
    ):
        name_again(folder, **other)
        with pytest.raises(ValueError, match=told):
            parlour.dataset.load(folder)
        (folder / CONFIG).write_bytes(before[CONFIG])


@pytest.mark.usefixtures("small_shards")
def test_a_function_without_a_version_is_not_gone_on_with(tmp_path: Path) -> None:
    def first_legal(observation: Any, action_mask: NDArray[np.int8]) -> NDArray[np.int64]:
        return action_mask.argmax(axis=1)

    write_played(ur_plan(player=first_legal), tmp_path)
    with pytest.raises(ValueError, match="states no version"):
        write_played(ur_plan(player=first_legal), tmp_path)


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
    data.save(tmp_path / "data")
    check_same(parlour.dataset.load(tmp_path / "data"), data)
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


def test_the_face_is_one_object() -> None:
    assert isinstance(parlour.dataset, Datasets)
    assert parlour.Dataset.__name__ == "Dataset"
