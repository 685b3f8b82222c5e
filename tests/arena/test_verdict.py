"""The first sentences of what a comparison answers."""

from __future__ import annotations

import re
from typing import Any

import pytest

from parlour.arena.reporting.summary import comparison_summary, main_findings, verdict
from parlour.arena.setting import ladder as ladders
from parlour.arena.setting.plans import Played
from parlour.arena.studies import Comparison, plan_comparison
from parlour.support.signed import signed

MEN = ["finkel", "finkel:men=5"]


def compared(wins: dict[str, int], rank: list[str] | None = None, games: int = 400, **more: Any) -> Comparison:
    """A comparison of variants of Royal Ur in which Light wins so many games of each hundred, spread evenly; half of
    them where further players play."""
    plan = plan_comparison("royal_ur", list(wins), more.get("players", ["greedy"]), more.get("skill"), games, 0, {})
    played = []
    for series in plan.plan.series:
        share = more.get("stronger", 50) if series.paired else wins[series.ruleset.label]
        share = share if series.paired or series.first == "greedy" else 50
        for k, spec in enumerate(series.specs()):
            won = 37 * k % 100 < share
            if series.paired and spec.players[0] == series.first:
                won = not won
            numbers = {one.key: 0.0 for one in plan.measures} | {"plies": 90.0, "first_seat": float(won)}
            score = (1.0, -1.0) if won else (-1.0, 1.0)
            played.append(Played(spec, score, "borne_off", False, 90, 300, 10, k, {}, digest=k, numbers=numbers))
    return Comparison(plan, played, rank)


def test_the_best_comes_first_with_what_it_is_like() -> None:
    result = compared({"finkel": 75, "finkel:men=5": 50})
    told = verdict(result)
    best = "Best of two: finkel:men=5 — 100 % of its games are decided, no side is shown to be favoured (Light 50 %)."
    assert best in told
    assert "Next: finkel; the two differ in how fair it is." in told
    assert told.startswith("Light gains more in finkel than in finkel:men=5: 75.0 % against 50.0, by 25.0 points (")
    text = comparison_summary(result).text()
    assert text.startswith("Light gains more in finkel than in finkel:men=5")
    assert "\nPlayed by greedy, Elo " in text


def test_how_strong_a_player_is_stands_beside_where_a_ladder_tells() -> None:
    """Not under rules that have no ladder."""
    rungs = {rung.player: rung.elo for rung in ladders.rungs("royal_ur-v0", "finkel")}
    top = signed(max(rungs.values()), 0)
    told = f"Played by greedy, Elo {signed(rungs['greedy'], 0)} on the ladder of finkel (the best there has {top})."
    assert comparison_summary(compared({"finkel": 50, "finkel:men=5": 50})).who.startswith(told)
    assert "on the ladder" not in comparison_summary(compared({"finkel:men=5": 50})).who


def test_a_difference_that_is_not_shown_is_bounded() -> None:
    told = verdict(compared({"finkel": 52, "finkel:men=5": 53}))
    assert "Next: finkel:men=5; which of the two is better is not settled." in told
    assert "Light is not shown to gain more in finkel:men=5 than in finkel: 53.0 % against 52.0, " in told
    assert re.match("Light is not shown to gain more in .*, [0-9.]+ points apart at most\\. Best of two: ", told)


def test_a_side_that_is_favoured_is_named() -> None:
    assert "Light is favoured (80 %)" in verdict(compared({"finkel": 80}))
    assert "Dark is favoured (Light 20 %)" in verdict(compared({"finkel": 20}))
    assert verdict(compared({"finkel": 80})).startswith("finkel — 100 % of its games are decided, ")


def test_the_goals_that_are_asked_for_are_spoken_of() -> None:
    told = verdict(compared({"finkel": 75, "finkel:men=5": 50}, ["short"]))
    assert told.startswith("Best of two by short: finkel — 90 plies a game. Next: finkel:men=5; ")
    assert told.endswith("which of the two is better is not settled.")
    assert verdict(compared({"finkel": 75}, [])) == ""


@pytest.mark.parametrize(
    ("stronger", "words"),
    [
        (80, "skill counts (80 %)"),
        (54, "skill is not shown to count (54 %)"),
        (50, "skill is not shown to count (50 %)"),
    ],
)
def test_skill_counts_where_the_stronger_player_is_shown_to_win(stronger: int, words: str) -> None:
    assert words in verdict(compared({"finkel": 50}, skill=("mcts:2", "mcts:20"), stronger=stronger))


@pytest.mark.parametrize(
    ("others", "holds"),
    [
        ({}, "not shown under both players"),
        ({"masters": 100}, "0 of 3 differences hold under both players"),
    ],
)
def test_under_which_players_differences_hold(others: dict[str, int], holds: str) -> None:
    result = compared({"finkel": 75, "finkel:men=5": 50, **others}, players=["greedy", "random"])
    assert any(f" (under greedy; {holds})." in sentence for sentence in main_findings(result))


def test_what_could_have_been_shown_of_sides_goes_by_the_games_that_were_decided() -> None:
    """With 40 games of each 100 drawn, the draws say nothing of sides."""
    result = compared({"finkel": 50, "finkel:men=5": 50}, ["fair"], games=100)
    (sentence,) = (one for one in main_findings(result) if one.startswith("No variant is shown to favour a side: "))
    assert "100 decided games of a variant show only " in sentence
    for numbers in result.numbers.values():
        numbers["first_seat"][:40] = 0.5
    (fewer,) = (one for one in main_findings(result) if one.startswith("No variant is shown to favour a side: "))
    assert "60 decided games of a variant show only " in fewer
    assert fewer != sentence
