"""Exploring the space of rules: combinations, goals, the Pareto front, effects, rounds, the folder and the command."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.arena import Exploration, Threads, explore
from parlour.arena.reporting.report import COMBINATIONS, EFFECTS, MAX_PAIRS, PLOTS, REPORT, exploration_plots
from parlour.arena.runs.journal import CONFIG, JOURNAL, LOCK
from parlour.arena.setting.rulesets import read_rulesets
from parlour.arena.study.exploration import changes, effects
from parlour.arena.study.exploring import (
    Goal,
    Space,
    best,
    crowding,
    front_of,
    front_shares,
    parse_options,
    read_goals,
    read_space,
)
from parlour.arena.study.plans import ExplorationPlan, SavedExploration, plan_exploration
from parlour.interfaces.registry import find
from parlour.support.typed_json import decode_json
from tests.arena.test_report import Page, read_csv, words
from tests.support.command_line import Run, check_error

PIG = {"goal": [6, 12, 24], "snake_eyes": None}
GOALS = ["plies:min", "skill:max"]


def plan_of(**change: Any) -> ExplorationPlan:
    """An exploration of Pig."""
    asked: dict[str, Any] = {
        "game": "pig-v0", "explored": PIG, "goals": GOALS, "variant": None, "options": {}, "player": "random",
        "skill": ("random", "greedy"), "games": 4, "finalists": 2, "final": 6, "seed": 5, **change,
    }  # fmt: skip
    return plan_exploration(**asked)


# --- the space ---


def test_what_has_no_effect_is_one_combination() -> None:
    space = read_space(find("agon"), None, {"max_plies": 90}, {"capture": None, "geometry": None, "repetition": None})
    assert [space.shown(ruleset) for ruleset in space.rulesets] == [
        ("relocate", "line", "0"), ("relocate", "line", "3"), ("relocate", "ring", "0"), ("relocate", "ring", "3"),
        ("bloody", "–", "0"), ("bloody", "–", "3"),
    ]  # fmt: skip
    assert {ruleset.values["max_plies"] for ruleset in space.rulesets} == {90}
    assert (space.left_out, space.warnings) == ({}, [])
    assert space.same == {"geometry has no effect with capture='bloody'": 4}
    assert [space.variant_of(ruleset) for ruleset in space.rulesets] == ["classic", "", "", "", "bloody_queen", ""]
    assert space.indices["bloody", "line", 3] == space.indices["bloody", "ring", 3] == 5
    assert len(space.indices) == 8
    assert [len(space.changed(ruleset)) for ruleset in space.rulesets] == [0, 1, 1, 2, 1, 2]
    for ruleset in space.rulesets:  # each can be made by what it says
        assert space.game.resolve(ruleset.variant, ruleset.overrides)[1] == ruleset.values


@pytest.mark.parametrize(
    ("game", "variant", "fixed", "options", "shown"),
    [
        (  # an option that is the same in all combinations
            "agon", None, {"geometry": "ring"}, {"capture": None, "touch_move": None},
            [("relocate", "False"), ("relocate", "True"), ("bloody", "False"), ("bloody", "True")],
        ),
        (  # several options, of which the game names one at a time
            "agon", "ring", {},
            {"relocated_by": None, "capture": None, "geometry": None, "queen_goes": ["outer", "anywhere"]},
            [("–", "relocate", "line", "outer"), ("–", "relocate", "line", "anywhere"),
             ("–", "relocate", "ring", "outer"), ("–", "relocate", "ring", "anywhere"),
             ("trapper", "bloody", "–", "–"), ("owner", "bloody", "–", "–")],
        ),
        (  # refused by its value, not because it was given
            "swords_and_shields", None, {}, {"repeats": ["draw", "loses"], "repetition": [0, 3]},
            [("–", "0"), ("draw", "3"), ("loses", "3")],
        ),
    ],
)  # fmt: skip
def test_options_without_effect_anywhere(
    game: str, variant: str | None, fixed: dict[str, Any], options: dict[str, Any], shown: list[tuple[str, ...]]
) -> None:
    space = read_space(find(game), variant, fixed, options)
    assert [space.shown(ruleset) for ruleset in space.rulesets] == shown
    assert space.fixed == fixed
    assert not space.warnings
    assert len(space.indices) == math.prod(map(len, space.options.values()))
    for ruleset in space.rulesets:
        assert space.game.resolve(ruleset.variant, ruleset.overrides)[1] == ruleset.values


def test_the_variant_itself_is_found_where_an_option_has_no_effect() -> None:
    options = {"capture": None, "queen_goes": ["outer", "next_ring"]}
    space = read_space(find("agon"), "bloody_queen", {}, options)
    assert space.unchanged is not None
    assert space.shown(space.rulesets[space.unchanged]) == ("bloody", "–")
    assert read_space(find("agon"), None, {}, options).unchanged is None


def test_values_that_are_never_played_are_told(run: Run, tmp_path: Path) -> None:
    """Before the first game, and first on the page."""
    options, few = {"fine": [1.0, 2.0], "bank": None}, {**ASK, "games": 4, "final": 4}
    with pytest.warns(UserWarning, match="bank=nothing is never played: fine has no effect with bank=nothing"):
        result = explore("pig-v0", options, ["plies:min"], workers=Threads(1), **few)
    assert len(result.candidates) == 2
    assert result.findings[0].startswith("bank=nothing is never played")
    ran = run(
        "explore", "pig", "--options", "fine=1/2,bank", "--goal", "plies:min", "--player", "random", "--games", 4,
        "--final", 4, "--out", tmp_path / "run",
    )  # fmt: skip
    assert ran.err.startswith("parlour: bank=nothing is never played: ")
    page = (tmp_path / "run" / REPORT).read_text(encoding="utf-8")
    assert page.index("bank=nothing is never played") < page.index("In short")
    space = read_space(find("agon"), None, {}, {"relocated_by": None, "repetition": None})
    assert [text.partition(" is")[0] for text in space.warnings] == ["relocated_by=trapper", "relocated_by=owner"]


def test_options_are_read_from_text() -> None:
    assert parse_options(find("agon"), "geometry,repetition=0/3,touch_move=true/false") == {
        "geometry": None, "repetition": [0, 3], "touch_move": [True, False]
    }  # fmt: skip


@pytest.mark.parametrize(
    ("options", "fixed", "parts"),
    [
        ({"colour": None}, {}, ["'colour'", "'goal'"]),
        ({"goal": None}, {}, ["'goal' is a number", "goal=1/2/3"]),
        ({"goal": [5]}, {}, ["needs two values or more"]),
        ({"goal": [5, "x"]}, {}, ["'goal'", "'x'"]),
        ({"goal": [5, 6]}, {"goal": 7}, ["both fixed and varied"]),
        ({"goal": range(5, 5000)}, {}, ["4096", "4995"]),
        (
            {"goal": range(5, 2500), "snake_eyes": None, "bank": None},
            {},
            [
                "not 9980",
                "without 'goal' it would be 4",
                "each option alone (--each, in Python each=True) would be 2497",
            ],
        ),
        ({"players": [2, 3]}, {}, ["different numbers of seats", "[2, 3]"]),
        ({}, {}, ["2 to 4096", "not 1"]),
    ],
)
def test_spaces_that_are_refused(options: dict[str, Any], fixed: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        read_space(find("pig"), None, fixed, options)
    for part in parts:
        assert part in str(caught.value)


def test_a_space_of_contradictions_is_refused() -> None:
    with pytest.raises(ValueError, match="'capture' contradict"):
        read_space(find("agon"), "bloody_queen", {}, {"geometry": None})


def test_each_option_alone() -> None:
    """The variant as it is, and every other value of an option, whatever the user's list begins with."""
    options = {"capture": None, "geometry": None, "repetition": [5, 3]}
    space = read_space(find("agon"), None, {"max_plies": 90}, options, each=True)
    assert [space.change(ruleset) for ruleset in space.rulesets] == [
        "", "capture=bloody", "geometry=ring", "repetition=5", "repetition=3",
    ]  # fmt: skip
    assert space.unchanged == 0
    assert (space.same, space.warnings) == ({}, [])
    plan = plan_of(explored={"goal": [6, 24], "snake_eyes": None}, each=True)
    assert [(one.candidates, one.low, one.high) for one in plan.rounds] == [(4, 0, 4)]
    assert plan.rounds[-1].games == 4
    saved = decode_json(json.dumps(plan.as_config()).encode(), SavedExploration, "here")
    assert saved.plan("here").as_config() == plan.as_config()


