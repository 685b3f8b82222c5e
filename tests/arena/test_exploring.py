"""Explorations from Python and by the command: games, findings, the folder, the page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from parlour.arena import Exploration, Threads, explore
from parlour.arena.reporting.report import COMBINATIONS, EFFECTS, MAX_PAIRS, PLOTS, REPORT, exploration_plots
from parlour.arena.reporting.summary import exploration_verdict
from parlour.arena.runs.journal import CONFIG, JOURNAL
from parlour.arena.study.search_space import read_space
from parlour.interfaces.registry import find
from parlour.support.locks import LOCK
from tests.arena.explorations import ASK, GOALS, PIG
from tests.arena.small_comparison import read_csv
from tests.support.command_line import Run, check_error, words
from tests.support.pages import Page

pytestmark = pytest.mark.usefixtures("_in_a_folder_of_its_own")


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
    assert ("No other is better in any goal." in said) == (not others)
    for sentence in result.main_findings:
        assert sentence in result.findings
        assert f"* {sentence}" in " ".join(str(result).split())
    assert all(f">{one}<" in result.summary_plot() for one in ("plies", "skill"))


@pytest.mark.parametrize(
    ("values", "end"),
    [
        ([(9, 0.5), (9, 0.5), (8, 0.4)], "2 is as good in every goal. No. 3 is better in one goal, worse in another."),
        ([(9, 0.5), (9, 0.5), (9, 0.5)], "2, no. 3 are as good in every goal."),
        ([(9, 0.5), (8, 0.4), (7, 0.3)], "2, no. 3 are better in one goal, worse in another."),
    ],
)
def test_whoever_is_as_good_is_not_called_better(
    explored: tuple[Exploration, Path], values: list[tuple[float, float]], end: str
) -> None:
    result = copy(explored[0])
    result.candidates = [
        replace(
            one, on_front=True, front_share=1.0, rounds=len(result.plan.rounds),
            estimates={key: replace(one.estimates[key], value=value) for key, value in zip(("plies", "skill"), pair)},
        )
        for one, pair in zip(result.candidates, values)
    ]  # fmt: skip
    said = exploration_verdict(result, dict.fromkeys((1, 2, 3), ""))
    assert said.endswith(f" %. No. {end}")


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


COMMAND = (
    "explore", "pig", "--options", "goal=6/12/24,snake_eyes", "--goal", "plies:min,skill:max", "--player", "random",
    "--skill", "random,greedy", "--games", 10, "--finalists", 2, "--final", 20, "--seed", 5,
)  # fmt: skip


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


def test_the_answer_keeps_the_names_of_seats() -> None:
    result = explore("royal_ur-v0", {"men": [1, 2]}, ["first_seat:45..55"], workers=Threads(1), **ASK)
    assert "— score of Light " in " ".join(str(result).split())


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
    yield ("pig", "--options", "goal=1/x", "--goal", "plies:min"), ("'x'",)
    yield ("pig", "--options", "goal=1/2,goal=3/4", "--goal", "plies:min"), ("'goal' is given twice",)
    yield ("pig", "--options", "goal=1/2", "--goal", "plies"), ("'plies' is not valid",)
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
