"""Reversi, a toy game: it passes all checks, and its known numbers and clauses hold.

It is known while these tests run and no longer, so that other tests don't go over it too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import parlour
from parlour.interfaces import registry
from parlour.testing import CHECKS, run_check, subjects_of
from tests.support.cases import SEARCHING
from tests.support.games import begun
from tests.support.perft import assert_perft, divide

PACKAGE = "tests.toy_games.reversi"
PERFT = (4, 12, 56, 244, 1396)
EMPTY = "........"


@pytest.fixture(scope="module", autouse=True)
def _known() -> Iterator[None]:
    before = dict(registry._GAMES)
    parlour.register(PACKAGE)
    yield
    registry._GAMES.clear()
    registry._GAMES.update(before)


def invariant(env: Any) -> None:
    """No cell has two discs; a ply adds one disc or none."""
    black, white = map(int, env.games.states["discs"][0])
    assert not black & white
    assert (black | white).bit_count() <= 4 + int(env.games.states["plies"][0])
    assert sum(env.rewards.values()) == 0


@pytest.mark.parametrize("variant", ["othello", "anti"])
@pytest.mark.parametrize(
    "check", [pytest.param(check, marks=[pytest.mark.long] if check in SEARCHING else []) for check in CHECKS]
)
def test_check(check: str, variant: str) -> None:
    run_check(check, *subjects_of(PACKAGE, invariant, [variant]))


def at(*rows: str, seat: str = "x", **options: Any) -> Any:
    """A position of which the first rows are given, the others being empty."""
    position = "/".join([*rows, *[EMPTY] * (8 - len(rows))]) + f" {seat}" if rows else None
    return begun("reversi-v0", position=position, illegal_move="raise", **options)


@pytest.mark.parametrize("depth", range(1, len(PERFT) + 1))
def test_known_numbers_of_positions(depth: int) -> None:
    """Passes are turns, too."""
    assert_perft(PERFT[depth - 1], divide("reversi-v0", depth))


def test_black_begins_with_four_moves() -> None:
    assert at().legal_moves() == ["d3", "c4", "f5", "e6"]


def test_discs_are_turned_in_all_directions_and_none_round_an_edge() -> None:
    env = at("x..x..x.", ".o.o.o..", "..ooo...", "xoo.ooox", "..ooo...", ".o.o.o..", "x..x..x.")
    env.step(env.parse_move("d4"))
    assert env.position().split()[0] == "x..x..x./.x.x.x../..xxx.../xxxxxxxx/..xxx.../.x.x.x../x..x..x./........"
    assert "a2" not in at(".....xo.", "........", "ox......").legal_moves()


def test_a_seat_without_a_move_passes() -> None:
    env = at("xo......", "........", "........", "........", "........", "........", "........", "oox.....", seat="o")
    assert env.legal_moves() == ["d8"]
    env = at("xo......", seat="o")
    assert env.legal_moves() == ["pass"]
    env.step(env.parse_move("pass"))
    assert env.agent_selection == "player_0"


@pytest.mark.parametrize(("variant", "reward"), [("othello", 1), ("anti", -1)])
def test_discs_are_counted_where_neither_seat_can_move(variant: str, reward: int) -> None:
    env = at("xo......", variant=variant)
    env.step(env.parse_move("c1"))
    assert env.position().endswith("end=counted")
    assert env.rewards == {"player_0": reward, "player_1": -reward}


def test_as_many_discs_each_are_a_draw() -> None:
    env = at("xo......", "........", "........", "ooo.....")
    env.step(env.parse_move("c1"))
    assert env.position().endswith("end=counted")
    assert set(env.rewards.values()) == {0}


@pytest.mark.parametrize(
    "text", ["x", "........ x", "/".join([EMPTY] * 8) + " x", "/".join(["xo......", *[EMPTY] * 7]) + " z"]
)
def test_positions_that_no_game_shows_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="position"):
        at().reset(options={"position": text})
