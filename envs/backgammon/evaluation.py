"""How plies and positions of Backgammon look: for built-in players, reward shaping, search and statistics."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.points import (
    FINE_PIPS,
    OUTSIDE_HOME,
    PIPS,
    SHIFT,
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

from .bear_off import HOME, QUARTERS, waste
from .rules import BAR as FROM_BAR
from .rules import COUNTED, DOUBLED, MOST_MEN, PASS, STEPS, TABLE, stake_of
from .variants import OPENING, SETUP

STANDARD, NACKGAMMON, _ = SETUP.values
WIN = 1000.0
WAY = np.int64(STEPS + 1)  # pips from the bar to off the board; wide, since men are counted in int8
POINT_MADE = 1.5  # pips that a closed point before men of the other seat is worth
MAN_OFF = 0.5  # pips: so that of plies alike in pips the one that bears off is played

EVENTS = ("entered", "hit", "borne_off", "passed")
ENTERED, HIT, TAKEN_OFF, PASSED = range(len(EVENTS))


def _ways(low: int, high: int) -> set[int]:
    """How far a throw can bring one man, every point between being open."""
    return {low, high, low + high} if low != high else {low, 2 * low, 3 * low, 4 * low}


def _escapes() -> np.ndarray[Any, np.dtype[np.int8]]:
    """[set of closed points of the twelve before a man]: how many of the 36 throws bring him on by both numbers."""
    counts = np.zeros(1 << 2 * TABLE, np.int8)
    for closed in range(len(counts)):
        for low, high in product(range(1, TABLE + 1), repeat=2):
            stops = closed >> (low - 1) & closed >> (high - 1) & 1
            counts[closed] += not (stops or closed >> (low + high - 1) & 1)
    return counts


HIT_CHANCE = hit_chances(_ways)
REVERSED = np.array([int(f"{steps:012b}"[::-1], 2) for steps in range(1 << 2 * TABLE)], np.uint64)
"""[set of twelve neighbouring steps]: the same set counted from the other end."""
ESCAPES = _escapes()
AHEAD = np.uint64((1 << 2 * TABLE) - 1)

FEW, MANY = (1, 2, 3, 4), (1, 2, 3, 4, 5, 6, 8)
OF_36 = tuple(range(2, 37, 2))
FOURTHS = tuple(range(4, 37, 4))
TOGETHER = tuple(range(4, 57, 4))
WASTES = (*range(18, 57, 2), 64, 72, 90, 120)
LEADS = (*range(2, 41, 2), *range(46, 127, 8))
FEATURES = (
    Feature("own men on each step outside the home board", HOME, MOST_MEN, thresholds=FEW),
    Feature("own men on each step of the home board", TABLE, MOST_MEN, thresholds=MANY),
    Feature("the other seat's men on each of its steps outside its home board", HOME, MOST_MEN, thresholds=FEW),
    Feature("the other seat's men on each step of its home board", TABLE, MOST_MEN, thresholds=MANY),
    Feature("men on the bar: own, the other seat's", 2, MOST_MEN, thresholds=(1, 2, 3)),
    Feature("men borne off", 2, MOST_MEN, thresholds=(1, 2, 3, 5, 7, 9, 10, 11, 12, 13, 14)),
    Feature("how often each number is left to play", TABLE, 4, thresholds=(1, 2, 3, 4)),
    Feature("pips that the seat is ahead, and behind", 2, 127, thresholds=FINE_PIPS),
    Feature("pips in which the rearmost men have still to pass each other; 0 in a race", 1, 127, thresholds=PIPS),
    Feature("throws of 36 that bring the rearmost man on by both numbers", 2, 36, thresholds=FOURTHS),
    Feature("points made in the home board", 2, TABLE, thresholds=tuple(range(1, TABLE + 1))),
    Feature("the longest row of points made before the other seat's rearmost man", 2, 7, thresholds=(2, 3, 4, 5, 6)),
    Feature("throws of 36 that hit a single man", 2, 36, thresholds=OF_36),
    Feature("throws of 36 that can hit at two places", 2, 36, thresholds=OF_36),
    Feature("pips that men stand to lose to a throw, times 4.5", 2, 108, thresholds=PIPS),
    Feature("throws of 36 that bring a man on from the bar by both numbers", 2, 36, thresholds=FOURTHS),
    Feature("the same of all men outside their home board together, divided by 8", 2, 67, thresholds=TOGETHER),
    Feature("pips until all men are home", 2, 127, thresholds=PIPS),
    Feature("quarters of pips wasted in bearing off", 2, 127, thresholds=WASTES),
    Feature("how far the seat is ahead, and behind, in a race, times 30", 2, 127, thresholds=LEADS),
    Feature("the fewest throws of 36 that bring a man on from any of nine steps", 2, 36, thresholds=FOURTHS),
)
"""After Tesauro, *Practical Issues in Temporal Difference Learning* (1992), and, from the pips on, what GNU Backgammon
calls BREAK_CONTACT, BACKESCAPES, ENTER, CONTAIN, P1, P2, PIPLOSS, MOBILITY, BACKG and ACONTAIN, in simpler forms. Of
races `bear_off.waste` and `race_lead`."""
ON_STEPS, OTHERS_ON_STEPS, BAR, OFF, LEFT = 0, STEPS, 2 * STEPS, 2 * STEPS + 2, 2 * STEPS + 4
LEAD, CONTACT, ESCAPING, MADE, ROW, SHOTS, DOUBLE_SHOTS, LOSS, ENTRY, MOBILITY, FROM_HOME, WASTE, RACE, BLOCK = (
    LEFT + TABLE + k for k in (0, 2, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25)
)
HALF_A_THROW, ROOTS = 4, 30  # pips that it is worth to throw next, about; see `race_lead`
FIRST_STEPS = 9  # where men are that a prime holds
TWELVE = np.uint64(2 * TABLE)
ON_BOARD = np.uint64((1 << STEPS + 1) - 2)


@kernel
def most_to_win(state: Record, variant: Record, seat: int) -> float:
    """A single game where the other seat has borne off a man; no backgammon in a race, once its men have left the
    seat's home board and the bar. (Keith, Gammons and backgammons.)"""
    stake = stake_of(state, variant, seat)
    in_race = contact(last_man(state, seat), last_man(state, 1 - seat)) == 0
    return 3.0 if stake == 2 and not in_race else float(stake)


