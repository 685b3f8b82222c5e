"""The end of a simulation of Monte Carlo tree search: the position's value by a small network.

It has the names of `played_outcome`. A network is taught positions at the ends of turns, before any throw, so a
simulation goes on to the end of the turn in which it leaves the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.value_arrays import NetworkEvaluation
from parlour.rulebook.protocol import RUNNING, Record

network_value: Any
loop: Callable[[Any], Any]

IS_VALUE = True
MAX_NEW = 6
EFFORT = 8
"""The work of a valuation, in random plies."""


@loop
def finish(
    i: int, state: Record, variant: Record, greedy: bool, player_rng: Record, mask: Any, words: Any, bits: Any,
    forced_dice: Any, faces: Any, seen: Any, after: Any, scratch: Any, rewards: Any, weights: NetworkEvaluation,
    max_plies: int, max_effort: int,
) -> int:  # fmt: skip
    """Adds the value for each seat to ``rewards`` (P,). Returns `EFFORT`."""
    if state.end == RUNNING:
        head, seats = weights.network.row_heads[i], rewards.shape[0]
        for seat in range(seats):
            rewards[seat] += network_value.value_to(i, head, seat, state, variant, weights)
    return EFFORT
