"""No kernel reads or writes outside an array: a little play of the toy game here; all games by ``nox -s bounds``.

Uncompiled, Python checks every index by itself. To compile the same kernels with these checks takes longer than the
play: that is a long test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour.rulebook.compiling import COMPILED

ROOT = Path(__file__).parents[2]
PLAY_PIG = """
import parlour
from tests.support.checked_play import play
parlour.register("tests.toy_games.pig")
print(play("pig-v0", {plies}), "plies")
"""
STRAY = """
from pathlib import Path
import numpy as np
from parlour.rulebook.compiling import kernel

TABLE = np.arange(5)

@kernel
def look_up(k):
    return TABLE[k]

@kernel
def fill(array, k):
    for i in range(k):
        array[i] = look_up(i)

array = np.zeros(8, np.int64)
fill(array, 5)
try:
    fill(array, 6)
except IndexError:
    print("caught")
"""


def run(code: str, folder: Path, **settings: str) -> str:
    """What a Python process with checked indices prints. ``settings``: of Numba."""
    (folder / "code.py").write_text(code)
    settings = {"NUMBA_BOUNDSCHECK": "1", **settings}
    paths = {"PARLOUR_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(folder / "code.py")]
    environment = {**os.environ, **paths, **settings}
    ran = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return ran.stdout


pytestmark = pytest.mark.skipif(not COMPILED, reason="the interpreter checks indices by itself")


def test_an_index_outside_is_caught(tmp_path: Path) -> None:
    """Also in a kernel that is compiled right into another: else the play below would prove nothing."""
    assert run(STRAY, tmp_path) == "caught\n"


@pytest.mark.parametrize(("plies", "interpreted"), [(150, "1"), pytest.param(2000, "0", marks=pytest.mark.long)])
def test_play_stays_inside(plies: int, interpreted: str, tmp_path: Path) -> None:
    printed = run(PLAY_PIG.format(plies=plies), tmp_path, NUMBA_DISABLE_JIT=interpreted)
    assert int(printed.split()[-2]) >= plies
