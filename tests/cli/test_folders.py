"""A folder holds a run of one kind: every command that writes a run refuses the folders of all others, in one line, and
writes nothing there."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

import parlour
from parlour.arena.ladders.ladder_making import plan_ladder
from parlour.arena.ladders.rating import plan_rating
from parlour.arena.matches.contests import plan_contest
from parlour.arena.runs.journal import Folder
from parlour.arena.setting.plans import Plan
from parlour.arena.study.plans import plan_comparison
from parlour.interfaces.registry import find
from parlour.learn.run import TrainingRun, plan_run
from tests.arena.explorations import plan_of
from tests.support.command_line import Run, check_error
from tests.support.faults import tree

SWORDS = "swords_and_shields"
WRITERS = {
    "match": ("match", SWORDS, "random", "greedy", "--games", 2),
    "tournament": ("tournament", SWORDS, "random", "greedy", "mcts:2", "--games", 2),
    "compare": ("compare", SWORDS, "--players", "random", "--skill", "none", "--games", 4),
    "explore": ("explore", "pig", "--options", "snake_eyes", "--goal", "plies:min", "--player", "random"),
    "rate": ("rate", SWORDS, "greedy"),
    "ladder": ("ladder", SWORDS, "--make", "--rung", "random", "--rung", "greedy"),
    "train": ("train", "pig", "--rounds", 1),
    "atlas": ("atlas", SWORDS, "--quick"),
    "solve": ("solve", "checkers", "--pieces", 2),
}
"""By what they write, the commands that go on in a folder."""
BEGUN = {
    "atlas": ("second.value", "work/games/config.json"),
    "atlas that is written": ("atlas.toml", "index.html", "work/games/config.json"),
    "train": ("tensorboard/events.out.tfevents.1",),
    "data set": ("data/main_data.hdf5", "data/metadata.json"),
    "simulate": ("pig-pig.jsonl", "pig-pig.html", "pig-pig.gif"),
    "serve": ("games.sqlite3",),
    "notes": ("notes.txt",),
}
"""The files of others, most of which a run leaves that is stopped early."""


def run_of(plan: Callable[[], Plan], folder: Path) -> None:
    """The folder of a run without games."""
    with Folder(folder, plan()) as run:
        run.open_journal()


def training(folder: Path) -> None:
    with TrainingRun(plan_run(find("pig"), None, {}, None, 4, 0), folder) as run:
        run.save()


def files(names: tuple[str, ...], folder: Path) -> None:
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"the content of {name}")


GAME = find(SWORDS)
HOLDERS: dict[str, Callable[[Path], object]] = {
    "match": partial(run_of, lambda: plan_contest(GAME, {"random": "random", "mcts:1": "mcts:1"}, (), 4, None, 0, {})),
    "compare": partial(run_of, lambda: plan_comparison(GAME, None, ["greedy"], None, 4, 0, {}).plan),
    "explore": partial(run_of, lambda: plan_of().plan),
    "rate": partial(run_of, lambda: plan_rating(GAME, "mcts:1").plan),
    "ladder": partial(run_of, lambda: plan_ladder(GAME, None, ["random", "mcts:1"]).plan),
    "finished training": training,
    "solve": lambda folder: parlour.solve("checkers-v0", out=folder, pieces=2),
    **{name: partial(files, names) for name, names in BEGUN.items()},
}


@pytest.fixture(scope="module")
def holders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Folders of all kinds."""
    place = tmp_path_factory.mktemp("holders")
    for name, make in HOLDERS.items():
        make(place / name)
    return {name: place / name for name in HOLDERS}


@pytest.mark.parametrize("writer", WRITERS)
def test_no_run_is_written_into_a_folder_of_another_kind(writer: str, run: Run, holders: dict[str, Path]) -> None:
    before = {name: tree(folder) for name, folder in holders.items()}
    for name, folder in holders.items():
        if not (writer in name or (writer == "train" and name == "finished training")):
            check_error(run(*WRITERS[writer], "--out", folder), folder, "give a")
            assert tree(folder) == before[name], name
