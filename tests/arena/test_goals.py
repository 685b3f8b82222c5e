"""Goals of an exploration: how they are read, and how far values are from them."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from parlour.arena.setting.rulesets import read_rulesets
from parlour.arena.study.search_space import Goal, read_goals
from parlour.interfaces.registry import find


def goals_of(name: str, goals: Sequence[str]) -> tuple[Goal, ...]:
    """Goals for a game's first variant."""
    game = find(name)
    return read_goals(game, read_rulesets(game, [game.variants[0].name], {}), goals)


def test_goals_say_how_far_values_are_from_them() -> None:
    least, most, within, above = goals_of("agon", ["undecided:min", "skill:max", "plies:100..200", "first_seat:45.."])
    nan = math.nan
    assert least.misses(np.array([0.2, nan])).tolist() == [0.2, math.inf]
    assert most.misses(np.array([0.2, nan])).tolist() == [-0.2, math.inf]
    assert within.misses(np.array([90.0, 100, 150, 200, 230])).tolist() == [10, 0, 0, 0, 30]
    assert above.misses(np.array([0.4, 0.5])).tolist() == pytest.approx([5, 0])  # in percent, as it is shown
    assert (least.text, within.text) == ("undecided:min", "plies:100..200")


@pytest.mark.parametrize(
    ("goals", "parts"),
    [
        ([], ["needs a goal", "MEASURE:min"]),
        (["beauty:max"], ["'beauty'", "'plies'"]),
        (["plies"], ["'plies' is not valid", "LOW..HIGH"]),
        (["plies:.."], ["is not valid"]),
        (["plies:200..100"], ["200 is above 100"]),
        (["plies:min", "plies:max"], ["has a goal already"]),
        (["undecided:120..150"], ["Undecided games can only be 0 to 100 %"]),
        (["undecided:-5..10"], ["can only be 0 to 100 %"]),
        (["plies:..-1"], ["Length can only be 0 and more plies"]),
        (["first_seat:0.45..0.55"], ["percent", "first_seat:45..55 is meant", "first_seat:0.45..0.55%"]),
        (["undecided:..0.5"], ["undecided:..50 is meant"]),
        (["plies:1..2%"], ["is not valid"]),
        (["balance:max"], ["not a mean over games", "'plies'"]),
        (["skill_elo:max"], ["not a mean over games", "'skill'"]),
        (["skill_slope:variant.."], ["Skill a doubling is no mean over single games", "'parlour atlas'"]),
        (["irreversible:max"], ["can't have Irreversible plies"]),
        (["first_seat:variant..120"], ["can only be 0 to 100 %"]),
    ],
)
def test_goals_that_are_refused(goals: list[str], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        goals_of("pig", goals)
    for part in parts:
        assert part in str(caught.value)


def test_a_goal_of_less_than_a_percent_can_be_meant() -> None:
    small, none, whole = goals_of("agon", ["undecided:0.2..0.5%", "truncated:0..1", "first_seat:45..55%"])
    assert small.misses(np.array([0.001, 0.003])).tolist() == pytest.approx([0.1, 0])
    assert none.misses(np.array([0.01, 0.5])).tolist() == pytest.approx([0, 49])
    assert whole.misses(np.array([0.5])).tolist() == [0]
    assert (small.text, small.phrase) == ("undecided:0.2..0.5%", "within 0.2..0.5 %")


def test_a_goal_beside_what_the_variant_has() -> None:
    least, within = goals_of("agon", ["skill:variant..", "undecided:5..variant"])
    assert least.relative
    assert least.phrase == "within the variant’s.. %"
    assert least.resolved(0.6).misses(np.array([0.5, 0.6, 0.9])).tolist() == pytest.approx([10, 0, 0])
    assert within.resolved(0.2).misses(np.array([0.04, 0.1, 0.3])).tolist() == pytest.approx([1, 0, 10])
    assert np.isinf(least.misses(np.array([0.5]))).all()  # nothing is known of the variant
