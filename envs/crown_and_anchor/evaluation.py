"""What built-in players know of Crown and Anchor: a score for one ply, a potential for positions, and events."""

from __future__ import annotations

from typing import Any

from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import Record

from .rules import DESIGNS, THROWN, left_of, lost_by, owed_to, staked


@kernel
def bold(before: Record, after: Record, variant: Record, seat: int) -> float:
    """How many chips the ply has put on the cloth: `bold` bets the most."""
    return float(staked(after, seat) - staked(before, seat))


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """The fewer chips the ply has put on the cloth, the better, since every bet loses on average: `greedy` bets the
    least, sits out where it may, and adds nothing to a bet."""
    return -bold(before, after, variant, seat)


PLAYERS = {"bold": bold}
"""More one-ply players: a name, and the score that the player maximises."""


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """(the seat's chips − the mean of all seats' chips) / the sum of all seats' chips without their signs; 0 if that is
    0. Stakes on the cloth count as their seat's."""
    total, size = 0, 0
    for other in range(variant.players):
        total += state.chips[other]
        size += abs(state.chips[other])
    return (state.chips[seat] - total / variant.players) / size if size else 0.0


EVENTS = (
    "bet", "sit_out", "unclaimed", "single", "double", "triple", "short", "triples", "bank_passed", "empty_cloth",
    "broke", "in_debt",
)  # fmt: skip
BET, SIT_OUT, UNCLAIMED, SHORT, TRIPLES, BANK_PASSED, EMPTY_CLOTH, BROKE, IN_DEBT = 0, 1, 2, 6, 7, 8, 9, 10, 11
"""Places in `EVENTS`; single, double and triple follow `UNCLAIMED`."""


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """Counts the events of the ply between the two states, its throw included. ``counts``: int (len(EVENTS),)."""
    if after.throws == before.throws:
        seat = before.to_act
        if staked(after, seat) > staked(before, seat):
            counts[BET] += 1
        elif staked(after, seat) == 0:
            counts[SIT_OUT] += 1
        return
    laid = 0
    seat = left_of(variant, before.banker)
    while seat != before.banker:
        laid += staked(before, seat)
        count_stakes(before, seat, after, counts)
        due = owed_to(before, variant, seat, after) - lost_by(before, seat, after)
        if after.chips[seat] - before.chips[seat] < due:
            counts[SHORT] += 1
        seat = left_of(variant, seat)
    if laid == 0:
        counts[EMPTY_CLOTH] += 1
    if after.dice[0] == after.dice[1] == after.dice[2]:
        counts[TRIPLES] += 1
    if after.banker != before.banker:
        counts[BANK_PASSED] += 1
    for seat in range(variant.players):
        if after.chips[seat] <= 0 < before.chips[seat]:
            counts[BROKE] += 1
        if after.chips[seat] < 0 <= before.chips[seat]:
            counts[IN_DEBT] += 1


@kernel
def count_stakes(before: Record, seat: int, after: Record, counts: Any) -> None:
    """Counts the result of each of the seat's stakes, by the number of dice that show its design."""
    for design in range(DESIGNS):
        if before.stakes[seat, design]:
            shown = 0
            for die in range(THROWN):
                if after.dice[die] == design:
                    shown += 1
            counts[UNCLAIMED + shown] += 1
