"""Rows of 24 points on which the men of two seats run in opposite directions: what games on a backgammon board share.

Each seat counts *steps* along its own track: step t is its own point 24 − t, so its men move from step 0 up to step 23,
and then off the board. Step t of one seat is step 23 − t of the other::

    point   24 23 22 21 20 19   18 17 16 15 14 13   12 11 10  9  8  7    6  5  4  3  2  1   off
    step     0  1  2  3  4  5    6  7  8  9 10 11   12 13 14 15 16 17   18 19 20 21 22 23    24
                                                                         home table
    other's 23 22 21 20 19 18   17 16 15 14 13 12   11 10  9  8  7  6    5  4  3  2  1  0

A game's state has the fields of `FIELDS`. A *source* is the place from which a man is played; actions begin with 6 ×
source + number − 1.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.bits import ONE, ZERO, count_bits, highest, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import CHOOSE
from parlour.rulebook.protocol import Plane, Record

STEPS = 24
TABLE = 6
"""Points in a table; also the highest number on a die."""
FIELDS: list[tuple[Any, ...]] = [
    ("held", np.uint64, (2,)),  #      [seat]: bit t is set if it has men on its own step t
    ("closed", np.uint64, (2,)),  #    [seat]: bit t is set if the other seat has two or more men on step t
    ("men", np.int8, (2, STEPS)),  #   [seat, step]: how many men
]

OUTSIDE_HOME = np.uint64((1 << (STEPS - TABLE)) - 1)
"""The steps outside the home table."""
FAR_BACK = np.uint64((1 << TABLE) - 1)
"""A seat's first steps, the other seat's home table."""
SHIFT = np.arange(STEPS + 1).astype(np.uint64)
"""[k]: k as a shift count."""
STAYS_ON = np.array([(1 << (STEPS - number)) - 1 for number in range(TABLE + 1)], np.uint64)
"""[number]: the steps from which this number stays on the board."""
FOUR, LOW_FOUR = np.uint64(4), np.uint64(15)
PIPS = (1, 3, 6, 10, 15, 22, 30, 40, 55, 75, 100)
FINE_PIPS = (1, 2, 3, 4, 6, 8, 10, 12, 15, 18, 22, 26, 30, 35, 40, 48, 55, 65, 75, 90, 110)
"""Thresholds for features that count pips: coarse ones and fine ones."""


def _spread() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """[number, set of four neighbouring sources, j]: word j (0–2) of the 24 bytes of the action mask that belong to
    these four sources, with ``number`` allowed from those in the set."""
    mask = np.zeros((TABLE + 1, 16, 4, TABLE), np.int8)
    for number in range(1, TABLE + 1):
        for four in range(16):
            for source in range(4):
                mask[number, four, source, number - 1] = four >> source & 1
    return mask.reshape(TABLE + 1, 16, 4 * TABLE).view(np.uint64)


SPREAD = _spread()


def point_planes(men: int, beside: Sequence[str], times: int, faces: str = "") -> tuple[Plane, ...]:
    """Planes that games share: men on points, in the places ``beside`` them and borne off, the seat's own first; how
    often each number is left to play, at most so many ``times``; both dice, each with ``faces``; whose turn it is."""
    some, any_left = (1, 2, 3), tuple(range(1, times + 1))
    places = {"on each point": some, **dict.fromkeys(beside, some), "borne off": ()}
    return (
        *(
            Plane(f"{whose} men {place}", 0, men, steps=steps)
            for place, steps in places.items()
            for whose in ("own", "the other seat's")
        ),
        *(
            Plane(f"how often the number {number} is left to play", 0, times, kind="dice", steps=any_left)
            for number in range(1, TABLE + 1)
        ),
        *(Plane(f"face of the {which} die{faces}", 1, TABLE, kind="dice") for which in ("first", "second")),
        Plane("all ones when the observing seat is to act"),
    )


@kernel
def clear_points(state: Record) -> None:
    """Removes every man from the points and from those borne off, and clears dice, what is due and the opening."""
    for seat in range(2):
        state.held[seat] = ZERO
        state.closed[seat] = ZERO
        state.off[seat] = 0
        for step in range(STEPS):
            state.men[seat, step] = 0
        state.dice[seat], state.left[seat] = -1, 0
    state.due = 0
    state.opening = -1


@kernel
def put_men(state: Record, seat: int, step: int, men: int) -> None:
    """Sets how many men of ``seat`` are on one of its steps."""
    here, there = ONE << SHIFT[step], ONE << SHIFT[STEPS - 1 - step]
    state.men[seat, step] = men
    state.held[seat] = state.held[seat] | here if men > 0 else state.held[seat] & ~here
    state.closed[1 - seat] = state.closed[1 - seat] | there if men > 1 else state.closed[1 - seat] & ~there


@kernel
def set_men(state: Record, men: Any) -> None:
    """Sets how many men each seat has on each step. ``men``: int8 (2, 24)."""
    for seat in range(2):
        for step in range(STEPS):
            put_men(state, seat, step, men[seat, step])


@kernel
def spread(words: Any, sources: int, first: int, first_sources: Any, second: int, second_sources: Any) -> None:
    """Writes the mask of actions: number ``first`` from the sources of one set of bits, ``second`` from another's.

    ``sources``: how many there are in all. The actions behind theirs are not allowed.
    """
    groups = sources // 4
    used = 3 * groups + (TABLE * (sources % 4) + 7) // 8
    for four in range(groups):
        for j in range(3):
            word = SPREAD[first, first_sources & LOW_FOUR, j]
            words[3 * four + j] = word | SPREAD[second, second_sources & LOW_FOUR, j]
        first_sources >>= FOUR
        second_sources >>= FOUR
    for j in range(used - 3 * groups):
        word = SPREAD[first, first_sources & LOW_FOUR, j]
        words[3 * groups + j] = word | SPREAD[second, second_sources & LOW_FOUR, j]
    for k in range(used, words.size):
        words[k] = ZERO


@kernel
def nth_move(n: int, first: int, first_sources: Any, second: int, second_sources: Any) -> int:
    """The n-th (from 0), in index order, of the actions that `spread` allows. ``second`` may be 0 with an empty set."""
    if 0 < second < first:
        first, second, first_sources, second_sources = second, first, second_sources, first_sources
    rest = first_sources | second_sources
    while True:
        source, here = lowest(rest), rest & ~(rest - ONE)
        rest = without_lowest(rest)
        if first_sources & here != ZERO:
            if n == 0:
                return TABLE * source + np.int64(first) - 1
            n -= 1
        if second_sources & here != ZERO:
            if n == 0:
                return TABLE * source + np.int64(second) - 1
            n -= 1


# --- positions as numbers, for `parlour.solve` ---


@kernel
def rank_on_points(state: Record, seat: int, start: int, waiting: int) -> int:
    """The number of a seat's men on the points among all ways to have so many; ``waiting`` are before ``start``."""
    index, k = 0, waiting
    for step in range(start, STEPS):
        for _ in range(state.men[seat, step]):
            k += 1
            index += CHOOSE[step - start + k, k]
    return index


