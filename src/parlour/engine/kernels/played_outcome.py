"""The end of a simulation of Monte Carlo tree search: a roll-out to the end of the game.

Whatever else ends simulations has the same names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.rulebook.protocol import Record

roll_out: Any
kernel: Callable[[Any], Any]

IS_VALUE = False
"""Whether a simulation may end while the game goes on."""
MAX_NEW = 1
"""A simulation takes at most this many new edges, and adds as many nodes."""


@kernel
def finish(
    i: int, state: Record, variant: Record, greedy: bool, player_rng: Record, mask: Any, words: Any, bits: Any,
    forced_dice: Any, faces: Any, seen: Any, after: Any, scratch: Any, rewards: Any, weights: Any,
    max_plies: int, max_effort: int,
) -> int:  # fmt: skip
    """See `roll_out.play_out`."""
    return roll_out.play_out(
        state, variant, greedy, player_rng, mask, words, bits, forced_dice, faces, seen, after, scratch, rewards,
        max_plies, max_effort,
    )  # fmt: skip
