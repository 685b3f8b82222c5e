"""What kernels allocate for themselves (`parlour.engine.calls`), and named tuples that they hand on as one value
(`parlour.engine.bundles`): the values, and that memory is given back exactly once."""

from __future__ import annotations

import gc
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from parlour.engine.bundles import bundle, bundled
from parlour.engine.game_functions import GameFunctions
from parlour.engine.own_arrays import bytes_of, new_states, zeros
from parlour.engine.rules_table import rules_table
from parlour.interfaces.registry import find
from parlour.rulebook.compiling import COMPILED, kernel, loop


@bundle
class Pair(NamedTuple):
    """Two arrays of different types"""

    numbers: Any
    words: Any


@loop
def fill(count: int, sums: Any) -> int:
    """Writes into arrays of its own what can only be right if they began as zeros and do not overlap."""
    line, square, words = zeros(count, np.float64), zeros((2, count), np.int32), zeros(count, np.uint64)
    pair = bundled(Pair(line, words))
    shown = bytes_of(words)
    for k in range(count):
        pair.numbers[k] += k
        square[1, k] += k
        shown[8 * k + 7] += 1
    return total(pair, square, sums)


@kernel
def total(pair: Pair, square: Any, sums: Any) -> int:
    """Adds up each array; returns the number of bytes."""
    sums[0], sums[1], sums[2] = pair.numbers.sum(), square.sum(), np.float64(pair.words[0] >> np.uint64(56))
    return 8 * pair.words.shape[0]


@loop
def total_of(pair: Pair, square: Any, sums: Any) -> int:
    """`total`, for arrays that Python owns."""
    return total(pair, square, sums)


@loop
def count_states(rules: GameFunctions, count: int) -> int:
    """The rows of new states, if all their words are 0."""
    states = new_states(rules, count)
    return states.shape[0] if states.sum() == 0 else -1


def alive() -> int:
    """How many arrays compiled code has allocated and not yet given back, since the first call."""
    gc.collect()
    _nrt_python.memsys_enable_stats()
    stats = rtsys.get_allocation_stats()
    return int(stats.mi_alloc - stats.mi_free)


def test_own_arrays_are_zeros_and_are_given_back() -> None:
    sums = np.empty(3)
    assert fill(5, sums) == 40
    assert sums.tolist() == [10, 10, 1]
    before = alive()
    for _ in range(100):
        fill(1000, sums)
    assert alive() == before


def test_a_bundle_from_python_lives_on() -> None:
    pair, square, sums = Pair(np.arange(4.0), np.full(4, 3 << 56, np.uint64)), np.ones((2, 2), np.int8), np.empty(3)
    for _ in range(100):
        assert total_of(pair, square, sums) == 32
    assert sums.tolist() == [6, 4, 3]
    assert pair.numbers.tolist() == [0, 1, 2, 3]
    assert pair.words.tolist() == [3 << 56] * 4


@pytest.mark.skipif(not COMPILED, reason="the interpreter has records")
def test_new_states_have_the_size_of_the_game_s_states() -> None:
    game = find("royal_ur-v0")
    table = rules_table(game, game.layout(game.resolve(None, {})[1]))
    assert count_states(table.ready_for(count_states), 3) == 3
