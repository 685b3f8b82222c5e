"""The effects of options and their interactions, against effects that were planted."""

from __future__ import annotations

import math
import re
from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.arena import Exploration
from parlour.arena.study.exploration import changes, effects
from parlour.arena.study.search_space import Space
from tests.arena.explorations import plan_of
from tests.arena.made_up import finished


def test_a_large_interaction_is_named_with_the_effect() -> None:
    """Planted: the effect of the goal is there with one kind of snake eyes alone."""
    plan = plan_of(goals=["plies:min"], games=40)
    rulesets, noise = plan.space.rulesets, np.random.default_rng(1)
    values = noise.normal(50, 1, (len(rulesets), plan.rounds[-1].high))
    last = plan.space.options["snake_eyes"][-1]
    for k, ruleset in enumerate(rulesets):
        if ruleset.values["goal"] == 24 and ruleset.values["snake_eyes"] == last:
            values[k] += 40
    rounds = [len(plan.rounds) if k < 2 else 1 for k in range(len(rulesets))]
    games = {
        series.key: {
            spec.index: replace(finished(spec, 1, 0, 0), numbers={"plies": plies})
            for spec, plies in zip(series.specs(), values[k].tolist())
        }
        for k, (series,) in enumerate(plan.series)
    }
    result = Exploration(plan, games, rounds)
    (told,) = [line for line in result.findings if "goal: 12 → 24" in line]
    first = plan.space.options["snake_eyes"][0]
    assert re.search(rf"; (39|40)\.\d plies more with snake_eyes={last} than with {first}\.$", told)


def synthetic(space: Space, count: int, generator: np.random.Generator, fours: float = 0) -> NDArray[np.float64]:
    """Plies of so many seeds: 3 for goal 6, 5 more for each later goal, 2 less with snake eyes; so many more for goal
    24 with snake eyes; noise that all combinations share, and noise of their own."""
    means = []
    for ruleset in space.rulesets:
        goal, eyes = (ruleset.values[name] for name in space.options)
        means.append(3 + 5 * [6, 12, 24].index(int(goal)) - 2 * int(eyes) + (fours if goal == 24 and eyes else 0))
    shared, own = generator.normal(0, 9, count), generator.normal(0, 1, (len(means), count))
    return np.array(means, np.float64)[:, None] + shared + own


def test_effects_are_those_that_were_planted() -> None:
    plan = plan_of(goals=["plies:min"])
    numbers = {"plies": synthetic(plan.space, 40, np.random.default_rng(2), fours=4)}
    found = {one.title: one for one in effects(plan.space, numbers, plan.goals)}
    assert len(found) == 4 + 3
    for title, matches, truth in [
        ("goal: 6 → 12", 2, 5), ("goal: 12 → 24", 2, 5 + 2), ("snake_eyes: False → True", 3, -2 + 4 / 3),
        ("goal: 6 → 24, with snake_eyes: False → True", 1, 4),
    ]:  # fmt: skip
        one = found[title]
        assert one.matches == matches
        assert one.estimate.low <= truth <= one.estimate.high
        assert one.estimate.high - one.estimate.low < 1.5  # the noise that all share is gone
        assert one.significant
    nothing = found["goal: 6 → 12, with snake_eyes: False → True"]
    assert nothing.estimate.covers(0)
    assert not nothing.significant


def test_combinations_that_are_left_out_bias_no_effect() -> None:
    """Only combinations with the same other values are compared: without goal=24 and no snake eyes, the effect of snake
    eyes is the mean over the two other goals."""
    full = plan_of(goals=["plies:min"]).space
    kept = [place for place, one in enumerate(full.rulesets) if one.values["goal"] != 24 or one.values["snake_eyes"]]
    space = Space(full.game, full.base, {}, full.options, tuple(full.rulesets[place] for place in kept), {"x": 1})
    numbers = {"plies": synthetic(full, 40, np.random.default_rng(4))[kept]}
    (one,) = (
        one for one in effects(space, numbers, plan_of(goals=["plies:min"]).goals) if one.title.startswith("snake")
    )
    assert one.matches == 2
    assert one.estimate.covers(-2)
    assert one.estimate.value > -3  # a plain difference of means would be some 0.5 above, and as noisy as the games


