"""How plies and positions of Acey Ducey look: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.compiling import kernel
from parlour.rulebook.points import (
    FINE_PIPS,
    PIPS,
    contact,
    hit_chances,
    home_points,
    longest_row,
    pips_in_danger,
    pips_on_points,
    pips_until_home,
    points_made,
    rearmost,
)
from parlour.rulebook.protocol import RUNNING, Feature, Record
from parlour.rulebook.races import lead, lead_bounds

from .rules import AGAIN, DUCEY, MEN, PASS, SEND, STEPS, TABLE

WIN = 1000.0
WAY = np.int64(STEPS + 1)  # pips from the start to off the board; wide, since men are counted in int8
POINT_MADE = 1.5  # pips that a closed point before enemy men is worth
MAN_OFF = 0.5  # pips: so that of plies alike in pips the one that bears off is played
FURTHER_THROW = 25 / 3  # mean pips of a throw: see README.md

EVENTS = ("entered", "reentered", "hit", "sent", "again", "passed", "borne_off")
ENTERED, REENTERED, HIT, SENT, THROWN_AGAIN, PASSED, TAKEN_OFF = range(len(EVENTS))

FEATURES = (
    Feature("own men on each step", STEPS, MEN, thresholds=(1, 2, 3, 4, 5, 6, 8)),
    Feature("the other seat's men on each of its steps", STEPS, MEN, thresholds=(1, 2, 3, 4, 5, 6, 8)),
    Feature("men not entered: own, the other seat's", 2, MEN, thresholds=(1, 2, 3, 5, 7, 9, 11, 13)),
    Feature("men in the Dog House", 2, MEN, thresholds=(1, 2, 3, 4, 6)),
    Feature("men borne off", 2, MEN, thresholds=(1, 3, 5, 7, 9, 11, 12, 13, 14)),
    Feature("how often each number is left to play", TABLE, 2),
    Feature("1 when the seat to act must choose between send and again", 1),
    Feature("1 when a further throw of the seat to act is due after this one", 1),
    Feature("pips that the seat is ahead, and behind", 2, 127, thresholds=FINE_PIPS),
    Feature("pips in which the rearmost men have still to pass each other; 0 in a race", 1, 127, thresholds=PIPS),
    Feature("pips that single men stand to lose to a throw, times 4", 2, 127, thresholds=PIPS),
    Feature("points made before men of the other seat", 2, MEN // 2, thresholds=tuple(range(1, MEN // 2 + 1))),
    Feature("points made in the home table", 2, TABLE, thresholds=tuple(range(1, TABLE + 1))),
    Feature("the longest row of points made before the other seat's rearmost man", 2, 7, thresholds=(2, 3, 4, 5, 6)),
    Feature("pips until all men are home", 2, 127, thresholds=PIPS),
)
"""The men and the numbers left after Tesauro, *Practical Issues in Temporal Difference Learning* (1992); the rest as in
Backgammon. `greedy` goes by the pips, what single men stand to lose, and the points made before others."""
ON_STEPS, OTHERS_ON_STEPS, UNENTERED, HOUSED, OFF, LEFT = 0, STEPS, *(2 * STEPS + k for k in (0, 2, 4, 6))
CHOOSING, FURTHER, LEAD, CONTACT, LOSS, MADE, AT_HOME, ROW, FROM_HOME = (
    LEFT + TABLE + k for k in (0, 1, 2, 4, 5, 7, 9, 11, 13)
)


def _reached(low: int, high: int) -> set[int]:
    first = high if low <= DUCEY < high else low
    return {first, high, first + high}


HIT_CHANCE = hit_chances(_reached)


@kernel
def waiting(state: Record, seat: int) -> int:
    """The seat's men that are still to enter, for the first time or from the Dog House."""
    return np.int64(state.unentered[seat] + state.dog_house[seat])


@kernel
def pips(state: Record, seat: int) -> int:
    """The seat's pips to go in all: a man on point p has p, one not entered or in the Dog House 25."""
    return WAY * waiting(state, seat) + pips_on_points(state, seat)


