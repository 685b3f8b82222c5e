"""The rules and the arrays of a single game, passed to compiled code as a single address.

Python passes an array to compiled code in about 90 ns, a number in 20 ns. Passing twenty arrays would take longer than
a ply.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from llvmlite import ir
from numba import typeof, types
from numba.core import cgutils
from numba.extending import intrinsic

from parlour.engine.arrays import Arrays
from parlour.engine.bundles import bundle, bundled
from parlour.engine.game_functions import GameFunctions
from parlour.rulebook.chance import STREAM
from parlour.rulebook.compiling import COMPILED, loop

REFUSED, NO_ROOM = -1, -2
"""Results of `step.step_one` when it has changed nothing: the action is not legal; the history has no room left."""
SEAT_BITS, END_BITS = 8, 8
"""Otherwise: the seat to act, in the lowest bits; then how the game ended; above both, 1 if any reward is not 0."""
UNEVENTFUL = 1 << SEAT_BITS
"""The result is less than this while the game continues and no reward was paid."""

ROOM = 256
"""The 64-bit words that `pack` may write"""
KINDS: tuple[tuple[Any, int], ...] = (
    (np.uint64, 2), (np.uint64, 2), (STREAM, 1), (STREAM, 1), (np.int8, 2), (np.uint64, 2), (np.float64, 2),
    (np.bool_, 1), (np.bool_, 1), (np.int8, 1), (np.int8, 2), (np.uint64, 2), (np.uint64, 2), (np.int64, 1),
    (np.int8, 2), (np.uint64, 2), (np.float64, 1), (STREAM, 1), (np.int64, 1), (np.int8, 2),
)  # fmt: skip
"""Of each array in `Arrays` its dtype and how many axes it has"""


@bundle
class OneGame(NamedTuple):
    """What `pack` writes"""

    rules: GameFunctions
    arrays: Arrays


if COMPILED:
    EMPTY = Arrays._make([*(np.zeros((0,) * axes, dtype) for dtype, axes in KINDS), 0])
    KIND = typeof(OneGame(np.uint64(0), EMPTY))

    @intrinsic
    def store(context: Any, game: Any, address: Any) -> Any:
        """Writes a game (`OneGame`) to an address. It counts no references to its arrays."""
        if game != KIND:
            raise TypeError(f"the arrays of a single game are {game}, and not those of KINDS")

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            if target.get_abi_sizeof(arguments[0].type) > 8 * ROOM:
                raise TypeError("the arrays of a single game do not fit into ROOM")
            builder.store(arguments[0], builder.inttoptr(arguments[1], arguments[0].type.as_pointer()))
            return target.get_dummy_value()

        return types.void(game, types.int64), generate

    @intrinsic
    def unpacked(context: Any, place: Any) -> Any:
        """The rules and the arrays of a game. ``place``: the address to which `pack` has written it; in the
        interpreter, a `OneGame`."""

        def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            game = builder.load(builder.inttoptr(arguments[0], target.get_value_type(KIND).as_pointer()))
            nobody = cgutils.get_null_value(ir.IntType(8).as_pointer())
            for k in range(len(KINDS)):  # owners are left out, so that no references are counted
                for field in ("meminfo", "parent"):
                    owner = target.data_model_manager[KIND[1][k]].get_field_position(field)
                    game = builder.insert_value(game, nobody, (1, k, owner))
            return game

        return KIND(types.int64), generate

else:

    def store(game: OneGame, address: int) -> None:
        """See above."""

    def unpacked(place: OneGame) -> OneGame:
        """See above."""
        return place


@loop
def pack(rules: GameFunctions, arrays: Arrays, address: int) -> None:
    """Writes where the rules and the arrays of a game lie to an address, for `unpacked`: valid as long as all of them
    exist."""
    store(bundled(OneGame(rules, arrays)), address)
