"""Exact known numbers: how many positions an opening throw can lead to, and chances of bearing off."""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

import numpy as np
import pytest

import parlour
from docs.known_numbers import bear_off
from parlour.engine.kernels.solving import number_of
from parlour.envs.backgammon.bear_off import WASTE
from tests.support.backgammon_turns import after_turn, start, throw, variant_of
from tests.support.kernels import call

POSITIONS = {
    "standard": {
        11: 42, 12: 15, 13: 16, 14: 14, 15: 8, 16: 10, 22: 75, 23: 17, 24: 18, 25: 8, 26: 14, 33: 73, 34: 17, 35: 9,
        36: 14, 44: 52, 45: 9, 46: 14, 55: 4, 56: 7, 66: 11,
    },
    "nackgammon": {
        11: 70, 12: 23, 13: 22, 14: 15, 15: 12, 16: 10, 22: 103, 23: 27, 24: 17, 25: 16, 26: 13, 33: 101, 34: 17,
        35: 17, 36: 13, 44: 25, 45: 11, 46: 8, 55: 17, 56: 7, 66: 3,
    },
}  # fmt: skip
"""GNU Backgammon 1.07 lists as many moves (``hint 9999``) after each throw from the start."""


@pytest.mark.parametrize("setup", POSITIONS)
def test_positions_after_each_opening_throw(setup: str) -> None:
    variant = variant_of(setup=setup)
    found = {}
    for low, high in combinations_with_replacement(range(1, 7), 2):
        states = start(variant, 0)
        throw(states, variant, (low, high))
        found[10 * low + high] = len(after_turn(states, variant))
    assert found == POSITIONS[setup]


Points = tuple[int, ...]
"""How many men are on points 1 to 6."""


@cache
def chance_within(points: Points, turns: int) -> float:
    """The best chance to bear off all men within so many turns, with no man of the other seat in the way."""
    if not any(points):
        return 1.0
    if turns == 0:
        return 0.0
    variant, total = variant_of(), 0.0
    for low, high in combinations_with_replacement(range(1, 7), 2):
        best = max(chance_within(after, turns - 1) for after in _after(points, (low, high), variant))
        total += best * (1 if low == high else 2) / 36
    return total


def _after(points: Points, faces: tuple[int, int], variant: object) -> set[Points]:
    states = start(variant, 0)
    states["men"], states["held"], states["closed"] = 0, 0, 0
    for point, count in enumerate(points, 1):
        states["men"][0, 0, 24 - point] = count
        if count:
            states["held"][0, 0] |= np.uint64(1 << (24 - point))
    states["men"][0, 1, 0], states["held"][0, 1] = 1, 1  # another man of Black's, on its own point 24: behind all
    states["off"][0] = 15 - sum(points), 14
    throw(states, variant, faces)
    return {tuple(position[24:18:-1]) for position in after_turn(states, variant)}


@pytest.mark.parametrize(
    ("points", "wins"),
    [
        ((0, 0, 0, 0, 0, 1), 27),  # Keith's table of the chance to bear off two men with one throw, and one man
        ((0, 0, 0, 0, 1, 0), 31),
        ((0, 0, 0, 1, 0, 0), 34),
        ((0, 0, 1, 0, 0, 0), 36),
        ((2, 0, 0, 0, 0, 0), 36),
        ((1, 0, 0, 0, 0, 1), 15),
        ((0, 0, 0, 0, 1, 1), 6),
        ((0, 0, 0, 0, 0, 2), 4),
        ((0, 0, 2, 0, 0, 0), 17),
        ((0, 2, 0, 0, 0, 0), 26),
        ((0, 0, 0, 2, 0, 0), 11),
    ],
)
def test_chances_to_bear_off_with_one_throw(points: Points, wins: int) -> None:
    """Throws of 36, as every book of the game has them."""
    assert chance_within(points, 1) == pytest.approx(wins / 36)


@cache
def mean_throws(points: Points) -> float:
    """The lowest mean number of throws that bear off all men, with no man of the other seat in the way."""
    if not any(points):
        return 0.0
    variant, total = variant_of(), 36.0
    for low, high in combinations_with_replacement(range(1, 7), 2):
        best = min(mean_throws(after) for after in _after(points, (low, high), variant))
        total += best * (1 if low == high else 2)
    return total / 36


def test_mean_throws_are_those_of_the_rules() -> None:
    """All positions of up to three men, each turn played by the rules."""
    men = bear_off.positions()
    few = men.sum(axis=1) <= 3
    expected = [mean_throws(tuple(points[::-1])) for points in men[few].tolist()]
    assert len(expected) == 84
    assert bear_off.mean_throws(men)[few] == pytest.approx(expected)


def test_the_table_of_waste_is_that_of_the_mean_throws() -> None:
    table = bear_off.waste_table()
    assert table.max() > 100
    np.testing.assert_array_equal(WASTE, table)


GNUBG = {
    ((0, 0, 0, 0, 0, 1), (0, 0, 0, 0, 0, 1)): 0.62499,
    ((1, 0, 0, 0, 0, 1), (0, 0, 1, 0, 0, 0)): -0.16664,
    ((0, 0, 1, 1, 0, 1), (0, 0, 0, 0, 2, 0)): 0.19963,
    ((0, 0, 0, 0, 0, 3), (1, 1, 1, 0, 0, 0)): -0.58828,
    ((2, 0, 0, 0, 0, 1), (0, 2, 0, 0, 0, 0)): -0.31820,
}
"""What a bear-off is worth to the seat that throws, without cube, by the men on points 1 to 6 of both seats: from GNU
Backgammon 1.07's table ``gnubg_ts0.bd``, which has steps of 3e-5. ``benchmarks/gnubg_tables.py`` compares all of it."""


def test_bearing_off_is_worth_what_gnu_backgammon_says(tmp_path: Path) -> None:
    solution = parlour.solve("backgammon-v0", out=tmp_path, men=3)
    assert solution.verify(50) == solution.positions == 83**2  # 83 ways to have one to three men on six points
    env = parlour.make("backgammon-v0").unwrapped
    for boards, value in GNUBG.items():
        points = {25 - point: f"b{men}" for point, men in enumerate(boards[1], 1) if men}
        points |= {point: f"w{men}" for point, men in enumerate(boards[0], 1) if men}
        off = [15 - sum(board) for board in boards]
        text = " ".join(f"{point}:{points[point]}" for point in sorted(points, reverse=True))
        env.reset(options={"position": f"{text} | bar 0 0 | off {off[0]} {off[1]} | w | dice 2 1 | left 2 1 | 40"})
        tier, index = call(env.games, number_of, env.games.arrays.states, env.games.arrays.variants)
        low, high = solution.table[tier].bounds(np.array([index]))
        assert low[0] - 1e-4 <= value <= high[0] + 1e-4
        assert high[0] - low[0] <= 1e-9


def test_hypergammon_with_a_man_each(tmp_path: Path) -> None:
    """With one man left of three nobody is gammoned. A man on the last point is borne off by any throw."""
    solution = parlour.solve("backgammon-v0", variant="hyper", gammons="counted", out=tmp_path, men=1)
    assert solution.positions == 25**2 - 24  # two men can't stand on the same point
    low, _ = solution.table[0].bounds(slice(None))
    assert low.max() == pytest.approx(1)
    assert solution.gap <= 1e-9
