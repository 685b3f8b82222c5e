"""What `greedy` goes by, how well positions stand, and what happens in a ply."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import count_bits
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Record

from .rules import FEWER, PASS, moves_of

WIN = 10.0
CORNERS = np.uint64(0x8100000000000081)
EVENTS = ("turned", "corner", "passed")


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all, a loss below all; else the potential."""
    if after.end == RUNNING:
        return potential(after, variant, seat)
    ahead = count_bits(after.discs[seat]) - count_bits(after.discs[1 - seat])
    if ahead == 0:
        return 0.0
    return WIN if (ahead > 0) != (variant.discs == FEWER) else -WIN


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """Half for corners, of four; half for moves, of both seats' moves. Where fewer discs win, corners count against."""
    own, other = state.discs[seat], state.discs[1 - seat]
    corners = (count_bits(own & CORNERS) - count_bits(other & CORNERS)) / 4.0
    ours, theirs = count_bits(moves_of(own, other)), count_bits(moves_of(other, own))
    moves = (ours - theirs) / max(ours + theirs, 1)
    return 0.5 * moves + (-0.5 if variant.discs == FEWER else 0.5) * corners


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Discs turned over, corners taken, passes."""
    seat = after.last_seat
    counts[0] += count_bits(before.discs[1 - seat]) - count_bits(after.discs[1 - seat])
    counts[1] += count_bits(after.discs[seat] & CORNERS) - count_bits(before.discs[seat] & CORNERS)
    if after.last_action == PASS:
        counts[2] += 1
