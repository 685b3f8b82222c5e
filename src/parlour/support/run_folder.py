"""Folders of runs: one process at a time writes to a folder, and the same run goes on in it after it was stopped."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from parlour.support.files import UNFINISHED
from parlour.support.locks import LOCK, lock_folder

Run = TypeVar("Run", bound="RunFolder")


class RunFolder:
    """The folder of a run, which is locked until the end of the ``with`` block, or until `close`. A subclass opens what
    is in it by `open`, and is closed again if that fails.

    Attributes:
        path: the folder; it is made if it does not exist.
    """

    def __init__(self, path: Path) -> None:
        """ValueError if another run is writing to the folder, and whatever `open` raises; OSError if it can't be
        written."""
        self.path = path
        path.mkdir(parents=True, exist_ok=True)
        self._lock = lock_folder(path)
        try:
            self.open()
        except BaseException:
            self._lock.release()
            raise

    def open(self) -> None:
        """Reads and checks what an earlier run has left."""

    def close(self) -> None:
        """Lets other runs write to the folder."""
        self._lock.release()

    def __enter__(self: Run) -> Run:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


def refuse_strangers(path: Path, config: str, *others: str) -> set[str]:
    """The names of a folder's files, but for unfinished ones and the lock. ValueError if there are any but ``config``,
    which marks a run's folder, and ``others``, which the run may write before, and ``config`` is missing."""
    names = {file.name for file in path.iterdir() if not file.name.startswith(UNFINISHED)} if path.is_dir() else set()
    strangers = names - {LOCK, *others}
    if strangers and config not in names:
        raise ValueError(
            f"{path}: holds {min(strangers)!r} and no {config}; give a new folder, an empty one, or that of an "
            "earlier run"
        )
    return names - {LOCK}


def refuse_another(path: Path, what: str, saved: Mapping[str, Any], due: Mapping[str, Any], hint: str = "") -> None:
    """ValueError, with the first entry that differs, if a folder holds ``what`` with other entries than are ``due``."""
    for name in dict.fromkeys([*due, *saved]):
        if saved.get(name) != due.get(name):
            raise ValueError(
                f"{path}: holds {what} with {name} {saved.get(name)!r:.200}, not {due.get(name)!r:.200}{hint}; give "
                "another folder, or the same arguments to go on with it"
            )
