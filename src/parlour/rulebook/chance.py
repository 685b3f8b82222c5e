"""Random streams, and dice.

Each game has a stream of its own, so that rows of a batch, threads and clones never disturb one another.

A stream is SplitMix64 (Steele, Lea and Flood, *Fast Splittable Pseudorandom Number Generators*, OOPSLA 2014): a 64-bit
counter that grows by a fixed odd number, and a mixing function of it.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.compiling import kernel, plain
from parlour.support.arguments import is_whole, shown

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
HIGHEST_FACE = 127
"""Faces are kept as int8; −1 stands for a die that has not been thrown."""
MOST_SIDES = 10_000
"""The largest sum of the weights of a die's faces."""
MOST_ORDERS = 100_000
"""The most sequences of faces that a throw may have, before those that are alike are counted as one."""


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


class Die(NamedTuple):
    """A die, stick or bone: what it can show. Made by `fair` or `weighted`."""

    faces: tuple[int, ...]
    """Its faces: different numbers from 0 to `HIGHEST_FACE`, in ascending order"""
    weights: tuple[int, ...]
    """How often each comes up in ``sides`` throws: whole numbers from 1 up, without a common factor"""

    @property
    def sides(self) -> int:
        """The sum of the weights: as many equal sides a die with these probabilities would have."""
        return sum(self.weights)


def fair(faces: int, first: int = 1) -> Die:
    """A die whose ``faces`` (1 or more) are equally likely: ``fair(6)`` is a cube, ``fair(2, first=0)`` a stick."""
    if isinstance(faces, bool) or not isinstance(faces, int) or faces < 1:
        raise ValueError(f"a die has a whole number of faces from 1 up, not {faces!r}")
    return weighted(range(first, first + faces), (1,) * faces)


