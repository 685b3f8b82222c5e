"""Compiled code: never stale, kept where it can be, never made at import; and the same rules run uncompiled."""

from __future__ import annotations

import os
from pathlib import Path

import parlour
from tests.support.cases import needs_compiler, sampled
from tests.support.own_games import PIG, copy_game
from tests.support.processes import NO_BYTECODE, ROOT, check_pytest, run_python

PLAY = """
import sys, parlour
parlour.register("games.pig")
env = parlour.make("pig-v0")
env.reset(seed=0, options={"dice": [(6,), (3, 4), (2, 2)]})
env.step(0)
print(env.position().partition(" | dice")[0])
"""


@needs_compiler
def test_a_second_process_compiles_only_what_was_edited_and_a_terminal_is_told_once(tmp_path: Path) -> None:
    """The kept code of the engine calls the rules; the rules call a helper in a third file. An edit of the third file,
    with its old time of change, must show in the next process."""
    package = copy_game(PIG, tmp_path / "games" / "pig")
    rules, helper = package / "rules.py", package / "counting.py"
    helper.write_text(
        "from parlour.rulebook.compiling import kernel\n\n\n@kernel\ndef worth(a, b):\n    return a + b\n"
    )
    rules.write_text(
        rules.read_text()
        .replace("from .variants", "from .counting import worth\nfrom .variants")
        .replace("state.turn += faces[0] + faces[1]", "state.turn += worth(faces[0], faces[1])")
    )
    cache = {"PARLOUR_CACHE_DIR": str(tmp_path / "cache"), **NO_BYTECODE}
    terminal = "import sys\nsys.stderr.isatty = lambda: True\n"
    first = run_python(terminal + PLAY, tmp_path, **cache)
    assert first.stdout == "scores 0 0 0 | player_0 | turn 11\n", first.stderr
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.code")}
    assert files
    misses = (
        f"sys.path.append({str(ROOT)!r})\nfrom tests.support.kernels import misses_and_hits as counts\nprint(*counts())"
    )
    again = run_python(terminal + PLAY + misses, tmp_path, **cache)
    missed, hit = again.stdout.splitlines()[-1].split()
    assert (missed, int(hit) > 0) == ("0", True), again.stderr
    assert files == {path: path.stat().st_mtime_ns for path in (tmp_path / "cache").rglob("*.code")}
    told = ["parlour: compiling the rules of pig …", "parlour: compiling what all games share …"]
    assert sorted(first.stderr.splitlines()) == told
    assert again.stderr == ""
    assert {"kernels", "pig-rules"} <= {folder.name for folder in (tmp_path / "cache").iterdir()}
    times = helper.stat()
    helper.write_text(helper.read_text().replace("a + b", "a * b"))
    os.utime(helper, ns=(times.st_atime_ns, times.st_mtime_ns))
    edited = run_python(PLAY, tmp_path, **cache)
    assert edited.stdout == "scores 0 0 0 | player_0 | turn 16\n", edited.stderr
    new = set((tmp_path / "cache").rglob("*.code")) - files.keys()
    assert {file.parent.name for file in new} == {"pig-rules"}


@needs_compiler
def test_without_a_writable_folder_it_compiles_anew_and_says_so(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    code = "import numpy as np\nfrom parlour.rulebook.bits import size\nprint(size(np.array([7, 1], np.uint64)))"
    ran = run_python(code, tmp_path, PARLOUR_CACHE_DIR=str(tmp_path / "file"))
    assert (ran.returncode, ran.stdout) == (0, "4\n"), ran.stderr
    assert str(tmp_path / "file") in ran.stderr
    assert "PARLOUR_CACHE_DIR" in ran.stderr
    assert (tmp_path / "file").read_text() == "in the way"


def test_importing_compiles_nothing_and_loads_nothing_heavy(tmp_path: Path) -> None:
    code = (
        "import sys, gymnasium, parlour; parlour.games(); parlour.variants('swords_and_shields-v0');"
        "parlour.options('swords_and_shields-v0'); assert 'parlour/SwordsAndShields-v0' in gymnasium.registry;"
        "print(*sys.modules)"
    )
    done = run_python(code, tmp_path, PARLOUR_CACHE_DIR=str(tmp_path / "cache"))
    imported = set(done.stdout.split())
    assert "parlour.interfaces.registry" in imported, done.stderr
    assert not imported & {"numba", "pygame", "matplotlib", "torch", "PIL", "resvg_py"}
    assert not imported & {"parlour.interfaces.aec", "parlour.wrappers"}
    assert not {name for name in imported if name.endswith(".drawing")}
    assert not (tmp_path / "cache").exists()


def test_envs_and_wrappers_are_not_imported_twice() -> None:
    for name in ("envs", "wrappers"):
        done = run_python(f"import {name}", ROOT)
        assert f"import parlour.{name}, not {name}" in done.stderr


PERFT, GOLDEN = "tests/games/swords_and_shields/test_perft.py", "tests/games/test_golden.py"


@needs_compiler
@sampled("games", [f"{PERFT}::test_perft_from_the_start"], [PERFT, GOLDEN])
def test_the_rules_run_uncompiled_too(games: list[str]) -> None:
    """A small part of the suite under NUMBA_DISABLE_JIT=1, in a process of its own. (The check `interpreted` plays all
    games so.)"""
    parts = [
        "tests/rulebook/test_kernels.py",
        "tests/games/test_checks.py::test_check[pig-v0-pig-rows]",
        "tests/games/test_checks.py::test_check[pig-v0-pig-copies]",
        "tests/interfaces/test_aec.py::test_given_dice_then_the_streams_own",
        *games,
    ]
    check_pytest(ROOT, "-x", *parts, NUMBA_DISABLE_JIT="1")


def test_version() -> None:
    assert parlour.__version__.count(".") == 2
