"""What it means to be a kernel, and where compiled code is kept."""

from __future__ import annotations

import ast
import functools
import hashlib
import importlib.util
import os
import sys
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
import platformdirs

from parlour.compiler.jit import jit

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: bool = not numba.config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``: then every kernel is the plain Python function."""

CACHE_VARIABLE = "PARLOUR_CACHE_DIR"
PACKAGE = Path(__file__).parents[1]
TEMPLATES = PACKAGE / "engine" / "kernels"


def kernel(function: Function) -> Function:
    """Makes ``function`` a kernel: compiled when first called, by Python or by another kernel, and kept on disk.

    It can't allocate anything, nor return an array. Uncompiled, 64-bit words wrap round silently as they do in machine
    code.
    """
    home = Path(function.__code__.co_filename).parent
    return _compiled(function, home.name, home)


def _compiled(function: Function, name: str, sources: Path, inline: bool = True) -> Function:
    """``function`` compiled, its machine code kept in the `cache_folder` for ``name`` and ``sources``.

    ``inline``: see `parlour.compiler.jit.jit`.
    """
    if not COMPILED:
        return np.errstate(over="ignore")(function)
    folder = cache_folder(name, sources)
    compiled = jit(inline)(function)
    if folder is not None:
        with _numba_cache(folder):
            compiled.enable_caching()
    return compiled


def plain(function: Function) -> Function:
    """The Python function behind a kernel, for use on whole NumPy arrays."""
    return getattr(function, "py_func", function)


@functools.cache
def template_names() -> tuple[str, ...]:
    """The templates of `parlour.engine.kernels`, in alphabetical order."""
    return tuple(sorted(path.stem for path in TEMPLATES.glob("[a-z]*.py")))


def instantiate(template: str, name: str, rules: ModuleType, needed: Callable[[str], Any]) -> ModuleType:
    """The module ``template`` of `parlour.engine.kernels`, run as one of its own for the game ``name``, so that
    Numba compiles the rules right into it.

    Every name that the template annotates at its top level without giving it a value is bound before it runs:
    ``kernel`` and ``loop`` here, all others to ``needed(name)``. ``kernel`` and ``loop`` keep machine code with the
    game's own. A ``loop`` is a kernel that stays a function of its own where another kernel calls it: loops over rows
    that are compiled into one function take half as long again.

    All machine code is kept on disk under the content of all sources that it can come from (this folder, the game's,
    and the numbering of option values), so that an edit of any of them, or an upgrade, never runs stale code.
    """
    home = Path(rules.__file__ or "").parent
    path = TEMPLATES / f"{template}.py"
    spec = importlib.util.spec_from_file_location(f"parlour.engine.kernels.{template}_of_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    kernel_here = functools.partial(_compiled, name=name, sources=home)
    decorators = {"kernel": kernel_here, "loop": functools.partial(kernel_here, inline=False)}
    for need in _needs(path):
        vars(module)[need] = decorators[need] if need in decorators else needed(need)
    sys.modules[spec.name] = module  # Numba looks the module up by its name when it loads kept code
    spec.loader.exec_module(module)
    _announce(name, home)
    return module


@functools.cache
def _needs(template: Path) -> tuple[str, ...]:
    """The names that a module's source annotates at its top level without giving them a value."""
    declared = [node for node in ast.parse(template.read_bytes()).body if isinstance(node, ast.AnnAssign)]
    return tuple(node.target.id for node in declared if node.value is None and isinstance(node.target, ast.Name))


@functools.cache
def _announce(name: str, sources: Path) -> None:
    """Says on a terminal, once a process, that the rules of the game ``name`` have yet to be compiled."""
    folder = cache_folder(name, sources)
    if COMPILED and sys.stderr.isatty() and (folder is None or not any(folder.rglob("*.nbi"))):
        kept = "not kept: no writable folder" if folder is None else f"kept in {folder}"
        print(f"parlour: compiling the rules of {name}, some seconds, once ({kept}) …", file=sys.stderr)


@functools.cache
def cache_folder(name: str, sources: Path) -> Path | None:
    """The folder for the compiled engine of the game ``name`` whose sources are in ``sources``; None without one.

    ``PARLOUR_CACHE_DIR`` names the root, else the user's own cache folder does. Where nothing can be written there, a
    warning says so and code is compiled anew in each process.
    """
    if not COMPILED:
        return None
    root = Path(os.environ.get(CACHE_VARIABLE) or platformdirs.user_cache_dir("parlour", appauthor=False))
    folder = root / f"{name}-{game_digest(sources)}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        warnings.warn(
            f"compiled rules can't be kept in {folder} ({error.strerror or error}); they are compiled anew in each "
            f"process. Set {CACHE_VARIABLE} to a folder that can be written.",
            RuntimeWarning,
            stacklevel=2,
        )
        return None
    return folder


def game_digest(sources: Path) -> str:
    """`sources_digest` of all that the play of the game in the folder ``sources`` can come from."""
    shared = [PACKAGE / "engine" / name for name in ("arrays.py", "spin.py")]
    folders = [Path(__file__).parent, PACKAGE / "compiler", TEMPLATES, sources]
    return sources_digest([*shared, *(path for folder in folders for path in folder.glob("*.py"))])


def sources_digest(files: Iterable[Path]) -> str:
    """Sixteen hex digits for the names and contents of files, whatever their order."""
    digest = hashlib.sha256()
    for path in sorted(set(files)):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


@contextmanager
def _numba_cache(folder: Path | None) -> Iterator[None]:
    """Numba asks for its cache folder while it decorates; the setting is the whole process's, so it is put back."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder or "")
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before
