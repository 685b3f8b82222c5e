"""The cells that a set of pieces flanks, against the lines and rings that geometry.py works out one by one."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import pytest

from parlour.envs.agon.board import BIT
from parlour.envs.agon.flanks import flanked_in_rings, flanked_on_lines, gather, spread
from tests.games.agon.geometry import CELLS, LINES, RINGS

NUMBER = {name: number for number, name in enumerate(CELLS)}
Threes = set[tuple[str, str, str]]
GEOMETRIES: dict[str, tuple[Callable[..., Any], Threes]] = {
    "line": (flanked_on_lines, LINES), "ring": (flanked_in_rings, RINGS),
}  # fmt: skip


def words_of(cells: Iterable[str]) -> tuple[np.uint64, np.uint64]:
    """A set of cells as its two words."""
    low, high = np.bitwise_or.reduce([BIT[91], *(BIT[NUMBER[cell]] for cell in cells)])
    return low, high


def flanked(cells: set[str], threes: Threes) -> set[str]:
    """The middle ones of the threes whose ends are both in the set."""
    return {middle for one, middle, other in threes if one in cells and other in cells}


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_every_pair_of_cells(geometry: str) -> None:
    kernel, threes = GEOMETRIES[geometry]
    middles = {(one, other): middle for one, middle, other in threes}
    for one, other in itertools.combinations(sorted(CELLS), 2):
        expected = {middles[one, other]} if (one, other) in middles else set()
        assert tuple(kernel(*words_of((one, other)))) == words_of(expected), (one, other)


@pytest.mark.parametrize("geometry", GEOMETRIES)
def test_any_set_of_cells(geometry: str) -> None:
    kernel, threes = GEOMETRIES[geometry]
    rng = random.Random(0)
    for size in [0, 91, *(rng.randint(1, 91) for _ in range(300))]:
        cells = set(rng.sample(CELLS, size))
        assert tuple(kernel(*words_of(cells))) == words_of(flanked(cells, threes)), cells


def test_what_is_spread_out_is_gathered_again() -> None:
    """Also beside places of the grid that are no cells."""
    for cell in CELLS:
        places = [np.uint64(word) for word in spread(*words_of([cell]))]
        assert sum(int(word).bit_count() for word in places) == 1
        assert tuple(gather(*places)) == words_of([cell])
    full = np.uint64(2**64 - 1)
    assert tuple(gather(full, full)) == words_of(CELLS)
