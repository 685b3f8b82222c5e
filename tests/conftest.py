"""What all tests share: the toy game is registered, and no test opens a window or a sound device."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence

import pytest

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import parlour
from parlour.cli import main
from tests.support.command_line import Ran, Run

parlour.register("tests.toy_games.pig")


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
