"""`OpponentPool`: who is drawn, results, and snapshots that survive a crash."""

from __future__ import annotations

import copy
import gc
import json
import math
import os
import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.support.files import UNFINISHED
from parlour.wrappers import OpponentPool, SelfPlayEnv, SelfPlayVectorEnv
from parlour.wrappers.snapshot_folder import MANIFEST
from tests.support.faults import EVERY_BYTE, damaged, disk_full_from, run_and_kill, tree
from tests.support.processes import ROOT, run_python
from tests.wrappers.cases import first_legal

POINTS = (np.arange(1000) + 0.5) / 1000


def always(action: int) -> Any:
    return lambda observation, mask: np.full(len(mask), action)


def load(path: Path) -> Any:
    """A snapshot is a file with the action that it always plays."""
    return always(int(path.read_text()))


def saver(action: int) -> Any:
    return lambda path: path.write_text(str(action))


def kept(folder: Path, **options: Any) -> OpponentPool:
    return OpponentPool({"greedy": "greedy"}, folder=folder, load=load, **options)


def shares(pool: OpponentPool) -> dict[str, float]:
    """How often each is drawn at evenly spread points."""
    drawn = [entry.name for entry in pool.draw(POINTS)]
    return {name: drawn.count(name) / len(POINTS) for name in pool.names}


def test_uniform_latest_and_weights() -> None:
    pool = OpponentPool({"a": "random", "b": "greedy", "c": first_legal})
    assert shares(pool) == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3}, abs=1e-3)
    pool.set_choice("latest")
    assert shares(pool) == {"a": 0, "b": 0, "c": 1}
    pool.add("d", "random")
    assert shares(pool) == {"a": 0, "b": 0, "c": 0, "d": 1}
    pool.set_choice({"a": 5, "b": 0, "d": 4})
    assert shares(pool) == pytest.approx({"a": 0.5, "b": 0, "c": 0.1, "d": 0.4}, abs=1e-3)
    assert pool.probabilities() == pytest.approx({"a": 0.5, "b": 0, "c": 0.1, "d": 0.4})


@pytest.mark.parametrize("hardness", [0, 1, 2, 0.5, 3000])
def test_the_hardest_goes_by_win_rates(hardness: float) -> None:
    """(1 − p)^hardness, with one won and one lost game added."""
    pool = OpponentPool({"a": "random", "b": "greedy", "c": first_legal}, choose="hardest", hardness=hardness)
    assert pool.probabilities() == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})
    for number, scores in ((0, [1, 1, 1, 1, 1, 1]), (1, [1, 0.5, 0]), (2, [0, 0])):
        for score in scores:
            pool.record(number, score)
    chances = np.array([1 - 7 / 8, 1 - 2.5 / 5, 1 - 1 / 4])
    weights = (chances / chances.max()) ** hardness
    assert list(pool.probabilities().values()) == pytest.approx((weights / weights.sum()).tolist())
    assert pool.win_rates == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert pool.games == {"a": 6, "b": 3, "c": 2}


def test_those_of_the_learners_own_strength_come_most_often() -> None:
    """p (1 − p), with one won and one lost game added; of three opponents, the one that is beaten in 2.5 % of the games
    comes seldom, as does the one that is beaten in 97.5 %."""
    pool = OpponentPool({"too strong": "random", "equal": "greedy", "too weak": first_legal})
    assert pool.probabilities() == pytest.approx({"too strong": 1 / 3, "equal": 1 / 3, "too weak": 1 / 3})
    for number, won in ((0, 1), (1, 20), (2, 39)):
        for game in range(40):
            pool.record(number, float(game < won))
    p = np.array([2, 21, 40]) / 42
    found = pool.probabilities()
    assert list(found.values()) == pytest.approx((p * (1 - p) / (p * (1 - p)).sum()).tolist())
    assert found["equal"] > 5 * found["too strong"] == pytest.approx(5 * found["too weak"])