def weighted(faces: Sequence[int], weights: Sequence[int | float | Fraction]) -> Die:
    """A die whose faces come up in the ratio of their ``weights``: ``weighted((1, 3, 4, 6), (1, 4, 4, 1))``.

    Weights are whole numbers; or probabilities, as fractions or decimal numbers, which are taken as they are written:
    0.1 is exactly a tenth. So a throw is drawn exactly. ValueError for faces or weights that no die has.
    """
    if len(faces) != len(weights) or not faces:
        raise ValueError(f"a die has as many weights as faces, not {len(weights)} for {len(faces)} faces")
    if any(isinstance(face, bool) or not isinstance(face, int) or not 0 <= face <= HIGHEST_FACE for face in faces):
        raise ValueError(f"faces of a die are whole numbers from 0 to {HIGHEST_FACE}, not {tuple(faces)!r}")
    if len(set(faces)) != len(faces):
        raise ValueError(f"the faces of a die differ from one another; {tuple(faces)!r} do not: add up their weights")
    exact = [_exact(weight) for weight in weights]
    if min(exact) <= 0:
        raise ValueError(f"weights of faces are above 0, not {tuple(weights)!r}; leave out a face that never comes up")
    common = math.lcm(*(weight.denominator for weight in exact))
    if common > 1 and sum(exact) != 1:
        raise ValueError(f"probabilities of faces add up to 1; {tuple(weights)!r} do not. Whole numbers need not")
    whole = [int(weight * common) for weight in exact]
    divisor = math.gcd(*whole)
    if sum(whole) // divisor > MOST_SIDES:
        raise ValueError(f"whole numbers in the ratio of {tuple(weights)!r} have a sum of more than {MOST_SIDES}")
    by_face = {face: weight // divisor for face, weight in sorted(zip(faces, whole))}
    return Die(tuple(by_face), tuple(by_face.values()))


def _exact(weight: object) -> Fraction:
    if isinstance(weight, bool) or not isinstance(weight, (int, float, Fraction)) or not math.isfinite(weight):
        raise ValueError(f"a weight of a face is a whole number, a fraction or a decimal number, not {weight!r}")
    return Fraction(str(float(weight))) if isinstance(weight, float) else Fraction(weight)


Faces = tuple[int, ...]
ThrowKey = Callable[[Faces], Hashable]
"""Of the faces of a throw: what the rules read in them. Throws with the same key are the same to the rules."""


def multiset(faces: Faces) -> Hashable:
    """The order of the dice does not matter."""
    return tuple(sorted(faces))


def sequence(faces: Faces) -> Hashable:
    """The order of the dice matters."""
    return faces


def total(faces: Faces) -> Hashable:
    """Only the sum of the faces matters."""
    return sum(faces)


def weigh(dice: Sequence[Die], key: ThrowKey = multiset) -> dict[Faces, Fraction]:
    """The distinct outcomes of a throw of ``dice``, each with its exact probability, in ascending order. Of throws that
    are alike by ``key``, the first in ascending order stands for all. ValueError for more than `MOST_ORDERS`."""
    if math.prod(len(die.faces) for die in dice) > MOST_ORDERS and key is not multiset:
        raise ValueError(f"a throw of {len(dice)} dice has more than {MOST_ORDERS} orders")
    orders: dict[Hashable, tuple[Faces, int]] = {(): ((), 1)}
    for thrown, die in enumerate(dice, 1):
        fold = key if key is multiset or thrown == len(dice) else sequence
        longer: dict[Hashable, tuple[Faces, int]] = {}
        for faces, ways in orders.values():
            for face, weight in zip(die.faces, die.weights):
                together = (*faces, face)
                first, count = longer.get(fold(together), (together, 0))
                longer[fold(together)] = min(first, together), count + ways * weight
        orders = longer
        if len(orders) > MOST_ORDERS:
            raise ValueError(f"a throw of {len(dice)} dice has more than {MOST_ORDERS} distinct outcomes")
    sides = math.prod(die.sides for die in dice)
    return {faces: Fraction(ways, sides) for faces, ways in sorted(orders.values())}


def outcomes(dice: Sequence[Die], key: ThrowKey = multiset) -> list[tuple[Faces, float]]:
    """`weigh` with each probability as the nearest float."""
    return [(faces, float(chance)) for faces, chance in weigh(dice, key).items()]


class DiceTables(NamedTuple):
    """The dice of a game as arrays, for kernels. D dice, T outcomes of all throws together."""

    sides: NDArray[np.int64]
    """(D,): how many equally likely sides each die has"""
    faces: NDArray[np.int8]
    """(D, most sides): the face on each of them"""
    throws: NDArray[np.int8]
    """(T, D): the distinct outcomes of the throw of no die, of the first die, of the first two …; then zeros"""
    chances: NDArray[np.float64]
    """(T,): the probability of each"""
    first: NDArray[np.int64]
    """(D + 2,): where the outcomes of a throw of so many dice begin"""


def dice_tables(dice: Sequence[Die], key: ThrowKey = multiset) -> DiceTables:
    """The tables of a game's `DICE`; without dice, those of one die that is never thrown."""
    dice = tuple(dice) or (fair(1),)
    by_count = [weigh(dice[:count], key) for count in range(len(dice) + 1)]
    shown = np.zeros((len(dice), max(die.sides for die in dice)), np.int8)
    for k, die in enumerate(dice):
        shown[k, : die.sides] = np.repeat(die.faces, die.weights)
    rows = [(*faces, *(0,) * (len(dice) - len(faces))) for found in by_count for faces in found]
    return DiceTables(
        np.array([die.sides for die in dice]),
        shown,
        np.array(rows, np.int8),
        np.array([float(chance) for found in by_count for chance in found.values()]),
        np.array([*accumulate(map(len, by_count), initial=0)]),
    )


def fractions(counters: NDArray[np.uint64], row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
    """`fraction` of the streams with the ``counters`` (N,) in the rows ``row_ids`` (M,), which advance: shape (M,)."""
    counters[row_ids] += GOLDEN
    return (plain(mix)(counters[row_ids]) >> SHIFT_11) * UNIT


def start(seeds: NDArray[np.uint64], purpose: np.uint64) -> NDArray[np.uint64]:
    """The counters of the streams that belong to ``seeds`` (N,) for one purpose (``FOR_DICE`` …): shape (N,)."""
    return plain(mix)(plain(mix)(seeds + GOLDEN) ^ purpose)


def checked_seed(seed: object) -> int:
    """A seed as int. ValueError for anything but a whole number from 0 up."""
    if not is_whole(seed) or seed < 0:
        raise ValueError(f"seed {shown(seed)} is not valid; seeds are whole numbers from 0 up")
    return int(seed)


def seed_word(seed: int) -> np.uint64:
    """A seed as the 64-bit word that streams start from; itself below 2⁶⁴. ValueError as `checked_seed`."""
    seed = checked_seed(seed)
    word = np.uint64(seed & 0xFFFFFFFFFFFFFFFF)
    rest = seed >> 64
    while rest:
        with np.errstate(over="ignore"):
            word = plain(mix)(word + GOLDEN) ^ np.uint64(rest & 0xFFFFFFFFFFFFFFFF)
        rest >>= 64
    return word


def row_seeds(seed: int, count: int, first: int = 0) -> NDArray[np.uint64]:
    """The seeds of ``count`` games, from ``first`` on, of a batch with this ``seed``: shape (count,), below 2⁶³."""
    steps = np.arange(first + 1, first + count + 1, dtype=np.uint64) * GOLDEN
    start = np.full(count, seed_word(seed), np.uint64)
    return plain(mix)(plain(mix)(start) + steps) >> np.uint64(1)
