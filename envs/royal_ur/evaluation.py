"""How plies and positions of the Royal Game of Ur look: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Feature, Record
from parlour.rulebook.races import lead, lead_bounds

from .paths import LONGEST
from .rules import HAND, HIGHEST, LENGTH, PASS, ROSETTES
from .variants import MEN

WIN = 1000.0
FURTHER_THROW = 2.0  # mean number of a throw

EVENTS = ("entered", "captured", "rosette", "borne_off", "passed")
ENTERED, CAPTURED, ON_ROSETTE, TAKEN_OFF, PASSED = range(len(EVENTS))

MOST = MEN.maximum
FEATURES = (
    Feature("own men on each square of the own path", LONGEST),
    Feature("the other seat's men on each square of its path", LONGEST),
    Feature("men in hand: own, the other seat's", 2, MOST, thresholds=tuple(range(1, MOST + 1))),
    Feature("men borne off", 2, MOST, thresholds=tuple(range(1, MOST))),
    Feature("the number thrown: 1 to 4", HIGHEST),
)
OTHERS, IN_HAND, OFF, NUMBER = LONGEST, 2 * LONGEST, 2 * LONGEST + 2, 2 * LONGEST + 4


@kernel
def pips(state: Record, variant: Record, seat: int) -> int:
    """How far the seat's men have still to go, in all."""
    way = LENGTH[variant.path] + 1
    total = way * np.int64(state.hand[seat])
    men = state.held[seat]
    while men:
        total += way - lowest(men)
        men = without_lowest(men)
    return total


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all; else the lead in pips (a capture gives back the other seat's), and the mean of another throw."""
    if after.end != RUNNING:
        return WIN
    score = float(pips(after, variant, 1 - seat) - pips(after, variant, seat))
    if after.to_act == seat:
        score += FURTHER_THROW
    return score


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """(the other seat's pips − the own) / (the sum of both), pips being the squares that all men have still to go."""
    return lead(pips(state, variant, seat), pips(state, variant, 1 - seat))


@kernel
def heuristic_bounds(state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
    """A ply brings a seat at most four pips nearer to the end, or throws the other back by a man's whole way."""
    to_go, others = pips(state, variant, seat), pips(state, variant, 1 - seat)
    return lead_bounds(to_go, others, HIGHEST * plies, LENGTH[variant.path] * plies)


@kernel
def features(state: Record, variant: Record, seat: int, numbers: Any) -> None:
    """The numbers of `FEATURES`. Before a throw there is no number."""
    for k in range(NUMBER + HIGHEST):
        numbers[k] = 0
    for k in range(2):
        whose = seat if k == 0 else 1 - seat
        men = state.held[whose]
        while men:
            numbers[k * OTHERS + lowest(men) - 1] = 1
            men = without_lowest(men)
        numbers[IN_HAND + k] = state.hand[whose]
        numbers[OFF + k] = state.off[whose]
    if state.due == 0 and state.number > 0:
        numbers[NUMBER + state.number - 1] = 1


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """What the ply did."""
    seat, action = np.int64(after.last_seat), np.int64(after.last_action)
    if action == PASS:
        counts[PASSED] += 1
        return
    target = action + np.int64(before.number)
    if action == HAND:
        counts[ENTERED] += 1
    if target > LENGTH[variant.path]:
        counts[TAKEN_OFF] += 1
    elif (ROSETTES[variant.path] >> np.uint64(target)) & ONE != ZERO:
        counts[ON_ROSETTE] += 1
    counts[CAPTURED] += after.hand[1 - seat] - before.hand[1 - seat]
