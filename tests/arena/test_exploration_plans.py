"""The plan of an exploration: rounds, seeds, and its config."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest

from parlour.arena.study.plans import SavedExploration
from parlour.support.typed_json import decode_json
from tests.arena.explorations import plan_of


def test_rounds_halve_the_combinations_and_double_the_games() -> None:
    plan = plan_of(explored={"goal": range(1, 51)}, games=10, finalists=8, final=200)
    assert [(one.candidates, one.low, one.high) for one in plan.rounds] == [
        (50, 0, 10), (25, 10, 20), (13, 20, 40), (8, 40, 240)
    ]  # fmt: skip
    assert plan.total == 2 * (50 * 10 + 25 * 10 + 13 * 20 + 8 * 200)
    assert [one.candidates for one in plan_of(finalists=9).rounds] == [6, 6]


def test_all_combinations_have_the_same_seeds() -> None:
    plan = plan_of()
    seeds = {tuple(spec.seed for spec in even.specs()) for even, _ in plan.series}
    skill = {tuple(spec.seed for spec in pairs.specs()) for _, pairs in plan.series}
    assert len(seeds) == len(skill) == 1
    assert not set(*seeds) & set(*skill)
    assert len({series.key for several in plan.series for series in several}) == 12


def test_only_the_games_that_goals_need_are_played() -> None:
    assert [group.series for group in plan_of(goals=["plies:min"]).groups] == ["even"]
    assert [group.series for group in plan_of(goals=["skill:max"]).groups] == ["skill"]


def test_a_plan_goes_through_its_config_unchanged() -> None:
    config = plan_of(openings="random:2", options={"players": 2}).as_config()
    again = decode_json(json.dumps(config), SavedExploration, "here").plan("here")
    assert again.as_config() == config
    assert again.plan.series == plan_of(openings="random:2", options={"players": 2}).plan.series


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"kind": "compare"}, ["kind", "'compare'"]),
        ({"explored": {"goal": [3, "x"]}}, ["'goal'", "'x'"]),
        ({"player": "bishop"}, ["'bishop'"]),
        ({"skill": ["greedy"]}, ["two different players"]),
        ({"games": 5}, ["games must be an even number", "5"]),
        ({"games": 0}, ["games"]),
        ({"final": 7}, ["final must be an even number"]),
        ({"finalists": 0}, ["finalists"]),
        ({"seed": -1}, ["seed"]),
    ],
)
def test_plans_that_are_refused(change: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        decode_json(json.dumps({**plan_of().as_config(), **change}), SavedExploration, "plan.json").plan("plan.json")
    for part in ("plan.json", *parts):
        assert part in str(caught.value)
