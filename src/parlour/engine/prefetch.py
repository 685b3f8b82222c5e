"""Telling the processor which memory will be read soon: for kernels that go through far more than its caches hold."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, overload
from numba.np.arrayobj import make_array

READ, KEEP, DATA = 0, 3, 1
"""LLVM's ``prefetch``: for reading, into all caches, of data."""


def prefetch(array: Any, i: int, j: int) -> None:
    """Asks for the memory of ``array[i, j]``, an element that exists. Nothing else depends on it."""


@intrinsic
def _prefetch_element(context: Any, array: Any, i: Any, j: Any) -> Any:
    """LLVM's prefetch, one machine instruction."""

    def generate(context: Any, builder: Any, signature: Signature, arguments: Any) -> Any:
        kind = signature.args[0]
        held = make_array(kind)(context, builder, arguments[0])
        address = cgutils.get_item_pointer(context, builder, kind, held, arguments[1:], wraparound=False)
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        call = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, call, "llvm.prefetch.p0")
        builder.call(function, [builder.bitcast(address, byte), number(READ), number(KEEP), number(DATA)])
        return context.get_dummy_value()

    return types.void(array, types.intp, types.intp), generate


@overload(prefetch)
def _prefetch_compiled(array: Any, i: int, j: int) -> Any:
    def implementation(array: Any, i: int, j: int) -> None:
        _prefetch_element(array, i, j)

    return implementation