def test_win_rates_are_the_games_of_a_single_env() -> None:
    pool = OpponentPool({"always again": always(0), "always hold": always(1)})
    env = SelfPlayEnv(parlour.make("pig-v0", max_plies=50), pool)
    scores: dict[str, list[float]] = {name: [] for name in pool.names}
    env.reset(seed=1)
    assert all(math.isnan(rate) for rate in pool.win_rates.values())
    for _ in range(60):
        before = pool.games
        returns = np.zeros(3)
        over = False
        while not over:
            _, _, terminated, truncated, info = env.step(1)
            over = terminated or truncated
        raw = env.env.unwrapped
        scored = [name for name in pool.names if pool.games[name] > before[name]]
        assert len(scored) == 1
        returns[:] = raw.games.states["scores"][0][:3]  # who wins has 20 points or more
        won = 0.5 if truncated else float(returns.argmax() == info["seat"])
        scores[scored[0]].append(won)
        env.reset()
    for name, of_all in scores.items():
        assert len(of_all) > 15
        assert pool.win_rates[name] == pytest.approx(np.mean(of_all))
    assert {0.0, 1.0} <= set(scores["always hold"])
    assert scores["always again"].count(1.0) > 15
    report = pool.report()
    assert len(report.splitlines()) == 2
    assert f"{pool.win_rates['always hold']:.3f}" in report


def test_win_rates_of_the_vector_env_are_those_of_its_games() -> None:
    pool = OpponentPool({"always again": always(0), "always hold": always(1), "random": "random"})
    env = SelfPlayVectorEnv("pig-v0", 16, pool, seed=3, max_plies=50)
    env.reset()
    wins, ended, cut = 0.0, 0, 0
    for _ in range(200):
        _, _, terminations, truncations, infos = env.step(np.ones(16, np.int64))
        for row in (terminations | truncations).nonzero()[0]:
            ended += 1
            own = infos["final_obs"][row]["observation"][0, 0, 0]  # the learner's own score is the first plane
            others = infos["final_obs"][row]["observation"][1:3, 0, 0]
            cut += truncations[row]
            wins += 0.5 if truncations[row] else float(own > others.max())
    assert ended > 100
    assert sum(pool.games.values()) == ended
    total = sum(pool.games[name] * pool.win_rates[name] for name in pool.names)
    assert total == pytest.approx(wins)
    assert 0 < wins < ended


def test_a_draw_is_half_a_win() -> None:
    pool = OpponentPool({"greedy": "greedy"})
    env = SelfPlayVectorEnv("swords_and_shields-v0", 4, pool, seed=3, max_plies=6)
    env.reset()
    for _ in range(4):
        env.step(env.sample_actions())
    assert pool.games["greedy"] >= 4
    assert pool.win_rates == {"greedy": 0.5}


def test_snapshots_play_and_are_bounded(tmp_path: Path) -> None:
    pool = kept(tmp_path, max_snapshots=3, choose="latest")
    assert pool.save_snapshot(saver(0)) == "snapshot_0"
    assert pool.save_snapshot(saver(1), name="first good one") == "first good one"
    for _ in range(4):
        pool.save_snapshot(saver(1))
    assert pool.names == ["greedy", "first good one", "snapshot_3", "snapshot_4", "snapshot_5"]
    assert len(list(tmp_path.glob("snapshot_*.bin"))) == 4
    assert [entry.name for entry in pool.draw(POINTS[:1])] == ["snapshot_5"]
    env = SelfPlayVectorEnv("pig-v0", 3, pool, seed=1)
    env.reset()
    pool.save_snapshot(saver(0))
    for _ in range(150):  # games in flight end against the snapshot that they began with, dropped or not
        env.step(np.zeros(3, np.int64))
        pool.save_snapshot(saver(0))
    assert len(pool.names) == 5


def test_a_crash_loses_nothing_that_was_written(tmp_path: Path) -> None:
    pool = kept(tmp_path)
    for action in (0, 1, 0):
        pool.save_snapshot(saver(action))
    pool.record(0, 1.0)
    pool.record(2, 0.5)
    pool.save_results()
    # a crash in the middle of the next snapshot, and of the next manifest
    (tmp_path / f"{UNFINISHED}0-snapshot_000003.bin").write_text("0.12345")
    (tmp_path / f"{UNFINISHED}0-{MANIFEST}").write_text('{"snapshots": 4, "oppo')
    again = kept(tmp_path)
    assert again.names == pool.names == ["greedy", "snapshot_0", "snapshot_1", "snapshot_2"]
    assert again.games == {"greedy": 1, "snapshot_0": 0, "snapshot_1": 1, "snapshot_2": 0}
    assert again.win_rates["snapshot_1"] == 0.5
    assert not list(tmp_path.glob(f"{UNFINISHED}*"))
    policy = again.policy_of(again.draw(np.array([0.6]))[0])
    assert policy(np.zeros((2, 1)), np.ones((2, 2))).tolist() == [1, 1]  # type: ignore[operator]
    assert again.save_snapshot(saver(1)) == "snapshot_3"


