"""The arena on a local Ray with two workers: the games are those of threads, also when a worker is killed."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="ray is not installed")

from parlour.arena import Cluster, Threads, compare, explore, match
from parlour.arena.setting.plans import Played as PlayedGame
from parlour.learn import Generations, GenerationsSettings, SelfPlaySettings, TDLambda, TDLambdaSettings
from parlour.players.value import load
from parlour.support.jobs import RunJobs, run_here
from tests.players.value.networks import network_for
from tests.support.command_line import Run, check_error
from tests.support.faults import tree

ACEY = "acey_ducey-v0"


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    ray.init(num_cpus=2, log_to_driver=False, logging_level="ERROR", include_dashboard=False)
    yield Cluster()
    ray.shutdown()


def test_the_games_are_those_of_threads(cluster: Cluster, tmp_path: Path) -> None:
    assert cluster.count == 2
    made = match(ACEY, "mcts:5", "greedy", games=12, workers=cluster, folder=tmp_path / "ray")
    assert made == match(ACEY, "mcts:5", "greedy", games=12, workers=Threads(1), folder=tmp_path / "threads")
    assert games_of(tmp_path / "ray") == games_of(tmp_path / "threads")


def games_of(folder: Path) -> list[dict[str, Any]]:
    """A run's games, except for the numbers that they got in the order in which they were told."""
    lines = [json.loads(line) for line in (folder / "journal.jsonl").read_text().splitlines()]
    games = [{key: value for key, value in line.items() if key not in ("number", "crc32")} for line in lines]
    return sorted(games, key=lambda game: int(game["index"]))


class Fragile:
    """Plays the first legal action; the first worker to play its 50th ply is killed, once."""

    def __init__(self, marker: Path) -> None:
        self.marker, self.plies = marker, 0

    def __call__(self, observation: Any, mask: Any) -> Any:
        self.plies += 1
        if self.plies == 50:
            try:
                self.marker.touch(exist_ok=False)
            except FileExistsError:
                pass
            else:
                os.kill(os.getpid(), signal.SIGKILL)
        return mask.argmax(axis=1)


def first_legal(observation: Any, mask: Any) -> Any:
    return mask.argmax(axis=1)


def test_a_killed_worker_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    from parlour.arena import tournament

    told: list[PlayedGame] = []
    fragile = Fragile(tmp_path / "killed")
    players = [{"first": policy, "greedy": "greedy"} for policy in (fragile, first_legal)]
    made = tournament(ACEY, players[0], games=24, workers=cluster, folder=tmp_path / "run", on_played=told.extend)
    assert fragile.marker.exists()
    assert made == tournament(ACEY, players[1], games=24, workers=Threads(1))
    assert sorted(played.spec.index for played in told) == list(range(24))


def test_comparisons_and_explorations_are_those_of_threads(cluster: Cluster, tmp_path: Path) -> None:
    """Measures are taken by the workers, so that no trace of a game travels."""
    found = []
    for name, workers in (("ray", cluster), ("threads", Threads(1))):
        compared = compare("pig-v0", players=["greedy"], skill=None, games=8, goal=20, workers=workers)
        asked = {"goals": ["plies:min", "skill:max"], "player": "greedy", "skill": ("random", "greedy"), "games": 4}
        explored = explore(
            "pig-v0", {"goal": [20, 30, 40, 50]}, **asked, finalists=2, final=4, workers=workers, folder=tmp_path / name
        )
        again = explore(
            "pig-v0", {"goal": [20, 30, 40, 50]}, **asked, finalists=2, final=4, workers=workers, folder=tmp_path / name
        )
        assert str(again.combination_rows()) == str(explored.combination_rows())
        tables = compared.figure_rows(), explored.combination_rows(), explored.effect_rows()
        found.append([str(rows) for rows in tables])
    assert found[0] == found[1]


def test_the_command(cluster: Cluster, run: Run) -> None:
    arguments = ("match", "acey_ducey", "greedy", "random", "--games", 8)
    assert run(*arguments, "--ray").out == run(*arguments).out


def test_a_table_of_exact_values_is_that_of_threads(cluster: Cluster, run: Run, tmp_path: Path) -> None:
    for game, size in (("royal_ur", ("--men", 2)), ("checkers", ("--pieces", 2))):
        assert run("solve", game, *size, "--out", tmp_path / "ray" / game, "--ray", "local").status == 0
        assert run("solve", game, *size, "--out", tmp_path / "here" / game, "--threads", 1).status == 0
    assert tree(tmp_path / "ray") == tree(tmp_path / "here")


def test_a_cluster_that_is_not_there(run: Run) -> None:
    if ray.is_initialized():
        ray.shutdown()
    check_error(
        run("match", "acey_ducey", "greedy", "random", "--ray", "127.0.0.1:1"), "no Ray cluster at '127.0.0.1:1'"
    )


def fragile_jobs(cluster: Cluster, marker: Path) -> RunJobs:
    """Does jobs on the cluster; the first worker that has done one is killed before it answers, once."""

    def run(jobs: Sequence[Callable[[], Any]]) -> list[Any]:
        def fragile(job: Callable[[], Any]) -> Any:
            found = job()
            try:
                marker.touch(exist_ok=False)
            except FileExistsError:
                return found
            os.kill(os.getpid(), signal.SIGKILL)
            return found

        return cluster([partial(fragile, job) for job in jobs])

    return run


def generations(run: RunJobs) -> Generations:
    settings = GenerationsSettings(positions=400, self_play=SelfPlaySettings(depth=2, games=8, max_plies=100))
    return Generations(network_for("checkers-v0"), settings, seed=4, run=run)


def td_lambda(run: RunJobs) -> TDLambda:
    return TDLambda(network_for(ACEY), TDLambdaSettings(positions=512), seed=4, run=run)


@pytest.mark.parametrize("method", [generations, td_lambda])
def test_the_same_is_learnt_on_a_cluster_and_when_a_worker_dies(
    cluster: Cluster, tmp_path: Path, method: Callable[[RunJobs], Generations | TDLambda]
) -> None:
    marker = tmp_path / "killed"
    learners = [method(run) for run in (run_here, cluster, fragile_jobs(cluster, marker))]
    for _ in range(2):
        rounds = [learner.round() for learner in learners]
        assert rounds[0] == rounds[1] == rounds[2]
    assert marker.exists()
    for learner in learners[1:]:
        for one, other in zip(learner.network.weights, learners[0].network.weights):
            assert (one == other).all()


@pytest.mark.parametrize("game", ["checkers", "acey_ducey"])
def test_the_command_train(
    cluster: Cluster, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr("parlour.learn.strength.GAMES", 4)
    monkeypatch.setattr("parlour.learn.methods.GenerationsSettings", partial(GenerationsSettings, positions=200))
    weights = []
    for name, options in (("ray", ("--ray", "local")), ("here", ())):
        ran = run("train", game, "--rounds", 2, "--hidden", 8, "--out", tmp_path / name, *options)
        assert ran.status == 0, ran.err
        weights.append([array.tobytes() for array in load(tmp_path / name / f"{game}.value").weights])
    assert weights[0] == weights[1]
