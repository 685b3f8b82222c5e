"""Positions as numbers: what the ``endings.py`` of games share (`parlour.rulebook.protocol.Endings`).

Sets of squares are words, uint64: bit k is square k.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Any, NamedTuple

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.compiling import kernel

HOLE, PLACED, LOST = 0, 1, 2
"""What `Endings.place` returns: no position has this number; one has; or one that the seat to act has lost."""
MOST_SQUARES, MOST_MEMBERS = 96, 8
CHOOSE = np.array([[comb(n, k) for k in range(MOST_MEMBERS + 1)] for n in range(MOST_SQUARES + 1)], np.int64)
"""[n, k]: how many sets of k of n squares there are."""


class Tier(NamedTuple):
    """A set of positions that are solved together."""

    name: str
    """For people: what the positions have in common"""
    size: int
    """How many numbers it has, those without a position included; 0 is possible"""


def pair_tiers(most: int, ways: Callable[[int, int], int]) -> list[Tier]:
    """A tier for each pair of numbers of men left, from 1 to ``most``, whichever seat has more of them. ``ways``: how
    many positions there are with so many of the seat that has more, and of the other, for one seat to act."""
    tiers = []
    for more, less in map(pair_of, range(int(pair_number(most, most)) + 1)):
        size = ways(more, less)
        tiers.append(Tier(f"{more} and {less} men left", size if more == less else 2 * size))
    return tiers


@kernel
def rank_among(members: Any, taken: Any) -> int:
    """The number of the set ``members`` among all sets of as many squares, those of ``taken`` left out. (The sets with
    the lowest greatest squares come first.)"""
    rank, k = 0, 0
    while members:
        square = lowest(members)
        members = without_lowest(members)
        k += 1
        rank += CHOOSE[square - count_bits(taken & ((ONE << np.uint64(square)) - ONE)), k]
    return rank


@kernel
def set_among(rank: int, size: int, squares: int, taken: Any) -> Any:
    """The set of ``size`` of the first ``squares`` squares with this number: see `rank_among`."""
    picked, place = ZERO, squares - count_bits(taken)
    for square in range(squares - 1, -1, -1):
        bit = ONE << np.uint64(square)
        if taken & bit == ZERO:
            place -= 1
            if size > 0 and rank >= CHOOSE[place, size]:
                rank -= CHOOSE[place, size]
                picked |= bit
                size -= 1
    return picked


@kernel
def pair_number(first: int, other: int) -> int:
    """The number of an unordered pair of numbers from 1 up, by the greater: the tier of so many men a seat."""
    more, less = max(first, other), min(first, other)
    return more * (more - 1) // 2 + less - 1


@kernel
def pair_of(number: int) -> tuple[int, int]:
    """The greater and the smaller number of the pair with this `pair_number`."""
    more = 1
    while more * (more + 1) // 2 <= number:
        more += 1
    return more, number - more * (more - 1) // 2 + 1
