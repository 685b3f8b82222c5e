"""The arrays of a single game, passed to compiled code as a single address.

Python passes an array to compiled code in about 90 ns, a number in 20 ns. Passing twenty arrays would take longer than
a ply.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba.extending import overload
from numpy.typing import NDArray

from parlour.engine.arrays import Arrays
from parlour.engine.bundles import bundled
from parlour.engine.calls import numbers_at, rules_at
from parlour.engine.game_functions import GameFunctions
from parlour.rulebook.chance import STREAM
from parlour.rulebook.compiling import loop

ADDRESSES = len(Arrays._fields) + 1
ADDRESS, ROWS, WIDTH = 0, 1, 2
"""The columns of a table of addresses, int64 (ADDRESSES, 3): where each of `Arrays` begins, and its sizes. The last two
lines hold ``plane_size`` and the address of the rules."""

REFUSED, NO_ROOM = -1, -2
"""Results of `step.step_one` when it has changed nothing: the action is not legal; the history has no room left."""
SEAT_BITS, END_BITS = 8, 8
"""Otherwise: the seat to act, in the lowest bits; then how the game ended; above both, 1 if any reward is not 0."""
UNEVENTFUL = 1 << SEAT_BITS
"""The result is less than this while the game continues and no reward was paid."""


def address_table(arrays: Arrays, rules: int) -> NDArray[np.int64]:
    """A table of addresses in which `pack_addresses` has still to write those of the arrays. ``rules``: the address of
    the rules."""
    lines = [(0, *array.shape, *([0] * (2 - array.ndim))) for array in arrays[:-1]]
    return np.array([*lines, (arrays.plane_size, 0, 0), (rules, 0, 0)], np.int64)


@loop
def pack_addresses(arrays: Arrays, addresses: Any) -> int:
    """Writes the addresses of the arrays into ``addresses`` (see `address_table`). Returns the address of
    ``addresses``, for `unpacked`: valid as long as all these arrays exist."""
    addresses[0, ADDRESS] = arrays.states.ctypes.data
    addresses[1, ADDRESS] = arrays.variants.ctypes.data
    addresses[2, ADDRESS] = arrays.dice_rng.ctypes.data
    addresses[3, ADDRESS] = arrays.player_rng.ctypes.data
    addresses[4, ADDRESS] = arrays.forced_dice.ctypes.data
    addresses[5, ADDRESS] = arrays.history.ctypes.data
    addresses[6, ADDRESS] = arrays.rewards.ctypes.data
    addresses[7, ADDRESS] = arrays.terminated.ctypes.data
    addresses[8, ADDRESS] = arrays.truncated.ctypes.data
    addresses[9, ADDRESS] = arrays.to_act.ctypes.data
    addresses[10, ADDRESS] = arrays.masks.ctypes.data
    addresses[11, ADDRESS] = arrays.words.ctypes.data
    addresses[12, ADDRESS] = arrays.legal_bits.ctypes.data
    addresses[13, ADDRESS] = arrays.counts.ctypes.data
    addresses[14, ADDRESS] = arrays.planes.ctypes.data
    addresses[15, ADDRESS] = arrays.variant_records.ctypes.data
    addresses[16, ADDRESS] = arrays.cumulative.ctypes.data
    addresses[17, ADDRESS] = arrays.variant_rng.ctypes.data
    addresses[18, ADDRESS] = arrays.variant_index.ctypes.data
    addresses[19, ADDRESS] = arrays.variant_planes.ctypes.data
    return addresses.ctypes.data


def unpacked(place: Any) -> tuple[GameFunctions, Arrays]:
    """The rules and the arrays of a game. ``place``: the result of `pack_addresses`; in the interpreter, the rules and
    the arrays."""
    rules, arrays = place
    return rules, arrays


@overload(unpacked)
def _unpacked_compiled(place: Any) -> Any:
    def implementation(place: Any) -> Any:
        at = numbers_at(place, (ADDRESSES, 3), np.int64)
        return rules_at(at[21, ADDRESS]), bundled(
            Arrays(
                numbers_at(at[0, ADDRESS], (1, at[0, WIDTH]), np.uint64),
                numbers_at(at[1, ADDRESS], (1, at[1, WIDTH]), np.uint64),
                numbers_at(at[2, ADDRESS], (1,), STREAM),
                numbers_at(at[3, ADDRESS], (1,), STREAM),
                numbers_at(at[4, ADDRESS], (at[4, ROWS], at[4, WIDTH]), np.int8),
                numbers_at(at[5, ADDRESS], (1, at[5, WIDTH]), np.uint64),
                numbers_at(at[6, ADDRESS], (1, at[6, WIDTH]), np.float64),
                numbers_at(at[7, ADDRESS], (1,), np.bool_),
                numbers_at(at[8, ADDRESS], (1,), np.bool_),
                numbers_at(at[9, ADDRESS], (1,), np.int8),
                numbers_at(at[10, ADDRESS], (1, at[10, WIDTH]), np.int8),
                numbers_at(at[11, ADDRESS], (1, at[11, WIDTH]), np.uint64),
                numbers_at(at[12, ADDRESS], (1, at[12, WIDTH]), np.uint64),
                numbers_at(at[13, ADDRESS], (1,), np.int64),
                numbers_at(at[14, ADDRESS], (1, at[14, WIDTH]), np.int8),
                numbers_at(at[15, ADDRESS], (at[15, ROWS], at[15, WIDTH]), np.uint64),
                numbers_at(at[16, ADDRESS], (at[16, ROWS],), np.float64),
                numbers_at(at[17, ADDRESS], (1,), STREAM),
                numbers_at(at[18, ADDRESS], (1,), np.int64),
                numbers_at(at[19, ADDRESS], (at[19, ROWS], at[19, WIDTH]), np.int8),
                at[20, ADDRESS],
            )
        )

    return implementation