def test_a_damaged_snapshot_is_left_out(tmp_path: Path) -> None:
    pool = kept(tmp_path)
    pool.save_snapshot(saver(0))
    pool.save_snapshot(saver(1), name="mine")
    (tmp_path / "snapshot_000000.bin").write_text("")
    with pytest.warns(RuntimeWarning, match="snapshot 'snapshot_0' is left out: .* is missing or damaged"):
        assert kept(tmp_path).names == ["greedy", "mine"]
    (tmp_path / "snapshot_000001.bin").unlink()
    with pytest.warns(RuntimeWarning, match="is left out") as warned:
        assert kept(tmp_path).names == ["greedy"]
    assert len(warned) == 2


def test_a_save_that_fails_changes_nothing(tmp_path: Path) -> None:
    pool = kept(tmp_path)
    pool.save_snapshot(saver(0))
    before = sorted(path.name for path in tmp_path.iterdir()), (tmp_path / MANIFEST).read_text(), pool.names

    def half(path: Path) -> None:
        path.write_text("1")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        pool.save_snapshot(half)
    with pytest.raises(ValueError, match="no file was written"):
        pool.save_snapshot(lambda path: None)
    with pytest.raises(ValueError, match="there is an opponent 'greedy' already"):
        pool.save_snapshot(saver(1), name="greedy")
    assert before == (sorted(path.name for path in tmp_path.iterdir()), (tmp_path / MANIFEST).read_text(), pool.names)
    assert json.loads((tmp_path / MANIFEST).read_text())["snapshots"] == 1


# --- folders that come from others, or that a crash or a full disk left ---


def filled(folder: Path) -> OpponentPool:
    """A pool with results, two numbered snapshots of which the first was dropped, and one with a name."""
    pool = kept(folder, max_snapshots=2)
    for name in (None, "mine", None, None):
        pool.save_snapshot(saver(1), name)
    for number, score in ((0, 1.0), (0, 0.5), (2, 0.0), (4, 0.5)):
        pool.record(number, score)
    pool.save_results()
    return pool


def refuse(folder: Path, *parts: str) -> None:
    """The folder is refused by the manifest's name, and nothing in it is changed."""
    before = tree(folder)
    with pytest.raises(ValueError, match=r"^.*manifest\.json: ") as caught:
        kept(folder)
    for part in parts:
        assert part in str(caught.value)
    assert tree(folder) == before


def change(path: tuple[str | int, ...], value: Any) -> Any:
    """Puts a value into a manifest's content."""

    def apply(content: Any) -> None:
        for step in path[:-1]:
            content = content[step]
        content[path[-1]] = value

    return apply


FIRST_SNAPSHOT = ("opponents", 1, "snapshot")
CHANGES: dict[str, tuple[Any, str]] = {
    "a file outside the folder": (change((*FIRST_SNAPSHOT, "file"), "../victim"), "opponents[1].snapshot.file"),
    "an absolute file": (change((*FIRST_SNAPSHOT, "file"), "/etc/passwd"), "opponents[1].snapshot.file"),
    "a file beside": (change((*FIRST_SNAPSHOT, "file"), "notes.txt"), "opponents[1].snapshot.file"),
    "a file further down": (change((*FIRST_SNAPSHOT, "file"), "a/snapshot_000001.bin"), "opponents[1].snapshot.file"),
    "a file twice": (change(("opponents", 2, "snapshot", "file"), "snapshot_000001.bin"), "opponents[2]: name must"),
    "a file of the wrong number": (change(("opponents", 2, "snapshot", "file"), "snapshot_000003.bin"), "opponents"),
    "no snapshots yet": (change(("snapshots",), 0), "number above -1 and below 0"),
    "fewer snapshots than there are": (change(("snapshots",), 3), "number above 2 and below 3"),
    "more won than played": (
        change(("opponents", 0, "score"), 2.5),
        "opponents[0]: score must be a number of wins, a draw being half a win, up to 2",
    ),
    "a third of a win": (change(("opponents", 0, "score"), 1 / 3), "opponents[0]: score"),
    "a name twice": (change(("opponents", 1, "name"), "greedy"), "opponents[1].name"),
    "no name": (change(("opponents", 1, "name"), ""), "opponents[1].name"),
    "a snapshot's name for another": (change(("opponents", 0, "name"), "snapshot_9"), "opponents[0]: name"),
    "another number in the name": (change(("opponents", 2, "name"), "snapshot_9"), "opponents[2]: name"),
    "no digest": (change((*FIRST_SNAPSHOT, "sha256"), ""), "opponents[1].snapshot.sha256"),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_manifest_that_is_not_valid_is_refused_by_place_and_changes_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / "victim").write_text("1")
    folder = tmp_path / "pool"
    filled(folder)
    (folder / "notes.txt").write_text("1")
    apply, message = CHANGES[name]
    content = json.loads((folder / MANIFEST).read_text())
    apply(content)
    (folder / MANIFEST).write_text(json.dumps(content, indent=1))
    refuse(folder, message)
    assert (tmp_path / "victim").read_text() == "1"


