"""The exact numbers: against plain counting, against the rule kernels, against play in the batch engine, and the README
against them."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from docs.known_numbers import crown_and_anchor as known_numbers
from parlour.envs.crown_and_anchor.rules import DESIGNS
from parlour.envs.crown_and_anchor.variants import LOSS
from parlour.interfaces.registry import find
from tests.support.games import batch_of, begun

GAME = "crown_and_anchor-v0"
MAX_ERRORS = 5
"""Standard errors that a mean of simulated play may be off: by chance, one check in two million is."""


# --- against plain counting ---


def test_match_chances() -> None:
    """“matches of a bet on 216 throws: 0 on 125, 1 on 75, 2 on 15, 3 on 1”."""
    assert known_numbers.match_chances() == tuple(Fraction(count, 216) for count in (125, 75, 15, 1))


def test_returns_and_variances() -> None:
    """“Expected net −17/216 of the stake (`net`), −1/2 (`gross`)”; the variances by their definition."""
    assert known_numbers.bet_return("net") == Fraction(-17, 216)
    assert known_numbers.bet_return("gross") == Fraction(-1, 2)
    assert {payout: -known_numbers.bet_return(payout) for payout in LOSS} == LOSS
    for payout, gains in (("net", (-1, 1, 2, 3)), ("gross", (-1, 0, 1, 2))):
        mean = known_numbers.bet_return(payout)
        variance = sum(Fraction(n, 216) * (gain - mean) ** 2 for n, gain in zip((125, 75, 15, 1), gains))
        assert known_numbers.bet_variance(payout) == variance


def test_bank_tenure() -> None:
    """“Triples 1/36”."""
    assert known_numbers.bank_tenure() == 36


@pytest.mark.parametrize("players", range(2, 13))
def test_first_banker_chances(players: int) -> None:
    """Against the series, summed until what is left is below 10⁻¹²."""
    chances = known_numbers.first_banker_chances(players)
    assert sum(chances) == 1
    for seat, chance in enumerate(chances):
        series = sum(1 / 6 * (5 / 6) ** throw for throw in range(seat, 200, players))
        assert float(chance) == pytest.approx(series, abs=1e-12)


@pytest.mark.parametrize("call", [known_numbers.bet_return, known_numbers.bet_variance])
def test_unknown_payouts(call: object) -> None:
    with pytest.raises(ValueError, match="'half' is not valid"):
        call("half")  # type: ignore[operator]


def test_impossible_numbers_of_players() -> None:
    for players in (1, 13, True, 2.0):
        with pytest.raises(ValueError, match="option 'players'"):
            known_numbers.first_banker_chances(players)  # type: ignore[arg-type]


# --- against the rule kernels ---

CLOTHS = [
    {1: {"crown": 5}, 2: {"crown": 1}, 3: {"heart": 3}},
    {1: {"crown": 1, "anchor": 2, "club": 5}, 3: {"crown": 4, "diamond": 4}},
    {2: {"spade": 5, "heart": 5, "club": 5, "crown": 5}},
]


def text_of(cloth: dict[int, dict[str, int]], chips: str = "20 20 20 20") -> str:
    bets = "".join(
        f" {seat}:" + (",".join(f"{design}*{stake}" for design, stake in cloth.get(seat, {}).items()) or "-")
        for seat in (1, 2, 3)
    )
    return f"chips {chips} | banker 0 | throws 0 | bets{bets} | player_0 | dice - | 9"


@pytest.mark.parametrize("payout", ["net", "gross"])
@pytest.mark.parametrize("cloth", CLOTHS)
def test_expected_changes_are_the_returns_of_the_stakes(cloth: dict[int, dict[str, int]], payout: str) -> None:
    """Each seat's stakes times the return of a chip; the Banker has the opposite of their sum."""
    changes = known_numbers.expected_changes(text_of(cloth), payout=payout, bets="many", sit_out=True)
    seats = [known_numbers.bet_return(payout) * sum(cloth.get(seat, {}).values()) for seat in (1, 2, 3)]
    assert changes == (-sum(seats), *seats)


def test_expected_changes_under_a_limited_bank() -> None:
    """One chip in the bank, two stakes of 2: counted by hand over the throws. Seat 1, on crowns, is paid first."""
    cloth = {1: {"crown": 2}, 2: {"anchor": 2}}
    changes = known_numbers.expected_changes(text_of(cloth, "1 5 5 5"), bank="limited", sit_out=True)
    expected = [Fraction(0)] * 4
    for throw in product(range(6), repeat=3):
        crowns, anchors = throw.count(0), throw.count(1)
        purse = 1 + (0 if crowns else 2) + (0 if anchors else 2)
        first = min(2 * crowns, purse)
        second = min(2 * anchors, purse - first)
        gains = [first - (0 if crowns else 2), second - (0 if anchors else 2)]
        for seat, gain in ((0, -sum(gains)), (1, gains[0]), (2, gains[1])):
            expected[seat] += Fraction(gain, 216)
    assert changes == tuple(expected)


