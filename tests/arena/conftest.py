"""A run of the small comparison, and a folder for each test that writes files."""

from __future__ import annotations

import shutil
from contextlib import suppress
from pathlib import Path

import pytest

from parlour.arena.reporting.report import REPORT
from parlour.cli import main
from tests.arena.small_comparison import SMALL


@pytest.fixture
def _in_a_folder_of_its_own(_plain_wide_terminal: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture(scope="session")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run."""
    folder = tmp_path_factory.mktemp("played") / "here"
    with suppress(SystemExit):
        main([*map(str, SMALL), "--out", str(folder)])
    assert (folder / REPORT).exists()
    return folder


@pytest.fixture
def folder(played: Path, tmp_path: Path) -> Path:
    """A copy of it, which a test may change."""
    return Path(shutil.copytree(played, tmp_path / "here"))
