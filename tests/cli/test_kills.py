"""Commands that are killed (SIGKILL) at any moment, and run again: they give what an undisturbed run gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.cli import commands
from parlour.support.files import UNFINISHED
from tests.support.faults import run_and_kill, tree

PROGRAM = """
import parlour.cli
print("ready", flush=True)
parlour.cli.main()
"""
SIMULATE = (
    "--import", "tests.toy_games.pig", "simulate", "pig-v0", "--games", "30000", "--players", "greedy", "--seed", "5",
    "--out",
)  # fmt: skip


def run(*arguments: object) -> None:
    """Runs the command to its end."""
    commands.main([str(argument) for argument in arguments], standalone_mode=False)


@pytest.mark.parametrize("kills", [1, pytest.param(60, marks=pytest.mark.long)])
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
