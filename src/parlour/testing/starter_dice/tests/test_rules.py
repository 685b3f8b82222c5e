"""The checks that every game must pass, a test for each clause of the rules, and the known numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import parlour
from parlour.testing import CHECKS, Subject, run_check, subjects_of

from .. import rules

PACKAGE = __name__.rpartition(".tests")[0]


def invariant(env: Any) -> None:
    """What must hold at every ply of this game, in addition to the general checks."""
    men = env.games.states["men"][0]
    assert men.min() >= 0
    assert (men.sum(axis=1) == rules.MEN).all()
    assert men[:, rules.HAND + 1 : rules.HOME].sum(axis=0).max() <= 1
    assert sum(env.rewards.values()) == 0


@pytest.mark.parametrize("check", CHECKS)
@pytest.mark.parametrize("subject", subjects_of(PACKAGE, invariant), ids=lambda subject: subject.variant)
def test_check(subject: Subject, check: str) -> None:
    run_check(check, subject)


def at(position: str | None = None, dice: tuple[int, ...] = (), **options: Any) -> Any:
    """An environment in a position, or at the start; ``dice``: the throws to come."""
    env = parlour.make(parlour.register(PACKAGE).id, illegal_move="raise", **options)
    env.reset(seed=0, options={"position": position, "dice": [(face,) for face in dice]})
    return env


def after(move: str, position: str, **options: Any) -> str:
    """The position after a move; 1 is thrown then."""
    env = at(position, dice=(1,), **options)
    env.step(env.parse_move(move))
    return str(env.position())


@pytest.mark.parametrize(("dice", "begins"), [((5, 2), "first"), ((2, 5), "second"), ((4, 4, 1, 3), "second")])
def test_the_higher_throw_begins(dice: tuple[int, ...], begins: str) -> None:
    assert at(dice=(*dice, 6)).position() == f"first | second | home 0 0 | {begins} | dice 6 | 0"


def test_a_turn_is_one_throw_and_moves_one_man() -> None:
    position = "first 3 | second | home 0 0 | first | dice 4 | 8"
    assert at(position).legal_moves() == ["in", "3"]
    assert after("in", position) == "first 3 4 | second | home 0 0 | second | dice 1 | 9"
    assert after("3", position) == "first 7 | second | home 0 0 | second | dice 1 | 9"


def test_no_man_moves_to_a_square_of_an_own_man() -> None:
    assert at("first 4 8 | second | home 0 0 | first | dice 4 | 8").legal_moves() == ["8"]
    assert at("first 4 | second | home 0 0 | first | dice 4 | 8").legal_moves() == ["4"]


def test_a_man_that_is_hit_goes_back_to_the_hand() -> None:
    hit = after("3", "first 3 | second 5 7 | home 0 0 | first | dice 4 | 8")
    assert hit == "first 7 | second 5 | home 0 0 | second | dice 1 | 9"
    assert at(hit).legal_moves() == ["in", "5"]


def test_a_man_comes_home_by_exactly_the_number_that_it_needs() -> None:
    assert after("10", "first 10 | second | home 0 0 | first | dice 3 | 8").startswith("first | second | home 1 0 |")
    larger = "first 5 10 | second | home 0 0 | first | dice 4 | 8"
    assert at(larger).legal_moves() == ["5"]
    assert after("10", larger, variant="loose").startswith("first 5 | second | home 1 0 |")


def test_a_seat_passes_only_if_no_man_can_move() -> None:
    stuck = "first 10 12 | second 5 | home 0 0 | first | dice 2 | 8"
    assert at(stuck).legal_moves() == ["pass"]
    assert after("pass", stuck) == "first 10 12 | second 5 | home 0 0 | second | dice 1 | 9"
    assert at(stuck, variant="loose").legal_moves() == ["12"]


def test_the_seat_whose_men_are_home_wins() -> None:
    env = at("first 3 | second 12 | home 0 1 | second | dice 1 | 8")
    env.step(env.parse_move("12"))
    assert env.rewards == {"player_0": -1, "player_1": 1}
    assert env.position() == "first 3 | second | home 0 2 | first | dice 1 | 9 end=all_home"


@pytest.mark.parametrize(
    "position",
    [
        "first 3 5 8 | second | home 0 0 | first | dice 4 | 8",
        "first 3 | second 3 | home 0 0 | first | dice 4 | 8",
        "first 13 | second | home 0 0 | first | dice 4 | 8",
        "first | second | home 2 0 | second | dice 4 | 8",
        "first | second | home 0 0 | first | dice 7 | 8",
    ],
)
def test_positions_that_no_game_shows_are_refused(position: str) -> None:
    with pytest.raises(ValueError, match="position"):
        at(position)


def count_ways(state: Any, variant: Any, plies: int) -> int:
    """The number of ways, throws and plies, in which a game can go on for ``plies`` plies, a throw being due."""
    count = 0
    for face in range(1, rules.HIGHEST + 1):
        thrown, words = state.copy(), np.zeros(-(-(rules.PASS + 1) // 8), np.uint64)
        rules.throw(thrown, variant, np.array([face], np.int8), np.zeros(2))
        rules.legal(thrown, variant, words.view(np.int8), words)
        for action in np.flatnonzero(words.view(np.int8)):
            played = thrown.copy()
            rules.apply(played, variant, int(action), np.zeros(2))
            count += count_ways(played, variant, plies - 1) if plies > 1 else 1
    return count


def test_known_numbers() -> None:
    games = at().games
    start = games.states[0].copy()
    start["due"] = 1  # the throw for the first ply is made again, in all ways
    assert [count_ways(start, games.variants[0], plies) for plies in (1, 2, 3)] == [6, 36, 366]  # README.md: by hand
