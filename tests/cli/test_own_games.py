"""Games of other people on the command line: by entry point, by their package's name, and by ``--import``."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pettingzoo
import pytest

from parlour.cli import main
from parlour.interfaces.registry import find
from parlour.rulebook.compiling import COMPILED
from tests.support.command_line import Run, check_refused
from tests.support.own_games import PIG, copy_game
from tests.support.processes import ROOT

LADDER = ROOT / "envs" / "royal_ur" / "ladder.json"
UNCOMPILED = {"NUMBA_DISABLE_JIT": "1"}


def mistaken_pig(folder: Path, right: str, wrong: str) -> int:
    """Writes Pig as ``my_pig``, with something wrong in its rules, and gives the number of the last line of that."""
    rules = copy_game(PIG, folder / "my_pig", ("rules.py", right, wrong)) / "rules.py"
    last = wrong.splitlines()[-1]
    return next(number for number, line in enumerate(rules.read_text().splitlines(), 1) if last in line)


def install(folder: Path, entry_points: str) -> None:
    """A distribution that has these entry points, as pip leaves it."""
    info = folder / "their_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: their-games\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[parlour.games]\n{entry_points}\n")


def python_in(folder: Path, code: str, *arguments: str, typed: str = "", **environment: str) -> tuple[int, str, str]:
    """Runs a program in a folder: status, output, errors."""
    ran = subprocess.run(
        [sys.executable, "-c", code, *arguments], cwd=folder,
        env={**os.environ, "PYTHONSAFEPATH": "1", **environment}, capture_output=True, text=True, input=typed,
    )  # fmt: skip
    return ran.returncode, ran.stdout, ran.stderr


def parlour_in(
    folder: Path, *arguments: str, path: Path | None = None, compiled: bool = True, typed: str = ""
) -> tuple[int, str, str]:
    """Runs the command line in a folder, with ``path`` on Python's path: status, output, errors. ``typed``: by the
    player."""
    environment = {"PYTHONPATH": str(path or ""), "COLUMNS": "200", **({} if compiled else UNCOMPILED)}
    return python_in(folder, "from parlour.cli import main; main()", *arguments, typed=typed, **environment)


def test_an_installed_game_is_known_everywhere(tmp_path: Path) -> None:
    copy_game(PIG, tmp_path / "site" / "their_pig")
    install(tmp_path / "site", "pig = their_pig")
    status, out, err = parlour_in(tmp_path, "variants", "their_pig", path=tmp_path / "site")
    assert (status, err) == (0, "")
    assert "two ones lose all points" in out


def test_a_game_is_installed_with_all_its_files_as_contributing_says(tmp_path: Path) -> None:
    source, site = tmp_path / "source", tmp_path / "site"
    for folder in (source, site):
        folder.mkdir()
    assert parlour_in(source, "new-game", "my_game")[0] == 0
    shutil.copy(LADDER, source / "my_game")
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    (source / "pyproject.toml").write_text(re.findall(r"^```toml\n(.*?)^```", page, re.DOTALL | re.MULTILINE)[0])
    build = "import sys; from setuptools import build_meta; build_meta.build_wheel(sys.argv[1])"
    subprocess.run([sys.executable, "-c", build, str(tmp_path)], cwd=source, check=True, capture_output=True)
    with zipfile.ZipFile(next(tmp_path.glob("*.whl"))) as wheel:
        wheel.extractall(site)
    assert {path.name for path in (site / "my_game").iterdir()} == {
        path.name for path in (source / "my_game").iterdir() if path.is_file()
    }
    assert "my_game-v0" in parlour_in(tmp_path, "games", path=site)[1]
    assert parlour_in(tmp_path, "rules", "my_game", path=site)[::2] == (0, "")
    (site / "my_game" / "README.md").unlink()
    status, out, err = parlour_in(tmp_path, "rules", "my_game", path=site)
    assert (status, out) == (2, "")
    assert err.startswith("parlour: my_game has no README.md, which its game needs (to install it with a game, see ")


@pytest.mark.parametrize(
    "made",
    [
        "gymnasium.make('parlour:parlour/TheirPig-v0')",
        "import parlour; env = gymnasium.make('parlour/TheirPig-v0')",
        "import parlour; env = pettingzoo.make('aec', 'parlour/their_pig-v0')",
    ],
)
def test_an_installed_game_is_known_to_gymnasium_and_pettingzoo_at_once(made: str, tmp_path: Path) -> None:
    if "pettingzoo.make" in made and not hasattr(pettingzoo, "make"):
        pytest.skip("this PettingZoo has no registry")
    copy_game(PIG, tmp_path / "site" / "their_pig")
    install(tmp_path / "site", "pig = their_pig")
    code = f"import gymnasium, pettingzoo; env = {made.removeprefix('import parlour; env = ')}"
    code = ("import parlour; " if made.startswith("import") else "") + f"{code}; env.reset(seed=1); print('made')"
    quietly = {"PYTHONWARNINGS": "ignore::DeprecationWarning", "PYTHONPATH": str(tmp_path / "site"), **UNCOMPILED}
    assert python_in(tmp_path, code, **quietly) == (0, "made\n", "")


def test_an_installed_game_that_imports_parlour_itself_is_known(tmp_path: Path) -> None:
    """Also where it is imported first, so that parlour can't register it yet."""
    site = tmp_path / "site"
    copy_game(PIG, site / "their_pig")
    root = site / "their_pig" / "__init__.py"
    root.write_text(root.read_text().replace("TITLE = ", "import parlour\n\nTITLE = ", 1))
    install(site, "pig = their_pig")
    for first in ("their_pig, parlour", "parlour, their_pig"):
        code = f"import {first}; print('their_pig-v0' in parlour.games(), parlour.make('their_pig').game.id)"
        ran = python_in(tmp_path, code, PYTHONPATH=str(site), **UNCOMPILED)
        assert ran == (0, "True their_pig-v0\n", "")


