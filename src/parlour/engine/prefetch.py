"""Prefetching: tells the processor which memory will be read soon. For kernels that read much more memory than fits
into its caches."""

from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import Signature
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from parlour.rulebook.compiling import COMPILED

READ, KEEP, DATA = 0, 3, 1
"""Arguments of LLVM's ``prefetch``: for reading, keep in all cache levels, data (not instructions)."""


if COMPILED:

    @intrinsic
    def prefetch(context: Any, array: Any, i: Any, j: Any) -> Any:
        """Prefetches ``array[i, j]``, which must exist, by LLVM's ``prefetch``: one machine instruction. This changes
        speed only."""

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

else:

    def prefetch(array: Any, i: int, j: int) -> None:
        """Does nothing."""