@kernel
def pips(state: Record, seat: int) -> int:
    """How far the seat's men have still to go, in all: a man on point p has p pips to go, one on the bar 25."""
    return WAY * state.bar[seat] + pips_on_points(state, seat)


@kernel
def danger(state: Record, seat: int) -> float:
    """The pips that the seat's single men stand to lose to one throw of the other seat."""
    return pips_in_danger(state, seat, state.bar[1 - seat], HIT_CHANCE)


@kernel
def greedy_score(before: Record, after: Record, variant: Record, seat: int) -> float:
    """A win above all; else pips: the other seat's still to go (a hit gives them back) less the own, less what single
    men stand to lose, with a bonus for points made. What is left of the throw counts as played."""
    if after.end != RUNNING:
        return WIN
    score = float(pips(after, 1 - seat) - pips(after, seat))
    score += POINT_MADE * points_made(after, seat, after.bar[1 - seat]) - danger(after, seat)
    score += MAN_OFF * after.off[seat]
    for k in range(2):
        score += float(after.left[k]) * after.dice[k]
    return score


@kernel
def potential(state: Record, variant: Record, seat: int) -> float:
    """(the other seat's pips − the own) / (the sum of both), pips being the points that all men have still to go."""
    return lead(pips(state, seat), pips(state, 1 - seat))


