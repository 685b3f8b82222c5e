"""Locks of folders: one process at a time writes to a folder."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from weakref import WeakValueDictionary

from filelock import FileLock, Timeout

from parlour.support.files import has_plain_file

LOCK = "lock"
"""The file that is locked. It holds who has locked it, as text; the system frees it when that process ends."""
MAX_SHOWN = 200
_shared: WeakValueDictionary[tuple[Path, int], FileLock] = WeakValueDictionary()


def lock_folder(folder: Path, name: str = LOCK, wait: float = 0) -> FileLock:
    """Locks a folder until the lock is released or gone, or this process ends.

    ``name``: of the file that is locked. ``wait``: for how many seconds, if the lock is held.

    Raises:
        ValueError: that says who holds the lock, if it is held; if the file is a link or a pipe.
        OSError: if the folder can't be written.
    """
    path = folder / name
    has_plain_file(path)  # locking empties what a link leads to
    holder = _holder(path)
    lock = FileLock(path, timeout=wait, thread_local=False)
    try:
        lock.acquire()
    except Timeout:
        if holder and not _holder(path):  # filelock before 3.30 empties the file when it tries; the next run needs it
            _write(path, holder)
        who = f"another run ({holder})" if holder else "another run"
        raise ValueError(
            f"{folder}: {who} is writing to this folder; give another folder, or wait until that run has ended"
        ) from None
    _write(path, f"process {os.getpid()} on {platform.node()}")
    return lock


def share_lock(folder: Path) -> FileLock:
    """The lock of a folder for all in this process who ask for it, until the last of them drops it; the folder is made.
    Raises as `lock_folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    key = folder.resolve(), os.getpid()
    lock = _shared.get(key)
    if lock is None:
        lock = _shared[key] = lock_folder(folder)
    return lock


@contextmanager
def locked(folder: Path, name: str = LOCK, wait: float = 0) -> Iterator[None]:
    """A folder is locked in a ``with`` block, and made if it is missing. Arguments and errors as `lock_folder`."""
    folder.mkdir(parents=True, exist_ok=True)
    lock = lock_folder(folder, name, wait)
    try:
        yield
    finally:
        lock.release()


def _write(path: Path, holder: str) -> None:
    """Notes who has locked a file. Where a locked file can't be written to, nobody is named."""
    with suppress(OSError):
        file = os.open(path, os.O_WRONLY | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0))
        try:
            os.write(file, holder.encode())
        finally:
            os.close(file)


def _holder(path: Path) -> str:
    """Who has locked a file; empty if it does not say."""
    try:
        with path.open(errors="replace") as file:
            text = file.read(MAX_SHOWN)
    except OSError:
        return ""
    return text if text.isprintable() else ""
