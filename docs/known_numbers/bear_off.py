"""How long a seat takes to bear off when nobody is in its way: the mean number of throws, for all men at home.

Every position of up to 15 men on the six points of a home board has a number (`positions`), and each move leads to a
lower one. `mean_throws` solves all of them, from few pips to many, each throw being played so that the mean of what is
left is lowest. What networks see of it is kept in Backgammon's ``bear_off.npy``, which ``python -m
docs.known_numbers.bear_off`` writes; the tests solve it again.

Axis letters: K positions.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.envs.backgammon.bear_off import FILE, QUARTERS
from parlour.envs.backgammon.rules import MOST_MEN
from parlour.rulebook.endings import CHOOSE
from parlour.rulebook.points import TABLE

POSITIONS = int(CHOOSE[MOST_MEN + TABLE, TABLE])
MEAN_THROW = 49 / 6
"""Pips, doubles played four times."""
PLACES = np.arange(TABLE)


def positions() -> NDArray[np.int64]:
    """All positions, (K, 6): men on each point, the farthest first. The men who are off are not told."""
    rest, within = np.arange(POSITIONS), np.zeros((POSITIONS, TABLE + 1), np.int64)
    for place in reversed(range(TABLE)):
        ways = CHOOSE[: MOST_MEN + TABLE, place + 1]
        highest = np.searchsorted(ways, rest, side="right") - 1
        within[:, place + 1] = highest - place
        rest = rest - ways[highest]
    return np.diff(within, axis=1)


def after(men: NDArray[np.int64]) -> NDArray[np.int64]:
    """(6, K, 6): the number of the position after [place from which a man is played, position, number thrown − 1], K
    where that is illegal. A man that leaves a place for the next one, or from the last one is borne off, lowers the
    number by the ways to have one man fewer on the places so far."""
    within, ends = men.cumsum(axis=1), np.add.outer(PLACES, PLACES + 1)
    passed = np.pad(np.cumsum(CHOOSE[within + PLACES - 1, PLACES], axis=1), ((0, 0), (1, 0)))
    gone = (passed[:, ends.clip(0, TABLE)] - passed[:, :TABLE, None]).transpose(1, 0, 2)
    illegal = (men == 0)[:, :, None] | ((within > men)[:, :, None] & (ends > TABLE))
    return np.where(illegal.transpose(1, 0, 2), len(men), np.arange(len(men))[:, None] - gone)


def mean_throws(men: NDArray[np.int64]) -> NDArray[np.float64]:
    """How many throws `positions` take on average, (K,)."""
    mean, (one, two, three) = np.zeros(len(men) + 1), np.zeros((3, len(men) + 1, TABLE))
    for table in mean, one, two, three:
        table[-1] = np.inf  # an illegal move leads there
    moves, pips = after(men), men @ (TABLE - PLACES)
    order = pips.argsort(kind="stable")
    for rows in np.split(order, np.searchsorted(pips[order], np.arange(1, pips.max() + 1)))[1:]:
        left = moves[:, rows]
        one[rows] = mean[left].min(axis=0)
        both = one[left].min(axis=0)  # [position, first number, second]
        two[rows] = both[:, PLACES, PLACES]
        three[rows] = two[left, PLACES].min(axis=0)
        both = np.minimum(both, both.transpose(0, 2, 1))
        both[:, PLACES, PLACES] = three[left, PLACES].min(axis=0)
        mean[rows] = 1 + both.mean(axis=(1, 2))
    return mean[:-1]


def waste_table() -> NDArray[np.int8]:
    """[number of a position]: `waste`."""
    men = positions()
    wasted = MEAN_THROW * mean_throws(men) - men @ (TABLE - PLACES)
    return np.rint(QUARTERS * wasted).clip(0, 127).astype(np.int8)


if __name__ == "__main__":
    np.save(FILE, waste_table())
