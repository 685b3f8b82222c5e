"""Compiled code: never stale, kept where it can be, never made at import; and the same rules run uncompiled."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import parlour
from parlour.rulebook.compiling import COMPILED
from tests.support.processes import ROOT, run_python

PIG = ROOT / "tests" / "toy_games" / "pig"
PLAY = """
import sys, parlour
parlour.register("games.pig")
env = parlour.make("pig-v0")
env.reset(seed=0, options={"dice": [(6,), (3, 4), (2, 2)]})
env.step(0)
print(env.position().partition(" | dice")[0])
"""


needs_compiler = pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")


@needs_compiler
def test_an_edit_in_another_file_is_noticed(tmp_path: Path) -> None:
    """The kept code of the engine calls the rules; the rules call a helper in a third file. An edit of the third file,
    with its old time of change, must show in the next process."""
    shutil.copytree(PIG, tmp_path / "games" / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    package = tmp_path / "games" / "pig"
    rules, helper = package / "rules.py", package / "counting.py"
    helper.write_text(
        "from parlour.rulebook.compiling import kernel\n\n\n@kernel\ndef worth(a, b):\n    return a + b\n"
    )
    rules.write_text(
        rules.read_text()
        .replace("from .variants", "from .counting import worth\nfrom .variants")
        .replace("state.turn += faces[0] + faces[1]", "state.turn += worth(faces[0], faces[1])")
    )
    cache = {"PARLOUR_CACHE_DIR": str(tmp_path / "cache")}
    first = run_python(PLAY, tmp_path, **cache)
    assert first.stdout == "scores 0 0 0 | player_0 | turn 11\n", first.stderr
    kept = sorted((tmp_path / "cache").glob("pig-step-*"))
    assert len(kept) == 1
    times = helper.stat()
    helper.write_text(helper.read_text().replace("a + b", "a * b"))
    os.utime(helper, ns=(times.st_atime_ns, times.st_mtime_ns))
    second = run_python(PLAY, tmp_path, **cache)
    assert second.stdout == "scores 0 0 0 | player_0 | turn 16\n", second.stderr
    assert len(sorted((tmp_path / "cache").glob("pig-step-*"))) == 2


@needs_compiler
def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    shutil.copytree(PIG, tmp_path / "games" / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    cache = {"PARLOUR_CACHE_DIR": str(tmp_path / "cache")}
    assert run_python(PLAY, tmp_path, **cache).returncode == 0
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.code")}
    assert files
    misses = (
        "from parlour.engine.compiled import INSTANCES\n"
        "calls = [call for module in INSTANCES.values() for call in vars(module).values() if hasattr(call, 'stats')]\n"
        "print(sum(sum(call.stats.cache_misses.values()) for call in calls),"
        " sum(sum(call.stats.cache_hits.values()) for call in calls))"
    )
    again = run_python(PLAY + misses, tmp_path, **cache)
    missed, hit = again.stdout.splitlines()[-1].split()
    assert (missed, int(hit) > 0) == ("0", True), again.stderr
    assert files == {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.code")}


@needs_compiler
def test_a_terminal_is_told_of_compiling_once_and_never_again(tmp_path: Path) -> None:
    shutil.copytree(PIG, tmp_path / "games" / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    terminal = "import sys\nsys.stderr.isatty = lambda: True\n"
    told = [run_python(terminal + PLAY, tmp_path, PARLOUR_CACHE_DIR=str(tmp_path / "cache")).stderr for _ in range(2)]
    assert told[0].startswith("parlour: compiling step for pig, usually ")
    assert [err.count("compiling") for err in told] == [1, 0]


@needs_compiler
def test_without_a_writable_folder_it_compiles_anew_and_says_so(tmp_path: Path) -> None:
    shutil.copytree(PIG, tmp_path / "games" / "pig", ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "file").write_text("in the way")
    played = run_python(PLAY, tmp_path, PARLOUR_CACHE_DIR=str(tmp_path / "file"))
    assert played.returncode == 0, played.stderr
    assert played.stdout == "scores 0 0 0 | player_0 | turn 11\n"
    assert str(tmp_path / "file") in played.stderr
    assert "PARLOUR_CACHE_DIR" in played.stderr
    assert (tmp_path / "file").read_text() == "in the way"


def test_importing_compiles_nothing_and_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, parlour; parlour.games(); parlour.variants('swords_and_shields-v0');"
        "parlour.options('swords_and_shields-v0');"
        "print([name for name in ('numba', 'pygame', 'matplotlib', 'torch', 'PIL', 'resvg_py') if name in sys.modules])"
    )
    done = run_python(code, tmp_path, PARLOUR_CACHE_DIR=str(tmp_path / "cache"))
    assert done.stdout == "[]\n", done.stderr
    assert not (tmp_path / "cache").exists()


def test_envs_and_wrappers_are_not_imported_twice() -> None:
    for name in ("envs", "wrappers"):
        done = run_python(f"import {name}", ROOT)
        assert f"import parlour.{name}, not {name}" in done.stderr


@needs_compiler
def test_the_rules_run_uncompiled_too() -> None:
    """A small part of the suite under NUMBA_DISABLE_JIT=1, in a process of its own."""
    parts = [
        "tests/rulebook/test_kernels.py",
        "tests/games/swords_and_shields/test_perft.py",
        "tests/games/test_checks.py::test_check[pig-v0-pig-rows]",
        "tests/test_aec.py::test_given_dice_then_the_streams_own",
        "tests/games/test_golden.py",
    ]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", *parts]
    done = subprocess.run(
        command, cwd=ROOT, env={**os.environ, "NUMBA_DISABLE_JIT": "1"}, capture_output=True, text=True, check=False,
        timeout=500,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:]
    assert "passed" in done.stdout


def test_version() -> None:
    assert parlour.__version__.count(".") == 2
