"""Random streams: each game has its own, so that rows of a batch, threads and clones never disturb one another.

A stream is SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014): a 64-bit
counter that grows by a fixed odd number, and a mixing function of it.
"""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.compiling import kernel, plain

STREAM = np.dtype(
    [("counter", np.uint64), ("forced_used", np.int32), ("forced_end", np.int32), ("misfit", np.int32)], align=True
)
"""One stream: its counter; which forced throw it takes next, and the index after the last that is meant for it; and,
where the next of those has the wrong number of dice, the right number."""

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
FACTOR_1, FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
SHIFT_30, SHIFT_27, SHIFT_31, SHIFT_32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)
SHIFT_11, UNIT = np.uint64(11), 2.0**-53
LOW_HALF = np.uint64(0xFFFFFFFF)
# What a stream is used for. The streams of one seed for dice, players' choices, variants and pairings are independent.
FOR_DICE, FOR_PLAYERS, FOR_VARIANTS = np.uint64(0), np.uint64(0xA5A5A5A55A5A5A5A), np.uint64(0x3C3C3C3CC3C3C3C3)
FOR_MATCHES = np.uint64(0x0F0F0F0FF0F0F0F0)
FACES = 6
"""Faces of a die: every die of these games is a cube."""


@kernel
def mix(word: Any) -> Any:
    """SplitMix64's mixing function: a bijection of 64-bit words."""
    word = (word ^ (word >> SHIFT_30)) * FACTOR_1
    word = (word ^ (word >> SHIFT_27)) * FACTOR_2
    return word ^ (word >> SHIFT_31)


@kernel
def draw(stream: Any) -> Any:
    """The stream's next 64-bit word."""
    stream.counter = stream.counter + GOLDEN
    return mix(stream.counter)


@kernel
def below(stream: Any, bound: int) -> int:
    """A number from 0 to ``bound`` − 1 (``bound`` from 1 to 2³² − 1), all with exactly the same probability.

    Lemire, *Fast Random Integer Generation in an Interval*, ACM TOMACS 29 (2019).
    """
    width = np.uint64(bound)
    product = (draw(stream) >> SHIFT_32) * width
    if product & LOW_HALF < width:
        unfair = (LOW_HALF - width + np.uint64(1)) % width
        while product & LOW_HALF < unfair:
            product = (draw(stream) >> SHIFT_32) * width
    return np.int64(product >> SHIFT_32)


@kernel
def fraction(stream: Any) -> float:
    """A number uniform in [0, 1): a multiple of 2⁻⁵³."""
    return np.int64(draw(stream) >> SHIFT_11) * UNIT


@kernel
def pick(stream: Any, cumulative: Any) -> int:
    """A number from 0 to K − 1 with the ``cumulative`` probabilities (float64 (K,), ascending, the last 1)."""
    point = fraction(stream)
    k = 0
    while k < cumulative.shape[0] - 1 and point >= cumulative[k]:
        k += 1
    return k


def outcomes(dice: int, first_face: int) -> list[tuple[tuple[int, ...], float]]:
    """The distinct outcomes of a throw of ``dice`` dice, as sorted faces, each with its probability."""
    throws = product(range(first_face, first_face + FACES), repeat=dice)
    counts = Counter(tuple(sorted(faces)) for faces in throws)
    return [(faces, count / FACES**dice) for faces, count in sorted(counts.items())]


def fractions(counters: NDArray[np.uint64], row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """`fraction` of the streams with the ``counters`` (N,) in the rows ``row_ids`` (M,), which are advanced: shape
    (M,)."""
    counters[row_ids] += GOLDEN
    return (plain(mix)(counters[row_ids]) >> SHIFT_11) * UNIT


def start(seeds: NDArray[np.uint64], purpose: np.uint64) -> NDArray[np.uint64]:
    """The counters of the streams that belong to ``seeds`` (N,) for one purpose (``FOR_DICE`` …): shape (N,)."""
    return plain(mix)(plain(mix)(seeds + GOLDEN) ^ purpose)


def seed_word(seed: int) -> np.uint64:
    """A seed (any whole number from 0 up) as the 64-bit word that streams start from; itself below 2⁶⁴."""
    word = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    rest = seed >> 64
    while rest:
        with np.errstate(over="ignore"):
            word = plain(mix)(word + GOLDEN) ^ np.uint64(rest & 0xFFFFFFFFFFFFFFFF)
        rest >>= 64
    return word


def row_seeds(seed: int, count: int, first: int = 0) -> NDArray[np.uint64]:
    """The seeds of ``count`` games, from game ``first`` on, of a batch with the seed ``seed``: shape (count,), each
    below 2⁶³."""
    steps = np.arange(first + 1, first + count + 1, dtype=np.uint64) * GOLDEN
    start = np.full(count, seed_word(seed), np.uint64)
    return plain(mix)(plain(mix)(start) + steps) >> np.uint64(1)