@kernel
def heuristic_bounds(state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
    """A ply brings a seat at most six pips nearer to the end, or throws the other back by a man's whole way but the
    last point. Only who has so few pips left can bear off its last man, and win up to three."""
    to_go, others = pips(state, seat), pips(state, 1 - seat)
    low, high, won = lead_bounds(to_go, others, TABLE * plies, (WAY - 1) * plies)
    return low, high, won * (3.0 if variant.gammons == COUNTED else 1.0)


# --- what networks see ---


def network_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """How a game opens, and Nackgammon's set-up, change its start alone."""
    setup = STANDARD if values["setup"] == NACKGAMMON else values["setup"]
    return {**values, "setup": setup, "opening": OPENING.default}


@kernel
def last_man(state: Record, seat: int) -> int:
    """The step of the seat's rearmost man, −1 on the bar; 24 if all are off."""
    return rearmost(state, seat, state.bar[seat])


@kernel
def escapes(state: Record, seat: int) -> int:
    """How many of the 36 throws bring the seat's rearmost man on by both numbers."""
    step = last_man(state, seat)
    if step >= STEPS:
        return 36
    return np.int64(ESCAPES[np.int64((state.closed[seat] >> SHIFT[step + 1]) & AHEAD)])


@kernel
def hit_by_double(number: int, first: Any, rest: Any, waiting: int, free: Any, blots: Any) -> Any:
    """`hit_by` for a double. All men that wait come in as the first of them does."""
    hits, men = ZERO, first
    for _ in range(max(DOUBLED + 1 - max(waiting, 1), 1)):
        men = (men << SHIFT[number]) & free
        hits |= men
        men = men | rest if men != ZERO else ZERO
    return hits & blots


@kernel
def hit_by(low: int, high: int, first: Any, rest: Any, waiting: int, free: Any, blots: Any) -> Any:
    """Where a throw can hit, as a set. Places are counted as the hitters go: 0 is their bar, 1 + t their step t.
    ``first``: where the men are that may move first; ``rest``: where others are; ``waiting``: men on the bar. That both
    numbers must be played is left aside."""
    by_low, by_high = (first << SHIFT[low]) & free, (first << SHIFT[high]) & free
    hits = by_low | by_high
    if waiting <= 1:
        if by_low != ZERO:
            hits |= (by_low | rest) << SHIFT[high]
        if by_high != ZERO:
            hits |= (by_high | rest) << SHIFT[low]
    return hits & blots


@kernel
def write_shots(state: Record, seat: int, k: int, numbers: Any) -> None:
    """How the other seat's throws may hit single men of ``seat``."""
    held, closed, waiting = state.held[seat], state.closed[1 - seat], np.int64(state.bar[1 - seat])
    opposite = REVERSED[np.int64(held & AHEAD)] << TWELVE | REVERSED[np.int64(held >> TWELVE)]
    first, rest = state.held[1 - seat] << ONE, ZERO
    if waiting > 0:
        first, rest = ONE, first
    blots = (opposite & ~closed) << ONE & ~(first ^ (first - ONE))
    free = ~(closed << ONE) & ON_BOARD
    shots, double_shots, loss = 0, 0, 0
    if blots != ZERO:
        for low in range(1, TABLE + 1):
            for high in range(low, TABLE + 1):
                if low == high:
                    hits, ways = hit_by_double(low, first, rest, waiting, free, blots), 1
                else:
                    hits, ways = hit_by(low, high, first, rest, waiting, free, blots), 2
                if hits != ZERO:
                    shots += ways
                    loss += ways * (STEPS + 1 - lowest(hits))
                    if without_lowest(hits) != ZERO:
                        double_shots += ways
    numbers[SHOTS + k] = shots
    numbers[DOUBLE_SHOTS + k] = double_shots
    numbers[LOSS + k] = loss // 8


@kernel
def write_outside(state: Record, seat: int, k: int, numbers: Any) -> None:
    """How the men outside the home board get on."""
    bar = np.int64(state.bar[seat])
    mobility = bar * ESCAPES[np.int64(state.closed[seat] & AHEAD)]
    rest = state.held[seat] & OUTSIDE_HOME
    while rest:
        step = lowest(rest)
        rest = without_lowest(rest)
        men = np.int64(state.men[seat, step])
        mobility += men * ESCAPES[np.int64((state.closed[seat] >> SHIFT[step + 1]) & AHEAD)]
    numbers[FROM_HOME + k] = min(bar * (STEPS - TABLE + 1) + pips_until_home(state, seat), 127)
    numbers[MOBILITY + k] = mobility // 8


@kernel
def best_block(state: Record, seat: int) -> int:
    """The fewest of the 36 throws that bring a man of the other seat on by both numbers from one of its first nine
    steps, whether one stands there or not."""
    fewest = 36
    for step in range(FIRST_STEPS):
        fewest = min(fewest, np.int64(ESCAPES[np.int64((state.closed[1 - seat] >> SHIFT[step + 1]) & AHEAD)]))
    return fewest


@kernel
def race_lead(to_go: int, others: int) -> int:
    """(D + 4) / √S, in units of 1 / `ROOTS`, of a seat that throws next and is D ahead, where both have S to go: the
    root of Kleinman's metric (*Vision Laughs at Counting*, 1980), by effective pips. A seat's chance is about that of a
    normal deviate below 0.7 times it. Both arguments are in quarters of pips."""
    return int(ROOTS * (others - to_go + QUARTERS * HALF_A_THROW) / math.sqrt(QUARTERS * (to_go + others)))


@kernel
def write_race(state: Record, variant: Record, seat: int, numbers: Any) -> None:
    """How the seats bear off."""
    wasted, others_waste = waste(state, variant, seat), waste(state, variant, 1 - seat)
    ahead = 0
    if numbers[CONTACT] == 0:
        ahead = race_lead(QUARTERS * pips(state, seat) + wasted, QUARTERS * pips(state, 1 - seat) + others_waste)
    numbers[WASTE], numbers[WASTE + 1] = wasted, others_waste
    numbers[RACE], numbers[RACE + 1] = min(max(ahead, 0), 127), min(max(-ahead, 0), 127)


@kernel
def features(state: Record, variant: Record, seat: int, numbers: Any) -> None:
    """The numbers of `FEATURES`. Before a throw nothing is left to play."""
    for step in range(STEPS):
        numbers[ON_STEPS + step] = state.men[seat, step]
        numbers[OTHERS_ON_STEPS + step] = state.men[1 - seat, step]
    for number in range(TABLE):
        numbers[LEFT + number] = 0
    for k in range(2):
        if state.due == 0 and state.left[k] > 0:
            numbers[LEFT + state.dice[k] - 1] = state.left[k]
    ahead = pips(state, 1 - seat) - pips(state, seat)
    numbers[LEAD] = min(max(ahead, 0), 127)
    numbers[LEAD + 1] = min(max(-ahead, 0), 127)
    numbers[CONTACT] = contact(last_man(state, 0), last_man(state, 1))
    for k in range(2):
        whose = seat if k == 0 else 1 - seat
        numbers[BAR + k] = state.bar[whose]
        numbers[OFF + k] = state.off[whose]
        numbers[ESCAPING + k] = escapes(state, whose)
        numbers[MADE + k] = home_points(state, whose)
        numbers[ROW + k] = longest_row(state, whose, last_man(state, 1 - whose))
        numbers[BLOCK + k] = best_block(state, whose)
        numbers[ENTRY + k] = ESCAPES[np.int64(state.closed[whose] & AHEAD)]
        write_shots(state, whose, k, numbers)
        write_outside(state, whose, k, numbers)
    write_race(state, variant, seat, numbers)


@kernel
def events(before: Record, after: Record, variant: Record, counts: Any) -> None:
    """What the ply did."""
    seat, action = np.int64(after.last_seat), np.int64(after.last_action)
    if action == PASS:
        counts[PASSED] += 1
        return
    if action // TABLE == FROM_BAR:
        counts[ENTERED] += 1
    counts[TAKEN_OFF] += after.off[seat] - before.off[seat]
    counts[HIT] += after.bar[1 - seat] - before.bar[1 - seat]
