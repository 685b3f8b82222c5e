"""Sets of up to 128 cells, each a pair of 64-bit words: cell c is bit c mod 64 of word c div 64.

A set is a uint64 array of shape (2,), usually a field of a state record. Loop over its cells like this::

    for half in range(2):
        word = cells[half]
        while word:
            cell = 64 * half + lowest(word)
            word = without_lowest(word)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic, overload

from parlour.rulebook.compiling import kernel

# Every operand is an unsigned word: a signed one would turn the result into a float (NumPy's and Numba's promotion).
ZERO, ONE, LOW_SIX = np.uint64(0), np.uint64(1), np.uint64(63)


def lowest(word: Any) -> int:
    """The number (0 to 63) of the lowest bit that is set in ``word``, which must not be 0."""
    return (int(word) & -int(word)).bit_length() - 1


@intrinsic
def _count_trailing_zeros(context: Any, word: Any) -> Any:
    """LLVM's cttz, one machine instruction."""

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@overload(lowest)
def _lowest_compiled(word: Any) -> Any:
    def implementation(word: Any) -> int:
        return np.int64(_count_trailing_zeros(word))

    return implementation


def highest(word: Any) -> int:
    """The number (0 to 63) of the highest bit that is set in ``word``, which must not be 0."""
    return int(word).bit_length() - 1


@intrinsic
def _count_leading_zeros(context: Any, word: Any) -> Any:
    """LLVM's ctlz, one machine instruction."""

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctlz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@overload(highest)
def _highest_compiled(word: Any) -> Any:
    def implementation(word: Any) -> int:
        return 63 - np.int64(_count_leading_zeros(word))

    return implementation


def members(words: Sequence[Any]) -> list[int]:
    """The cells of a set, in ascending order: for plain Python."""
    bits, cells = int(words[0]) | int(words[1]) << 64, []
    while bits:
        last = bits & -bits
        cells.append(last.bit_length() - 1)
        bits ^= last
    return cells


def count_bits(word: Any) -> int:
    """How many bits are set in ``word``."""
    return int(word).bit_count()


@intrinsic
def _population_count(context: Any, word: Any) -> Any:
    """LLVM's ctpop, one machine instruction."""

    def generate(_: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.uint64(types.uint64), generate


@overload(count_bits)
def _count_bits_compiled(word: Any) -> Any:
    def implementation(word: Any) -> int:
        return np.int64(_population_count(word))

    return implementation


@kernel
def size(cells: Any) -> int:
    """How many cells are in the set."""
    return count_bits(cells[0]) + count_bits(cells[1])


@kernel
def without_lowest(word: Any) -> Any:
    """``word`` with its lowest set bit cleared."""
    return word & (word - ONE)


@kernel
def has(cells: Any, cell: int) -> bool:
    """Whether ``cell`` (0 to 127) is in the set."""
    return ((cells[cell >> 6] >> (np.uint64(cell) & LOW_SIX)) & ONE) != ZERO


@kernel
def toggle(cells: Any, cell: int) -> None:
    """Adds ``cell`` (0 to 127) to the set if it is not in it, and removes it otherwise."""
    cells[cell >> 6] ^= ONE << (np.uint64(cell) & LOW_SIX)


@kernel
def clear(cells: Any) -> None:
    """Empties the set."""
    cells[0] = ZERO
    cells[1] = ZERO