def test_each_option_alone_is_told_with_its_effect(tmp_path: Path) -> None:
    options = {"goal": [6, 24], "snake_eyes": None}
    result = explore("pig-v0", options, ["plies:min"], player="random", games=40, each=True, folder=tmp_path)
    assert [one.games for one in result.candidates] == [40] * 4
    assert {one.change.option for one in result.all_effects} == {"goal", "snake_eyes"}
    assert all(one.under is None for one in result.all_effects)
    first, *lines = str(result).splitlines()
    assert first.startswith("Best of 4 rulesets: no. 2, goal=6 — length ")
    assert "Pig: pig, each option changed alone, seed 0" in lines
    assert any(" the variant as it is " in line for line in lines)
    assert "Played by mcts" not in "".join(lines)
    page = (tmp_path / REPORT).read_text(encoding="utf-8")
    assert "3 changes of one option explored" in page
    for word in ("halving", "finalist,", "new games", "interaction", "All combinations"):
        assert word not in page


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
    result = Exploration(plan, {"plies": values}, np.zeros(values.shape, bool), rounds)
    (told,) = [line for line in result.findings if "goal: 12 → 24" in line]
    first = plan.space.options["snake_eyes"][0]
    assert re.search(rf"; (39|40)\.\d plies more with snake_eyes={last} than with {first}\.$", told)