def test_links_are_not_followed(tmp_path: Path) -> None:
    folder = tmp_path / "pool"
    filled(folder)
    (folder / "snapshot_000001.bin").rename(tmp_path / "elsewhere.bin")
    (folder / "snapshot_000001.bin").symlink_to(tmp_path / "elsewhere.bin")
    with pytest.warns(RuntimeWarning, match="snapshot 'mine' is left out"):
        assert kept(folder).names == ["greedy", "snapshot_2", "snapshot_3"]
    (folder / MANIFEST).rename(tmp_path / MANIFEST)
    (folder / MANIFEST).symlink_to(tmp_path / MANIFEST)
    with pytest.raises(ValueError, match=r"manifest\.json: a symbolic link"):
        kept(folder)


def test_snapshots_without_a_manifest_are_not_overwritten(tmp_path: Path) -> None:
    filled(tmp_path)
    (tmp_path / MANIFEST).unlink()
    before = tree(tmp_path)
    with pytest.raises(ValueError, match=r"holds 'snapshot_000001\.bin' and no manifest\.json"):
        kept(tmp_path)
    assert tree(tmp_path) == before


def test_an_opponent_of_the_name_of_a_snapshot_is_refused(tmp_path: Path) -> None:
    filled(tmp_path)
    with pytest.raises(ValueError, match="has a snapshot 'mine'; give the opponent 'mine' another name"):
        OpponentPool({"mine": "random"}, folder=tmp_path, load=load)


@EVERY_BYTE
def test_a_damaged_manifest_is_refused_or_means_something(cases: int | None, tmp_path: Path) -> None:
    """Whatever byte of it is cut or flipped: either it is refused, or what it says is valid and can be gone on with."""
    filled(tmp_path)
    whole = tree(tmp_path)
    for content in damaged(whole[MANIFEST], cases):
        (tmp_path / MANIFEST).write_bytes(content)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # a digest was hit
                pool = kept(tmp_path, max_snapshots=2)
        except ValueError as error:
            assert str(error).startswith(f"{tmp_path / MANIFEST}: ")
            assert tree(tmp_path) == {**whole, MANIFEST: content}
            continue
        assert all(0 <= score <= 1 for score in pool.win_rates.values() if not math.isnan(score))
        pool.save_snapshot(saver(0))
        assert kept(tmp_path, max_snapshots=2).names == pool.names
        for name in {*tree(tmp_path), *whole}:
            (tmp_path / name).unlink(missing_ok=True)
        for name, kept_content in whole.items():
            (tmp_path / name).write_bytes(kept_content)


def test_a_full_disk_leaves_pool_and_folder_as_they_were(tmp_path: Path) -> None:
    """Whichever call to the system it is that fails first."""
    pool = filled(tmp_path)
    failures = 0
    for call in range(100):
        before = tree(tmp_path), pool.names, pool.games, pool.probabilities()
        try:
            with disk_full_from(call) as made:
                pool.save_snapshot(saver(0))
        except OSError as error:
            failures += 1
            assert error.filename is not None
            assert before == (tree(tmp_path), pool.names, pool.games, pool.probabilities())
            assert pool.names == kept(tmp_path, max_snapshots=2).names
        else:
            assert made[0] == call + 1  # only the last call failed, which forces the folder's names to the disk
            break
    assert failures == call == 9
    assert pool.names == kept(tmp_path, max_snapshots=2).names == ["greedy", "mine", "snapshot_3", "snapshot_4"]


SAVING = """
import sys
from pathlib import Path
from tests.wrappers.test_opponent_pool import kept, saver
pool = kept(Path(sys.argv[1]), max_snapshots=2)
print("ready", flush=True)
while True:
    pool.save_snapshot(saver(1))
    pool.record(0, 1.0)
"""