@kernel
def danger(state: Record, seat: int) -> float:
    """The pips that the seat's single men stand to lose to one throw of the other seat."""
    return pips_in_danger(state, seat, waiting(state, 1 - seat), HIT_CHANCE)


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all; else pips: the other seat's still to go (a hit gives them back, a man sent too) less the own,
    less what single men stand to lose, with a bonus for points made, and for a further throw its mean of 25 / 3."""
    if after.end != RUNNING:
        return WIN
    score = float(pips(after, 1 - seat) - pips(after, seat))
    score += POINT_MADE * points_made(after, seat, waiting(after, 1 - seat)) - danger(after, seat)
    score += MAN_OFF * after.off[seat]
    if after.again or (after.due and after.to_act == seat):
        score += FURTHER_THROW  # still to come, or due now
    if after.again:
        for k in range(2):
            score += float(after.left[k])  # still to be played
    return score


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """(the other seat's pips − the own) / (the sum of both), pips being the points that all men have still to go."""
    return lead(pips(state, seat), pips(state, 1 - seat))


@kernel
def features(state: Record, variant: Record, seat: int, numbers: Any) -> None:
    """The numbers of `FEATURES`. Before a throw nothing is left to play, and no choice open."""
    for step in range(STEPS):
        numbers[ON_STEPS + step] = state.men[seat, step]
        numbers[OTHERS_ON_STEPS + step] = state.men[1 - seat, step]
    last = rearmost(state, seat, waiting(state, seat))
    others_last = rearmost(state, 1 - seat, waiting(state, 1 - seat))
    for k in range(2):
        whose = seat if k == 0 else 1 - seat
        numbers[UNENTERED + k] = state.unentered[whose]
        numbers[HOUSED + k] = state.dog_house[whose]
        numbers[OFF + k] = state.off[whose]
        numbers[LOSS + k] = min(int(4 * danger(state, whose) + 0.5), 127)
        numbers[MADE + k] = points_made(state, whose, waiting(state, 1 - whose))
        numbers[AT_HOME + k] = home_points(state, whose)
        numbers[ROW + k] = longest_row(state, whose, others_last if k == 0 else last)
        still_out = waiting(state, whose) * (STEPS - TABLE + 1) + pips_until_home(state, whose)
        numbers[FROM_HOME + k] = min(still_out, 127)
    for number in range(TABLE):
        numbers[LEFT + number] = 0
    for k in range(2):
        if state.left[k] > 0 and state.due == 0:
            numbers[LEFT + state.left[k] - 1] += 1
    numbers[CHOOSING] = state.choosing if state.due == 0 else 0
    numbers[FURTHER] = state.again
    ahead = pips(state, 1 - seat) - pips(state, seat)
    numbers[LEAD] = min(max(ahead, 0), 127)
    numbers[LEAD + 1] = min(max(-ahead, 0), 127)
    numbers[CONTACT] = contact(last, others_last)


@kernel
def heuristic_bounds(state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
    """A ply brings a seat at most six pips nearer to the end, or throws the other back by a man's whole way but the
    last point. Only who has so few pips left can bear off its last man."""
    to_go, others = pips(state, seat), pips(state, 1 - seat)
    low, high, won = lead_bounds(to_go, others, TABLE * plies, (WAY - 1) * plies)
    return low, high, plies * abs(variant.dog_house_penalty) + won


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """What the ply's action was, and whether it sent a man to the Dog House."""
    seat, action = after.last_seat, after.last_action
    if action == PASS:
        counts[PASSED] += 1
    elif action == AGAIN:
        counts[THROWN_AGAIN] += 1
    elif action >= SEND:
        counts[SENT] += 1
    else:
        counts[ENTERED] += before.unentered[seat] - after.unentered[seat]
        counts[REENTERED] += before.dog_house[seat] - after.dog_house[seat]
        counts[TAKEN_OFF] += after.off[seat] - before.off[seat]
        counts[HIT] += after.dog_house[1 - seat] - before.dog_house[1 - seat]