def test_effects_are_seldom_claimed_where_there_are_none() -> None:
    """Where no option changes anything, at most one exploration in twenty may claim an effect, except for chance; and
    19 intervals in 20 hold 0, in numbers as skewed as lengths of games."""
    plan, generator = plan_of(goals=["plies:min"]), np.random.default_rng(6)
    wrong = covered = tests = 0
    for _ in range(200):
        shared = generator.gamma(2, 20, 20)
        numbers = {"plies": shared + generator.gamma(2, 5, (6, 20))}
        found = effects(plan.space, numbers, plan.goals)
        wrong += any(one.significant for one in found)
        covered += sum(one.estimate.covers(0) for one in found)
        tests += len(found)
    assert wrong <= 200 * 0.05 + 3 * math.sqrt(200 * 0.05 * 0.95)
    assert covered >= 0.94 * tests


def test_no_effect_contradicts_its_interval() -> None:
    """In few games, of skewed lengths, or whose lengths differ by as much in all of them."""
    plan = plan_of(explored={"goal": [6, 12]}, goals=["plies:min"])
    contradicted = 0
    for seed in range(200):
        generator = np.random.default_rng(seed)
        gains = generator.exponential(1, 8) ** 3 - 0.5 if seed % 2 else np.full(8, 7.0)
        (one,) = effects(plan.space, {"plies": np.array([np.full(8, 20.0), 20 + gains])}, plan.goals)
        contradicted += one.corrected < 0.05 and one.estimate.covers(0)
        assert not (one.significant and one.estimate.covers(0))
    assert contradicted > 0


def test_what_never_happened_is_not_impossible() -> None:
    plan = plan_of(goals=["undecided:min"])
    found = effects(plan.space, {"undecided": np.zeros((6, 20))}, plan.goals)
    for one in found:
        reach = 0.2 if one.under is None else 0.4  # of two changes together
        assert one.p == 1
        assert -reach < one.estimate.low < 0 < one.estimate.high < reach
    assert len(changes(plan.space)) == 4


def test_what_was_not_measured_is_left_out() -> None:
    plan = plan_of(goals=["plies:min"])
    numbers = synthetic(plan.space, 30, np.random.default_rng(8))
    numbers[0, :10] = np.nan
    found = effects(plan.space, {"plies": numbers}, plan.goals)
    assert {one.estimate.count for one in found if one.matches == 1 and "goal: 6" in one.title} == {20}
    assert effects(plan.space, {"plies": np.full((6, 30), np.nan)}, plan.goals) == []


def test_what_has_no_effect_counts_for_the_effects_of_others() -> None:
    """Bloody games are 30 plies shorter than the mean of both geometries, and geometry has its effect elsewhere."""
    options = {"capture": None, "geometry": None, "repetition": None}
    plan = plan_of(game="agon-v0", explored=options, goals=["plies:min"])
    truth = {("relocate", "line"): 40.0, ("relocate", "ring"): 60.0, ("bloody", "line"): 20.0}
    means = [truth[ruleset.values["capture"], ruleset.values["geometry"]] for ruleset in plan.space.rulesets]  # type: ignore[index]
    noise = np.random.default_rng(9).normal(0, 1, (len(means), 40))
    found = {one.title: one for one in effects(plan.space, {"plies": np.array(means)[:, None] + noise}, plan.goals)}
    for title, matches, size in [
        ("capture: relocate → bloody", 4, -30), ("geometry: line → ring", 2, 20), ("repetition: 0 → 3", 4, 0),
    ]:  # fmt: skip
        assert found[title].matches == matches
        assert found[title].estimate.value == pytest.approx(size, abs=1)
    assert not any("capture" in title and "geometry" in title for title in found)  # never changed independently
