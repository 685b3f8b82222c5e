"""A cache of machine code on disk, so that a kernel is compiled once per machine and not in every process.

Anyone who can write a file of machine code can run any code as the user who loads it, and a damaged file may do
anything, too. So a folder is used only if it belongs to the user and nobody else may write to it. Each file begins with
a SHA-256 of its key and its content. A file that was cut, changed or swapped is deleted before anything in it is
used, and its kernel is compiled again.

The name of a file depends on everything that its code depends on: the kernel and all that it calls, with the values
that they hold (`parlour.rulebook.compiler.dependencies`), the types of the arguments, how Parlour compiles, the
versions of Python, NumPy and Numba, and the processor. So stale code never runs after an edit or an upgrade, and an
edit of anything else voids nothing.

A kernel that several processes need at once is compiled by the first: see `KernelCache.alone`.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import stat
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from parlour.rulebook.compiler.dependencies import code_digest
from parlour.rulebook.compiler.jit import IN_ONE_PIECE
from parlour.support.files import write_file

if TYPE_CHECKING:
    from filelock import FileLock

VARIABLE = "PARLOUR_CACHE_DIR"
COMPILER = tuple(Path(__file__).with_name(name) for name in ("jit.py", "linking.py"))
"""How kernels are compiled."""
DIGEST_BYTES = hashlib.sha256().digest_size
MAX_WAIT = 120.0
"""For how many seconds a process waits for another that compiles the same kernel. After that it compiles, too."""


class KernelCache:
    """The machine code of one kernel on disk, with the interface of a cache of Numba: Numba calls `load_overload`
    before it compiles the kernel for some types of arguments, and `save_overload` afterwards."""

    def __init__(self, function: Callable[..., Any], folder: Callable[[], Path | None], compiling: Callable[[], None]):
        """
        Args:
            function: the kernel.
            folder: returns the folder for its files, or None if files can't be kept.
            compiling: called before the kernel is compiled.
        """
        self._function, self._folder, self._compiling = function, folder, compiling

    @property
    def cache_path(self) -> str | None:
        """See `numba.core.caching._Cache`."""
        folder = self._folder()
        return None if folder is None else str(folder)

    @contextmanager
    def alone(self, sig: Any, target_context: Any) -> Iterator[None]:
        """The ``with`` block loads or compiles the kernel for these types of arguments. If it has no file yet, other
        processes wait until the block ends, and then find the file."""
        location = self._location(sig, target_context.codegen())
        lock = None if location is None or location[0].exists() else _lock(location[0])
        try:
            yield
        finally:
            if lock is not None:
                with suppress(OSError):
                    Path(lock.lock_file).unlink(missing_ok=True)  # who waits has it open, who comes later needs none
                lock.release()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code that was compiled for these types of arguments; None if there is no undamaged file."""
        _prepare(target_context)
        location = self._location(sig, target_context.codegen())
        loaded = _load(*location, target_context) if location else None
        if loaded is None:
            self._compiling()
        return loaded

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Writes compiled code to its file. If that fails, for example on a full disk, there is a warning."""
        location = self._location(sig, cres.codegen)
        if location is None or cres.library.has_dynamic_globals:
            return
        path, key = location
        code = dumps(cres._reduce())
        try:
            write_file(path, _digest(key, code) + code)
        except OSError as error:
            _warn_not_kept(path.parent, error.strerror or str(error))

    def _location(self, sig: Any, codegen: Any) -> tuple[Path, bytes] | None:
        """The file for these types of arguments, and the key: everything that the code depends on."""
        folder = self._folder()
        if folder is None:
            return None
        depends_on = (
            self._function.__module__, self._function.__qualname__, code_digest(self._function), str(sig),
            codegen.magic_tuple(), *_versions(),
        )  # fmt: skip
        key = repr(depends_on).encode()
        return folder / f"{self._function.__name__}-{hashlib.sha256(key).hexdigest()[:24]}.code", key


def _versions() -> tuple[Any, ...]:
    """The versions and settings of the installation on which machine code depends."""
    settings = numba.config
    return (
        sys.implementation.cache_tag, np.__version__, numba.__version__, llvmlite.__version__, IN_ONE_PIECE,
        settings.OPT, settings.BOUNDSCHECK, settings.LOOP_VECTORIZE, settings.SLP_VECTORIZE, sources_digest(COMPILER),
    )  # fmt: skip


def _prepare(target_context: Any) -> None:
    """Prepares Numba to run machine code. With a tested version this does not import the compiler, which saves
    time."""
    if IN_ONE_PIECE:
        rtsys.initialize(target_context)
    else:
        target_context.refresh()


def _digest(key: bytes, code: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(key).digest() + code).digest()


def _load(path: Path, key: bytes, target_context: Any) -> Any:
    """The code that `KernelCache.save_overload` wrote to a file. None if there is no such file; if it is damaged (then
    it is deleted); or if it is from a game with the same sources in a package of another name that can't be imported
    here."""
    try:
        with path.open("rb") as file:
            if not _own(os.fstat(file.fileno())):
                return None
            content = file.read()
    except OSError:
        return None
    code = content[DIGEST_BYTES:]
    if content[:DIGEST_BYTES] == _digest(key, code):
        with suppress(ModuleNotFoundError):
            return CompileResult._rebuild(target_context, *pickle.loads(code))
        return None
    _warn_damaged(path.parents[1])
    with suppress(OSError):
        path.unlink()
    return None


def _lock(path: Path) -> FileLock | None:
    """Locks a file of machine code. None where that is not possible: a lock only saves time."""
    from filelock import FileLock, Timeout  # only where there is something to compile: it imports much

    lock = FileLock(f"{path}.lock", timeout=MAX_WAIT, thread_local=False)
    with suppress(Timeout, OSError, NotImplementedError):
        lock.acquire()
        return lock
    return None


# --- the folders ---


@functools.cache
def code_folder(name: str) -> Path | None:
    """The folder ``name`` for machine code, in the folder that ``PARLOUR_CACHE_DIR`` names, or else in the user's cache
    folder. None, with a warning, if it can't be written or if others can write to it, too."""
    root = Path(os.environ.get(VARIABLE) or platformdirs.user_cache_dir("parlour", appauthor=False))
    folder = root / name
    try:
        for directory in (root, folder):
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = _refusal(directory)
            if reason:
                _warn_not_kept(directory, reason)
                return None
    except OSError as error:
        _warn_not_kept(folder, error.strerror or str(error))
        return None
    return folder


