"""Files on disk: written whole or not at all, and read without trust.

Everything that parlour writes goes through `write_file` or `replacing`, so that a crash, a kill or a full disk leaves
the old file or the new one, never a part. Files that come from others go through `read_file`, which bounds their size
and can refuse links and pipes.
"""

from __future__ import annotations

import errno
import hashlib
import os
import secrets
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

MAX_BYTES = 64 << 20
"""The default size limit of a file that is read."""
UNFINISHED = ".unfinished-"
"""Begins the name of a file that is still being written; the ending stays, since some libraries depend on it."""
CHUNK = 1 << 20


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Replaces a file in one step: gives the caller a path in the same folder, with the same ending, where nothing is
    yet; then moves the file that was written there over ``path``, whose folder must exist.

    The content is on the disk before it is moved. If the body raises, or the disk is full, the new file is removed
    and ``path`` is as before. A process that is killed leaves at most the unfinished file, see `remove_unfinished`.
    Several processes may write the same path: the last one wins. A symbolic link at ``path`` is replaced, never
    followed.

    Raises:
        OSError: with ``path`` as its file name, if it cannot be written or is not a file.
        ValueError: if the body has written no file there.
    """
    fresh = path.with_name(f"{UNFINISHED}{secrets.token_hex(4)}-{path.name}")
    try:
        _check_place(path)
        yield fresh
        if not fresh.is_file() or fresh.is_symlink():
            raise ValueError(f"no file was written to {fresh.name!r}, the path that was given for {path}")
        _sync(fresh)
        os.replace(fresh, path)
    except BaseException as error:
        with suppress(OSError):
            fresh.unlink()
        if isinstance(error, OSError) and error.errno and error.filename in (None, str(fresh), fresh):
            raise OSError(error.errno, error.strerror, str(path)) from None  # of the subclass that fits
        raise
    _sync_folder(path.parent)


def write_file(path: Path, content: str | bytes) -> None:
    """Writes a file whole or not at all; text as UTF-8. OSError as `replacing` raises it."""
    data = content.encode() if isinstance(content, str) else content
    with replacing(path) as fresh:
        file = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
        try:
            write_all(file, data)
        finally:
            os.close(file)


def write_all(file: int, data: bytes) -> None:
    """Writes all bytes to an open file descriptor; the system may take them in parts. OSError as ``os.write``."""
    left = memoryview(data)
    while left:
        left = left[os.write(file, left) :]


def remove_unfinished(folder: Path) -> None:
    """Removes unfinished files that killed processes have left in a folder to which nobody else writes."""
    for file in folder.glob(f"{UNFINISHED}*"):
        file.unlink(missing_ok=True)


def read_file(path: Path, max_bytes: int = MAX_BYTES, *, follow_links: bool = True) -> bytes:
    """The content of a file.

    Args:
        path: the file.
        max_bytes: a file larger than this is refused.
        follow_links: whether ``path`` may be a symbolic link or a pipe. Give False for a name inside a folder that may
            come from others.

    Raises:
        ValueError: for a file that is too large, or is not a plain file where it must be one.
        OSError: for a file that cannot be read.
    """
    flags = 0 if follow_links else getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        with open(path, "rb", opener=lambda name, mode: os.open(name, mode | flags)) as stream:  # errors name the path
            if not follow_links and not stat.S_ISREG(os.fstat(stream.fileno()).st_mode):
                raise ValueError(f"{path}: not a plain file")
            content = stream.read(max_bytes + 1)
    except OSError as error:
        if not follow_links and error.errno == errno.ELOOP:
            raise ValueError(f"{path}: a symbolic link, where only a plain file is read") from None
        raise
    if len(content) > max_bytes:
        raise ValueError(f"{path}: larger than {max_bytes} bytes, the limit for such a file")
    return content


def has_plain_file(path: Path) -> bool:
    """Whether there is a file at a path. ValueError unless it is a regular file without hard links, and no link."""
    if not os.path.lexists(path):
        return False
    status = path.lstat()
    if not stat.S_ISREG(status.st_mode) or status.st_nlink != 1:
        raise ValueError(f"{path}: not a plain file, but a link or another kind of file")
    return True


def sha256_of(path: Path, size: int | None = None) -> str:
    """The SHA-256, in hexadecimal, of a file's content or of its first ``size`` bytes. OSError if it can't be read."""
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        left = path.stat().st_size if size is None else size
        while left > 0 and (chunk := stream.read(min(CHUNK, left))):
            digest.update(chunk)
            left -= len(chunk)
    return digest.hexdigest()


def _check_place(path: Path) -> None:
    """OSError if something other than a file stands there, such as a folder or ``/dev/stdout``."""
    try:
        mode = path.lstat().st_mode
    except FileNotFoundError:
        return
    if stat.S_ISDIR(mode):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    if not (stat.S_ISREG(mode) or stat.S_ISLNK(mode)):
        raise OSError(errno.EINVAL, "Not a plain file, which alone can be replaced", str(path))


def _sync(path: Path) -> None:
    """Forces a file's content to the disk, so that it is there before its name is."""
    file = os.open(path, os.O_RDWR)  # Windows syncs only what may be written
    try:
        os.fsync(file)
    finally:
        os.close(file)


def _sync_folder(folder: Path) -> None:
    """Forces a folder's names to the disk, where the system can."""
    with suppress(OSError):
        file = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