def test_installed_games_that_cannot_be_used_are_named_and_others_work(tmp_path: Path) -> None:
    site = tmp_path / "site"
    copy_game(PIG, site / "their_pig")
    (site / "broken").mkdir()
    (site / "broken" / "__init__.py").write_text("raise RuntimeError('not today')\n")
    (site / "plain.py").write_text("")
    install(site, "a = broken\nb = plain\nc = nowhere\nd = their_pig")
    status, out, err = parlour_in(tmp_path, "games", path=site)
    assert status == 0
    assert "their_pig-v0" in out
    for part in ("'broken'", "not today", "'plain'", "does not define 'TITLE'", "'nowhere'", "'their-games'"):
        assert part in err
    assert "Traceback" not in err


def test_the_package_of_a_game_stands_for_it(tmp_path: Path) -> None:
    """In the folder that has it, and in a package; a folder that is no game is none."""
    copy_game(PIG, tmp_path / "my_pig")
    copy_game(PIG, tmp_path / "deep" / "other_pig")
    asked = ["--games", "4", "--players", "random", "--openings", "none", "--out"]
    status, out, err = parlour_in(tmp_path, "compare", "my_pig", *asked, "told", compiled=False)
    assert (status, "Best first: " in out, "Traceback" in err) == (0, True, False)
    status, out, _ = parlour_in(tmp_path, "variants", "deep.other_pig")
    assert (status, "two ones lose all points" in out) == (0, True)
    status, _, err = parlour_in(tmp_path, "solve", "my_pig", "--out", "table")
    assert (status, "my_pig-v0 can't be solved" in err) == (2, True)
    (tmp_path / "empty").mkdir()
    status, _, err = parlour_in(tmp_path, "variants", "empty")
    assert (status, "there is no game 'empty'" in err) == (2, True)
    status, _, err = parlour_in(tmp_path, "variants", "deep.nowhere")
    assert (status, "No module named 'deep.nowhere'" in err, "Traceback" in err) == (2, True, False)


