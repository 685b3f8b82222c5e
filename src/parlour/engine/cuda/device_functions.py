"""Kernels as CUDA device functions, made of the same Python functions as those for the CPU: a kernel and all that it
calls, also a game's rules.

Functions that only work on a CPU (`parlour.engine.calls`), or that a GPU does not need, are replaced: see `REPLACED`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dis import get_instructions
from types import CellType, FunctionType, ModuleType
from typing import Any

import numpy as np
from numba import cuda

from parlour.engine import calls, prefetch
from parlour.engine.kernels import repeats, step
from parlour.rulebook import masks
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.masks import EIGHT, TO_BITS, TOP_BYTE, ZERO


def record_at(rows: Any, i: int) -> Any:
    """The record in row i: on a GPU states and option values are records of the game."""
    return rows[i]


def copy_record(source: Any, k: int, goal: Any, i: int) -> None:
    """Copies a record."""
    goal[i] = source[k]


def block_bits(words: Any, k: int) -> Any:
    """`parlour.rulebook.masks.block_bits`, of bytes that are 0 or 1."""
    bits = ZERO
    for j in range(8):
        bits |= ((words[k + j] * TO_BITS) >> TOP_BYTE) << (EIGHT * np.uint64(j))
    return bits


def no_prefetch(array: Any, i: int, j: int) -> None:
    """A GPU needs no prefetching: threads of other games run while one waits for memory."""


def no_forbidding(rules: Any, i: int, arrays: Any) -> None:
    """Does nothing, since a batch on a GPU refuses variants that forbid repetitions."""


def no_closing(rules: Any, state: Any, variant: Any, seen: Any, rewards: Any) -> None:
    """Does nothing, for the same reason."""


REPLACED: Mapping[Any, Any] = {
    calls.state_at: record_at, calls.variant_at: record_at, calls.copy_row: copy_record,
    masks.block_bits: block_bits, prefetch.prefetch: no_prefetch, step.forbid_repeats: no_forbidding,
    repeats.close: no_closing, repeats.close_ply: no_closing,
}  # fmt: skip


class DeviceModule(ModuleType):
    """A module whose kernels are device functions; each is made when it is first asked for."""

    def __init__(self, module: ModuleType, made: DeviceFunctions) -> None:
        super().__init__(module.__name__)
        self.__dict__.update(_module=module, _made=made)

    def __getattr__(self, name: str) -> Any:
        """See `DeviceFunctions.of`."""
        if name.startswith("__"):
            raise AttributeError(name)
        value = self._made.of(getattr(self._module, name))
        setattr(self, name, value)
        return value


class DeviceFunctions:
    """The device functions of a game's kernels and of those of the engine that call them."""

    def __init__(self) -> None:
        self._made: dict[Any, Any] = {}

    def of(self, value: Any) -> Any:
        """The device's form of a global's value: for a kernel, its device function; for a module of this package or of
        a game, a `DeviceModule`; anything else, the value itself."""
        if not COMPILED:  # in CUDA's simulator kernels are plain Python functions
            return value
        if isinstance(value, ModuleType):
            return self._module(value)
        try:
            value = REPLACED.get(value, value)
        except TypeError:  # not hashable
            return value
        function = getattr(value, "py_func", value if value in REPLACED.values() else None)
        return value if not isinstance(function, FunctionType) else self._function(function)

    def _module(self, module: ModuleType) -> ModuleType:
        if module.__name__.partition(".")[0] in ("math", "numba", "numpy"):
            return module
        if module not in self._made:
            self._made[module] = DeviceModule(module, self)
        return self._made[module]

    def _function(self, function: FunctionType) -> Any:
        if function not in self._made:
            self._made[function] = cuda.jit(device=True)(self._copy(function))
        return self._made[function]

    def _copy(self, function: FunctionType) -> FunctionType:
        """A copy of the function whose globals and closure have the forms for the device."""
        read = {each.argval for each in get_instructions(function) if each.opname == "LOAD_GLOBAL"}
        scope = {name: self.of(function.__globals__[name]) for name in read & function.__globals__.keys()}
        closure = tuple(CellType(self.of(cell.cell_contents)) for cell in function.__closure__ or ())
        copy = FunctionType(
            function.__code__, {**function.__globals__, **scope}, function.__name__, function.__defaults__, closure
        )
        copy.__qualname__, copy.__module__ = function.__qualname__, function.__module__
        return copy
