"""Which games a comparison plays, what it measures of them, and what it claims."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from parlour.arena.comparison import Comparison, read_comparison
from parlour.arena.findings import headline, run_tests, sentences
from parlour.arena.fixtures import Fixture, Played
from parlour.arena.measures import (
    COUNT,
    EVEN,
    SCORE,
    SHARE,
    Chapter,
    Measure,
    Pair,
    Sample,
    chapters,
    figures,
    same_player,
    same_seat,
    seat_score,
    stronger_score,
)
from parlour.registry import find
from parlour.strict_json import parse_json

PLAN = Comparison("pig-v0", ("pig", "strict"), {"goal": 12}, "random", "random", "greedy", 6, 3)


FIXTURE = Fixture("", 0, "pig", ("weak", "strong"), 5)


def game(*returns: float, truncated: bool = False, plies: int = 10, fixture: Fixture = FIXTURE) -> Played:
    end = "max_plies" if truncated else "goal"
    return Played(fixture, returns, end, truncated, plies, 25, 4, 2, {"held": 3, "turn_lost": 0})


def pair(first: Played, second: Played) -> Pair:
    """Two games, the weaker player in the first seat of the one and in the second of the other."""
    return Pair((first, replace(second, fixture=replace(FIXTURE, index=1, players=FIXTURE.players[::-1]))))


# --- the plan ---


def test_every_variant_plays_both_series() -> None:
    plan = PLAN.plan()
    assert [(series.ruleset.label, series.first, series.second) for series in plan.series] == [
        ("pig", "random", "random"), ("pig", "random", "greedy"),
        ("strict", "random", "random"), ("strict", "random", "greedy"),
    ]  # fmt: skip
    assert plan.games == 24
    seeds = [{fixture.seed for fixture in series.fixtures()} for series in plan.series]
    assert [len(found) for found in seeds] == [6, 3, 6, 3]
    assert len(set.union(*seeds)) == 18  # no sample shares a seed with another
    assert plan.series[0].fixture(0).players == ("random",) * 3
    assert [plan.series[1].fixture(k).players[:2] for k in (0, 1)] == [("random", "greedy"), ("greedy", "random")]


def test_a_variants_games_do_not_depend_on_the_others() -> None:
    alone = replace(PLAN, variants=("strict",)).plan()
    assert [list(series.fixtures()) for series in alone.series] == [
        list(series.fixtures()) for series in PLAN.plan().series if series.ruleset.label == "strict"
    ]


def test_samples_put_games_where_they_belong() -> None:
    fixtures = [fixture for series in PLAN.plan().series for fixture in series.fixtures()]
    samples, notes = PLAN.samples(game(1, 0, 0, fixture=fixture) for fixture in fixtures[::-1])
    assert list(samples) == ["pig", "strict"]
    assert notes == []
    for variant, sample in samples.items():
        assert [unit.fixture.index for unit in sample.even] == list(range(6))
        assert {unit.fixture.series for unit in sample.even} == {f"{variant}: random in all seats"}
        assert [[one.fixture.index for one in unit.games] for unit in sample.skill] == [[0, 1], [2, 3], [4, 5]]


def test_variants_may_have_options_of_their_own() -> None:
    plan = replace(PLAN, variants=("pig", "pig:goal=20", "strict:goal=20+players=3"))
    assert [ruleset.label for ruleset in plan.rulesets] == ["pig", "pig:goal=20", "strict:goal=20+players=3"]
    assert [ruleset.values["goal"] for ruleset in plan.rulesets] == [12, 20, 20]
    for wrong, said in {
        "pig:goal": "valid: a variant's name, or VARIANT:OPTION=VALUE",
        "pig:colour=3": "no option 'colour'",
        "pig:goal=3+goal=4": "'goal' is given twice",
        "pig:goal=x": "'goal'",
    }.items():
        with pytest.raises(ValueError, match=re.escape(said)):
            replace(PLAN, variants=("pig", wrong)).check()


def test_a_plan_goes_through_its_config_unchanged() -> None:
    config = PLAN.as_config()
    assert json.loads(json.dumps(config)) == config
    assert read_comparison(parse_json(json.dumps(config), "here")) == PLAN
    assert config["rules"] == find("pig").digest


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"variants": "pig"}, ["variants must be a JSON array"]),
        ({"options": []}, ["options must be a JSON object"]),
        ({"player": 3}, ["player must be a text"]),
        ({"games": 10**12}, ["games must be a whole number from 4 to 1000000"]),
        ({"kind": "match"}, ["'match'", "'compare'"]),
        ({"games": 7}, ["even number", "not 7"]),
        ({"games": 2}, ["from 4", "not 2"]),
        ({"games": True}, ["games", "True"]),
        ({"games": "6"}, ["games", "'6'"]),
        ({"seed": -1}, ["seed", "-1"]),
        ({"variants": []}, ["variants", "one or more"]),
        ({"variants": ["pig", "pig"]}, ["'pig' and 'pig'", "each once"]),
        ({"variants": ["hog"]}, ["'hog'", "'strict'"]),
        ({"variants": [3]}, ["3"]),
        ({"game": "chess-v0"}, ["'chess-v0'", "'pig-v0'"]),
        ({"options": {"colour": 1}}, ["'colour'", "'goal'"]),
        ({"player": "mcts:0"}, ["mcts:0"]),
        ({"stronger": "random"}, ["both 'random'"]),
        ({"colour": "red"}, ["colour has no meaning", "'stronger'"]),
        ({"seed": None}, ["seed", "None"]),
    ],
)
def test_plans_that_are_refused(change: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        read_comparison(parse_json(json.dumps({**PLAN.as_config(), **change}), "plan.json"))
    for part in ("plan.json", *parts):
        assert part in str(caught.value)


def test_a_plan_with_an_entry_missing_is_refused() -> None:
    config = PLAN.as_config()
    del config["weaker"]
    with pytest.raises(ValueError, match=r"plan\.json, line 1: lacks the entry 'weaker'"):
        read_comparison(parse_json(json.dumps(config), "plan.json"))


# --- numbers of a game ---


def test_seat_score() -> None:
    assert [seat_score(seat, game(1, -1)) for seat in (0, 1)] == [1, 0]
    assert seat_score(0, game(0, 0)) == 0.5
    assert seat_score(1, game(3, 2, 2, 1)) == pytest.approx(1.5 / 3)
    assert seat_score(0, game(2, -2, truncated=True)) == 0.5
    assert seat_score(0, game(0.1 + 0.2, 0.3)) == 0.5


def test_numbers_of_a_pair() -> None:
    always, never, half = pair(game(-1, 1), game(1, -1)), pair(game(1, -1), game(-1, 1)), pair(game(1, -1), game(1, -1))
    assert [stronger_score("strong", unit) for unit in (always, never, half)] == [1, 0, 0.5]
    assert [same_player(unit) for unit in (always, never, half)] == [True, True, False]
    assert [same_seat(unit) for unit in (always, never, half)] == [False, False, True]
    drawn = pair(game(0, 0), game(0, 0))
    assert (stronger_score("strong", drawn), same_player(drawn), same_seat(drawn)) == (0.5, False, False)


def test_all_measures_of_a_game_of_dice() -> None:
    parts = chapters(find("pig"), 3, ["goal"], "strong")
    measures = {measure.key: measure for part in parts for measure in part.measures}
    assert {"win_0", "win_1", "win_2", "end_goal", "same_seat", "event_held", "event_turn_lost"} <= set(measures)
    assert len(measures) == sum(len(part.measures) for part in parts)
    games = [game(1, 0, 0), game(0, 1, 0), game(0, 0, 0), game(0, 0, 0, truncated=True, plies=50)]
    found = figures(parts, {"pig": Sample(games, [pair(game(1, 0), game(0, 1))] * 2)})["pig"]
    expected = {
        "win_0": 1 / 4, "win_1": 1 / 4, "win_2": 0, "undecided": 1 / 2, "drawn": 1 / 4, "cut": 1 / 4, "plies": 20,
        "branching": (3 * 2.5 + 0.5) / 4, "forced": (3 * 40 + 8) / 4, "lead_changes": 2, "event_held": 3,
        "event_turn_lost": 0, "first_seat": (1 + 0.25 + 0.5 + 0.5) / 4, "end_goal": 3 / 4,
    }  # fmt: skip
    assert {key: found[key].value for key in expected} == pytest.approx(expected)
    for estimate in found.values():
        assert estimate.low <= estimate.value <= estimate.high
    assert find("agon").rules.DICE == 0
    assert not {m.key for part in chapters(find("agon"), 2, [], "x") for m in part.measures} & {"same_seat"}


# --- what is claimed ---

DRAWN = Measure("drawn", "Draws", "games drawn", SHARE, EVEN, lambda unit: unit.returns[0], True)
FIRST = Measure("first", "First seat", "what it scores", SCORE, EVEN, lambda unit: unit.returns[1], True, 0.5)
CHANGES = Measure("changes", "Changes", "of lead", COUNT, EVEN, lambda unit: unit.returns[2])
PARTS = [Chapter("All", [DRAWN, FIRST, CHANGES])]


def made_up(truth: dict[str, tuple[float, float]], count: int, seed: int) -> dict[str, Sample]:
    """Games that are drawn, and won by the first seat, as often as is told."""
    generator = np.random.default_rng(seed)
    return {
        variant: Sample([game(float(a < drawn), float(b < first), 1) for a, b in generator.random((count, 2))], [])
        for variant, (drawn, first) in truth.items()
    }


def test_a_real_difference_is_found_and_said() -> None:
    samples = made_up({"old": (0.7, 0.5), "same": (0.7, 0.5), "new": (0.1, 0.9)}, 200, 2)
    tests, found = run_tests(PARTS, samples), figures(PARTS, samples)
    assert len(tests) == 3 + 3 + 3  # pairs of two measures, and the first seat of each variant
    assert {(test.first, test.second) for test in tests if test.measure == "drawn" and test.significant} == {
        ("old", "new"), ("same", "new"),
    }  # fmt: skip
    shares = {name: 100 * estimates["drawn"].value for name, estimates in found.items()}
    most = max(shares, key=lambda name: shares[name])
    draws, first, leaning = sentences(PARTS, found, tests)
    said = f"Draws: {most} ({shares[most]:.1f} %) above new ({shares['new']:.1f} %)"
    assert draws == f"{said}; 2 of 3 pairs of variants differ."
    assert headline(DRAWN, found, tests) + "." == draws
    assert first.startswith("First seat: new (")
    assert leaning == "First seat is above 50 % in new; not told from 50 % in old and same."
    assert headline(CHANGES, found, tests) == "Changes"


def test_where_nothing_differs_nothing_is_said_to() -> None:
    """In 100 comparisons of four variants that are alike, at most 5 may claim anything, but for chance."""
    wrong = 0
    for seed in range(100):
        samples = made_up(dict.fromkeys("abcd", (0.3, 0.5)), 40, seed)
        tests = run_tests(PARTS, samples)
        assert all(test.corrected >= test.p for test in tests)
        wrong += any(test.significant for test in tests)
        if not any(test.significant for test in tests):
            said = sentences(PARTS, figures(PARTS, samples), tests)
            assert said[-1] == "No significant difference between the variants in: Draws, First seat."
            assert not any("above" in sentence or "below" in sentence for sentence in said)
    assert wrong <= 11


def test_one_variant_alone_is_held_against_no_other() -> None:
    samples = made_up({"only": (0.5, 0.95)}, 60, 1)
    tests = run_tests(PARTS, samples)
    assert [(test.measure, test.second) for test in tests] == [("first", "")]
    assert sentences(PARTS, figures(PARTS, samples), tests) == ["First seat is above 50 % in every variant."]
