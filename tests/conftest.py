"""What all tests share: the toy game is registered, and no test opens a window or a sound device."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Sequence
from typing import Any

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import parlour
from parlour.cli import main
from parlour.engine.compiled import INSTANCES
from tests.support.command_line import Ran, Run

parlour.register("tests.toy_games.pig")
GAME_NAMED = re.compile(r"\b(" + "|".join(game.rpartition("-v")[0] for game in parlour.games()) + r")(?![a-z])")


ALIKE = {"backgammon", "royal_ur", "swords_and_shields"}
"""Games that others stand for where the rules do not matter: Acey Ducey, Agon and Checkers."""
SHARED = {"arena", "cli", "engine", "examples", "interfaces", "learn", "players", "search", "text", "value", "wrappers"}
"""Folders of tests of what all games share."""
BY_COLLECTING = pytest.StashKey[list[str]]()
"""The kernels that collecting has compiled or loaded."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks what other games stand for as long."""
    for item in stood_for(items):
        item.add_marker("long")


def pytest_collection_finish(session: pytest.Session) -> None:
    """Notes what `test_collecting_compiles_nothing` is to find empty."""
    kernels = [(module, kernel) for module in INSTANCES.values() for kernel in vars(module).values()]
    session.config.stash[BY_COLLECTING] = [
        f"{kernel} of {module.__name__}" for module, kernel in kernels if getattr(kernel, "signatures", None)
    ]


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
