"""What machine code depends on, found from the function that is compiled: all functions that it calls, in whatever
files they are, and the values of the globals that these use, wherever they were read from.

Everything is taken from the functions as they are in memory, and not from files, which may have been edited since they
were imported. Only where a function is no kernel, and Numba knows by other means how to compile it (``@overload``,
``@intrinsic``), its file stands for it.
"""

from __future__ import annotations

import enum
import functools
import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba.core.types import Number

VERSIONED = frozenset({"builtins", "llvmlite", "math", "numba", "numpy"})
"""Packages whose versions stand for them in the names of files of machine code."""


@functools.cache
def code_digest(function: Any) -> str:
    """A hash of a kernel or function with all that it calls and all values that they hold: 64 hexadecimal digits."""
    functions, handed_on = _reached([function])
    hashes = sorted(_hash(*_own(each)) for each in functions)
    return _hash(*hashes, *sorted(f"{name} = {_described(value)}" for name, value in handed_on))


def reachable(
    functions: Iterable[Any], counts: Callable[[FunctionType], bool] = lambda function: True
) -> list[FunctionType]:
    """The Python functions behind ``functions``, and of all that they call, directly or indirectly. ``counts``: whether
    a function does; if not, what it calls does not, either."""
    return _reached(functions, counts)[0]


def _reached(
    functions: Iterable[Any], counts: Callable[[FunctionType], bool] = lambda function: True
) -> tuple[list[FunctionType], list[tuple[str, Any]]]:
    """See `reachable`; and what is read of modules that the functions close over. Such a module may be handed on as an
    argument: then a function that is called reads it by names that the first does not have."""
    reached: dict[FunctionType, None] = {}
    modules: dict[str, ModuleType] = {}
    read: dict[tuple[str, str], Any] = {}
    waiting = list(_functions([*functions]))
    while waiting:
        function = waiting.pop()
        if function not in reached and counts(function):
            reached[function] = None
            waiting += _functions([*_globals_of(function).values()])
            modules.update(
                {one.__name__: one for one in _closed_over(function).values() if isinstance(one, ModuleType)}
            )
        if not waiting:
            names = {name for each in reached for name in _names(each.__code__)} if modules else set()
            for label, module in modules.items():
                for name in names & vars(module).keys():
                    if (label, name) not in read:
                        value = read[label, name] = vars(module)[name]
                        waiting += _functions(value)
    return list(reached), [(f"{label}.{name}", value) for (label, name), value in read.items()]


def source_files(functions: Iterable[Any]) -> set[Path]:
    """The files of all `reachable` functions."""
    return {Path(function.__code__.co_filename) for function in reachable(functions)}


@functools.cache
def _own(function: FunctionType) -> tuple[str, ...]:
    """What a function is, without what the functions that it calls call in turn."""
    by_name = sorted((name, _described(value)) for name, value in _globals_of(function).items())
    return _shallow(function), *(f"{name} = {value}" for name, value in by_name)


@functools.cache
def _globals_of(function: FunctionType) -> dict[str, Any]:
    """The globals that a function may use, by name; those of a module as ``module.name``, what it closes over, and the
    classes of its parameters (a function of a game is called by its place in `GameFunctions`). Some are too many: any
    attribute may have the name of a global."""
    names = sorted({*_names(function.__code__), *map(str, function.__annotations__.values())})
    values: dict[str, Any] = {}
    modules: set[str] = set()
    scopes: list[tuple[str, dict[str, Any]]] = [("", function.__globals__ | _closed_over(function))]
    for prefix, scope in scopes:
        for name in (name for name in names if name in scope):
            value = scope[name]
            if not isinstance(value, ModuleType) or _is_versioned(value.__name__):
                values[f"{prefix}{name}"] = value
            elif value.__name__ not in modules:
                modules.add(value.__name__)
                scopes.append((f"{prefix}{name}.", vars(value)))
    return values


def _closed_over(function: FunctionType) -> dict[str, Any]:
    """What a function finds in the function in which it was made."""
    return {name: cell.cell_contents for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ())}


def _names(code: CodeType) -> Iterator[str]:
    yield from code.co_names
    yield from code.co_freevars
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _names(constant)


def _functions(value: Any) -> Iterator[FunctionType]:
    """`_function`, also of each value in a tuple or list."""
    for each in value if isinstance(value, (tuple, list)) else ():
        yield from _functions(each)
    function = _function(value)
    if function is not None:
        yield function


def _function(value: Any) -> FunctionType | None:
    """The Python function behind a kernel, an intrinsic or a function of anybody's own; None for anything else."""
    function = getattr(value, "py_func", getattr(value, "_defn", value))
    return function if isinstance(function, FunctionType) and not _is_versioned(function.__module__) else None


def _is_versioned(module: str | None) -> bool:
    return (module or "").partition(".")[0] in VERSIONED


def _described(value: Any) -> str:
    """A global as text. What machine code can't hold is described by its type and name alone."""
    function = _function(value)
    if function is not None:
        return _shallow(function) if hasattr(value, "py_func") else _file_digest(function.__code__.co_filename)
    if isinstance(value, np.ndarray):
        return f"{value.dtype!r}{value.shape}{hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, (tuple, list)):
        named = getattr(value, "_fields", "")
        return f"{type(value).__qualname__}{named}({', '.join(map(_described, value))})"
    if isinstance(value, (bool, int, float, complex, str, bytes, type(None), np.generic, np.dtype)):
        return repr(value)
    if isinstance(value, type):
        named = (*getattr(value, "__annotations__", ()), *(name for name in vars(value) if name[0] != "_"))
        members = list(value) if issubclass(value, enum.Enum) else named
        return f"{value.__module__}.{value.__qualname__}{members!r}"
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, ModuleType):  # `numba.types` is also called `numba.core.types`, by what was imported first
        return f"module {value.__name__.rpartition('.')[2]}"
    names = [str(getattr(value, name, "")) for name in ("__module__", "__name__")]  # of `floor` or `ceil`, say
    return " ".join([type(value).__qualname__, *names])


def _shallow(function: FunctionType) -> str:
    return _hash(function.__qualname__, repr(function.__defaults__), *_of_code(function.__code__))


def _of_code(code: CodeType) -> Iterator[str]:
    yield code.co_code.hex()
    yield repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount, code.co_flags))
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _of_code(constant)
        else:
            yield repr(sorted(map(repr, constant)) if isinstance(constant, frozenset) else constant)


@functools.cache
def _file_digest(file: str) -> str:
    path = Path(file)
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _hash(*texts: str) -> str:
    return hashlib.sha256("\0".join(texts).encode(errors="surrogatepass")).hexdigest()
