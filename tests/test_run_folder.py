"""Folders of runs: locked while a run is open, closed if opening fails, and never mixed with other things."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.support.locks import LOCK
from parlour.support.run_folder import RunFolder, refuse_another, refuse_strangers


class Failing(RunFolder):
    """A folder whose content can't be read."""

    def open(self) -> None:
        raise ValueError("damaged")


def test_one_run_at_a_time(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "run"
    with RunFolder(folder) as run:
        assert run.path == folder
        with pytest.raises(ValueError, match=r"another run .* is writing to this folder"):
            RunFolder(folder)
    RunFolder(folder).close()


def test_a_folder_that_can_t_be_opened_is_not_held(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="damaged"):
        Failing(tmp_path)
    RunFolder(tmp_path).close()


@pytest.mark.parametrize("make", [Path.symlink_to, Path.hardlink_to, lambda path, victim: os.mkfifo(path)])
def test_locking_follows_no_link(make: Callable[[Path, Path], None], tmp_path: Path) -> None:
    """It would empty the file that a link leads to, and wait for a pipe."""
    victim, folder = tmp_path / "victim", tmp_path / "run"
    victim.write_text("precious")
    folder.mkdir()
    make(folder / LOCK, victim)
    with pytest.raises(ValueError, match=f"{LOCK}: not a plain file"):
        RunFolder(folder)
    assert victim.read_text() == "precious"


def test_a_folder_of_something_else_is_refused(tmp_path: Path) -> None:
    assert refuse_strangers(tmp_path / "none", "config.json") == set()
    (tmp_path / ".unfinished-1-config.json").touch()
    (tmp_path / "lock").touch()
    assert refuse_strangers(tmp_path, "config.json") == set()
    (tmp_path / "photo.png").touch()
    with pytest.raises(ValueError, match=r"holds 'photo.png' and no config.json; give a new folder"):
        refuse_strangers(tmp_path, "config.json")
    (tmp_path / "config.json").touch()
    assert refuse_strangers(tmp_path, "config.json") == {"photo.png", "config.json"}


def test_the_first_entry_that_differs_is_named(tmp_path: Path) -> None:
    refuse_another(tmp_path, "a run", {"seed": 1, "games": 2}, {"seed": 1, "games": 2})
    with pytest.raises(ValueError, match=r"holds a run with games 2, not 4; they can grow; give another folder"):
        refuse_another(tmp_path, "a run", {"seed": 1, "games": 2}, {"seed": 1, "games": 4}, "; they can grow")
    with pytest.raises(ValueError, match="with judge 'champion', not None"):
        refuse_another(tmp_path, "a run", {"judge": "champion"}, {})
