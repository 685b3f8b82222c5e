"""How plies and positions of Agon look: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

from typing import Any

from parlour.kernels.bits import ZERO, count_bits, lowest, without_lowest
from parlour.kernels.compiling import kernel
from parlour.kernels.protocol import RUNNING, Record

from .actions import CHOICES, PASS, PUTS
from .board import NOWHERE, OUTER, RING_OF
from .rules import BLOODY, EXILE, GUARDS_EACH, NOBODY, PLACE, between, count_guards, holds, pieces, winner_of

WIN, DRAW = 100.0, -2.0
GUARDS_SHARE, QUEEN_SHARE = 0.7, 0.3

EVENTS = ("step", "placement", "trap", "relocation", "exile", "removal", "exchange", "pass")
STEPPED, PLACED, TRAPPED, RELOCATED, EXILED, REMOVED, EXCHANGED, PASSED = range(len(EVENTS))


@kernel
def closeness(state: Record, variant: Record, seat: int) -> float:
    """How near ``seat`` is to its goal, from 0 to 1: 0.7 · the rings that its guards have come inward from the outer
    ring, of 6 · 4, + 0.3 · those its queen has, of 5. A trapped piece, which will be put back, counts nothing."""
    flanked_low, flanked_high = ZERO, ZERO
    if variant.capture != BLOODY:
        flanked_low, flanked_high = between(state, variant, 1 - seat)
    inward = 0
    for half in range(2):
        word = state.guards[seat, half] & ~(flanked_low if half == 0 else flanked_high)
        while word:
            inward += OUTER - RING_OF[64 * half + lowest(word)]
            word = without_lowest(word)
    value = GUARDS_SHARE * inward / (GUARDS_EACH * (OUTER - 1))
    queen = state.queens[seat]
    if queen != NOWHERE and not holds(flanked_low, flanked_high, queen):
        value += QUEEN_SHARE * (OUTER - RING_OF[queen]) / OUTER
    return value


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """c(own) − c(other), where c (`closeness`) = 0.7 · Σ (5 − ring of a guard) / 24 + 0.3 · (5 − ring of the queen) / 5
    over the pieces that do not stand trapped."""
    return closeness(state, variant, seat) - closeness(state, variant, 1 - seat)


@kernel
def merit(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all, a loss below all, a draw below going on; else the potential, which goes inward, traps what is
    far inside, and does not walk into traps."""
    if after.end == RUNNING:
        return potential(after, variant, seat)
    winner = winner_of(after, variant)
    if winner == NOBODY:
        return DRAW
    return WIN if winner == seat else -WIN


@kernel
def newly_trapped(before: Record, after: Record, variant: Record) -> int:
    """How many pieces of either seat stand trapped after the ply on cells where none did before."""
    count = 0
    for seat in range(2):
        low, high = pieces(after, seat)
        flanked_low, flanked_high = between(after, variant, 1 - seat)
        old_low, old_high = pieces(before, seat)
        old_flanked_low, old_flanked_high = between(before, variant, 1 - seat)
        count += count_bits(low & flanked_low & ~(old_low & old_flanked_low))
        count += count_bits(high & flanked_high & ~(old_high & old_flanked_high))
    return count


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """What the ply was, what it trapped, and in Bloody Queen whom it took off the board."""
    action = after.last_action
    if before.phase == PLACE:
        counts[PLACED] += 1
    elif action < PUTS:
        counts[STEPPED] += 1
    elif action < CHOICES:
        counts[RELOCATED] += 1
        if before.phase == EXILE:
            counts[EXILED] += 1
    elif action == PASS:
        counts[PASSED] += 1
    if variant.capture != BLOODY:
        counts[TRAPPED] += newly_trapped(before, after, variant)
        return
    counts[TRAPPED] += after.victims
    enemy = 1 - before.turn_of
    exchanged = 1 if after.queens[enemy] != before.queens[enemy] and before.phase != PLACE else 0
    counts[EXCHANGED] += exchanged
    if before.phase != PLACE:
        counts[REMOVED] += count_guards(before, enemy) - count_guards(after, enemy) - exchanged
