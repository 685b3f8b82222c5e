"""Exploring the space of rules: combinations, goals, the Pareto front, effects, rounds, the folder and the command."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from parlour.arena import Exploration, Threads, explore
from parlour.arena.exploring.effects import changes, effects
from parlour.arena.exploring.goals import read_goals
from parlour.arena.exploring.pareto import best, crowding, front_of, front_shares
from parlour.arena.exploring.plan import ExplorationPlan, plan_exploration, read_exploration
from parlour.arena.exploring.space import Space, parse_options, read_space
from parlour.arena.journal import CONFIG, JOURNAL, LOCK
from parlour.arena.reporting.exploration import COMBINATIONS, EFFECTS, FILES, MAX_INTERACTIONS
from parlour.arena.reporting.report import PLOTS, REPORT
from parlour.registry import find
from parlour.strict_json import parse_json
from tests.arena.test_report import Page, read_csv, words
from tests.support.command_line import Run, check_error

PIG = {"goal": [6, 12, 24], "snake_eyes": None}
GOALS = ["plies:min", "skill:max"]


def plan_of(**change: Any) -> ExplorationPlan:
    """An exploration of Pig."""
    asked: dict[str, Any] = {
        "game": "pig-v0", "options": PIG, "goals": GOALS, "variant": None, "fixed": {}, "player": "random",
        "skill": ("random", "greedy"), "games": 4, "finalists": 2, "final": 6, "seed": 5, **change,
    }  # fmt: skip
    return plan_exploration(**asked)


# --- the space ---


def test_all_combinations_that_do_not_contradict_themselves() -> None:
    space = read_space(find("agon"), None, {"max_plies": 90}, {"capture": None, "geometry": None, "repetition": None})
    assert [space.settings(ruleset) for ruleset in space.rulesets] == [
        ("relocate", "line", 0), ("relocate", "line", 3), ("relocate", "ring", 0), ("relocate", "ring", 3)
    ]  # fmt: skip
    assert {ruleset.values["max_plies"] for ruleset in space.rulesets} == {90}
    assert sum(space.left_out.values()) == 4
    assert all("'capture' contradict" in reason for reason in space.left_out)
    assert [space.variant_of(ruleset) for ruleset in space.rulesets] == ["classic", "", "", ""]


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


# --- goals ---


def test_goals_say_how_far_values_are_from_them() -> None:
    least, most, within, above = read_goals(
        find("agon"), 2, ["undecided:min", "skill:max", "plies:100..200", "first_seat:45.."]
    )
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
        (["balance:max"], ["not a mean over games", "'plies'"]),
        (["skill_elo:max"], ["not a mean over games", "'skill'"]),
    ],
)
def test_goals_that_are_refused(goals: list[str], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        read_goals(find("pig"), 3, goals)
    for part in parts:
        assert part in str(caught.value)


# --- the front ---


def test_the_front_is_what_no_other_dominates() -> None:
    misses = np.random.default_rng(1).integers(0, 5, (60, 3)).astype(float)
    expected = [
        not any((other <= own).all() and (other < own).any() for other in misses) for own in misses
    ]  # fmt: skip
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
    (goal,) = read_goals(find("pig"), 3, ["plies:min"])
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


# --- the plan ---


def test_rounds_halve_the_combinations_and_double_the_games() -> None:
    plan = plan_of(options={"goal": range(1, 51)}, games=10, finalists=8, final=200)
    assert [(one.candidates, one.low, one.high) for one in plan.rounds] == [
        (50, 0, 10), (25, 10, 20), (13, 20, 40), (8, 40, 240)
    ]  # fmt: skip
    assert plan.total == 2 * (50 * 10 + 25 * 10 + 13 * 20 + 8 * 200)
    assert [one.candidates for one in plan_of(finalists=9).rounds] == [6, 6]


def test_all_combinations_have_the_same_seeds() -> None:
    plan = plan_of()
    seeds = {tuple(fixture.seed for fixture in even.fixtures()) for even, _ in plan.series}
    skill = {tuple(fixture.seed for fixture in pairs.fixtures()) for _, pairs in plan.series}
    assert len(seeds) == len(skill) == 1
    assert not set(*seeds) & set(*skill)
    assert len({series.key for several in plan.series for series in several}) == 12


def test_only_the_games_that_goals_need_are_played() -> None:
    assert [group.series for group in plan_of(goals=["plies:min"]).groups] == ["even"]
    assert [group.series for group in plan_of(goals=["skill:max"]).groups] == ["skill"]


def test_a_plan_goes_through_its_config_unchanged() -> None:
    config = plan_of(openings="random:2", fixed={"players": 2}).as_config()
    again = read_exploration(parse_json(json.dumps(config), "here"))
    assert again.as_config() == config
    assert again.plan.series == plan_of(openings="random:2", fixed={"players": 2}).plan.series


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"kind": "compare"}, ["'compare'", "'explore'"]),
        ({"explored": ["goal"]}, ["explored must be a JSON object"]),
        ({"explored": {"goal": 3}}, ["explored.goal must be a JSON array"]),
        ({"explored": {"goal": [3, "x"]}}, ["'goal'", "'x'"]),
        ({"goals": "plies:min"}, ["goals must be a JSON array"]),
        ({"player": "bishop"}, ["'bishop'"]),
        ({"skill": ["greedy"]}, ["two different players"]),
        ({"games": 5}, ["games must be an even number", "5"]),
        ({"games": 0}, ["games"]),
        ({"final": 7}, ["final must be an even number"]),
        ({"finalists": 0}, ["finalists"]),
        ({"seed": -1}, ["seed"]),
        ({"colour": 1}, ["colour has no meaning"]),
    ],
)
def test_plans_that_are_refused(change: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        read_exploration(parse_json(json.dumps({**plan_of().as_config(), **change}), "plan.json"))
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
        "goal: 6 → 24 raises it by" in sentence and "away from the goal" in sentence for sentence in result.findings
    )
    combinations, found = result.combinations, result.effects
    assert list(combinations["number"]) == list(range(1, 7))
    assert {"goal", "snake_eyes", "plies", "plies_low", "skill_high", "front"} <= set(combinations.columns)
    assert set(found["measure"]) == {"plies", "skill"}
    assert "<table>" in result._repr_html_()
    table = str(result).removesuffix("\n".join(result.findings))
    assert table != str(result)
    assert "on the" in table
    assert max(map(len, table.splitlines())) <= 80


def test_effects_and_interactions_are_drawn(explored: tuple[Exploration, Path]) -> None:
    """Every main effect, and the surest interactions, each with its interval; coloured if its test is significant."""
    result, folder = explored
    for goal in result.plan.goals:
        own = [one for one in result.all_effects if one.goal == goal]
        main, pairs = ([one for one in own if (one.under is None) == is_main] for is_main in (True, False))
        surest = sorted(pairs, key=lambda one: (one.corrected, one.p))[:MAX_INTERACTIONS]
        for name, shown in (("effects", main), ("interactions", surest)):
            drawn = (folder / PLOTS / f"{name}_{goal.measure.key}.svg").read_text(encoding="utf-8")
            assert drawn.count('class="dot') == drawn.count('class="interval') == len(shown) > 0
            assert drawn.count('class="dot c1"') == sum(one.significant for one in shown)
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


def test_the_command(run: Run, explored: tuple[Exploration, Path], tmp_path: Path) -> None:
    ran = run(*COMMAND, "--threads", 1)
    assert (ran.status, ran.err) == (0, "")
    for part in ("260 games; rounds of combinations × games: 6 × 10, 3 × 10, 2 × 20.", "plies skill", "min max",
                 "goal=6", "on the Pareto front of plies:min, skill:max"):  # fmt: skip
        assert part in words(ran.out) or part in ran.out
    assert max(map(len, ran.out.splitlines())) <= 80
    folder = tmp_path / "explore-pig"
    assert {file.name for file in folder.iterdir()} == {CONFIG, JOURNAL, LOCK, *FILES}
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
    yield ("--from", "list.json"), ("list.json", "JSON object")
    yield ("--from", "list.json", "--options", "goal"), ("--from", "--options")


@pytest.mark.parametrize(("arguments", "parts"), list(wrong_commands()))
def test_what_explore_refuses(run: Run, tmp_path: Path, arguments: tuple[object, ...], parts: tuple[str, ...]) -> None:
    (tmp_path / "list.json").write_text("[]")
    ran = run("explore", *arguments)
    check_error(ran, *parts)
    assert ran.out == ""
    assert [file.name for file in tmp_path.iterdir()] == ["list.json"]
