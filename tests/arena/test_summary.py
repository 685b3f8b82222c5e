"""Summaries and tables for the terminal."""

from __future__ import annotations

import math
import re
from typing import Any
from xml.etree import ElementTree

import pytest

from parlour.arena import Threads, explore
from parlour.arena.reporting.plots import shortened
from parlour.arena.reporting.report import report_html
from parlour.arena.reporting.summary import comparison_summary
from parlour.arena.reporting.terminal import Column, tables, text_of
from parlour.arena.setting.plans import Played
from parlour.arena.studies import Comparison
from parlour.arena.study.plans import ComparisonPlan, plan_comparison
from tests.support.cases import PRINTED_GAMES
from tests.support.command_line import words

pytestmark = pytest.mark.usefixtures("_in_a_folder_of_its_own")


def imagined(plan: ComparisonPlan) -> Comparison:
    """A comparison whose figures have many digits."""
    events = dict.fromkeys(plan.game.evaluation.EVENTS, 1000)
    numbers = {one.key: 0.0 if one.kind.coded or one.kind.unit == "%" else 1234.5 for one in plan.measures}
    played = [
        Played(
            spec, (0.0,) * len(spec.players), "max_plies", True, 300 + 9 * k, 1555, 40, k, events,
            digest=k,
            numbers={**numbers, "plies": 300 + 9 * k, "branching": 123.45, "lead_changes": 2.5, "first_seat": 0.5},
        )
        for series in plan.plan.series
        for k, spec in enumerate(series.specs())
    ]  # fmt: skip
    return Comparison(plan, played)


@pytest.mark.parametrize("name", PRINTED_GAMES)
def test_the_summary_of_every_game_fits_a_terminal(name: str) -> None:
    plan = plan_comparison(name, None, ["mcts:1000", "mcts:2000"], ("mcts:100", "mcts:10000"), 4, 0, {})
    summary = comparison_summary(imagined(plan))
    text = summary.text()
    assert max(map(len, text.splitlines())) <= 80
    assert len(text.splitlines()) <= 24
    assert "…" not in text
    shown = sum(f"\n{variant.name} " in text for variant in plan.game.variants)
    left = len(plan.game.variants) - shown
    assert shown >= 8 or not left
    assert (f"{left} more in the report." in text) == bool(left)
    assert "Also played, and in the report: mcts:2000." in words(text)
    svg = ElementTree.fromstring(summary.svg())
    written = {element.text for element in svg.iter() if element.tag.endswith("text")}
    assert {variant.name for variant in plan.game.variants} <= written


@pytest.mark.parametrize(
    ("players", "skill", "told"),
    [
        (["mcts:5"], ("mcts:2", "mcts:20"), "Played by mcts:5, a weak player."),
        (["random", "champion:2"], None, "Played by random, a weak player, Elo −"),
        (["champion:2", "mcts:5"], ("mcts:2", "mcts:20"), "Played by champion:2, Elo +"),
        (["mcts:1000"], None, "Played by mcts:1000."),
        ([], ("mcts:2", "mcts:20"), "Played by mcts:20 against mcts:2, weak players."),
        ([], ("greedy", "mcts:20"), "Played by mcts:20 against greedy."),
        ({"random": lambda observation, mask: mask.argmax(axis=-1)}, None, "Played by random."),
    ],
)
def test_it_is_said_who_played_and_whether_that_is_weak(players: Any, skill: Any, told: str) -> None:
    plan = plan_comparison("checkers-v0", ["american"], players, skill, 4, 0, {})
    result = imagined(plan)
    assert "Checkers: 1 variant, seed 0" in str(result).splitlines()
    assert any(line.startswith(told) for line in str(result).splitlines())
    page = report_html(result)
    assert f"<p>{told}" in page
    assert page.index(told) < page.index("<figure")


