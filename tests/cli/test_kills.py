"""Commands that are killed (SIGKILL) at any moment, and run again: they give what an undisturbed run gives."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.runs.journal import JOURNAL
from parlour.cli import commands
from parlour.support.files import UNFINISHED
from tests.support.faults import run_and_kill, tree

PROGRAM = """
import sys
import parlour.cli
sys.stdout.reconfigure(line_buffering=True)
if "simulate" in sys.argv:
    print("ready")  # compare prints a line itself before it plays
parlour.cli.main()
"""
COMPARE = (
    "--import", "tests.toy_games.pig", "compare", "pig-v0", "--players", "random",
    "--skill", "random,greedy", "--games", "600", "--threads", "1", "--out",
)  # fmt: skip
SIMULATE = (
    "--import", "tests.toy_games.pig", "simulate", "pig-v0", "--games", "30000", "--players", "greedy", "--seed", "5",
    "--out",
)  # fmt: skip
KILLS = pytest.mark.parametrize("kills", [1, pytest.param(60, marks=pytest.mark.long)])


def run(*arguments: object) -> None:
    """Runs the command to its end."""
    commands.main([str(argument) for argument in arguments], standalone_mode=False)


def results(folder: Path) -> dict[str, object]:
    """What a run of `compare` has left: every file, and the games of its journal, which is in the order in which they
    ended; so the page of games tells other lines of it."""
    files: dict[str, object] = dict(tree(folder))
    files[GAMES_PAGE] = re.sub(rb"\(line \d+\)", b"(line)", (folder / GAMES_PAGE).read_bytes())
    games = map(json.loads, (folder / JOURNAL).read_text().splitlines())
    told = [{key: value for key, value in game.items() if key not in ("number", "crc32")} for game in games]
    files[JOURNAL] = sorted(told, key=repr)
    return files


@KILLS
def test_a_killed_comparison_ends_as_one_that_was_not(kills: int, tmp_path: Path) -> None:
    """Killed over and over, each time after having gone on from where it was; started again whenever it was
    complete."""
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    run(*COMPARE, undisturbed)
    for kill in range(kills):
        run_and_kill(PROGRAM, *COMPARE, killed, delay=0.02 + 0.0737 * (kill % 29))
        if killed.exists():
            names = {name for name in tree(killed) if not Path(name).name.startswith(UNFINISHED)}
            assert names <= tree(undisturbed).keys()
        if (killed / "report.html").exists():
            (killed / JOURNAL).unlink()
    run(*COMPARE, killed)
    assert results(killed) == results(undisturbed)


@KILLS
def test_killed_simulations_leave_whole_files_or_none(kills: int, tmp_path: Path) -> None:
    """A simulation is not resumed: run again, it writes the same records and pictures."""
    undisturbed, killed = tmp_path / "undisturbed", tmp_path / "killed"
    run(*SIMULATE, undisturbed)
    whole = tree(undisturbed)
    assert {Path(name).suffix for name in whole} == {".jsonl", ".html", ".gif"}
    for kill in range(kills):
        run_and_kill(PROGRAM, *SIMULATE, killed, delay=0.2 + 0.0737 * (kill % 23))
        left = tree(killed) if killed.exists() else {}
        for name in left.keys() & whole.keys():
            assert left[name] == whole[name]
    run(*SIMULATE, killed)
    left = tree(killed)
    assert {name: left[name] for name in whole} == whole
    assert all(name in whole or name.startswith(UNFINISHED) for name in left)