# --- goals ---


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


def test_the_fewest_changes_that_do_it() -> None:
    """The variant itself needs none, and games to more points are longer than its own."""
    ask = {**ASK, "games": 10, "finalists": 4, "final": 20}
    options = {"goal": [20, 60], "snake_eyes": [False, True]}
    result = explore("pig-v0", options, ["plies:variant..", "changes:min"], workers=Threads(1), **ask)
    assert [one.estimates["changes"].value for one in result.candidates] == [0, 1, 1, 2]
    unchanged, _, longer, both = result.candidates
    assert unchanged.on_front
    assert not both.on_front  # dominated by the single change that makes games longer
    assert longer.estimates["plies"].low > unchanged.estimates["plies"].high
    with pytest.raises(ValueError, match=r"'plies:variant\.\.': pig itself must be among"):
        explore("pig-v0", {"goal": [30, 60]}, ["plies:variant.."], workers=Threads(1), **ask)


@pytest.mark.parametrize("goal", ["first_seat:45..55", "seat_that_begins:45..55", "first_seat:variant.."])
def test_games_that_nobody_wins_meet_no_goal_of_fairness(goal: str) -> None:
    ask = {**ASK, "games": 10, "finalists": 1, "final": 20}
    result = explore("pig-v0", {"goal": [20, 21], "max_plies": [1, 0]}, [goal], workers=Threads(1), **ask)
    assert max(result.candidates, key=lambda one: one.rounds).ruleset.values["max_plies"] == 0
    counts = {one.ruleset.values["max_plies"]: next(iter(one.estimates.values())).count for one in result.candidates}
    assert counts[1] == 0 < counts[0]


# --- the front ---


def test_the_front_is_what_no_other_dominates() -> None:
    misses = np.random.default_rng(1).integers(0, 5, (60, 3)).astype(float)
    expected = [not any((other <= own).all() and (other < own).any() for other in misses) for own in misses]
    assert front_of(misses).tolist() == expected
    assert front_of(np.array([[1.0, 1.0], [1.0, 1.0]])).all()  # equals do not dominate each other


def test_the_best_are_taken_front_by_front_and_then_where_they_stand_alone() -> None:
    front = [[0.0, 10.0], [1.0, 9.0], [1.1, 8.9], [5.0, 5.0], [10.0, 0.0]]
    misses = np.array([*front, [6.0, 6.0], [7.0, 7.0], [np.inf, 1.0]])
    assert best(misses, 8) == list(range(8))
    assert best(misses, 6) == [0, 1, 2, 3, 4, 5]
    assert best(misses, 3) == [0, 3, 4]  # the ends, and the one that is farthest from its neighbours
    assert np.isinf(crowding(np.array([[2.0, 2.0]]))).all()
    assert best(np.array([[3.0], [1.0], [2.0]]), 1) == [1]


