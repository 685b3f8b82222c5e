"""``python -OO`` takes all docstrings away, and a game's package may have none: everything works as before."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import click
import pytest

import parlour
from parlour.cli import COMMANDS, commands
from tests.support.own_games import PIG, copy_game

PROGRAM = """
import json
import numpy as np
import parlour
import click
from parlour.cli import commands
from parlour.testing import check_game

parlour.register("undescribed")
for game in ("crown_and_anchor-v0", "undescribed-v0"):
    batch = parlour.make_batch(game, 3, seed=0)
    observation, _ = batch.reset()
    batch.step(np.argmax(observation["action_mask"], axis=1))
check_game("undescribed", checks=["parts", "layout", "people"], games=1)
context = click.Context(commands)
helps = {name: commands.get_command(context, name).get_short_help_str() for name in commands.list_commands(context)}
print(json.dumps({"games": parlour.games(), "helps": helps, "variants": parlour.variants("undescribed")}))
"""


def _ran(folder: Path, *options: str, **environment: str) -> dict[str, dict[str, str]]:
    """What the program prints in a folder with Pig without a docstring."""
    ran = subprocess.run(
        [sys.executable, *options, "-c", PROGRAM], cwd=folder, env={**os.environ, "PYTHONPATH": "", **environment},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stderr) == (0, "")
    return json.loads(ran.stdout)  # type: ignore[no-any-return]


def test_a_game_without_a_docstring_has_its_title_instead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = copy_game(PIG, tmp_path / "undescribed") / "__init__.py"
    package.write_text(package.read_text().partition('"""\n')[2])
    monkeypatch.syspath_prepend(str(tmp_path))
    parlour.register("undescribed")
    optimised = _ran(tmp_path, "-OO", NUMBA_DISABLE_JIT="1")
    assert parlour.games()["undescribed-v0"] == optimised["games"]["undescribed-v0"] == "Pig"
    assert parlour.games()["agon-v0"].startswith("Agon, or Queen's Guard (London, 1842)")
    assert optimised["games"]["agon-v0"] == "Agon (Queen's Guard)"
    names = [name for section in COMMANDS.values() for name in section]
    assert list(optimised["helps"]) == names
    context = click.Context(commands)
    assert all(commands.get_command(context, name).get_short_help_str() for name in names)
    assert optimised["variants"] == parlour.variants("undescribed")
