"""What all tests share: the toy game is registered, no test opens a window or a sound device, and none leaves anything
on the machine."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import platformdirs
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import parlour
from parlour.cli import main
from parlour.interfaces import registry
from tests.support import harm
from tests.support.command_line import Ran, Run
from tests.support.kernels import signatures

os.environ.setdefault("PARLOUR_CACHE_DIR", platformdirs.user_cache_dir("parlour", appauthor=False))
HOME = None if "PARLOUR_TESTS_HOME" in os.environ else TemporaryDirectory(prefix="home-of-tests-")
"""An empty home folder, made by the first process and used by all that it starts."""
if HOME is not None:
    os.environ["HOME"] = os.environ["PARLOUR_TESTS_HOME"] = HOME.name
    for place in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        os.environ.pop(place, None)

parlour.register("tests.toy_games.pig")
GAME_NAMED = re.compile(r"\b(" + "|".join(game.rpartition("-v")[0] for game in parlour.games()) + r")(?![a-z])")


ALIKE = {"backgammon", "royal_ur", "swords_and_shields"}
"""Games that others stand for where the rules do not matter: Acey Ducey, Agon and Checkers."""
SHARED = {"arena", "cli", "engine", "examples", "interfaces", "learn", "players", "text", "wrappers"}
"""Folders of tests of what all games share."""
BY_COLLECTING = pytest.StashKey[list[str]]()
"""The kernels that collecting has compiled or loaded."""
LEFT = pytest.StashKey[list[str]]()
"""What the processes of the run have left."""
CHECKOUT = Path(__file__).parents[1]
CHANGED = harm.changes_in(CHECKOUT) if os.environ.get("CI") else set()
"""On a developer's machine files of the checkout change while tests run."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what other games stand for as long."""
    for item in stood_for(items):
        item.add_marker("long")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Notes what `test_collecting_compiles_nothing` is to find empty."""
    session.config.stash[BY_COLLECTING] = list(signatures())


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """The null device is looked at after each test, so that the test is named."""
    if found := harm.replaced_device():
        pytest.exit(f"{item.nodeid}: {found[0]}", returncode=1)


@pytest.hookimpl(trylast=True)
def pytest_sessionfinish(session: pytest.Session) -> None:
    """Nothing may be left outside the temporary folders: the run fails, and says what it is."""
    config = session.config
    left = harm.children() + harm.open_ports()
    if hasattr(config, "workeroutput"):
        config.workeroutput["left"] = left
        return
    left += config.stash.get(LEFT, [])
    if HOME is not None:
        left += harm.files_in(Path(HOME.name))
    if os.environ.get("CI"):
        left += [f"the checkout has {change}" for change in sorted(harm.changes_in(CHECKOUT) - CHANGED)]
    if left:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        reporter.write_sep("=", "the tests have left something behind", red=True)
        reporter.write_line("\n".join(left))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """A process of xdist has ended: what it has left."""
    left = getattr(node, "workeroutput", {}).get("left", [])
    node.config.stash.setdefault(LEFT, []).extend(f"{node.gateway.id}: {one}" for one in left)


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    """With ``-n`` all tests of a game run in one process, which translates its rules once for all kernels; tests that
    name no game stay with their file, for fixtures that they share. Not with another ``--dist``."""
    if config.getoption("dist") != "load":
        return None
    from xdist.scheduler import LoadScopeScheduling

    class ByGame(LoadScopeScheduling):  # type: ignore[misc]
        def _split_scope(self, nodeid: str) -> str:
            return group_of(nodeid)

    return ByGame(config, log)


def group_of(nodeid: str) -> str:
    """The game that the name of a test names, or else its file."""
    named = GAME_NAMED.search(nodeid)
    return named[1] if named else nodeid.partition("::")[0]


def stood_for(items: Sequence[pytest.Item]) -> list[pytest.Item]:
    """The cases of games that are `ALIKE` others, of tests in `SHARED` that have other games' cases, too."""
    cases: dict[str, list[tuple[str, pytest.Item]]] = {}
    for item in items:
        test, _, case = item.nodeid.partition("[")
        named = GAME_NAMED.search(case)
        if named and test.split("/")[1] in SHARED:
            cases.setdefault(test, []).append((named[1], item))
    return [
        item for of_test in cases.values() for game, item in of_test
        if game in ALIKE and {other for other, _ in of_test} - ALIKE - {"pig"}
    ]  # fmt: skip


@pytest.fixture(autouse=True)
def _no_game_of_a_test_stays(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A game that a test has written and registered is not known to later tests: nobody else could import it."""
    before = set(registry._GAMES)
    yield
    for name in set(registry._GAMES) - before:
        if registry._GAMES[name].folder.is_relative_to(tmp_path_factory.getbasetemp()):
            del registry._GAMES[name]


@pytest.fixture
def _plain_wide_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    for name in ("FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE", "CLICOLOR_FORCE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(_plain_wide_terminal: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs ``parlour`` in this process; ``stdin`` are the lines typed, then the input ends."""

    def call(*arguments: object, stdin: Sequence[str] = ()) -> Ran:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(line + "\n" for line in stdin)))
        capsys.readouterr()
        status: object = 0
        try:
            main([str(argument) for argument in arguments])
        except SystemExit as stop:
            status = stop.code or 0
        return Ran(status, *capsys.readouterr())

    return call