def _refusal(folder: Path) -> str | None:
    """The reason why a folder must not be used for machine code; None if it can be used."""
    status = folder.stat()
    if not _own(status):
        return "it belongs to another user"
    if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "other users may write to it, and could put code there"
    return None if os.access(folder, os.W_OK | os.X_OK) else "it can't be written"


def _own(status: os.stat_result) -> bool:
    return os.name != "posix" or status.st_uid == os.geteuid()


@functools.cache
def sources_digest(sources: Iterable[Path]) -> str:
    """A digest (16 hexadecimal digits) of the names and contents of files, in any order and wherever they lie: the same
    for a checkout and for a package made of it. A folder stands for the Python files directly in it. Files are read
    once per process, since imported code does not change either."""
    files = {path for source in sources for path in (source.glob("*.py") if source.is_dir() else [source])}
    digest = hashlib.sha256()
    for name, content in sorted((path.name.encode(), path.read_bytes()) for path in files):
        digest.update(name + b"\0" + content + b"\0")
    return digest.hexdigest()[:16]


@functools.cache
def _warn_not_kept(folder: Path, reason: str) -> None:
    warnings.warn(
        f"machine code can't be kept in {folder} ({reason}); kernels are compiled again in each process. "
        f"Set {VARIABLE} to a folder that only you can write to.",
        RuntimeWarning,
        stacklevel=2,
    )


@functools.cache
def _warn_damaged(folder: Path) -> None:
    warnings.warn(
        f"machine code in {folder} was damaged; it is deleted and compiled again", RuntimeWarning, stacklevel=2
    )
