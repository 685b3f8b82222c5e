"""Where machine code is kept, so that a kernel is compiled once on a machine and not in every process.

Whoever can write a file of machine code can run anything as the user who loads it, and a damaged one may do anything
too. So a folder is used only if it belongs to the user and nobody else may write to it, and each file begins with the
SHA-256 of what it is for and of the rest: a file that was cut, changed or swapped is thrown away before any of it is
looked at, and its kernel is compiled again.

A file is named after all that its code depends on: the sources, the kernel, the types of the arguments, the versions of
Python, NumPy and Numba, and the processor. So an edit or an upgrade never runs stale code.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import stat
import sys
import warnings
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
import platformdirs
from numba.core.compiler import CompileResult
from numba.core.runtime import rtsys
from numba.core.serialize import dumps

from parlour.compiler.jit import IN_ONE_PIECE
from parlour.files import write_file

VARIABLE = "PARLOUR_CACHE_DIR"
DIGEST_BYTES = hashlib.sha256().digest_size


class KernelCache:
    """The machine code of one kernel on disk, as Numba asks a dispatcher's cache for it: `load_overload` before it
    compiles the kernel for some types of arguments, `save_overload` afterwards."""

    def __init__(self, function: Callable[..., Any], folder: Callable[[], Path | None], compiling: Callable[[], None]):
        """
        Args:
            function: the kernel.
            folder: gives the place for its files, None if there is none.
            compiling: is called before the kernel is compiled.
        """
        self._function, self._folder, self._compiling = function, folder, compiling

    @property
    def cache_path(self) -> str | None:
        """See `numba.core.caching._Cache`."""
        folder = self._folder()
        return None if folder is None else str(folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for these types of arguments; None if it is not on disk as it was written."""
        _prepare(target_context)
        place = self._place(sig, target_context.codegen())
        found = _load(*place, target_context) if place else None
        if found is None:
            self._compiling()
        return found

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keeps what was compiled. If that fails, as on a full disk, a warning says so."""
        place = self._place(sig, cres.codegen)
        if place is None or cres.library.has_dynamic_globals:
            return
        path, key = place
        code = dumps(cres._reduce())
        try:
            write_file(path, _digest(key, code) + code)
        except OSError as error:
            _warn_not_kept(path.parent, error.strerror or str(error))

    def _place(self, sig: Any, codegen: Any) -> tuple[Path, bytes] | None:
        """The file for these types of arguments, and what it depends on."""
        folder = self._folder()
        if folder is None or self._function.__closure__ is not None:
            return None
        code = self._function.__code__
        depends_on = (
            self._function.__module__, self._function.__qualname__, code.co_firstlineno, code.co_code, str(sig),
            codegen.magic_tuple(), *_versions(),
        )  # fmt: skip
        key = repr(depends_on).encode()
        return folder / f"{self._function.__name__}-{hashlib.sha256(key).hexdigest()[:24]}.code", key


def _versions() -> tuple[Any, ...]:
    """All of the installation and its settings that machine code depends on."""
    settings = numba.config
    return (
        sys.implementation.cache_tag, np.__version__, numba.__version__, llvmlite.__version__, IN_ONE_PIECE,
        settings.OPT, settings.BOUNDSCHECK, settings.LOOP_VECTORIZE, settings.SLP_VECTORIZE,
    )  # fmt: skip


def _prepare(target_context: Any) -> None:
    """Makes Numba ready to run machine code. A tested version need not import all that it compiles with for that."""
    if IN_ONE_PIECE:
        rtsys.initialize(target_context)
    else:
        target_context.refresh()


def _digest(key: bytes, code: bytes) -> bytes:
    return hashlib.sha256(hashlib.sha256(key).digest() + code).digest()


def _load(path: Path, key: bytes, target_context: Any) -> Any:
    """What `KernelCache.save_overload` has written there; None if there is no such file, or a damaged one, which is
    removed, or one by a game of the same sources whose package has another name, which may not be importable here."""
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


# --- the folders ---


@functools.cache
def code_folder(name: str) -> Path | None:
    """The folder ``name`` for machine code.

    ``PARLOUR_CACHE_DIR`` names the folder that it lies in, else it is the user's own cache folder. None, and a warning,
    if nothing can be written there or others could write there too.
    """
    root = Path(os.environ.get(VARIABLE) or platformdirs.user_cache_dir("parlour", appauthor=False))
    folder = root / name
    try:
        for place in (root, folder):
            place.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = _distrust(place)
            if reason:
                _warn_not_kept(place, reason)
                return None
    except OSError as error:
        _warn_not_kept(folder, error.strerror or str(error))
        return None
    return folder


def _distrust(folder: Path) -> str | None:
    """Why machine code in a folder can't be trusted, or none be kept there."""
    status = folder.stat()
    if not _own(status):
        return "it belongs to another user"
    if os.name == "posix" and status.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        return "others may write to it, and could put code there"
    return None if os.access(folder, os.W_OK | os.X_OK) else "it can't be written"


def _own(status: os.stat_result) -> bool:
    return os.name != "posix" or status.st_uid == os.geteuid()


@functools.cache
def sources_digest(sources: Iterable[Path]) -> str:
    """Sixteen hex digits for the names and contents of files, whatever their order. A folder stands for all of the
    Python files right in it. They are read once a process, since it runs what it has imported."""
    files = {path for source in sources for path in (source.glob("*.py") if source.is_dir() else [source])}
    digest = hashlib.sha256()
    for path in sorted(files):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
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
        f"machine code kept in {folder} was damaged; it is thrown away and compiled again",
        RuntimeWarning,
        stacklevel=2,
    )