def test_import_of_a_game_and_of_a_module_that_registers_games(tmp_path: Path) -> None:
    copy_game(PIG, tmp_path / "my_pig")
    copy_game(PIG, tmp_path / "deep" / "other_pig")
    (tmp_path / "deep" / "__init__.py").write_text("import parlour\nparlour.register('deep.other_pig')\n")
    status, out, err = parlour_in(tmp_path, "--import", "my_pig", "--import", "deep", "games")
    assert (status, err) == (0, "")
    assert "my_pig-v0" in out
    assert "other_pig-v0" in out


@pytest.mark.parametrize(
    ("module", "content", "part"),
    [
        ("nowhere", None, "No module named 'nowhere'"),
        ("broken", "1 / 0", "ZeroDivisionError"),
        ("broken", "def", "SyntaxError"),
        (
            "half",
            "import parlour\nparlour.register('half_game')",
            "half_game is not the package of a game: it does not define 'VERSION'",
        ),
        (".relative", None, "relative"),
        ("", None, "Empty module name"),
    ],
)
def test_an_import_that_fails_is_one_line(
    run: Run, module: str, content: str | None, part: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if content is not None:
        (tmp_path / f"{module}.py").write_text(content)
    (tmp_path / "half_game.py").write_text("TITLE = 'Half'")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    check_refused(run("--import", module, "games"), f"--import {module}: ", part)


@pytest.mark.skipif(not COMPILED, reason="nothing is compiled under NUMBA_DISABLE_JIT")
@pytest.mark.parametrize(
    ("right", "wrong", "message"),
    [
        ("state.turn_over = 0", "state.ower = 0", "my_pig/rules.py, line {}: state.ower = 0: KeyError: 'ower'"),
        ("pass_on(state, variant)", "pas_on(state, variant)", "NameError: name 'pas_on' is not defined"),
        ("@kernel\ndef apply", "def apply", "my_pig.rules: the decorator @kernel is missing before 'apply'"),
    ],
)  # fmt: skip
def test_a_mistake_in_the_rules_is_one_line(right: str, wrong: str, message: str, tmp_path: Path) -> None:
    """That names the author's own line."""
    line = mistaken_pig(tmp_path, right, wrong)
    status, out, err = parlour_in(tmp_path, "simulate", "my_pig", "--games", "2")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert message.format(line) in err


MISTAKES = {
    "a ValueError": (
        "    seat = state.to_act\n", "    seat = state.to_act\n    raise ValueError('few')\n",
        ["simulate", "my_pig", "--games", "2"],
        "my_pig/rules.py, line {}: raise ValueError('few'): ValueError: few; parlour check my_pig finds such mistakes",
    ),
    "a ValueError in a match": (
        "    seat = state.to_act\n", "    seat = state.to_act\n    raise ValueError('few')\n",
        ["match", "my_pig", "random", "greedy", "--games", "2"],
        ": my_pig/rules.py, line {}: raise ValueError('few'): ValueError: few",
    ),
    "a seat that there is not": (
        "state.to_act = (state.to_act + 1) % variant.players", "state.to_act = 99",
        ["simulate", "my_pig", "--games", "2"], "IndexError: index 99 is out of bounds",
    ),
}  # fmt: skip
"""Of each: what is replaced in the rules by what, a command, and what it says."""


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_that_plain_python_finds_is_one_line(mistake: str, tmp_path: Path) -> None:
    """Also where Parlour stumbles on it."""
    right, wrong, command, message = MISTAKES[mistake]
    line = mistaken_pig(tmp_path, right, wrong)
    status, _, err = parlour_in(tmp_path, *command, compiled=False)
    assert (status, err.count("\n"), "Traceback" in err) == (2, 1, False), err
    assert message.format(line) in err


@pytest.mark.parametrize("command", ["play", "simulate"])
def test_a_seat_without_a_legal_action_is_told_at_once(command: str, tmp_path: Path) -> None:
    mistaken_pig(tmp_path, "    if state.end == RUNNING:", "    if state.end > RUNNING:")
    status, _, err = parlour_in(tmp_path, command, "my_pig", compiled=False)
    assert (status, err.count("\n")) == (2, 1), err
    assert "my_pig-v0 allows no action in position '" in err
    assert "; parlour check my_pig finds such mistakes" in err


def test_what_a_game_refuses_stays_a_plain_sentence(tmp_path: Path) -> None:
    """A text or a value that was given wrong is no mistake of the author's."""
    copy_game(PIG, tmp_path / "my_pig")
    status, _, err = parlour_in(tmp_path, "play", "my_pig", "-o", "bank=nothing", "-o", "fine=1", compiled=False)
    assert (status, err) == (2, "parlour: fine has no effect with bank=nothing\n")
    status, _, err = parlour_in(tmp_path, "play", "my_pig", "--position", "nonsense", compiled=False)
    assert (status, err.count("\n"), "line" in err, "mistakes" in err) == (2, 1, False, False), err


def test_an_error_of_parlour_s_own_keeps_its_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no game of the user's own is played."""

    def broken(*_: object) -> None:
        raise KeyError("lost")

    monkeypatch.setattr("parlour.cli.play.GameEnv", broken)
    with pytest.raises(KeyError, match="lost"):
        main(["play", "checkers"])


def test_an_error_of_a_player_of_one_s_own_keeps_its_traceback(tmp_path: Path) -> None:
    """It comes from neither the game nor Parlour."""
    copy_game(PIG, tmp_path / "my_pig")
    (tmp_path / "bots.py").write_text("def lost(*_):\n    return [][99]\n")
    command = ["simulate", "my_pig", "--games", "2", "--players", "python:bots:lost"]
    status, _, err = parlour_in(tmp_path, *command, compiled=False)
    assert (status, 'bots.py", line 2' in err, "parlour check" in err) == (1, True, False), err


def test_a_readme_that_is_not_utf_8_is_named(tmp_path: Path) -> None:
    copy_game(PIG, tmp_path / "my_pig")
    file = tmp_path / "my_pig" / "README.md"
    file.write_bytes("# Würfel\n".encode("latin-1"))
    status, _, err = parlour_in(tmp_path, "rules", "my_pig", compiled=False)
    assert (status, err.count("\n"), f"{file}: save it as UTF-8: " in err) == (2, 1, True), err


@pytest.mark.parametrize("command", ["check", "variants"])
def test_a_folder_with_the_name_of_a_known_game_is_not_passed_over(command: str, tmp_path: Path) -> None:
    copy_game(PIG, tmp_path / "agon")
    status, out, err = parlour_in(tmp_path, command, "agon")
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert f"agon is the game in {find('agon').folder}, and the folder agon here has another one: rename" in err
    assert parlour_in(tmp_path, "variants", "agon-v0")[0] == 0


OUTSIDE = [
    ("simulate", "my_pig", "--games", "2"),
    ("match", "my_pig", "random", "greedy", "--games", "2"),
    ("train", "my_pig", "--rounds", "1"),
    ("play", "my_pig", "--against", "random", "--seed", "0"),
]
"""Commands that play: the first checks rules in a batch, the others in tasks, in self-play, and in a single game."""


@pytest.mark.skipif(not COMPILED, reason="the interpreter checks indices by itself")
@pytest.mark.parametrize(
    "arguments",
    [OUTSIDE[0], *(pytest.param(one, marks=pytest.mark.long) for one in OUTSIDE[1:])],
    ids=lambda one: one[0],
)
def test_an_index_outside_an_array_is_one_line(
    arguments: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That says how to find the author's line; a run of it does."""
    mistaken_pig(tmp_path, "state.scores[seat] +=", "state.scores[seat + 50] +=")
    monkeypatch.setenv("NUMBA_BOUNDSCHECK", "1")
    status, _, err = parlour_in(tmp_path, *arguments, typed="hold\n" * 9)
    message = err.splitlines()[-1]
    assert (status, "Traceback" in err) == (2, False), err
    assert message.endswith(
        "the rules of my_pig read or write outside an array; the same command with NUMBA_DISABLE_JIT=1 names the line, "
        "and so does parlour check my_pig"
    )
    status, _, err = parlour_in(tmp_path, *arguments, compiled=False, typed="hold\n" * 9)
    assert (status, "rules.py, line " in err, "Traceback" in err) == (2, True, False), err