def test_labels_that_differ_are_cut_so_that_they_still_do() -> None:
    labels = [f"{number}: capture=relocate, geometry=line, repetition={number % 2}, touch_move={end}"
              for number, end in ((1, True), (1, False), (3, True))]  # fmt: skip
    for room in (70, 40, 20, 12):
        cut = shortened(labels, room)
        assert len(set(cut)) == 3
        assert max(map(len, cut)) <= room
    assert shortened(labels, 200) == labels
    assert shortened(["short", "a" * 30, "a" * 30], 10) == ["short", "aaaaaaaaa…", "aaaaaaaaa…"]
    assert shortened(["the first of them", "another one"], 12) == ["the first o…", "another one"]
    assert len(shortened(["a" * 30 + "b" + "c" * 30, "a" * 61], 9)) == 2


def test_headings_and_titles_are_whole() -> None:
    """However many options and however narrow the table: no word is broken, no line too long, no label there twice."""
    options = {"goal": [20, 21], "snake_eyes": None, "bank": None, "max_plies": [200, 300], "fine": [0.0, 1.0]}
    few: dict[str, Any] = {"player": "random", "games": 4, "finalists": 8, "final": 4, "workers": Threads(1)}
    result = explore("pig-v0", options, ["plies:min", "first_seat:45..55", "turns:max"], **few)
    text = str(result)
    assert max(map(len, text.splitlines())) <= 80
    assert all(word in text.replace("_\n", "_") for word in ("goal", "bank", "fine"))
    above = text.split("─")[0]
    for word in ("snake_", "eyes", "max_", "plies"):
        assert re.search(rf"(?<!\S){word}(?!\S)", above)
    svg = ElementTree.fromstring(result.summary_plot())
    written = [str(element.text) for element in svg.iter() if element.tag.endswith("text")]
    named = [text.partition(": ")[2] for text in written if re.match(r"\*?\d+: ", text)]
    assert len(named) == len(set(named)) == 8
    plan = plan_comparison("agon-v0", ["ring"], ["random"], None, 4, 0, {}, measures=["irreversible"])
    title, headings, *_ = str(imagined(plan)).partition("(95 %).\n")[2].splitlines()
    assert title == "Agon (Queen's Guard): 1 variant, seed 0"
    assert headings.split() == ["Irreversible"]


@pytest.mark.parametrize("letters", range(4, 40, 3))
def test_tables_are_as_wide_as_the_terminal_and_cut_nothing(letters: int) -> None:
    names = [Column("no.", ["*1", "20"])]
    columns = [Column(f"h{k}" * 3, [f"{k}" * letters, "x"]) for k in range(9)]
    text = text_of(tables("A title", names, columns))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    for column in columns:
        assert all(cell in text for cell in (column.heading, *column.cells))
    assert text.count("*1") == text.count("no.") == math.ceil(9 / ((80 + 2 - 5) // (max(letters, 6) + 2)))


def test_an_exploration_says_it_too_under_its_verdict() -> None:
    result = explore("pig-v0", {"goal": [6, 9]}, ["plies:min"], games=4, finalists=2, final=4, workers=Threads(1))
    lines = str(result).splitlines()
    assert lines[0].startswith("Best of 2 combinations: no. ")
    assert any(line.startswith("Played by mcts:5, a weak player. 4 new games of each finalist: ") for line in lines)
    assert "Pig: 2 finalists of 2 combinations, seed 0" in lines


def test_measures_that_are_asked_for_are_those_of_the_summary() -> None:
    """With long names, and a skill trace: no line is too long, and every figure stands in full."""
    variants = [{"variant": "classic", "name": "as they played it in the club by the river"}, "classic:touch_move=true"]
    wanted = ["plies", "turns", "drama", "Skill trace"]
    plan = plan_comparison(
        "agon-v0", variants, ["random", "greedy"], ("random", "greedy"), 4, 0, {}, "auto", wanted, ("mcts:1000", 7)
    )
    text = str(imagined(plan))
    assert max(map(len, text.splitlines())) <= 80
    assert "…" not in text
    assert "In the order given." in text
    for heading in ("length", "Turns", "Drama"):
        assert heading in text.partition("─")[0]
    assert text.count("≥ 314") == 2  # the mean of 300 to 327 plies, under two variants
    assert "mcts:128000" in text
    assert "  touch_move=True" in text
