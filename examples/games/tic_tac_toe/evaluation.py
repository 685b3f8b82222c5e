"""The score that `greedy` maximises, the potential of positions, and the events of a ply. All of it is optional."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.bits import count_bits
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Record

from .rules import LINE_MADE, LINES, LOSES, ZERO

WIN = 10.0
EVENTS = ("threat", "block")


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """`WIN` for a win, −`WIN` for a loss, else the potential."""
    if after.end == LINE_MADE:
        return -WIN if variant.line == LOSES else WIN
    return potential(after, variant, seat)


@kernel
def open_lines(state: Record, seat: int, least: int) -> int:
    """How many lines have at least ``least`` marks of the seat, and none of the other seat."""
    count = 0
    for k in range(LINES.shape[0]):
        if state.marks[1 - seat] & LINES[k] == ZERO and count_bits(state.marks[seat] & LINES[k]) >= least:
            count += 1
    return count


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """From −1 to 1: the seat's open lines less the other seat's, as a share of the maximum. An open line counts 1, with
    two marks 3, so 8 lines count at most 24. If lines lose, the opposite."""
    mine, other = 0, 0
    for least in range(1, 3):
        mine += least * open_lines(state, seat, least)
        other += least * open_lines(state, 1 - seat, least)
    ahead = (mine - other) / 24.0
    return -ahead if variant.line == LOSES else ahead


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Counts lines with two own marks that the ply has made, and lines with two marks of the other seat that it has
    closed."""
    seat = after.last_seat
    if after.end == RUNNING:
        counts[0] += max(open_lines(after, seat, 2) - open_lines(before, seat, 2), 0)
    counts[1] += open_lines(before, 1 - seat, 2) - open_lines(after, 1 - seat, 2)