def test_how_stable_the_front_is() -> None:
    (goal,) = goals_of("pig", ["plies:min"])
    generator = np.random.default_rng(3)
    clear = generator.normal([[10], [20]], 1, (2, 50))
    assert front_shares([goal], [clear], 1).tolist() == [1, 0]
    shares = front_shares([goal], [generator.normal(10, 1, (2, 50))], 1)
    assert 0 < shares.min() < shares.max() < 1
    assert shares.sum() == pytest.approx(1)


# --- effects ---


def synthetic(space: Space, count: int, generator: np.random.Generator, fours: float = 0) -> NDArray[np.float64]:
    """Plies of so many seeds: 3 for goal 6, 5 more for each later goal, 2 less with snake eyes; so many more for goal
    24 with snake eyes; noise that all combinations share, and noise of their own."""
    means = []
    for ruleset in space.rulesets:
        goal, eyes = space.settings(ruleset)
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
    kept = [place for place, one in enumerate(full.rulesets) if full.settings(one) != (24, False)]
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


# --- the plan ---


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
        ({"explored": ["goal"]}, ["explored: Expected `object`"]),
        ({"explored": {"goal": 3}}, ["explored[...]: Expected `array`"]),
        ({"explored": {"goal": [3, "x"]}}, ["'goal'", "'x'"]),
        ({"goals": "plies:min"}, ["goals: Expected `array`"]),
        ({"player": "bishop"}, ["'bishop'"]),
        ({"skill": ["greedy"]}, ["two different players"]),
        ({"games": 5}, ["games must be an even number", "5"]),
        ({"games": 0}, ["games"]),
        ({"final": 7}, ["final must be an even number"]),
        ({"finalists": 0}, ["finalists"]),
        ({"seed": -1}, ["seed"]),
        ({"colour": 1}, ["unknown field `colour`"]),
    ],
)
def test_plans_that_are_refused(change: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        decode_json(json.dumps({**plan_of().as_config(), **change}), SavedExploration, "plan.json").plan("plan.json")
    for part in ("plan.json", *parts):
        assert part in str(caught.value)


# --- from Python ---

ASK: dict[str, Any] = {
    "player": "random", "skill": ("random", "greedy"), "games": 10, "finalists": 2, "final": 20, "seed": 5,
}  # fmt: skip


@pytest.fixture(scope="module")
def explored(tmp_path_factory: pytest.TempPathFactory) -> tuple[Exploration, Path]:
    """An exploration of Pig, and its folder."""
    folder = tmp_path_factory.mktemp("explored") / "run"
    return explore("pig-v0", PIG, GOALS, folder=folder, workers=Threads(2), **ASK), folder


def test_explore_from_python(explored: tuple[Exploration, Path]) -> None:
    result, _ = explored
    assert len(result.candidates) == 6
    assert {one.ruleset.values["goal"] for one in result.front} == {6}  # the shortest games, and as much skill
    shown = [one for one in result.all_effects if one.title == "goal: 6 → 24" and one.goal.measure.key == "plies"]
    assert shown[0].significant
    assert any(
        "goal: 6 → 24 raises it: +" in sentence and "away from the goal" in sentence for sentence in result.findings
    )
    assert re.match(r"\d of 2 finalists, chosen among 6 combinations, (is|are) on the Pareto front", result.findings[0])
    combinations, found = result.combinations, result.effects
    assert list(combinations["number"]) == list(range(1, 7))
    assert {"goal", "snake_eyes", "plies", "plies_low", "skill_high", "front"} <= set(combinations.columns)
    assert set(found["measure"]) == {"plies", "skill"}
    assert "<table>" in result._repr_html_()
    lines = str(result).splitlines()
    assert len(lines) <= 24
    assert max(map(len, lines)) <= 80
    best = result.finalists[0]
    assert lines[0].startswith(f"Best of 6 combinations: no. {best.number}, ")
    assert "2 finalists of 6 combinations" in " ".join(lines)
    said = " ".join(" ".join(lines).split())
    assert f"— length {best.estimates['plies'].value:.1f} plies, " in said
    others = [one for one in result.finalists[1:] if one.on_front]
    assert ("No other finalist is better in any goal." in said) == (not others)
    for sentence in result.main_findings:
        assert sentence in result.findings
        assert f"* {sentence}" in " ".join(str(result).split())
    assert all(f">{one}<" in result.summary_plot() for one in ("plies", "skill"))


def test_what_is_not_shown_is_said_with_its_size() -> None:
    """Effects without an upper bound, and lengths of games that were cut."""
    ask = {**ASK, "games": 4, "final": 4, "skill": ("random", "greedy")}
    result = explore("pig-v0", {"goal": [100, 200]}, ["plies:min"], workers=Threads(1), max_plies=6, **ask)
    assert all(one.estimates["plies"].cut for one in result.candidates)
    assert "≥ 6" in str(result)
    (said,) = result.findings[1:]
    assert said.startswith("Length: no option is shown to change it; changes of any size are still possible.")
    assert "∞" not in said
    whole = explore("pig-v0", {"goal": [6, 9]}, ["plies:min"], workers=Threads(1), **ask)
    assert not any(one.estimates["plies"].cut for one in whole.candidates)


def test_games_that_say_nothing_new_are_told() -> None:
    """Games of one or two plies are soon the same ones."""
    ask = {**ASK, "player": "expectimax:4", "games": 4, "finalists": 2, "final": 4, "openings": "none"}
    result = explore("checkers-v0", {"max_plies": [1, 2]}, ["plies:min"], workers=Threads(1), **ask)
    assert result.uncounted >= sum(4 - row["plies_n"] for row in result.combination_rows()) > 0
    assert result.findings[-1].startswith(f"{result.uncounted} games are not counted: they are the same as others")


def test_effects_and_interactions_are_drawn(explored: tuple[Exploration, Path]) -> None:
    """Every main effect, and the surest interactions, each with its interval; coloured if its test is significant."""
    result, folder = explored
    for goal in result.plan.goals:
        own = [one for one in result.all_effects if one.goal == goal]
        main, pairs = ([one for one in own if (one.under is None) == is_main] for is_main in (True, False))
        surest = sorted(pairs, key=lambda one: (one.corrected, one.p))[:MAX_PAIRS]
        for name, shown in (("effects", main), ("interactions", surest)):
            drawn = (folder / PLOTS / f"{name}_{goal.measure.key}.svg").read_text(encoding="utf-8")
            dots = {colour: ways.count("h0") for colour, ways in re.findall(r'class="dot (c\d)" d="([^"]+)', drawn)}
            assert sum(dots.values()) == len(shown) > 0
            assert dots.get("c1", 0) == sum(one.significant for one in shown)
        assert f"{goal.measure.title}: what two options change together" in (folder / REPORT).read_text("utf-8")


def test_figures_are_those_of_the_journal(explored: tuple[Exploration, Path]) -> None:
    """Recomputed from its lines: who went on is who did better in the first round, and finalists' figures come from
    fresh games."""
    result, folder = explored
    games = [json.loads(line) for line in (folder / JOURNAL).read_text().splitlines()]
    plan = result.plan
    assert [(one.candidates, one.low, one.high) for one in plan.rounds] == [(6, 0, 10), (3, 10, 20), (2, 20, 40)]
    assert len(games) == plan.total
    for one in result.candidates:
        own = [game for game in games if game["series"] == f"{one.ruleset.label}: random in all seats"]
        plies = {game["index"]: game["plies"] for game in own}
        last = plan.rounds[one.rounds - 1]
        assert sorted(plies) == list(range(last.high))
        low = last.low if one.rounds == 3 else 0
        assert one.estimates["plies"].value == pytest.approx(np.mean([plies[k] for k in range(low, last.high)]))
        assert one.estimates["plies"].count == last.high - low
        assert one.estimates["skill"].count == (last.high - low) // 2
        assert one.games == 2 * (last.high - low)


def test_an_exploration_is_the_same_on_any_number_of_threads(explored: tuple[Exploration, Path]) -> None:
    again = explore("pig-v0", PIG, GOALS, workers=Threads(1), **ASK)
    assert str(again.combination_rows()) == str(explored[0].combination_rows())  # in which NaN is NaN
    assert again.effect_rows() == explored[0].effect_rows()


def test_a_stopped_exploration_is_resumed(explored: tuple[Exploration, Path], tmp_path: Path) -> None:
    _, folder = explored
    lines = (folder / JOURNAL).read_bytes().splitlines(keepends=True)
    half = tmp_path / "half"
    half.mkdir()
    (half / CONFIG).write_bytes((folder / CONFIG).read_bytes())
    (half / JOURNAL).write_bytes(b"".join(lines[:150]) + lines[150][:30])
    told: list[int] = []
    explore("pig-v0", PIG, GOALS, folder=half, on_played=lambda games: told.append(len(games)), **ASK)
    assert len((half / JOURNAL).read_bytes().splitlines()) == sum(told) == len(lines)
    assert (half / JOURNAL).read_bytes().startswith(b"".join(lines[:150]))
    for name in (COMBINATIONS, EFFECTS, REPORT):
        assert (half / name).read_bytes() == (folder / name).read_bytes()
    with pytest.raises(ValueError, match="holds a run with goals"):
        explore("pig-v0", PIG, ["plies:max"], folder=half, **ASK)


@pytest.mark.parametrize("goal", ["plies:variant..variant", "first_seat:variant..variant"])
def test_a_finished_exploration_opened_again_says_the_same(goal: str, tmp_path: Path) -> None:
    """Also where a goal is beside the variant's own games, of which the folder then has those of the final round."""
    options = {"goal": [20, 18, 19, 21, 22, 23, 24, 25], "snake_eyes": None}
    ask = {**ASK, "games": 4, "finalists": 2, "final": 60, "workers": Threads(1)}
    for seed in range(4):
        folder = tmp_path / str(seed)
        first = explore("pig-v0", options, [goal], folder=folder, **{**ask, "seed": seed})
        files = {file: file.read_bytes() for file in folder.rglob("*") if file.is_file()}
        told: list[object] = []
        again = explore("pig-v0", options, [goal], folder=folder, on_played=told.extend, **{**ask, "seed": seed})
        assert [one.rounds for one in again.candidates] == [one.rounds for one in first.candidates]
        assert {file: file.read_bytes() for file in files} == files
        assert len(told) == first.plan.total


def test_games_beside_the_variant_are_those_that_are_shown() -> None:
    """A finalist is compared with what the variant has in the final round, where it plays it."""
    options, ask = {"goal": [20, 24]}, {**ASK, "games": 4, "finalists": 2, "final": 10}
    for seed in range(4):
        result = explore("pig-v0", options, ["plies:variant..variant"], workers=Threads(1), **{**ask, "seed": seed})
        assert [one.on_front for one in result.candidates] == [True, False]


def test_the_page_needs_nothing_else(explored: tuple[Exploration, Path]) -> None:
    text = (explored[1] / REPORT).read_text(encoding="utf-8")
    page = Page(text)
    assert not {"script", "link", "iframe", "object", "img"} & {tag for tag, _ in page.tags}
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    links = [str(attributes["href"]) for _, attributes in page.tags if "href" in attributes]
    assert links
    assert {link.removeprefix("#") for link in links} <= ids
    for part in ("plies:min", "goal: 6 → 24", "snake_eyes", "All combinations", "Pareto front"):
        assert part in text


# --- the command ---

COMMAND = (
    "explore", "pig", "--options", "goal=6/12/24,snake_eyes", "--goal", "plies:min,skill:max", "--player", "random",
    "--skill", "random,greedy", "--games", 10, "--finalists", 2, "--final", 20, "--seed", 5,
)  # fmt: skip


@pytest.fixture(autouse=True)
def _in_a_folder_of_its_own(_plain_wide_terminal: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


def test_a_measure_has_one_unit_everywhere() -> None:
    """In percent: what a goal wants, the estimates, the effects, the tables, and the plots."""
    options = {"goal": [6, 24]}
    result = explore("pig-v0", options, ["undecided:0..5", "first_seat:45..55"], workers=Threads(1), **ASK)
    for row, one in zip(result.combination_rows(), result.candidates):
        shown = [row["first_seat"], row["first_seat_low"], row["first_seat_high"]]
        estimate = one.estimates["first_seat"]
        assert shown == [100 * estimate.value, 100 * estimate.low, 100 * estimate.high]
        missed = max(45 - shown[0], shown[0] - 55, 0)
        assert result.plan.goals[1].misses(np.array([estimate.value])) == pytest.approx(missed)
    first = next(row for row in result.effect_rows() if row["measure"] == "first_seat")
    effect = next(one for one in result.all_effects if one.goal.measure.key == "first_seat")
    assert (first["estimate"], first["unit"]) == (100 * effect.estimate.value, "points")
    key = f"effects_{result.plan.goals[1].measure.key}"
    assert "(%)" in next(one.standalone for one in exploration_plots(result) if one.key == key)


def test_a_game_alone_is_answered_by_a_command_that_runs(run: Run, tmp_path: Path) -> None:
    ran = run("explore", "pig")
    check_error(ran, "give a GAME with --options and --goal", "The options of pig are", "goal", "snake_eyes")
    [told] = re.findall(r"for example: parlour (explore pig .*?)\. The options", ran.err)
    few = ("--player", "random", "--games", 4, "--final", 4, "--out", tmp_path / "run")
    assert run(*told.split(), *few).status == 0


def test_goals_given_one_by_one_are_all_kept(run: Run, tmp_path: Path) -> None:
    one_by_one = [text for goal in GOALS for text in ("--goal", goal)]
    place = COMMAND.index("--goal")
    assert run(*COMMAND[:place], *one_by_one, *COMMAND[place + 2 :], "--threads", 1).status == 0
    config = json.loads((tmp_path / "explore-pig" / CONFIG).read_text())
    assert config["goals"] == GOALS


def test_the_command(run: Run, explored: tuple[Exploration, Path], tmp_path: Path) -> None:
    ran = run(*COMMAND, "--threads", 1)
    assert (ran.status, ran.err) == (0, "")
    for part in ("260 games; rounds of combinations × games: 6 × 10, 3 × 10, 2 × 20.", "plies skill", "min plies max %",
                 "2 finalists of 6 combinations", "on the Pareto front"):  # fmt: skip
        assert part in words(ran.out) or part in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    folder = tmp_path / "explore-pig"
    assert {file.name for file in folder.iterdir()} == {CONFIG, JOURNAL, LOCK, *(REPORT, COMBINATIONS, EFFECTS, PLOTS)}
    for name in (CONFIG, COMBINATIONS, EFFECTS, REPORT):
        assert (folder / name).read_bytes() == (explored[1] / name).read_bytes()
    rows = read_csv(folder / COMBINATIONS)
    assert sum(row["front"] == "True" for row in rows) == len(explored[0].front)
    ran = run("explore", "--from", folder / CONFIG)
    assert (ran.status, ran.err) == (0, "")


def wrong_commands() -> Iterator[tuple[tuple[object, ...], tuple[str, ...]]]:
    """What is asked, and what the line must name."""
    yield (), ("GAME", "--from")
    yield ("pig",), ("--options", "--goal")
    yield ("pig", "--options", "goal", "--goal", "plies:min"), ("'goal' is a number",)
    yield ("pig", "--options", "colour", "--goal", "plies:min"), ("'colour'", "'goal'")
    yield ("pig", "--options", "goal=1/x", "--goal", "plies:min"), ("'x'",)
    yield ("pig", "--options", "goal=1/2,goal=3/4", "--goal", "plies:min"), ("'goal' is given twice",)
    yield ("pig", "--options", "goal=1/2", "--goal", "plies"), ("'plies' is not valid",)
    yield ("pig", "--options", "goal=1/2", "--goal", "plies:min", "--skill", "greedy"), ("two different players",)
    yield ("pig", "--options", "goal=1/2", "--goal", "plies:min", "--player", "bishop"), ("'bishop'",)
    yield ("pig", "--options", "goal=1/2", "--goal", "plies:min", "--games", "3"), ("games",)
    yield ("--from", "nowhere.json"), ("nowhere.json", "No such file")
    yield ("--from", "list.json"), ("list.json", "Expected `object`")
    yield ("--from", "list.json", "--options", "goal"), ("--from", "--options")


@pytest.mark.parametrize(("arguments", "parts"), list(wrong_commands()))
def test_what_explore_refuses(run: Run, tmp_path: Path, arguments: tuple[object, ...], parts: tuple[str, ...]) -> None:
    (tmp_path / "list.json").write_text("[]")
    ran = run("explore", *arguments)
    check_error(ran, *parts)
    assert ran.out == ""
    assert [file.name for file in tmp_path.iterdir()] == ["list.json"]
