"""Locks of folders: one process at a time writes to a folder."""

from __future__ import annotations

import os
import platform
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

LOCK = "lock"
"""The file that is locked. It holds who has locked it, as text; the system frees it when that process ends."""
MAX_SHOWN = 200


def lock_folder(folder: Path) -> FileLock:
    """Locks a folder until the lock is released, or this process ends.

    Raises:
        ValueError: that says who holds the lock, if it is held.
        OSError: if the folder can't be written.
    """
    path = folder / LOCK
    holder = _holder(path)  # read first, since older versions of filelock empty the file when they try
    lock = FileLock(path, timeout=0)
    try:
        lock.acquire()
    except Timeout:
        raise ValueError(
            f"{folder}: another run{holder} is writing to this folder; give another folder, or wait until that run has "
            "ended"
        ) from None
    with suppress(OSError):  # where a locked file can't be written to, nobody is named
        file = os.open(path, os.O_WRONLY | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0))
        try:
            os.write(file, f"process {os.getpid()} on {platform.node()}".encode())
        finally:
            os.close(file)
    return lock


def _holder(path: Path) -> str:
    """Who has locked a file, in brackets; empty if it does not say."""
    try:
        with path.open(errors="replace") as file:
            text = file.read(MAX_SHOWN)
    except OSError:
        return ""
    return f" ({text})" if text and text.isprintable() else ""
