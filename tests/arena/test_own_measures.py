"""Measures of one's own, from Python and by ``--import``; and that measures travel to other machines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import cloudpickle
import pytest

from parlour.arena import Threads, compare, explore
from parlour.arena.measures import MEASURES, mean_of, measure, registry
from parlour.arena.runs.journal import JOURNAL
from parlour.arena.runs.playing import Task, play_task
from parlour.arena.setting.plans import Played
from tests.arena.small_comparison import read_csv
from tests.support.command_line import Run, check_error

MODULE = """
from parlour.arena.measures import SHARE, mean_of, measure

@measure("late_holds", title="Late holds", meaning="holds in the second half", kind=mean_of("per game"), tested=True)
def late_holds(game):
    return game.trace.events[game.plies // 2:, game.trace.event_names.index("held")].sum()

@measure("long", title="Long games", meaning="more than five plies", kind=SHARE)
def long(game):
    return None if game.plies == 5 else game.plies > 5
"""


@pytest.fixture(autouse=True)
def _measures_of_this_test_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "MEASURES", dict(MEASURES))


def test_by_import_on_the_command_line(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "my_measures.py").write_text(MODULE)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    ask = ("compare", "pig", "--players", "random", "--skill", "none", "--games", 20, "-o", "goal=9", "--out", "run")
    ran = run("--import", "my_measures", *ask, "--measures", "plies,late_holds,Own measures")
    assert (ran.status, ran.err) == (0, "")
    rows = {(row["variant"], row["measure"]): row for row in read_csv(tmp_path / "run" / "results.csv")}
    assert {key for _, key in rows} == {"plies", "late_holds", "long"}
    assert float(rows["pig", "late_holds"]["estimate"]) > 0
    assert {row["measure"] for row in read_csv(tmp_path / "run" / "tests.csv")} == {"plies", "late_holds"}
    page = (tmp_path / "run" / "report.html").read_text()
    assert "Own measures" in page
    assert "holds in the second half" in page


def test_from_python() -> None:
    @measure("first_choice", title="First action", meaning="its number", kind=mean_of("", low=0), group="My group")
    def first_choice(game: Played) -> int:
        return int(game.trace.actions[0])

    result = compare("pig-v0", players=["random"], skill=None, games=20, goal=6, measures=["my group"])
    games = result.games
    assert set(games["first_choice"]) == {0.0, 1.0}
    (pig,) = [row for row in result.figure_rows() if row["variant"] == "pig"]
    assert pig["estimate"] == pytest.approx(games[games.variant == "pig"]["first_choice"].mean())


def test_what_is_no_measure_is_refused(run: Run) -> None:
    with pytest.raises(ValueError, match="there is a measure 'plies' already"):
        measure("plies", title="", meaning="", kind=mean_of(""))(lambda game: 0)
    with pytest.raises(ValueError, match="can't be the name of a measure"):
        measure("my measure", title="", meaning="", kind=mean_of(""))(lambda game: 0)
    measure("word", title="Word", meaning="", kind=mean_of(""))(lambda game: "long")
    with pytest.raises(ValueError, match="measure 'word' must give a number or None, not 'long'"):
        compare("pig-v0", players=["random"], skill=None, games=4, goal=6, measures=["word"])
    check_error(run("compare", "pig", "--measures", "first_choice"), "no measure 'first_choice'")


def test_a_measure_can_not_change_what_is_saved(tmp_path: Path) -> None:
    """Moves, events and traces are read-only, so that a resumed run finds the games that were played."""

    def spoils(*, key: str, spoil: Any) -> None:
        measure(key, title=key, meaning="", kind=mean_of(""))(spoil)
        with pytest.raises(ValueError, match=f"measure '{key}' failed in game"):
            compare("pig-v0", variants=["pig"], players=["random"], skill=None, games=4, goal=6, measures=[key],
                    folder=tmp_path / key)  # fmt: skip
        kept = compare("pig-v0", variants=["pig"], players=["random"], skill=None, games=4, goal=6, measures=["plies"],
                       folder=tmp_path / key)  # fmt: skip
        clean = compare("pig-v0", variants=["pig"], players=["random"], skill=None, games=4, goal=6, measures=["plies"])
        assert str(kept.figure_rows()) == str(clean.figure_rows())

    spoils(key="moves", spoil=lambda game: game.moves.__setitem__(slice(None), 0))
    spoils(key="flags", spoil=lambda game: game.moves.setflags(write=True))
    spoils(key="acts", spoil=lambda game: game.trace.actions.fill(0))
    spoils(key="keys", spoil=lambda game: game.trace.keys.fill(0))
    spoils(key="counts", spoil=lambda game: game.events.update(held=99))


def test_a_measure_that_fails_is_named_with_its_game_and_the_games_are_kept(tmp_path: Path) -> None:
    def late(game: Played) -> float:
        if game.spec.index == 5:
            raise KeyError("no such thing")
        return 1.0

    measure("late", title="Late", meaning="", kind=mean_of(""))(late)
    ask: dict[str, Any] = {"players": ["random"], "skill": None, "games": 8, "goal": 6, "folder": tmp_path / "run"}
    said = r"measure 'late' failed in game 5 of 'pig: random in all seats': KeyError: 'no such thing' \(.*, line \d+\)"
    with pytest.raises(ValueError, match=said):
        compare("pig-v0", variants=["pig"], workers=Threads(1), measures=["late"], **ask)
    assert (tmp_path / "run" / JOURNAL).read_bytes().count(b"\n") >= 1
    measure("late", title="Late", meaning="", kind=mean_of(""))(lambda game: 2.0)
    (row,) = compare("pig-v0", variants=["pig"], measures=["late"], **ask).figure_rows()
    assert (row["estimate"], row["n"]) == (2.0, 8)


class FarAway:
    """Workers that get their tasks as bytes and answer in bytes, as those of a Ray cluster do."""

    count = 2

    def play(self, tasks: Iterable[Task]) -> Iterator[list[Played]]:
        for task in tasks:
            games: list[Played] = []
            play_task(cloudpickle.loads(cloudpickle.dumps(task)), games.extend)
            yield cloudpickle.loads(cloudpickle.dumps(games))


def test_far_workers_measure_the_same(tmp_path: Path) -> None:
    ask = {"players": ["random"], "skill": ("random", "greedy"), "games": 8, "goal": 6}
    there, here = (compare("pig-v0", workers=workers, **ask) for workers in (FarAway(), None))
    assert str(there.figure_rows()) == str(here.figure_rows())
    asked = {"goals": ["plies:min"], "player": "random", "games": 4, "finalists": 2, "final": 4}
    options = {"goal": [6, 9, 12, 20, 30]}
    far, near = (explore("pig-v0", options, workers=workers, **asked) for workers in (FarAway(), None))
    assert str(far.combination_rows()) == str(near.combination_rows())


def test_the_skill_trace_is_the_elo_of_each_doubling(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    ask = {"players": [], "skill": None, "games": 4, "goal": 6, "folder": folder}
    result = compare("pig-v0", variants=["pig"], trace=("mcts:1", 5), **ask)
    rows = result.figure_rows()
    assert [row["players"] for row in rows] == [f"mcts:{2 << k} against mcts:{1 << k}" for k in range(5)]
    assert {(row["measure"], row["n"]) for row in rows} == {("skill_trace", 2)}
    assert (folder / "plots" / "skill_trace_1.svg").is_file()
    assert len((folder / JOURNAL).read_text().splitlines()) == 20