@kernel
def place_on_points(index: int, men: int, state: Record, seat: int, start: int) -> int:
    """The inverse of `rank_on_points`, for points without men of the seat. Returns how many of the ``men`` wait."""
    step = STEPS - 1
    while men > 0 and step >= start:
        ways = CHOOSE[step - start + men, men]
        if index >= ways:
            index -= ways
            men -= 1
            put_men(state, seat, step, state.men[seat, step] + 1)
        else:
            step -= 1
    return men


# --- how a position looks ---


def hit_chances(reached: Callable[[int, int], set[int]]) -> NDArray[np.float64]:
    """[distance]: the chance that a throw brings one man exactly so far, every point between being open. ``reached``:
    the distances to which the numbers of two dice, the lower first, bring a man."""
    counts = np.zeros(STEPS + 2)
    for faces in product(range(1, TABLE + 1), repeat=2):
        counts[[*reached(min(faces), max(faces))]] += 1
    return counts / TABLE**2


@kernel
def pips_on_points(state: Record, seat: int) -> int:
    """How far the seat's men on points have still to go, in all: a man on point p has p pips to go."""
    total = 0
    for step in range(STEPS):
        total += np.int64(STEPS - step) * state.men[seat, step]
    return total


@kernel
def pips_in_danger(state: Record, seat: int, waiting: int, chances: Any) -> float:
    """The pips that single men stand to lose to a throw of the other seat; ``chances[d]``: of exactly d points."""
    loss, rest = 0.0, state.held[seat]
    while rest:
        step = lowest(rest)
        rest = without_lowest(rest)
        if state.men[seat, step] != 1:
            continue
        missed, place = 1.0, STEPS - 1 - step  # as the other seat counts
        hitters = state.held[1 - seat] & ((ONE << SHIFT[place]) - ONE)
        while hitters:
            nearest = highest(hitters)
            hitters ^= ONE << SHIFT[nearest]
            missed *= 1.0 - chances[place - nearest]
        if waiting > 0:
            missed *= 1.0 - chances[place + 1]
        loss += (1.0 - missed) * (step + 1)
    return loss


@kernel
def pips_until_home(state: Record, seat: int) -> int:
    """How far the seat's men on points have still to go until all of them are in the home table."""
    total, rest = np.int64(0), state.held[seat] & OUTSIDE_HOME
    while rest:
        step = lowest(rest)
        rest = without_lowest(rest)
        total += np.int64(STEPS - TABLE - step) * state.men[seat, step]
    return total


@kernel
def rearmost(state: Record, seat: int, waiting: int) -> int:
    """The step of the seat's rearmost man, −1 if men are ``waiting`` to enter; 24 if all are off."""
    if waiting > 0:
        return -1
    return lowest(state.held[seat]) if state.held[seat] != ZERO else STEPS


@kernel
def contact(step: int, others: int) -> int:
    """The pips in which the rearmost men of both seats, on these steps, have still to pass each other; 0 in a race."""
    return max(STEPS - 1 - step - others, 0)


@kernel
def points_before(state: Record, seat: int, others: int) -> Any:
    """The points that the seat holds with two men or more before the other seat's rearmost man, which is on its step
    ``others`` (see `rearmost`), as a set: 0 is the step that follows his."""
    return state.closed[1 - seat] >> SHIFT[min(others + 1, STEPS)]


@kernel
def points_made(state: Record, seat: int, waiting: int) -> int:
    """How many points the seat holds with two men or more before men of the other seat that have still to pass them,
    ``waiting`` ones that are still to enter among them."""
    return count_bits(points_before(state, seat, rearmost(state, 1 - seat, waiting)))


@kernel
def home_points(state: Record, seat: int) -> int:
    """How many points of its home table the seat holds with two men or more."""
    return count_bits(state.closed[1 - seat] & FAR_BACK)


@kernel
def longest_row(state: Record, seat: int, others: int) -> int:
    """The longest row of such points: see `points_before`."""
    length, rest = 0, points_before(state, seat, others)
    while rest:
        rest = rest & (rest >> ONE)
        length += 1
    return length
