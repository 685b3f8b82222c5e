"""Arrays that a kernel makes for itself.

Of np.zeros and the like Numba compiles functions of its own, for each type and in each process anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.imputils import impl_ret_borrowed
from numba.extending import intrinsic

from parlour.engine.calls import NUMBERS, WORD, array_at, in_list
from parlour.rulebook.compiling import COMPILED


def _zeros(target: Any, builder: Any, kind: Any, shape: Sequence[Any]) -> Any:
    """A new array of zeros."""
    size = target.get_constant(types.intp, target.get_abi_sizeof(target.get_data_type(kind.dtype)))
    for length in shape:
        size = builder.mul(size, length)
    owner = target.nrt.meminfo_alloc_aligned(builder, size, align=32)
    start = target.nrt.meminfo_data(builder, owner)
    cgutils.memset(builder, start, size, 0)
    return array_at(target, builder, kind, builder.ptrtoint(start, WORD), shape, owner)


if COMPILED:

    @intrinsic
    def zeros(context: Any, shape: Any, dtype: Any) -> Any:
        """`numpy.zeros`"""
        dimensions = len(shape) if isinstance(shape, types.BaseTuple) else 0
        kind = types.Array(dtype.dtype, dimensions or 1, "C")

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            lengths = cgutils.unpack_tuple(builder, arguments[0], dimensions) if dimensions else [arguments[0]]
            return _zeros(target, builder, kind, lengths)

        return kind(types.UniTuple(types.intp, dimensions) if dimensions else types.intp, dtype), generate

    @intrinsic
    def bytes_of(context: Any, words: Any) -> Any:
        """The bytes of ``words`` (uint64 (M,)): int8 (8 M,)."""
        kind = types.Array(types.int8, 1, "C")

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            array = target.make_array(words)(target, builder, arguments[0])
            impl_ret_borrowed(target, builder, words, arguments[0])
            start, length = builder.ptrtoint(array.data, WORD), builder.mul(array.nitems, WORD(8))
            return array_at(target, builder, kind, start, [length], array.meminfo)

        return kind(words), generate

    @intrinsic
    def new_states(context: Any, rules: Any, count: Any) -> Any:
        """Room for ``count`` states of the game."""
        of_one_game = isinstance(rules, types.Module)
        kind = types.Array(from_dtype(rules.pymod.STATE), 1, "C") if of_one_game else types.Array(types.uint64, 2, "C")

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            sizes = [] if of_one_game else [in_list(builder, arguments[0], NUMBERS["state_words"])]
            return _zeros(target, builder, kind, [arguments[1], *sizes])

        return kind(rules, types.intp), generate

else:
    zeros = np.zeros

    def bytes_of(words: Any) -> Any:
        """See above."""
        return words.view(np.int8)

    def new_states(rules: Any, count: int) -> Any:
        """See above."""
        return rules.new_states(count)
