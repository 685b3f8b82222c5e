"""What all tests share: the toy game is registered, no test opens a window or a sound device, and none leaves anything
on the machine."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import platformdirs
import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")
os.environ.setdefault("OMP_NUM_THREADS", "1")  # of PyTorch and NumPy: more threads than processors wait in loops
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

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
BYTECODE = TemporaryDirectory(prefix="bytecode-of-tests-") if sys.dont_write_bytecode and HOME is not None else None
"""Where Python is to write no bytecode, as in many containers: else each program that a test starts compiles all files
of Parlour."""
if BYTECODE is not None:
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    os.environ["PYTHONPYCACHEPREFIX"] = BYTECODE.name

parlour.register("tests.toy_games.pig")

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


def stood_for(items: Sequence[Any]) -> list[Any]:
    """Of tests that run on every game, the toy too, the cases for which `KINDS` stand. Except in tests/games, such
    a test is of what games share."""
    from tests.support.cases import KINDS  # now that the toy is registered

    cases: dict[str, list[tuple[str, str | None, Any]]] = {}
    for item in items:
        values = getattr(getattr(item, "callspec", None), "params", {})
        if "game" in values and not item.nodeid.startswith("tests/games/"):
            test = item.nodeid.partition("[")[0]
            cases.setdefault(test, []).append((values["game"], values.get("variant"), item))
    return [
        item for of_test in cases.values() if KINDS.keys() <= {game for game, _, _ in of_test}
        for game, variant, item in of_test if variant not in (None, KINDS.get(game)) or game not in KINDS
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
