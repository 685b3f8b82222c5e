"""The end of a simulation of Monte Carlo tree search: a roll-out to the end of the game.

Whatever else ends simulations has the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.protocol import Record

ply: Any
roll_out: Any
kernel: Callable[[Any], Any]

IS_VALUE = False
"""Whether a simulation may end while the game goes on."""
MAX_NEW = 1
"""A simulation adds at most this many edges, and as many nodes."""


@kernel
def play_edge(
    state: Record, variant: Record, action: int, new: int, player_rng: Record, forced_dice: Any, faces: Any, seen: Any,
    rewards: Any,
) -> bool:  # fmt: skip
    """Plays the action of an edge: the ``new``-th new edge of this simulation, or (0) an earlier one. Returns whether
    the tree ends there."""
    ply.play(state, variant, action, player_rng, forced_dice, faces, seen, rewards)
    return new > 0


@kernel
def finish(
    i: int, state: Record, variant: Record, greedy: bool, player_rng: Record, mask: Any, words: Any, bits: Any,
    forced_dice: Any, faces: Any, seen: Any, after: Any, scratch: Any, rewards: Any, weights: Any,
) -> int:  # fmt: skip
    """See `roll_out.play_out`."""
    return roll_out.play_out(
        state, variant, greedy, player_rng, mask, words, bits, forced_dice, faces, seen, after, scratch, rewards
    )
