"""The exact facts against a direct computation that shares no code with the rules, and against the README."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from itertools import product

import pytest

from docs.known_numbers import acey_ducey as known_numbers
from parlour.interfaces.registry import find
from tests.games.acey_ducey.positions import BEARING_OFF

Men = tuple[int, ...]
THROWS = list(product(range(1, 7), repeat=2))


def numbers(first: int, second: int) -> tuple[int, int]:
    """What a throw lets a seat play, from the rules; ACEY-DUCEY 1 and 2."""
    low, high = sorted((first, second))
    return (high, high) if low < 3 <= high else (low, high)


def test_chance_that_a_number_can_be_played() -> None:
    """3 to 6: 11/36 each; 1 and 2: 1/12 each."""
    for number in range(1, 7):
        direct = Fraction(sum(number in numbers(*throw) for throw in THROWS), 36)
        assert known_numbers.chance_to_play(number) == direct == (Fraction(11, 36) if number > 2 else Fraction(1, 12))


def test_mean_pips_of_a_throw() -> None:
    assert known_numbers.mean_pips() == Fraction(sum(sum(numbers(*throw)) for throw in THROWS), 36) == Fraction(25, 3)


def after(men: Men, number: int) -> set[Men]:
    """Where one number can lead when nobody opposes."""
    if not men:
        return {men}
    found = set()
    for point in set(men):
        rest = list(men)
        rest.remove(point)
        if point > number:
            found.add(tuple(sorted((*rest, point - number), reverse=True)))
        elif point == number or max(men) == point:
            found.add(tuple(rest))
    return found


@cache
def direct(men: Men, turns: int) -> float:
    """The greatest probability to be off within so many turns, by plain recursion over tuples."""
    if not men or turns == 0:
        return float(not men)
    total = 0.0
    for throw in THROWS:
        first, second = numbers(*throw)
        orders = {(first, second), (second, first)}
        ends = {end for one, two in orders for middle in after(men, one) for end in after(middle, two)}
        total += max(direct(end, turns if set(throw) == {1, 2} else turns - 1) for end in ends) / 36
    return total


@pytest.mark.parametrize("turns", range(1, 5))
def test_bearing_off_table(turns: int) -> None:
    """Every position of at most four men, and the README's of five and six."""
    for men in BEARING_OFF:
        if len(men) <= 4 or men in known_numbers.SHOWN:
            assert known_numbers.off_within(men, turns) == pytest.approx(direct(men, turns), abs=1e-12), men


def test_bearing_off_by_hand() -> None:
    """One man on 6 stays on after ACEY-ACEY or DUCEY-DUCEY, and after ACEY-DUCEY followed, on 3, by ACEY-ACEY."""
    assert known_numbers.off_within((6,), 1) == pytest.approx(
        float(1 - Fraction(2, 36) - Fraction(2, 36) * Fraction(1, 36))
    )
    assert known_numbers.off_within((), 0) == 1
    assert known_numbers.off_within((1,), 0) == 0


@pytest.mark.parametrize(("men", "turns"), [((1, 2), 1), ((7,), 1), ((0,), 1), ((1,) * 7, 1), ((1,), -1)])
def test_off_within_refuses_other_men(men: Men, turns: int) -> None:
    with pytest.raises(ValueError, match=r"men|turns"):
        known_numbers.off_within(men, turns)


def test_the_readmes_tables_are_what_the_module_prints(capsys: pytest.CaptureFixture[str]) -> None:
    """``python -m docs.known_numbers.acey_ducey``"""
    known_numbers.main()
    printed = capsys.readouterr().out
    chances, pips, games = printed.strip().split("\n\n")
    readme = find("acey_ducey-v0").readme
    assert chances in readme
    assert games in readme
    assert pips.endswith("25/3")
    assert "25/3" in readme
