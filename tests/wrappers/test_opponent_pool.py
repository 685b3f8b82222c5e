"""`OpponentPool`: who is drawn, results, and snapshots that survive a crash."""

from __future__ import annotations

import copy
import json
import math
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from parlour.wrappers.opponent_pool import HALF_WRITTEN, MANIFEST, OpponentPool
from parlour.wrappers.self_play import SelfPlayEnv
from parlour.wrappers.self_play_vector import SelfPlayVectorEnv

import parlour

POINTS = (np.arange(1000) + 0.5) / 1000


def first_legal(observation: Any, mask: Any) -> Any:
    return mask.argmax(axis=1)


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
    assert pool.odds() == pytest.approx({"a": 0.5, "b": 0, "c": 0.1, "d": 0.4})


@pytest.mark.parametrize("hardness", [0, 1, 2, 0.5, 3000])
def test_prioritised_goes_by_win_rates(hardness: float) -> None:
    """(1 − p)^hardness, with one won and one lost game added."""
    pool = OpponentPool({"a": "random", "b": "greedy", "c": first_legal}, choose="prioritised", hardness=hardness)
    assert pool.odds() == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})
    for number, scores in ((0, [1, 1, 1, 1, 1, 1]), (1, [1, 0.5, 0]), (2, [0, 0])):
        for score in scores:
            pool.record(number, score)
    chances = np.array([1 - 7 / 8, 1 - 2.5 / 5, 1 - 1 / 4])
    weights = (chances / chances.max()) ** hardness
    assert list(pool.odds().values()) == pytest.approx((weights / weights.sum()).tolist())
    assert pool.win_rates == {"a": 1.0, "b": 0.5, "c": 0.0}
    assert pool.games == {"a": 6, "b": 3, "c": 2}


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
        returns[:] = raw.table.states["scores"][0][:3]  # who wins has 20 points or more
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
    pool = kept(tmp_path, most=3, choose="latest")
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
    (tmp_path / f"{HALF_WRITTEN}snapshot_000003.bin").write_text("0.12345")
    (tmp_path / f"{HALF_WRITTEN}{MANIFEST}").write_text('{"snapshots": 4, "oppo')
    again = kept(tmp_path)
    assert again.names == pool.names == ["greedy", "snapshot_0", "snapshot_1", "snapshot_2"]
    assert again.games == {"greedy": 1, "snapshot_0": 0, "snapshot_1": 1, "snapshot_2": 0}
    assert again.win_rates["snapshot_1"] == 0.5
    assert not list(tmp_path.glob(f"{HALF_WRITTEN}*"))
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
    (tmp_path / MANIFEST).write_text("{}")
    with pytest.raises(ValueError, match=r"manifest\.json is no manifest of a pool"):
        kept(tmp_path)


def test_a_save_that_fails_changes_nothing(tmp_path: Path) -> None:
    pool = kept(tmp_path)
    pool.save_snapshot(saver(0))
    before = sorted(path.name for path in tmp_path.iterdir()), (tmp_path / MANIFEST).read_text(), pool.names

    def half(path: Path) -> None:
        path.write_text("1")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        pool.save_snapshot(half)
    with pytest.raises(ValueError, match="has left no file"):
        pool.save_snapshot(lambda path: None)
    with pytest.raises(ValueError, match="there is an opponent 'greedy' already"):
        pool.save_snapshot(saver(1), name="greedy")
    assert before == (sorted(path.name for path in tmp_path.iterdir()), (tmp_path / MANIFEST).read_text(), pool.names)
    assert json.loads((tmp_path / MANIFEST).read_text())["snapshots"] == 1


def test_pools_are_shared_by_copies_and_can_be_pickled(tmp_path: Path) -> None:
    pool = kept(tmp_path, choose="prioritised")
    pool.save_snapshot(saver(1))
    env = SelfPlayEnv(parlour.make("pig-v0"), pool)
    env.reset(seed=0)
    assert copy.deepcopy(env)._matches.pool is pool
    pool.policy_of(pool.draw(np.array([0.9]))[0])
    twin = pickle.loads(pickle.dumps(pool))
    twin.record(1, 1.0)
    assert twin.games == {"greedy": 0, "snapshot_0": 1}
    assert pool.games == {"greedy": 0, "snapshot_0": 0}


@pytest.mark.parametrize(
    ("problem", "message"),
    [
        (lambda: OpponentPool({"a": 3}), "opponent 'a': 3 is no policy"),  # type: ignore[dict-item]
        (lambda: OpponentPool({"": "random"}), "an opponent's name is a text, not ''"),
        (lambda: OpponentPool(choose="best"), "choose 'best' is not valid; valid: 'uniform', 'latest' and 'prioriti"),
        (lambda: OpponentPool({"a": "random"}, choose={"b": 1}), "there is no opponent 'b'; opponents: 'a'"),
        (lambda: OpponentPool({"a": "random"}, choose={"a": 0}), "weights must be 1 finite numbers"),
        (lambda: OpponentPool(hardness=-1), "hardness must be a finite number from 0 up, not -1"),
        (lambda: OpponentPool(most=0), "most must be a whole number from 1 up, not 0"),
        (lambda: OpponentPool(load=load), "folder and load come together"),
        (lambda: OpponentPool().save_snapshot(saver(1)), "this pool keeps no snapshots"),
        (lambda: OpponentPool().odds(), "the pool is empty"),
        (lambda: SelfPlayEnv(parlour.make("pig-v0"), OpponentPool({"a": "robot"})), "there is no player 'robot'"),
    ],
)
def test_arguments_that_are_not_valid(problem: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        problem()
