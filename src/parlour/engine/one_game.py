"""The arrays of a single game, passed to compiled code as a single address.

Python hands over each array in some 90 ns, and a number in 20: a ply of one game would take less time than handing its
twenty arrays over.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import carray, types
from numba.extending import intrinsic, overload
from numpy.typing import NDArray

from parlour.engine.arrays import Arrays

ADDRESSES = len(Arrays._fields)
ADDRESS, ROWS, WIDTH = 0, 1, 2
"""The columns of a list of addresses, int64 (ADDRESSES, 3): where each of `Arrays` begins, and its sizes; the last
line, of ``plane_size``, which is no array, holds the number itself."""

REFUSED, NO_ROOM = -1, -2
"""Results of `step.step_one` when it has changed nothing: the action is not legal; the history has no room left."""
SEAT_BITS, END_BITS = 8, 8
"""Otherwise: the seat to act, in the lowest bits; then how the game ended; above both, 1 if any reward is not 0."""
UNEVENTFUL = 1 << SEAT_BITS
"""The result is less than this while the game continues and no reward was paid."""


def sizes(arrays: Arrays) -> NDArray[np.int64]:
    """A list of addresses without addresses, as `step.pass_addresses` completes it."""
    lines = [(0, *array.shape, *([0] * (2 - array.ndim))) for array in arrays[:-1]]
    return np.array([*lines, (arrays.plane_size, 0, 0)], np.int64)


def taken_over(place: Any, state_dtype: Any, variant_dtype: Any, stream_dtype: Any) -> Arrays:
    """The arrays at a place: compiled, the address of what `step.pass_addresses` has written; in the interpreter the
    arrays themselves. The dtypes are those of the records, which compiled code can't know from an address."""
    return place


@intrinsic
def _pointer(context: Any, address: Any) -> Any:
    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.inttoptr(arguments[0], target.get_value_type(signature.return_type))

    return types.voidptr(address), generate


@overload(taken_over)
def _taken_over_compiled(place: Any, state_dtype: Any, variant_dtype: Any, stream_dtype: Any) -> Any:
    def implementation(place: Any, state_dtype: Any, variant_dtype: Any, stream_dtype: Any) -> Any:
        at = carray(_pointer(place), (ADDRESSES, 3), np.int64)
        return Arrays(
            carray(_pointer(at[0, ADDRESS]), (1,), state_dtype),
            carray(_pointer(at[1, ADDRESS]), (1,), variant_dtype),
            carray(_pointer(at[2, ADDRESS]), (1,), stream_dtype),
            carray(_pointer(at[3, ADDRESS]), (1,), stream_dtype),
            carray(_pointer(at[4, ADDRESS]), (at[4, ROWS], at[4, WIDTH]), np.int8),
            carray(_pointer(at[5, ADDRESS]), (1, at[5, WIDTH]), np.uint64),
            carray(_pointer(at[6, ADDRESS]), (1, at[6, WIDTH]), np.float64),
            carray(_pointer(at[7, ADDRESS]), (1,), np.bool_),
            carray(_pointer(at[8, ADDRESS]), (1,), np.bool_),
            carray(_pointer(at[9, ADDRESS]), (1,), np.int8),
            carray(_pointer(at[10, ADDRESS]), (1, at[10, WIDTH]), np.int8),
            carray(_pointer(at[11, ADDRESS]), (1, at[11, WIDTH]), np.uint64),
            carray(_pointer(at[12, ADDRESS]), (1, at[12, WIDTH]), np.uint64),
            carray(_pointer(at[13, ADDRESS]), (1,), np.int64),
            carray(_pointer(at[14, ADDRESS]), (1, at[14, WIDTH]), np.int8),
            carray(_pointer(at[15, ADDRESS]), (at[15, ROWS],), variant_dtype),
            carray(_pointer(at[16, ADDRESS]), (at[16, ROWS],), np.float64),
            carray(_pointer(at[17, ADDRESS]), (1,), stream_dtype),
            carray(_pointer(at[18, ADDRESS]), (1,), np.int64),
            carray(_pointer(at[19, ADDRESS]), (at[19, ROWS], at[19, WIDTH]), np.int8),
            at[20, ADDRESS],
        )

    return implementation
