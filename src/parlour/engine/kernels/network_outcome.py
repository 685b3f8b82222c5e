"""The end of a simulation of Monte Carlo tree search: the position's value by a small network.

It has the names of `played_outcome`. A network is taught positions at the ends of turns, before any throw, so a
simulation goes on to the end of the turn in which it leaves the tree.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from parlour.engine.value_arrays import Evaluation
from parlour.rulebook.protocol import RUNNING, Record, Rules

rules: Rules
ply: Any
network_value: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

IS_VALUE = True
MAX_NEW = 6
EFFORT = 8
"""The work of a valuation, in random plies."""


@kernel
def play_edge(
    state: Record, variant: Record, action: int, new: int, player_rng: Record, forced_dice: Any, faces: Any, seen: Any,
    rewards: Any,
) -> bool:  # fmt: skip
    """See `played_outcome.play_edge`: no throw is made after the action of a new edge."""
    if new == 0:
        ply.play(state, variant, action, player_rng, forced_dice, faces, seen, rewards)
        return False
    ply.open_ply(state, variant, action, rewards)
    if ply.throws_due(state, variant) > 0:
        return True
    ply.close_ply(state, variant, seen)
    return state.end != RUNNING or state.turn_over != 0 or new == MAX_NEW


@loop
def finish(
    i: int, state: Record, variant: Record, greedy: bool, player_rng: Record, mask: Any, words: Any, bits: Any,
    forced_dice: Any, faces: Any, seen: Any, after: Any, scratch: Any, rewards: Any, weights: Evaluation,
) -> int:  # fmt: skip
    """Adds the value for each seat to ``rewards`` (P,). Returns `EFFORT`."""
    if state.end == RUNNING:
        head, seats = weights.network.row_heads[i], rewards.shape[0]
        for seat in range(seats):
            rewards[seat] += network_value.value_to(i, head, seat, state, variant, weights)
    return EFFORT
