"""The decorator ``kernel``: functions that Numba compiles and that also run uncompiled."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

from parlour.rulebook.compiler.cache import KernelCache, code_folder
from parlour.rulebook.compiler.jit import jit

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED: bool = not numba.config.DISABLE_JIT
"""False under ``NUMBA_DISABLE_JIT=1``: then every kernel is the plain Python function."""

ENGINE = "kernels"
"""The folder of machine code that all games share."""
FOR_ALL = "what all games share"
RULEBOOK = Path(__file__).parent
SOURCES = (RULEBOOK, RULEBOOK / "compiler")
"""What may be in every kernel."""


def kernel(function: Function) -> Function:
    """Makes ``function`` a kernel: compiled when first called, by Python or by another kernel, and kept on disk.

    A kernel can't allocate memory and can't return an array. Uncompiled, 64-bit words overflow silently, as they do in
    machine code.
    """
    return make_kernel(function, Path(function.__code__.co_filename).parent.name)


@functools.cache
def announce(what: str) -> None:
    """Says on a terminal, once a process, that something has yet to be compiled, so that people know why they wait. How
    long depends on the machine."""
    if sys.stderr.isatty():
        print(f"parlour: compiling {what} …", file=sys.stderr)


def loop(function: Function) -> Function:
    """A kernel of the engine that stays a function of its own where another kernel calls it: loops over rows that are
    compiled into one function take half as long again. It may allocate arrays, and so counts references to them."""
    return make_kernel(function, ENGINE, inline=False, allocates=True, compiling=functools.partial(announce, FOR_ALL))


def inner_loop(function: Function) -> Function:
    """The same without allocating."""
    return make_kernel(function, ENGINE, inline=False)


def make_kernel(
    function: Function,
    label: str,
    inline: bool = True,
    allocates: bool = False,
    compiling: Callable[[], None] = lambda: None,
) -> Function:
    """`kernel` with every choice as an argument.

    Args:
        function: the kernel.
        label: the name of the folder where its machine code is kept.
        inline, allocates: see `parlour.rulebook.compiler.jit.jit`.
        compiling: is called before it is compiled.
    """
    if not COMPILED:  # faster where the whole process lets words overflow (`run_uncompiled`)
        return function if np.geterr()["over"] == "ignore" else np.errstate(over="ignore")(function)
    return jit(function, inline, KernelCache(function, functools.partial(code_folder, label), compiling), allocates)


def plain(function: Function) -> Function:
    """The Python function behind a kernel, for use on whole NumPy arrays."""
    return getattr(function, "py_func", function)


@functools.cache  # Numba takes 90 µs to find it again
def entry_point(function: Any, *argument_types: Any) -> Callable[..., Any]:
    """A kernel compiled for arguments of these types, which callers must pass: they are not checked."""
    return function.compile(argument_types) if COMPILED else function