@pytest.mark.parametrize("kills", [4, pytest.param(100, marks=pytest.mark.long)])
def test_a_kill_while_saving_loses_nothing(kills: int, tmp_path: Path) -> None:
    """Every snapshot that the manifest names is whole, and a new pool goes on where the killed one was."""
    saved = 0
    for kill in range(kills):
        run_and_kill(SAVING, tmp_path, delay=0.03 + 0.007 * (kill % 17))
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # no snapshot is left out
            names = kept(tmp_path, max_snapshots=2).names
        assert not list(tmp_path.glob(f"{UNFINISHED}*"))
        manifest = json.loads((tmp_path / MANIFEST).read_text())
        assert manifest["snapshots"] >= saved
        assert len(names) == 1 + min(manifest["snapshots"], 2)
        saved = manifest["snapshots"]
    assert saved >= kills


def test_pools_are_shared_by_copies_and_can_be_pickled(tmp_path: Path) -> None:
    pool = kept(tmp_path, choose="prioritised")
    pool.save_snapshot(saver(1))
    env = SelfPlayEnv(parlour.make("pig-v0"), pool)
    env.reset(seed=0)
    assert copy.deepcopy(env)._matchmaker.pool is pool
    pool.policy_of(pool.draw(np.array([0.9]))[0])
    twin = pickle.loads(pickle.dumps(pool))
    twin.record(1, 1.0)
    assert twin.games == {"greedy": 0, "snapshot_0": 1}
    assert pool.games == {"greedy": 0, "snapshot_0": 0}


WRITING = """
import pickle, sys
from pathlib import Path
from tests.wrappers.test_opponent_pool import kept, saver

made = sys.argv[2] == "made"
pool = kept(Path(sys.argv[1])) if made else pickle.loads(bytes.fromhex(sys.argv[2]))
assert made or [entry.name for entry in pool.draw([0.9])] == ["snapshot_0"]
pool.save_snapshot(saver(2))
"""


def test_a_second_process_is_refused_until_the_pool_is_gone(tmp_path: Path) -> None:
    """The pool that it makes, and a pickled one as soon as it writes. Pools of one process share the folder."""
    pool = kept(tmp_path, choose="latest")
    pool.save_snapshot(saver(1))
    content = tree(tmp_path)
    for what in ("made", pickle.dumps(pool).hex()):
        ran = run_python(WRITING, tmp_path, str(tmp_path), what, PYTHONPATH=str(ROOT))
        assert f"{tmp_path}: another run (process {os.getpid()} on " in ran.stderr
        assert tree(tmp_path) == content
    twin = pickle.loads(pickle.dumps(pool))
    twin.save_snapshot(saver(3))
    del pool, twin
    gc.collect()
    ran = run_python(WRITING, tmp_path, str(tmp_path), "made", PYTHONPATH=str(ROOT))
    assert ran.returncode == 0, ran.stderr
    assert kept(tmp_path).names == ["greedy", "snapshot_0", "snapshot_1", "snapshot_2"]


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (lambda: OpponentPool({"a": 3}), "opponent 'a': 3 is not a policy"),  # type: ignore[dict-item]
        (lambda: OpponentPool({"": "random"}), "an opponent's name is a text of printable characters, not ''"),
        (lambda: OpponentPool(choose="best"), "choose 'best' is not valid; valid: 'prioritised', 'hardest', 'uniform'"),
        (lambda: OpponentPool({"a\nb": "random"}), "an opponent's name is a text of printable characters, not 'a.nb'"),
        (lambda: OpponentPool({"snapshot_3": "random"}), "name 'snapshot_3' is reserved for snapshots"),
        (lambda: OpponentPool({"a": "random"}).record(0, 0.3), "the score of a game is 0, 0.5 or 1, not 0.3"),
        (lambda: OpponentPool({"a": "random"}, choose={"b": 1}), "there is no opponent 'b'; opponents: 'a'"),
        (lambda: OpponentPool({"a": "random"}, choose={"a": 0}), "weights must be 1 finite numbers"),
        (lambda: OpponentPool(hardness=-1), "hardness must be a finite number from 0 up, not -1"),
        (lambda: OpponentPool(max_snapshots=0), "max_snapshots must be a whole number from 1 up, not 0"),
        (lambda: OpponentPool(load=load), "folder and load need each other"),
        (lambda: OpponentPool().save_snapshot(saver(1)), "this pool keeps no snapshots"),
        (lambda: OpponentPool().probabilities(), "the pool is empty"),
        (lambda: SelfPlayEnv(parlour.make("pig-v0"), OpponentPool({"a": "robot"})), "there is no player 'robot'"),
    ],
)
def test_arguments_that_are_not_valid(problem: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        problem()
