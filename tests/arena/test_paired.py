"""Paired samples: known values, no more wrong claims than stated where nothing differs, and planted effects found."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.arena import compare
from parlour.arena.measures import EVEN
from parlour.arena.setting.openings import read_openings
from parlour.arena.setting.rulesets import read_rulesets
from parlour.arena.statistics import paired
from parlour.arena.study.atlas import logistic
from parlour.arena.study.findings import run_tests
from parlour.arena.study.plans import plan_comparison
from parlour.interfaces.registry import find
from tests.support.cases import sampled


def test_mcnemars_test() -> None:
    """Nine pairs differ, eight of them one way: the exact test of eight heads in nine throws."""
    first, second = [1.0] * 8 + [0.0] + [1.0] * 20, [0.0] * 8 + [1.0] + [1.0] * 20
    assert paired.scores_differ(first, second) == pytest.approx(2 * (1 + 9) / 2**9)
    low, high = paired.score_difference(first, second)
    assert 0 < low < 7 / 29 < high < 0.5
    assert paired.scores_differ(first, first) == 1.0


def test_units_that_lack_one_are_left_out() -> None:
    first, second = [1.0, math.nan, 3.0, 5.0], [0.0, 1.0, math.nan, 3.0]
    assert paired.differences(first, second).tolist() == [1.0, 2.0]
    low, high = paired.mean_difference(first, second)
    assert low < 1.5 < high
    assert paired.mean_difference([1.0, 2.0], [0.0, 1.0]) == (-math.inf, math.inf)


def plan_of(**more: Any) -> Any:
    arguments = {
        "skill": None,
        "games": 40,
        "seed": 3,
        "overrides": {"goal": 12},
        "measures": ["plies", "win_0"],
        **more,
    }
    return plan_comparison("pig-v0", ("pig", "strict"), players=("random", "greedy"), paired=True, **arguments)


def test_a_paired_plan_shares_seeds_between_variants_and_players() -> None:
    plan = plan_of()
    seeds = [[spec.seed for spec in series.specs()] for series in plan.plan.series]
    assert all(own == seeds[0] for own in seeds)
    assert len(set(seeds[0])) == 40
    assert plan.as_config()["paired"] is True
    assert "paired" not in plan_comparison("pig-v0", None, ("random",), None, 4, 0, {}).as_config()


def test_openings_may_differ_between_variants() -> None:
    game = find("checkers-v0")
    rulesets = read_rulesets(game, ["american", "openspiel"], {})
    env = parlour.make("checkers-v0")
    env.reset(seed=0)
    start = env.unwrapped.position()
    choice = read_openings({"american": [start], "openspiel": [start, start]}, game, rulesets)
    assert len(choice.between(True, "openspiel").positions) == 2
    assert read_openings(choice.as_config(), game, rulesets) == choice
    with pytest.raises(ValueError, match="openings for 'american', where the variants are"):
        read_openings({"american": [start]}, game, rulesets)
    plan = plan_comparison(game, ["american", "openspiel"], ["random"], None, 4, 0, {}, choice.as_config(), paired=True)
    assert not plan.are_paired("american", "openspiel")


def wrong_and_found(runs: int, effect: float) -> tuple[float, float]:
    """In how many of some comparisons any difference is called significant, and how many find one of the planted
    effects: in samples of 40 paired games of two players, half of whose spread comes from the opening."""
    plan, rng = plan_of(measures=["plies", "undecided", "lead_changes", "first_seat"]), np.random.default_rng(11)
    keys, any_claim, length_found = [one.key for one in plan.measures], 0, 0
    for _ in range(runs):
        opening, numbers = rng.normal(size=40), {}
        for variant in ("pig", "strict"):
            for group in plan.groups:
                lengths = 100 + 20 * opening + 20 * rng.normal(size=40) + effect * (variant == "strict")
                shares = (opening + rng.normal(size=40) > 1.2).astype(float)
                changes = rng.poisson(np.exp(1 + 0.3 * opening)).astype(float)
                seats = np.where(rng.random(40) < 0.2, 0.5, (rng.normal(size=40) + opening > 0).astype(float))
                made = {"plies": lengths, "undecided": shares, "lead_changes": changes, "first_seat": seats}
                numbers[variant, group] = {key: made[key] for key in keys}
        tests = [test for test in run_tests(plan, numbers) if test.group.series == EVEN and test.second]
        any_claim += any(test.significant for test in tests)
        length_found += any(test.significant for test in tests if test.measure == "plies")
    return any_claim / runs, length_found / runs


@sampled("runs", 40, 1000)
def test_where_nothing_differs_few_comparisons_claim_anything(runs: int) -> None:
    """At most 5 % of them, allowing for the 40 or 1,000 that are looked at: three standard errors."""
    wrong, _ = wrong_and_found(runs, 0.0)
    print(f"wrong in {100 * wrong:.1f} % of {runs}")
    assert wrong <= 0.05 + 3 * math.sqrt(0.05 * 0.95 / runs)


@sampled("runs", 10, 200)
def test_planted_effects_are_found(runs: int) -> None:
    """22 plies are 0.78 standard deviations of a difference between paired games."""
    _, found = wrong_and_found(runs, 22.0)
    print(f"found in {100 * found:.1f} % of {runs}")
    assert found >= 0.8


@pytest.mark.long
def test_a_rule_that_matters_is_found_in_every_small_comparison() -> None:
    """Pig to 30 points is longer than to 12."""
    for seed in range(20):
        goals = [{"variant": "pig", "name": str(goal), "goal": goal} for goal in (12, 30)]
        made = compare(
            "pig-v0",
            variants=goals,
            players=["greedy"],
            skill=None,
            games=20,
            seed=seed,
            measures=["plies"],
            paired=True,
        )
        assert all(test.direction == -1 for test in made.test_results)


# --- regression ---


@sampled("runs", 100, 1000)
def test_coefficients_lie_in_their_intervals(runs: int) -> None:
    """Games as clusters: the positions of one share a result, so that errors without clusters would be too small."""
    rng, covered = np.random.default_rng(5), 0
    for _ in range(runs):
        features = rng.normal(size=(150, 1))
        outcomes = (rng.random(150) < 1 / (1 + np.exp(-0.7 * features[:, 0] + 0.2))).astype(float)
        clusters = np.repeat(np.arange(150), 4)  # each game is seen four times
        (estimate,) = logistic(features[clusters], outcomes[clusters], clusters)
        covered += estimate.covers(0.7)
    assert covered / runs >= 0.95 - 3 * math.sqrt(0.05 * 0.95 / runs)


def test_the_regression_without_spread_or_games() -> None:
    rng = np.random.default_rng(1)
    separated = rng.normal(size=(40, 1))
    (estimate,) = logistic(separated, (separated[:, 0] > 0).astype(float), np.arange(40))
    assert math.isfinite(estimate.value)
    with pytest.raises(ValueError, match="10 clusters or more, not 3"):
        logistic(separated[:3], np.array([0.0, 1, 0]), np.arange(3))