# --- against play ---


class Played(NamedTuple):
    """What came of random play, a row a throw: a bet's gain a chip, and whether the bank passed."""

    gains: NDArray[np.float64]
    passed: NDArray[np.bool_]


@cache
def played(payout: str) -> Played:
    """Some hundred thousand throws with four seats, of each the bet of the first seat to the Banker's left.

    Chips are many, so that every seat always bets: five plies a round, all rows in step.
    """
    batch = batch_of(GAME, 1024, seed=20, payout=payout, start_chips=10_000, rounds=101)
    rows = np.arange(1024)
    gains, passed = [], []
    for _ in range(100):
        first = batch.games.to_act.copy()
        for _ in range(3):
            batch.step(batch.sample_actions())
        stakes = batch.games.states["stakes"][rows, first].sum(axis=1)
        before, banker = batch.games.states["chips"].copy(), batch.games.states["banker"].copy()
        assert (stakes > 0).all()
        assert (batch.games.to_act == banker).all()
        batch.step(batch.sample_actions())
        change = batch.games.states["chips"] - before
        gains.append(change[rows, first] / stakes)
        passed.append(batch.games.states["banker"] != banker)
    return Played(np.concatenate(gains), np.concatenate(passed))


def errors_off(mean: float, expected: Fraction, variance: Fraction, count: int) -> float:
    """How many standard errors a mean of ``count`` independent values is off."""
    return abs(mean - float(expected)) / math.sqrt(float(variance) / count)


@pytest.mark.parametrize("payout", ["net", "gross"])
def test_bets_return_what_they_should(payout: str) -> None:
    """Mean and variance of the gain a chip over 102,400 throws, within `MAX_ERRORS` standard errors."""
    gains = played(payout).gains
    mean, variance = known_numbers.bet_return(payout), known_numbers.bet_variance(payout)
    assert errors_off(gains.mean(), mean, variance, len(gains)) < MAX_ERRORS
    squares = (gains - float(mean)) ** 2
    fourth = sum(
        chance * (known_numbers.gain_per_chip(payout, shown) - mean) ** 4
        for shown, chance in enumerate(known_numbers.match_chances())
    )
    assert errors_off(squares.mean(), variance, Fraction(fourth) - variance**2, len(gains)) < MAX_ERRORS


def test_the_bank_lasts_as_long_as_it_should() -> None:
    """Passes a throw, within `MAX_ERRORS` standard errors of one over the tenure."""
    passed = played("net").passed
    chance = 1 / known_numbers.bank_tenure()
    assert errors_off(passed.mean(), chance, chance * (1 - chance), len(passed)) < MAX_ERRORS


@pytest.mark.parametrize("players", [2, 4, 12])
def test_first_bankers_are_as_frequent_as_they_should(players: int) -> None:
    """Over 20,000 openings, each seat within `MAX_ERRORS` standard errors."""
    batch = batch_of(GAME, 20_000, seed=3, players=players)
    counts = np.bincount(batch.games.states["banker"], minlength=players) / 20_000
    for share, chance in zip(counts, known_numbers.first_banker_chances(players)):
        assert errors_off(share, chance, chance * (1 - chance), 20_000) < MAX_ERRORS


def test_a_cloth_brings_what_it_should() -> None:
    """The README's example, thrown 50,000 times: every seat's mean change within `MAX_ERRORS` standard errors, the
    variance being that of the sample."""
    batch = batch_of(GAME, 50_000, seed=8)
    env = begun(GAME, position=known_numbers.EXAMPLE)
    batch.games.states[:] = env.games.states[0]
    batch.games.observe()
    _, rewards, *_ = batch.step(np.full(50_000, DESIGNS * 5 + 1))
    changes = rewards.astype(np.float64) * 20
    for seat, expected in enumerate(known_numbers.expected_changes(known_numbers.EXAMPLE)):
        spread = Fraction(float(changes[:, seat].var()))
        assert errors_off(changes[:, seat].mean(), expected, spread, 50_000) < MAX_ERRORS


# --- the README ---


def test_the_readme_has_the_tables() -> None:
    """What the module prints stands in the README, word for word."""
    assert known_numbers.tables() in find(GAME).readme


def test_the_module_prints_them() -> None:
    done = subprocess.run(
        [sys.executable, "-X", "utf8", "-m", "docs.known_numbers.crown_and_anchor"], capture_output=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode() == known_numbers.tables() + "\n"
