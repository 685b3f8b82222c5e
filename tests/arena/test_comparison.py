"""Which games a comparison plays, what it makes of them, and what it claims, under one player and under several."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from parlour.arena import Threads, compare
from parlour.arena.measures import DIVERSITY, EVEN, MEASURES, SCORE, SHARE, SKILL, Measure, count_of
from parlour.arena.measures.outcomes import beginner_score, seat_score
from parlour.arena.reporting.report import REPORT
from parlour.arena.reporting.summary import comparison_summary
from parlour.arena.runs.journal import JOURNAL, read_run
from parlour.arena.setting.plans import Group, Played
from parlour.arena.setting.rulesets import parse_rulesets, read_ruleset
from parlour.arena.studies import Comparison
from parlour.arena.study.comparison import measure_all, notable_lengths
from parlour.arena.study.findings import (
    Compared,
    Test,
    conclusions,
    count_tests,
    dependences,
    estimate,
    in_words,
    power_sentences,
    ranked,
    read_rank,
    run_tests,
    sentences,
)
from parlour.arena.study.plans import ComparisonPlan, SavedComparison, doublings, plan_comparison
from parlour.interfaces.registry import find
from parlour.records import replay
from parlour.support.typed_json import decode_json


def plan_of(
    variants: Any = ("pig", "strict"), players: Any = ("random",), skill: Any = ("random", "greedy"), **more: Any
) -> ComparisonPlan:
    """A comparison of variants of Pig, with games to 12."""
    arguments = {"games": 6, "seed": 3, "overrides": {"goal": 12}, **more}
    return plan_comparison("pig-v0", variants, players, skill, **arguments)


# --- the plan ---


def test_every_variant_plays_every_group() -> None:
    plan = plan_of(players=["random", "greedy"], trace=("mcts:2", 2))
    assert [(series.ruleset.label, series.first, series.second) for series in plan.plan.series] == [
        (variant, first, second)
        for variant in ("pig", "strict")
        for first, second in (
            ("random", "random"), ("greedy", "greedy"), ("random", "greedy"), ("mcts:2", "mcts:4"), ("mcts:4", "mcts:8")
        )
    ]  # fmt: skip
    assert plan.plan.games == 60
    seeds = [{spec.seed for spec in series.specs()} for series in plan.plan.series]
    assert [len(found) for found in seeds] == [6, 6, 3, 3, 3] * 2
    assert len(set.union(*seeds)) == 42  # no sample shares a seed with another
    assert plan.plan.series[0].spec(0).players == ("random",) * 3
    assert [plan.plan.series[2].spec(k).players[:2] for k in (0, 1)] == [("random", "greedy"), ("greedy", "random")]


def test_a_variants_games_do_not_depend_on_the_others() -> None:
    alone, both = plan_of(["strict"]), plan_of()
    assert [list(series.specs()) for series in alone.plan.series] == [
        list(series.specs()) for series in both.plan.series if series.ruleset.label == "strict"
    ]


def test_doublings() -> None:
    assert doublings("mcts:10", 5) == [f"mcts:{10 << k}" for k in range(6)]
    assert doublings("mcts:3:greedy", 1) == ["mcts:3:greedy", "mcts:6:greedy"]
    for wrong in ("greedy", "mcts:0.5s"):
        with pytest.raises(ValueError, match="has no number that can be doubled"):
            doublings(wrong, 2)


def test_a_plan_goes_through_its_config_unchanged() -> None:
    for plan in (
        plan_of(),
        plan_of(players=["greedy", "random"], skill=None, trace=("mcts:1", 3), measures=["plies"], openings="random:3"),
        plan_of(["pig", {"variant": "strict", "goal": 20, "name": "long", "note": "a note"}, "pig:goal=30"]),
    ):
        config = plan.as_config()
        assert json.loads(json.dumps(config)) == config
        again = decode_json(json.dumps(config), SavedComparison, "here").plan("here")
        assert again.as_config() == config
        assert again.plan.series == plan.plan.series
        assert [one.key for one in again.measures] == [one.key for one in plan.measures]
        assert config["rules"] == find("pig").digest


@pytest.mark.parametrize(
    ("change", "parts"),
    [
        ({"games": 10**12}, ["games must be a whole number from 4 to 1000000"]),
        ({"kind": "contest"}, ["kind", "'contest'"]),
        ({"games": 7}, ["even number", "not 7"]),
        ({"games": 2}, ["from 4", "not 2"]),
        ({"seed": -1}, ["seed", "-1"]),
        ({"variants": []}, ["variants", "one or more"]),
        ({"variants": [{"variant": "pig"}, {"variant": "pig"}]}, ["'pig' and 'pig'", "each once"]),
        ({"variants": [{"variant": "hog"}]}, ["'hog'", "'strict'"]),
        ({"variants": [{"variant": "pig", "colour": 1}]}, ["'colour'", "'goal'"]),
        ({"variants": [{"variant": "pig", "name": "a\nb"}]}, ["can't be the name of a variant"]),
        ({"game": "chess-v0"}, ["'chess-v0'", "'pig-v0'"]),
        ({"players": ["mcts:0"]}, ["mcts:0"]),
        ({"players": ["random", "random"]}, ["a name of its own"]),
        ({"players": [], "skill": None}, ["needs players"]),
        ({"skill": ["random"]}, ["skill takes two different players"]),
        ({"skill": ["random", "random"]}, ["a name of its own"]),
        ({"trace": ["mcts:2"]}, ["trace takes a player and a number of doublings"]),
        ({"trace": ["mcts:2", 21]}, ["doublings must be a whole number from 1 to 20"]),
        ({"trace": ["greedy", 2]}, ["no number that can be doubled"]),
        ({"trace": ["expectimax:1", 2]}, ["'expectimax:1' searches to a depth", "mcts:10"]),
        ({"measures": ["beauty"]}, ["no measure 'beauty'", "'plies'"]),
        ({"openings": "queen's gambit"}, ["no openings"]),
    ],
)
def test_plans_that_are_refused(change: dict[str, Any], parts: Sequence[str]) -> None:
    with pytest.raises(ValueError) as caught:
        decode_json(json.dumps({**plan_of().as_config(), **change}), SavedComparison, "plan.json").plan("plan.json")
    for part in ("plan.json", *parts):
        assert part in str(caught.value)


def test_a_plan_with_an_entry_missing_is_refused() -> None:
    config = plan_of().as_config()
    del config["skill"]
    with pytest.raises(ValueError, match=r"plan\.json: Object missing required field `skill`"):
        decode_json(json.dumps(config), SavedComparison, "plan.json").plan("plan.json")


# --- variants of one's own ---


def test_variants_may_have_options_of_their_own() -> None:
    plan = plan_of(["pig", "pig:goal=20", "strict:goal=20+players=3", {"variant": "pig", "goal": 30}])
    assert [ruleset.label for ruleset in plan.rulesets] == [
        "pig", "pig:goal=20", "strict:goal=20+players=3", "pig:goal=30"
    ]  # fmt: skip
    assert [ruleset.values["goal"] for ruleset in plan.rulesets] == [12, 20, 20, 30]
    for wrong, said in {
        "pig:goal": "valid: a variant's name, or VARIANT:OPTION=VALUE",
        "pig:colour=3": "no option 'colour'",
        "pig:goal=3+goal=4": "'goal' is given twice",
        "pig:goal=x": "'goal'",
        "pig:players=4": "different numbers of seats",
    }.items():
        with pytest.raises(ValueError, match=re.escape(said)):
            plan_of(["pig", wrong])


def test_variants_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('[short]\nvariant = "strict"\ngoal = 9\nnote = "a quick one"\n\n["as printed"]\nvariant = "pig"\n')
    game = find("pig")
    short, printed = (read_ruleset(game, one, {"goal": 12}) for one in parse_rulesets(game, str(file)))
    assert (short.label, short.variant, short.values["goal"], short.note) == ("short", "strict", 9, "a quick one")
    assert (printed.label, printed.values["goal"]) == ("as printed", 12)
    assert parse_rulesets(game, "all") == ["pig", "strict"]
    assert parse_rulesets(game, "pig,strict:goal=3") == ["pig", "strict:goal=3"]
    for content, said in {
        "[a]\nnote = 3": "note must be a text",
        "goal = 3": "'goal' is outside of a table",
        "[a": "not a TOML file",
        "a = " + "[" * 5000: "not a TOML file",
    }.items():
        file.write_text(content)
        with pytest.raises(ValueError, match=re.escape(said)):
            parse_rulesets(game, str(file))


# --- what is claimed ---

DRAWN = Measure("drawn", "Draws", "games drawn", SHARE, lambda unit: 0.0, tested=True)
FIRST = Measure("first", "First seat", "what it scores", SCORE, lambda unit: 0.0, tested=True, even_at=0.5)
CHANGES = Measure("changes", "Changes", "of lead", count_of("per game"), lambda unit: 0.0)


class MadeUp(ComparisonPlan):
    """A plan with the measures above."""

    measures = (DRAWN, FIRST, CHANGES)


def made_up(
    truth: Mapping[str, Mapping[str, tuple[float, float]]], count: int, seed: int
) -> tuple[MadeUp, dict[tuple[str, Group], dict[str, Any]]]:
    """By player and variant: how often games are drawn, and won by the first seat. The numbers of so many games."""
    generator = np.random.default_rng(seed)
    variants = list(next(iter(truth.values())))
    rulesets = tuple(replace(plan_of(["pig"]).rulesets[0], label=name) for name in variants)
    usual = plan_of(["pig"], list(truth), None)
    plan = MadeUp(
        game=usual.game, rulesets=rulesets, players=tuple(truth), skill=None, trace=None, games=count, seed=0,
        openings=usual.openings,
    )  # fmt: skip
    numbers = {}
    for group in plan.groups:
        for variant, (drawn, first) in truth[group.title].items():
            draws = generator.random((count, 2))
            numbers[variant, group] = {
                "drawn": (draws[:, 0] < drawn).astype(float), "first": (draws[:, 1] < first).astype(float),
                "changes": np.ones(count),
            }  # fmt: skip
    return plan, numbers


def test_a_real_difference_is_found_and_said() -> None:
    truth = {"random": {"old": (0.7, 0.5), "same": (0.7, 0.5), "new": (0.1, 0.9)}}
    plan, numbers = made_up(truth, 200, 2)
    tests, found = run_tests(plan, numbers), estimate(plan, numbers)
    (group,) = plan.groups
    assert len(tests) == 3 + 3 + 3  # pairs of two measures, and the first seat of each variant
    assert {(test.first, test.second) for test in tests if test.measure == "drawn" and test.significant} == {
        ("old", "new"), ("same", "new"),
    }  # fmt: skip
    shares = {name: 100 * found[name, group]["drawn"].value for name in truth["random"]}
    most = max(shares, key=lambda name: shares[name])
    draws, first, leaning = sentences(plan, found, tests)
    said = f"Draws: {most} ({shares[most]:.1f} %) lies above new ({shares['new']:.1f} %)"
    assert draws.startswith(f"{said} by {shares[most] - shares['new']:.1f} points (")
    assert draws.endswith("); new is lowest; the others are not shown to differ.")
    assert Compared.of(DRAWN, group, found, tests).headline() + "." == draws
    assert first.startswith("First seat: new (")
    assert leaning.startswith(
        f"First seat is above 50 % in new: new {100 * found['new', group]['first'].value:.1f} % ("
    )
    assert "; no difference from 50 % is shown in old and same, but 200 games reveal only about " in leaning
    assert " or more (with 9 tests corrected together)" in leaning
    named = leaning.partition("The largest: ")[2]
    for name in ("old", "same"):
        own = found[name, group]["first"]
        assert f"{name} {100 * own.value:.1f} % ({100 * own.low:.1f} to {100 * own.high:.1f})" in named
    assert Compared.of(CHANGES, group, found, tests).headline() == "Changes"
    for test in tests:
        if test.second and test.significant:
            assert test.low > 0 or test.high < 0


def test_variants_that_differ_are_grouped() -> None:
    def differing(*pairs: str) -> list[Test]:
        return [Test("plies", plan_of().groups[0], upper, lower, 0.0, 1) for upper, lower in pairs]

    rest = "the others are not shown to differ"
    assert in_words("abc", differing("ab", "bc", "ac")) == "a is highest, then b, then c"
    assert in_words("abc", differing("ac", "bc")) == f"c is lowest; {rest}"
    assert in_words("abcde", differing("ba", "ac", "da", "ae")) == f"a is highest; {rest}"
    assert (
        in_words("abcde", differing("ab", "ac", "ad", "ae", "be", "ce", "de")) == f"a is highest; e is lowest; {rest}"
    )
    assert in_words("abcde", differing("ad", "ae", "bd", "be", "cd", "ce", "de")) == f"e is lowest, then d; {rest}"
    inner = differing("ab", "ac", "ad", "ae", "bd", "be", "ce")
    assert in_words("abcde", inner) == "a is highest; b lies above d and e; c lies above e"
    assert in_words("abcd", differing("ac", "ad", "bd")) == "a lies above c and d; b lies above d"
    assert in_words("abcd", differing("ad", "bd")) == "a and b lie above d"


def test_goals_rank_variants() -> None:
    """By how far each is from the goals, on a scale from met to missed, not by places: noise in one goal does not
    outweigh a large difference in another."""
    plan = plan_of(["pig", "strict", "pig:goal=20"])
    figures = estimate(plan, measure_all(plan, games_of(plan))[0])
    wanted = {"undecided": (0.9, 0.0, 0.5), "first_seat": (0.5, 0.48, 0.7), "plies": (10.0, 30.0, 20.0)}
    labels = [ruleset.label for ruleset in plan.rulesets]
    made = {
        (label, group): {
            key: replace(one, value=wanted[key][labels.index(label)]) if key in wanted else one
            for key, one in estimates.items()
        }
        for (label, group), estimates in figures.items()
    }
    assert ranked(plan, made, ("decided", "fair")) == ["strict", "pig:goal=20", "pig"]
    assert ranked(plan, made, ("fair",)) == ["pig", "strict", "pig:goal=20"]
    assert ranked(plan, made, ("short",)) == ["pig", "pig:goal=20", "strict"]
    assert ranked(plan, made, ("long",)) == ["strict", "pig:goal=20", "pig"]
    assert ranked(plan, made, ()) == labels
    assert read_rank(plan, None) == ("decided", "fair", "skill")
    assert read_rank(plan_of(skill=None), None) == ("decided", "fair")
    assert read_rank(plan_of(measures=["drama"]), None) == ()
    for wrong in (["beauty"], ["fair", "fair"], ["skill"]):
        with pytest.raises(ValueError, match=f"{wrong[0]!r} is not valid; valid, each once: 'decided'"):
            read_rank(plan_of(skill=None), wrong)


def test_whether_it_helps_to_begin_is_asked_where_a_throw_decides_who_does() -> None:
    """Where the seat that begins wins nine games in ten, the first seat wins a half."""
    plan = plan_of(["pig"], skill=None, games=400, overrides={"goal": 6, "players": 2})
    rng = np.random.default_rng(1)
    played = [
        replace(one, begins=int(begins), returns=(1.0, -1.0) if (begins == 0) == (rng.random() < 0.9) else (-1.0, 1.0))
        for one, begins in zip(games_of(plan), rng.integers(0, 2, 400))
    ]
    for one in played:
        one.numbers.update(first_seat=seat_score(0, one), seat_that_begins=beginner_score(one))
    result = Comparison(plan, played)
    figures = result.estimates["pig", plan.groups[0]]
    assert figures["first_seat"].covers(0.5)
    assert figures["seat_that_begins"].low > 0.75
    assert any("Score of the seat that begins is above 50 % in every variant" in one for one in result.findings)
    assert not any("Score of Seat" in one for one in result.findings)


def test_nothing_is_fair_without_decided_games() -> None:
    """Neither a figure nor a test nor a good rank; draws count as halves where some games are decided."""
    plan = plan_of(["pig", "pig:max_plies=1"], skill=None, games=10)
    result = Comparison(plan, games_of(plan))
    played, cut = (result.estimates[label, plan.groups[0]] for label in ("pig", "pig:max_plies=1"))
    assert (played["undecided"].value, cut["undecided"].value) == (0, 1)
    for key in ("first_seat", "seat_that_begins", "balance"):
        assert (played[key].count, cut[key].count) == (10, 0)
    assert cut["win_0"].count == 10
    assert not any(
        "max_plies" in test.first + test.second for test in result.test_results if test.measure == "first_seat"
    )
    assert ranked(plan, result.estimates, ("fair",)) == ["pig", "pig:max_plies=1"]
    shown = next(one for one in comparison_summary(result).columns if one.heading.startswith("fair"))
    assert [shown.kind.figure(one) for one in shown.estimates][1] == "–"
    assert "Score of Seat 0" not in " ".join(one for one in result.findings if "max_plies" in one)
    alone = Comparison(one := plan_of(["pig:max_plies=1"], skill=None), games_of(one))
    assert "50 %" not in " ".join(alone.findings)


def test_draws_are_halves_where_some_games_are_decided() -> None:
    kind = MEASURES["seat_that_begins"].kind
    samples = np.array([[0.5, 0.5, np.nan], [0.5, 1.0, 0.5], [np.nan, np.nan, np.nan]])
    assert np.isnan(kind.telling(samples)[[0, 2]]).all()
    assert kind.telling(samples)[1].tolist() == [0.5, 1.0, 0.5]
    assert SCORE.telling(samples)[0, 0] == 0.5


def test_where_nothing_differs_nothing_is_said_to() -> None:
    """In 100 comparisons of four variants that are alike, at most 5 may claim anything, except for chance."""
    wrong, missed = 0, 0
    for seed in range(100):
        plan, numbers = made_up({"random": dict.fromkeys("abcd", (0.3, 0.5))}, 40, seed)
        tests = run_tests(plan, numbers)
        assert all(test.corrected >= test.p for test in tests)
        wrong += any(test.significant for test in tests)
        missed += any(not test.low <= 0 <= test.high for test in tests if test.second)
        if not any(test.significant for test in tests):
            said = sentences(plan, estimate(plan, numbers), tests)
            bound = r"Draws: no difference shown; differences up to [\d.]+ points are still possible\. The largest: .*"
            assert re.fullmatch(bound, said[-2])
            assert not any("above" in sentence or "below" in sentence for sentence in said)
    assert wrong <= 11
    assert missed <= 11


def test_a_large_effect_that_is_not_shown_is_named_with_what_could_have_been() -> None:
    """Fifteen games, of which one player won nearly all, under as many tests as a comparison of nine variants makes."""
    plan, numbers = made_up({"random": {"clear": (0.5, 0.5), "open": (0.5, 0.5)}}, 15, 1)
    (group,) = plan.groups
    numbers["clear", group]["first"] = np.array([1.0] * 13 + [0.5, 0])
    numbers["open", group]["first"] = np.full(15, 0.5)
    tests = [replace(test, corrected=min(1, 342 * test.p)) for test in run_tests(plan, numbers)]
    found = estimate(plan, numbers)
    said = Compared.of(FIRST, group, found, tests).neutrality(342)
    low, high = (100 * end for end in (found["clear", group]["first"].low, found["clear", group]["first"].high))
    assert said.startswith(
        "First seat: no difference from 50 % is shown in any variant, but 15 games reveal only about "
    )
    assert "about 99:1 or more (with 342 tests corrected together)" in said
    assert f"The largest: clear 90.0 % ({low:.1f} to {high:.1f}), open 50.0 %" in said
    assert "are too few to show any" in Compared.of(FIRST, group, found, tests).neutrality(len(tests) + 2000)


def test_a_test_that_points_another_way_than_the_mean_says_nothing() -> None:
    """Most pairs are just above one half, but the mean lies below: the sign test is not about the mean."""
    plan, numbers = made_up({"random": {"only": (0.5, 0.5)}}, 60, 1)
    numbers["only", plan.groups[0]]["first"] = np.array([0.75] * 40 + [0.0] * 21)
    (test,) = run_tests(plan, numbers)
    assert (test.p, test.sign, test.significant) == (1.0, -1, False)


def test_what_was_measured_under_one_player_alone_does_not_hold_under_both() -> None:
    truth = {name: {"old": (0.9, 0.5), "new": (0.1, 0.5)} for name in ("random", "greedy")}
    plan, numbers = made_up(truth, 100, 3)
    numbers["old", plan.groups[1]]["drawn"] = np.zeros(0)
    (found,) = conclusions(plan, run_tests(plan, numbers))
    assert (found.status, found.holds, found.open) == ("some", ("random",), ("greedy",))


def test_lengths_of_games_that_were_cut_are_lower_bounds() -> None:
    plan = plan_of(["pig", "pig:max_plies=6"], skill=None, games=4)
    result = Comparison(plan, games_of(plan))
    whole, cut = (result.estimates[ruleset.label, plan.groups[0]]["plies"] for ruleset in plan.rulesets)
    kind = MEASURES["plies"].kind
    assert (whole.cut, cut.cut, kind.phrase(cut)) == (False, True, f"≥ {kind.show(cut.value)} plies")
    assert kind.phrase(whole) == f"{kind.show(whole.value)} plies"
    assert kind.figure(cut) in str(result)
    assert {row["cut"] for row in result.figure_rows() if row["measure"] == "undecided"} == {False}


def test_codes_are_not_tested() -> None:
    with pytest.raises(ValueError, match="'colours' can't be tested"):
        Measure("colours", "Colours", "of the board", DIVERSITY, lambda unit: 0.0, tested=True)


def test_one_variant_alone_is_compared_with_no_other() -> None:
    plan, numbers = made_up({"random": {"only": (0.5, 0.95)}}, 60, 1)
    tests = run_tests(plan, numbers)
    assert [(test.measure, test.second) for test in tests] == [("first", "")]
    share = 100 * estimate(plan, numbers)["only", plan.groups[0]]["first"].value
    (said,) = sentences(plan, estimate(plan, numbers), tests)
    assert said.startswith(f"First seat is above 50 % in every variant: only {share:.1f} % (")
    (even,) = conclusions(plan, tests)  # the seats are told apart, no variants are
    assert (even.upper, even.lower, even.holds) == ("only", "", ("random",))


def test_conclusions_say_under_which_players_they_hold() -> None:
    truth = {
        "random": {"old": (0.9, 0.5), "new": (0.1, 0.9), "other": (0.5, 0.2)},
        "greedy": {"old": (0.9, 0.5), "new": (0.1, 0.5), "other": (0.5, 0.9)},
    }
    plan, numbers = made_up(truth, 300, 5)
    found = {(one.measure.key, one.claim): one for one in conclusions(plan, run_tests(plan, numbers))}
    assert found["drawn", "old lies above new"].status == "all"
    assert found["drawn", "old lies above new"].holds == ("random", "greedy")
    first = found["first", "new lies above 50 %"]
    assert (first.status, first.holds, first.open) == ("some", ("random",), ("greedy",))
    (turned,) = (one for one in found.values() if (one.measure, {one.upper, one.lower}) == (FIRST, {"old", "other"}))
    assert turned.status == "turns"
    assert {turned.holds, turned.reversed} == {("random",), ("greedy",)}
    said = sentences(plan, estimate(plan, numbers), run_tests(plan, numbers))
    assert any(sentence.endswith("[greedy].") for sentence in said)


def test_figures_that_depend_on_who_plays_are_named() -> None:
    """The largest difference of each variant and measure; nothing where players agree, or where there is only one."""
    truth = {
        "random": {"old": (0.9, 0.5), "new": (0.5, 0.5)},
        "greedy": {"old": (0.1, 0.5), "new": (0.5, 0.5)},
        "mcts:5": {"old": (0.4, 0.5), "new": (0.5, 0.5)},
    }
    plan, numbers = made_up(truth, 300, 5)
    (found,) = dependences(plan, numbers, estimate(plan, numbers))
    assert (found.measure, found.variant, found.upper, found.lower) == (DRAWN, "old", "random", "greedy")
    assert found.claim.startswith("old: 9")
    assert found.corrected < 0.001
    alone, own = made_up({"random": truth["random"]}, 300, 5)
    assert dependences(alone, own, estimate(alone, own)) == []


def test_players_who_agree_are_seldom_said_to_differ() -> None:
    truth = {name: dict.fromkeys(("old", "new"), (0.3, 0.6)) for name in ("random", "greedy", "mcts:5")}
    made = [made_up(truth, 60, seed) for seed in range(100)]
    wrong = sum(bool(dependences(plan, numbers, estimate(plan, numbers))) for plan, numbers in made)
    assert wrong <= 5 + 3 * math.sqrt(100 * 0.05 * 0.95)


def test_what_the_data_still_allow_covers_the_truth() -> None:
    """Eleven points between two variants, at 95 % for all tests of a report together."""
    covered = 0
    for seed in range(100):
        plan, numbers = made_up({"random": {"a": (0.3, 0.5), "b": (0.41, 0.5)}}, 100, seed)
        (test,) = (test for test in run_tests(plan, numbers) if test.measure == "drawn")
        covered += test.low <= -0.11 <= test.high
    assert covered >= 94
    open_test = Test("drawn", plan.groups[0], "a", "b", 0.5, 1, 1.0, -0.2, 0.05)
    alone = Compared(DRAWN, plan.groups[0], {}, [open_test])
    assert alone.largest_possible() == "differences up to 20.0 points are still possible"
    unbounded = replace(open_test, high=math.inf)
    assert replace(alone, tests=[unbounded]).largest_possible() == "differences of any size are still possible"


@pytest.mark.parametrize("paired", [False, True])
def test_no_claim_contradicts_its_interval(paired: bool) -> None:
    """In small and large reports, of all kinds of measures; nor do leanings, beside the interval that is shown."""
    contradicted = 0
    for seed in range(60):
        generator = np.random.default_rng(seed)
        count = int(generator.choice([12, 40, 150]))
        truth = {"random": {name: tuple(generator.uniform(0.02, 0.98, 2)) for name in "abcd"}}
        plan, numbers = made_up(truth, count, seed)
        plan = replace(plan, paired=paired)
        for own in numbers.values():
            own["first"] = np.where(generator.random(count) < 0.3, 0.5, own["first"])
        tests, figures = run_tests(plan, numbers), estimate(plan, numbers)
        for test in tests:
            if test.second:
                contradicted += test.corrected < 0.05 and test.low <= 0 <= test.high
                assert not test.significant or (test.low > 0 if test.sign > 0 else test.high < 0)
            elif test.significant:
                shown = figures[test.first, test.group][test.measure]
                assert shown.low > 0.5 if test.sign > 0 else shown.high < 0.5
    assert contradicted > 0


def test_the_power_of_a_plan() -> None:
    plan = plan_of(games=40)
    # two variants, one pair: eleven measures, and three that lean
    assert count_tests(plan) == len(run_tests(plan, measure_all(plan, games_of(plan))[0]))
    few, small = power_sentences(plan)
    assert few.startswith("40 games per variant and player show only differences between two shares above about ")
    assert small.startswith("These are few games; 160 show ")
    assert power_sentences(plan_of(["pig"])) == []


def games_of(plan: ComparisonPlan) -> list[Played]:
    """All games of a plan, played."""
    from parlour.arena.runs.playing import play_plan

    found: list[Played] = []
    play_plan(plan.plan, Threads(1), found.extend)
    return found


# --- games worth a look ---


def test_the_games_to_look_at_are_the_longest_shortest_ordinary_and_most_dramatic() -> None:
    plan = plan_of(players=["random", "greedy"], skill=None, games=6)
    games = games_of(plan)
    found = Comparison(plan, games[::-1]).notable
    assert found == Comparison(plan, games).notable
    assert [game.played.spec.series for game in found[::4]] == [series.key for series in plan.plan.series]
    for series in plan.plan.series:
        own = [one for one in games if one.spec.series == series.key]
        by_reason = {game.reason: game for game in found if game.played.spec.series == series.key}
        assert list(by_reason) == ["shortest", "typical length", "longest", "most dramatic"]
        lengths = sorted(one.plies for one in own)
        assert [by_reason[reason].played.plies for reason in list(by_reason)[:3]] == [
            lengths[0],
            lengths[2],
            lengths[-1],
        ]
        assert by_reason["most dramatic"].drama == max(one.numbers["drama"] for one in own)


def test_games_that_were_cut_are_neither_the_shortest_nor_the_longest() -> None:
    lengths = [500, 12, 500, 30, 500]
    assert notable_lengths(lengths, [True, False, True, False, True]) == {"shortest": 1, "cut at max_plies": 4}
    assert notable_lengths([500] * 3, [True] * 3) == {"cut at max_plies": 2}
    assert notable_lengths([8] * 3, [False] * 3) == {"typical length": 1}
    assert notable_lengths([7, 9, 8], [False] * 3) == {"shortest": 0, "typical length": 2, "longest": 1}


def test_without_drama_none_is_the_most_dramatic() -> None:
    plan = plan_of(["pig"], skill=None, measures=["plies"])
    assert [game.reason for game in Comparison(plan, games_of(plan)).notable] == [
        "shortest", "typical length", "longest"
    ]  # fmt: skip


# --- from Python ---


def test_compare_from_python(tmp_path: Path) -> None:
    result = compare(
        "pig-v0", variants=["pig", {"variant": "pig", "goal": 20}], players=["random", "greedy"],
        skill=("random", "greedy"), games=10, goal=12, folder=tmp_path / "run",
    )  # fmt: skip
    figures, tests, games = result.figures, result.tests, result.games
    assert len(games) == 2 * 3 * 10
    assert set(games["variant"]) == {"pig", "pig:goal=20"}
    one = figures[(figures.variant == "pig") & (figures.players == "random") & (figures.measure == "plies")].iloc[0]
    own = games[(games.variant == "pig") & (games.player_0 == "random") & (games.player_1 == "random")]
    assert one.estimate == pytest.approx(own["plies"].mean())
    assert one.n == 10
    of_pig = figures[(figures.variant == "pig") & (figures.players == "random")]
    drawn = of_pig[of_pig.measure == "undecided"].iloc[0]
    assert (drawn.estimate, drawn.unit) == (100 * (own["winner"] < 0).mean(), "%")
    assert drawn.estimate == own["undecided"].mean()
    assert set(tests[tests.measure == "undecided"].unit) == {"points"}
    assert (games.event_held + games.event_turn_lost <= games.plies).all()
    assert set(tests.players) == {"random", "greedy", "greedy against random"}
    assert len(result.test_results) == len(tests)
    for name in ("report.html", "results.csv", "tests.csv", "journal.jsonl", "config.json"):
        assert (tmp_path / "run" / name).stat().st_size
    assert (result.report(tmp_path / "again")).read_text() == (tmp_path / "run" / "report.html").read_text()
    assert "<table>" in result._repr_html_()
    lines = str(result).splitlines()
    assert len(lines) <= 25
    assert max(map(len, lines)) <= 80
    assert any(line.startswith("  goal=20") for line in lines)
    assert f" {MEASURES['plies'].kind.show(one.estimate, 2)} " in "\n".join(lines)
    assert "Played by random, a weak player. 10 games of each variant: " in " ".join(str(result).split())
    assert "pig:goal=20" in result.summary_plot()


@pytest.mark.parametrize(("game", "thrown"), [("acey_ducey", True), ("checkers", False)])
def test_the_seat_that_begins_is_the_one_that_acts_first(game: str, thrown: bool, tmp_path: Path) -> None:
    """As the journal has it. Fairness is asked of it where it is not always the first seat."""
    folder = tmp_path / "run"
    ask: dict[str, Any] = {"players": ["random"], "skill": None, "games": 12, "variants": [find(game).variants[0].name]}
    result = compare(f"{game}-v0", folder=folder, workers=Threads(1), **ask)
    lines = [json.loads(line)["index"] for line in (folder / JOURNAL).read_text().splitlines()]
    began = [
        int(next(replay(record, "the game")).agent_selection.removeprefix("player_")) for _, record in read_run(folder)
    ]
    assert len(set(began)) == 1 + thrown
    (numbers,) = result.numbers.values()
    for number, one in enumerate(sorted(result._played, key=lambda one: lines.index(one.spec.index))):
        assert one.begins == began[number]
        own, other = one.returns[one.begins], one.returns[1 - one.begins]
        assert numbers["seat_that_begins"][one.spec.index] == (0.5 if one.truncated or own == other else own > other)
    asked, other = ("seat_that_begins", "first_seat") if thrown else ("first_seat", "seat_that_begins")
    assert {test.measure for test in result.test_results} & {asked, other} == {asked}
    assert result.plan.fairness == asked
    assert ("begins" in str(result).split("─")[0]) == thrown
    page = (folder / REPORT).read_text(encoding="utf-8")
    assert all(one.title in page for one in result.plan.measures if one.key in (asked, other))
    again = compare(f"{game}-v0", folder=folder, workers=Threads(1), **ask)
    assert again.figure_rows() == result.figure_rows()


def test_functions_are_compared_by_names_of_their_own() -> None:
    def first(observation: Any, mask: Any) -> Any:
        return mask.argmax(axis=1)

    named = {"first": first, "greedy": "greedy"}
    result = compare("pig-v0", players={"first": first}, skill=named, games=4, goal=6, max_plies=40)
    assert {group.title for group in result.plan.groups} == {"first", "greedy against first"}
    assert {group.series for group in result.plan.groups} == {EVEN, SKILL}


def test_a_comparison_takes_more_games_variants_and_players(tmp_path: Path) -> None:
    def play(variants: list[str], players: list[str], games: int, folder: str, **more: Any) -> Any:
        return compare(
            "pig-v0", variants=variants, players=players, games=games, goal=9, folder=tmp_path / folder, **more
        )

    play(["pig"], ["random"], 4, "run", skill=None)
    larger = (["pig", "strict"], ["random", "greedy"], 8)
    grown = play(*larger, "run", skill=("random", "greedy"))
    whole = play(*larger, "whole", skill=("random", "greedy"))
    assert str(grown.figure_rows()) == str(whole.figure_rows())
    with pytest.raises(ValueError, match="they can grow, but not shrink"):
        play(["pig"], ["random"], 8, "run", skill=("random", "greedy"))
