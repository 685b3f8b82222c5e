"""An atlas: policies, what is read off replayed games, its plan, its page, and what it finds where nothing or a planted
effect is to be found."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import msgspec
import numpy as np
import pytest

import parlour
from parlour.arena import Threads, compare
from parlour.arena import atlas_page as page
from parlour.arena.atlas_page import add_again, found_again, read_table
from parlour.arena.atlases import Atlas, added_tests, decided_more, make_atlas, slopes
from parlour.arena.measures import EVEN
from parlour.arena.measures.of_atlas import OF_ATLAS, clustered
from parlour.arena.measures.outcomes import FIRST_SEAT
from parlour.arena.reporting.report import csv_of
from parlour.arena.setting.plans import Group
from parlour.arena.setting.rulesets import read_ruleset, read_rulesets
from parlour.arena.statistics import Estimate
from parlour.arena.study import atlas as policies
from parlour.arena.study.atlas import (
    Followed,
    log_odds_lost,
    luck_share,
    piece_planes,
    settled,
    turned,
    without_one,
    worth,
)
from parlour.arena.study.atlas_plan import AtlasPlan, default_plan, networks_of, read_plan
from parlour.arena.study.findings import Test
from parlour.engine.view import GamesView
from parlour.interfaces.registry import find, register
from parlour.players.names import parse_player
from parlour.players.soft import Soft, softened
from parlour.players.value import new_network, save
from parlour.players.value_players import ValuePlayer
from parlour.support.files import UNFINISHED
from parlour.support.locks import LOCK, locked
from tests.support.command_line import Run, check_error

CHECKERS, SWORDS, AGON = "checkers-v0", "swords_and_shields-v0", "agon-v0"
SMALL = {
    "games": 4, "openings": 4, "plies": 2, "positions": 8, "fitted": 4, "trace": "mcts:1", "doublings": 1,
    "examined": "expectimax:1",
}  # fmt: skip


def plan_of(**changes: Any) -> AtlasPlan:
    """A small plan over two variants of Checkers, cut at 40 plies."""
    short = [{"variant": name, "name": name, "max_plies": 40} for name in ("american", "openspiel")]
    players = {"one": "expectimax:1", "two": "expectimax:2"}
    return AtlasPlan(
        **{"game": CHECKERS, "variants": short, "players": players, "softened": ["one"], **SMALL, **changes}
    )


# --- policies ---


def test_entropy_distance_and_agreement_of_known_policies() -> None:
    uniform, sure, other = np.array([[0.25] * 4]), np.array([[1.0, 0, 0, 0]]), np.array([[0, 1.0, 0, 0]])
    assert policies.entropy(uniform).tolist() == [2.0]
    assert policies.entropy(sure).tolist() == [0.0]
    assert policies.distances(sure, other).tolist() == [1.0]
    assert policies.distances(uniform, uniform).tolist() == [0.0]
    halves = np.array([[0.5, 0.5, 0, 0]])  # JSD(sure, halves) = H(¾, ¼) − ½ bit
    known = -0.75 * np.log2(0.75) - 0.25 * np.log2(0.25) - 0.5
    assert policies.distances(sure, halves)[0] == pytest.approx(known**0.5)
    values, turned_round = np.array([[0.3, 0.3, 0.1, np.nan]]), np.array([[0.1, 0.5, 0.2, 0.0]])
    assert policies.agree(values, turned_round).tolist() == [True]
    assert policies.lost(values, turned_round).tolist() == [0.0]
    assert policies.lost(turned_round, np.array([[0.4, np.nan, 0.1, 0.2]])).tolist() == [np.inf]
    assert policies.lost(turned_round, np.array([[0.4, 0.1, 0.1, 0.2]]))[0] == pytest.approx(0.3)


def test_a_map_keeps_distances_that_fit_in_a_plane() -> None:
    points = np.array([[0.0, 0], [3, 0], [0, 4], [1, 1]])
    between = np.linalg.norm(points[:, None] - points, axis=2)
    placed = policies.plane_of(between)
    assert np.linalg.norm(placed[:, None] - placed, axis=2) == pytest.approx(between)
    assert policies.plane_of(np.array([[0.0, 2], [2, 0]])).shape == (2, 2)


def test_actions_are_worth_what_a_search_finds_after_them() -> None:
    """Each value is that of a search of the position after the action, a ply less deep, by itself."""
    game, env = find(CHECKERS), parlour.make(CHECKERS, variant="american")
    env.reset(seed=1)
    for _ in range(6):
        env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    view = env.unwrapped.games
    player = parse_player("soft:0.1:expectimax:3", game)
    assert isinstance(player, Soft)
    values = player.player.action_values(GamesView(view), np.array([0]))[0]
    seat, legal = int(view.to_act[0]), np.flatnonzero(view.action_mask[0])
    assert np.flatnonzero(~np.isnan(values)).tolist() == legal.tolist()
    for action in legal.tolist():
        twin = env.unwrapped.clone()
        twin.step(action)
        alone = parse_player("expectimax:2", game).consider(GamesView(twin.games)).values  # type: ignore[attr-defined]
        assert values[action] == pytest.approx(alone[seat], abs=0.02)
    again = player.player.action_values(GamesView(view), np.array([0]))[0]
    assert np.array_equal(values, again, equal_nan=True)  # nothing is remembered that would change them
    policy = player.policies(GamesView(view), np.array([0]))[0]
    weights = np.exp(np.nan_to_num(values - np.nanmax(values), nan=-np.inf) / 0.1)
    assert policy == pytest.approx(weights / weights.sum())
    assert np.allclose(softened(values[None], 1e9)[0][legal], 1 / len(legal))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("soft", "no temperature"), ("soft:0.1", "a player is missing"), ("soft:-1:expectimax:2", "above 0"),
        ("soft:0.1:random", "does not value single actions"), ("soft:0.1:nobody", "no player 'nobody'"),
    ],
)  # fmt: skip
def test_what_can_not_be_softened_is_refused(name: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        parse_player(name, find(CHECKERS))


@pytest.mark.parametrize("name", ["royal_ur-v0", "crown_and_anchor-v0"])
def test_with_dice_an_action_is_worth_the_best_turn_that_it_begins(name: str) -> None:
    game, env = find(name), parlour.make(name)
    env.reset(seed=3)
    player = parse_player("champion", game)
    assert isinstance(player, ValuePlayer)
    for _ in range(30):
        view, action = GamesView(env.unwrapped.games), np.zeros(1, np.int64)
        player.choose(view, np.ones(1, np.bool_), action)
        values, turn = player.action_values(view, np.array([0]))[0], player.consider(view).values
        assert np.array_equal(np.flatnonzero(~np.isnan(values)), np.flatnonzero(view.action_mask[0]))
        assert values[action[0]] == pytest.approx(np.nanmax(values))
        assert np.nanmax(values) == pytest.approx(turn[int(view.to_act[0])])
        env.step(int(action[0]))


def test_searches_do_not_value_single_actions_with_dice() -> None:
    game, env = find("acey_ducey-v0"), parlour.make("acey_ducey-v0")
    env.reset(seed=0)
    for name in ("soft:0.1:expectimax:2", "soft:0.1:champion:2turns"):
        with pytest.raises(ValueError, match=r"single actions"):
            parse_player(name, game).choose(GamesView(env.unwrapped.games), np.ones(1, np.bool_), np.zeros(1, np.int64))


def test_openings_of_a_player_that_does_not_care_have_the_entropy_of_random_play() -> None:
    """At a boundless temperature every legal action is as likely: the first ply of Checkers has 7 actions."""
    game = find(CHECKERS)
    player = parse_player("soft:1e9:expectimax:1", game)
    assert isinstance(player, Soft)
    ruleset = read_ruleset(game, "american", {})
    one = policies.sampled_openings(game, ruleset, player, 4, 6, 5)
    entropies = np.array(one.entropies)
    assert entropies[:, 0].tolist() == pytest.approx([np.log2(7)] * 6)
    assert 2**entropies == pytest.approx(np.rint(2**entropies))
    assert entropies.shape == (6, 4)
    assert one.entropy().value == pytest.approx(entropies.sum(axis=1).mean())
    assert one.moves().value == pytest.approx(2 ** entropies.mean())
    assert one == policies.sampled_openings(game, ruleset, player, 4, 6, 5)
    assert one != policies.sampled_openings(game, ruleset, player, 4, 6, 6)
    assert policies.allowed(game, [ruleset], [*one.ends, "nonsense", ""]) == list(dict.fromkeys(one.ends))


def test_variants_that_begin_alike_are_families() -> None:
    game = find(AGON)
    rulesets = read_rulesets(game, [variant.name for variant in game.variants], {})
    found = [[rules.label for rules in family] for family in policies.families(game, rulesets)]
    assert ["classic_placing", "bell"] in found
    assert next(family for family in found if "classic" in family)[:2] == ["classic", "classic_exile"]


# --- what is read off games ---


def made_up(results: Any, counts: Any, values: Any = ()) -> list[Followed]:
    """Games that seat 0 won (1), drew (½) or lost (0), each from an opening of its own."""
    paths = values or [[]] * len(results)
    winners = [-1 if result == 0.5 else int(result < 0.5) for result in results]
    return [
        Followed(float(result), winner, counts=[np.array(own) for own in several], values=path)
        for result, winner, several, path in zip(results, winners, counts, paths)
    ]


def test_the_path_of_a_value() -> None:
    paths: list[list[float]] = [[0.1, -0.6, 0.2, 0.9], [-0.2, 0.1, -0.1, -0.3], [0.0, 0.0]]
    games = made_up([1, 0, 0.5], [[], [], []], paths)
    assert settled(games).value == pytest.approx((50 + 50) / 2)  # after plies 2 of 4, and 2 of 4
    assert turned(games).value == 50.0  # the first winner once stood at −0.6
    assert (settled(games).count, turned(games).count) == (2, 2)


def test_the_share_of_luck_that_was_planted() -> None:
    """Results are luck plus three times as much else: by definition a quarter of their variance, in 95 % of samples
    within the interval, give or take chance (three standard errors)."""
    rng, covered = np.random.default_rng(1), 0
    for _ in range(100):
        luck = rng.normal(size=80)
        results = luck + np.sqrt(3) * rng.normal(size=80)
        games = [Followed(0.5, -1, points=float(one), luck=float(own)) for one, own in zip(results, luck)]
        covered += luck_share(games).covers(25.0)
    assert covered >= 88
    for seed in range(100):  # luck that explains next to nothing
        rng = np.random.default_rng(seed)
        results, luck = rng.choice([-1.0, 1.0], 60), rng.normal(size=60)
        share = luck_share([Followed(0.5, -1, points=float(one), luck=float(own)) for one, own in zip(results, luck)])
        assert share.covers(share.value)
    assert luck_share([Followed(1.0, 0)] * 20).count == 0


def test_marks_are_never_undone_in_tic_tac_toe(tmp_path: Path) -> None:
    game = register("examples.games.tic_tac_toe")
    plan = plan_of(game=game.id, variants=[game.variants[0].name], players={"me": "random"}, softened=[], doublings=0)
    made = make_atlas(plan, tmp_path, Threads(1))
    shares = [row["estimate"] for row in made.comparison.figure_rows() if row["measure"] == "irreversible"]
    assert shares == [100.0]


def test_pieces_have_the_worth_that_was_planted() -> None:
    """Results are drawn with 0.5 log odds for each man of seat 0, and 0.2 for each of seat 1."""
    game, rng = find(CHECKERS), np.random.default_rng(0)
    ruleset = read_ruleset(game, "american", {})
    planes = len(game.layout(dict(ruleset.values)).planes)
    results, counts = [], []
    for _ in range(1500):
        own, other = rng.integers(2, 12, 2)
        seen = np.zeros((2, planes), np.int64)
        seen[0, 0], seen[1, 0], seen[0, 2], seen[1, 2] = own, other, other, own
        counts.append([seen, seen])
        results.append(rng.random() < 1 / (1 + np.exp(-(0.5 * own - 0.2 * other - 1))))
    games = made_up(results, counts)
    stacked = np.concatenate([np.array(one.counts) for one in games])
    assert piece_planes(game, ruleset, stacked) == [(0, 2)]
    found = worth(game, ruleset, games)
    assert [key[1] for key in found] == [game.seat_name(0), game.seat_name(1)]
    first, second = found.values()
    assert first.value == pytest.approx(0.5, abs=0.1)  # four standard errors
    assert second.value == pytest.approx(0.2, abs=0.1)
    assert 0.05 < first.high - first.low < 0.2
    assert worth(game, ruleset, games[:5]) == {}
    alike = [replace(one, start=f"opening {k % 8}") for k, one in enumerate(games[:40])]
    assert worth(game, ruleset, alike) == {}  # eight openings are as few


def test_more_games_decided_by_the_greater_budget() -> None:
    """Of 20 games eight are decided under the greater budget alone, two under the smaller one alone: 30 points."""
    plan = plan_of(players={"champion:4": "champion:4", "other": "random", "champion:6": "champion:6"}, softened=[])
    before, after = np.repeat([1.0, 0, 1, 0], [8, 2, 4, 6]), np.repeat([0.0, 1, 1, 0], [8, 2, 4, 6])
    numbers = {("american", Group(EVEN, name, name)): {"undecided": own} for name, own in
               (("champion:4", before), ("other", 1 - after), ("champion:6", after))}  # fmt: skip
    made: Any = SimpleNamespace(numbers=numbers, plan=SimpleNamespace(labels=["american"]))
    (found,) = decided_more(plan, made)
    assert (found.variant, found.players, found.count) == ("american", "champion:6 against champion:4", 20)
    assert found.value == pytest.approx(30.0)
    assert found.low is not None
    assert found.high is not None
    assert -5 < found.low < 5  # 8 of 10 changes one way: p = 0.11
    assert 50 < found.high < 65
    numbers["american", Group(EVEN, "champion:6", "champion:6")]["undecided"] = before
    assert [one.value for one in decided_more(plan, made)] == [0.0]


@pytest.mark.parametrize(
    ("name", "numbers"),
    [
        (CHECKERS, {(0, 0): 12, (0, 1): 12, (1, 0): 0, (1, 1): 0}),
        (SWORDS, {(0, 0): 16, (0, 1): 8, (2, 1): 0}),
        (AGON, {(1, 0): 6, (1, 1): 6, (0, 0): 0}),
    ],
)
def test_every_piece_but_a_king_can_be_taken_off_the_board(name: str, numbers: dict[tuple[int, int], int]) -> None:
    game, env = find(name), parlour.make(name)
    env.reset(seed=0)
    text = env.unwrapped.position()
    ruleset = read_ruleset(game, game.variants[0].name, {})
    found = without_one(game, ruleset, text, list(numbers), [0, 1, 2, 3])
    assert {kind: len(set(texts)) for kind, texts in found.items()} == numbers


def test_a_man_less_costs_what_is_known() -> None:
    """Scores with a known difference in log odds, half of whose spread comes from the opening: the intervals cover it
    as often as they should, give or take three standard errors."""
    rng, covered = np.random.default_rng(3), 0
    known = np.log(0.68 / 0.32) - np.log(0.32 / 0.68)
    for _ in range(400):
        opening = rng.random(60)
        whole = (opening + rng.random(60) < 1.2).astype(float)  # 0.68 in all
        less = (opening + rng.random(60) < 0.8).astype(float)  # 0.32 in all
        covered += log_odds_lost(whole, less).covers(known)
    assert covered / 400 >= 0.95 - 3 * (0.95 * 0.05 / 400) ** 0.5
    assert log_odds_lost(np.ones(30), np.ones(30)).low < -0.5
    assert log_odds_lost(np.ones(5), np.zeros(5)).count == 0


def test_a_man_less_loses_games(tmp_path: Path) -> None:
    plan = plan_of(variants=["american"], games=40, openings=20, plies=6, doublings=0, players={"one": "expectimax:2"})
    made = make_atlas(plan, tmp_path, Threads(1))
    lost = [one for one in made.entries if one.measure == "removed"]
    assert [one.other for one in lost] == ["own men (Black)", "own men (White)"]
    assert lost[1].estimate.low > 0
    (by_regression,) = (one for one in made.entries if one.measure == "worth" and one.other == lost[1].other)
    assert lost[1].estimate.low < by_regression.estimate.high  # two ways to the same worth
    assert "Worth by its removal" in page.page_html(made, tmp_path)


def test_positions_of_one_opening_count_once() -> None:
    """Ten openings with ten positions each, all alike within an opening, say as much as ten positions."""
    values = np.repeat([0.0, 100, 0, 0, 100, 0, 0, 0, 100, 0], 10)
    clusters = [str(k // 10) for k in range(100)]
    found = clustered(values, clusters, 100.0)
    assert (found.value, found.count) == (pytest.approx(30.0), 10)
    assert found.high - found.low > 50


# --- the plan ---


def test_a_plan_goes_through_its_file_unchanged(tmp_path: Path) -> None:
    plan = plan_of(players={"one": "expectimax:1", "two": f"value:{tmp_path}/own.value:2"})
    shutil.copy(str(find(CHECKERS).champion), tmp_path / "own.value")
    (tmp_path / "atlas.toml").write_text(plan.toml(tmp_path), encoding="utf-8")
    assert "value:own.value:2" in plan.toml(tmp_path)
    assert read_plan(tmp_path / "atlas.toml") == plan


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("game", "not a TOML file"), ('game = "checkers-v0"', "missing required field `variants`"),
        ('game = "checkers-v0"\nvariants = ["american"]\nplayers = {a = "random"}\nplies = 3', "plies"),
        ('game = "checkers-v0"\nvariants = ["american"]\nplayers = {a = "random"}\nsoftened = ["b"]', "'b' is none of"),
        ('game = "checkers-v0"\nvariants = ["american"]\nplayers = {a = "random"}\nply = 3', "ply"),
        ('game = "checkers-v0"\nvariants = ["american"]\nplayers = {a = "random"}\nexact = "{variant}"', "no table"),
    ],
)  # fmt: skip
def test_a_plan_that_is_not_valid_is_refused(run: Run, tmp_path: Path, text: str, words: str) -> None:
    (tmp_path / "atlas.toml").write_text(text, encoding="utf-8")
    check_error(run("atlas", "--from", tmp_path / "atlas.toml"), str(tmp_path / "atlas.toml"), words)


def test_the_usual_players_are_two_networks_at_two_depths() -> None:
    plan = default_plan(find(SWORDS), "own.value", False, 1)
    assert list(plan.players) == ["champion:2", "champion:4", "second:2", "second:4"]
    assert plan.players["second:4"] == "value:own.value:4"
    assert plan.softened == ["champion:2", "second:2"]
    assert list(networks_of(plan).values()) == [["champion:2", "champion:4"], ["second:2", "second:4"]]
    assert len(networks_of(default_plan(find(SWORDS), None, True, 1))) == 1
    ur = default_plan(find("royal_ur-v0"), "x", True, 1)
    assert (list(ur.players)[1], ur.softened) == ("champion:2turns", ["champion", "second"])
    assert list(default_plan(find("crown_and_anchor-v0"), "x", True, 1).players) == ["champion", "second"]
    assert default_plan(find("pig-v0"), None, True, 1).players == {"mcts:5": "mcts:5", "greedy": "greedy"}


# --- the whole ---


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Atlas, Path]:
    """A small atlas, with its folder."""
    folder = tmp_path_factory.mktemp("atlas")
    made = make_atlas(plan_of(), folder, Threads(1))
    page.write_atlas(folder, made)
    return made, folder


def test_the_lock_of_a_run_is_none_of_the_files_of_an_atlas(small: tuple[Atlas, Path]) -> None:
    made, folder = small
    (folder / LOCK).touch()
    named = {line.split("  ")[1] for line in page.digests(folder, made).splitlines()}
    (folder / LOCK).unlink()
    assert "index.html" in named
    assert LOCK not in named


def test_an_atlas_has_its_files_and_goes_on_where_it_was_stopped(small: tuple[Atlas, Path]) -> None:
    made, folder = small
    names = {file.name for file in folder.iterdir()}
    assert names == {
        "atlas.toml", "index.html", "results.csv", "tests.csv", "measures.csv", "games.html", "CITATION.cff",
        "digests.txt", "plots", "work",
    }  # fmt: skip
    told: list[str] = []
    again = make_atlas(plan_of(), folder, Threads(1), told.append)
    assert told == ["games"]  # everything else is kept; the games are checked
    assert again.entries == made.entries
    told.clear()
    part = folder / "work" / "softening.json"
    left = [folder / f"{UNFINISHED}1-index.html", part.with_name(f"{UNFINISHED}1-softening.json")]
    for file in left:
        file.touch()  # as a killed process leaves it
    edited = json.loads(part.read_text(encoding="utf-8"))
    edited["found"][0]["value"] = 99.0
    part.write_text(json.dumps(edited), encoding="utf-8")
    assert make_atlas(plan_of(), folder, Threads(1), told.append).entries == made.entries
    assert told == ["softening", "games"]  # what was changed is made again
    assert not any(file.exists() for file in left)
    told.clear()
    make_atlas(plan_of(positions=6), folder, Threads(1), told.append)
    assert "shared" in told  # of another plan


def test_the_games_of_variants_that_begin_alike_go_together(small: tuple[Atlas, Path]) -> None:
    made, _ = small
    one, other = (
        [series for series in made.comparison.plan.plan.series if series.ruleset.label == label and not series.paired]
        for label in ("american", "openspiel")
    )
    assert [spec.seed for spec in one[0].specs()] == [spec.seed for spec in other[1].specs()]
    assert one[0].openings == other[1].openings
    assert len(one[0].openings.positions) == 4
    assert made.comparison.plan.are_paired("american", "openspiel")


def test_every_source_draws_openings_of_its_own(small: tuple[Atlas, Path]) -> None:
    """Else openings would repeat from source to source, and games from them would not be independent."""
    _, folder = small
    kept = json.loads((folder / "work" / "openings.json").read_text(encoding="utf-8"))["openings"]
    first, second = (one["ends"] for one in kept.values())
    assert first != second


def test_the_page_says_for_whom_it_holds(small: tuple[Atlas, Path]) -> None:
    made, folder = small
    text = (folder / "index.html").read_text(encoding="utf-8")
    for heading in ("Who is favoured", "What each rule does", "Policies, values, skill", "Method"):
        assert heading in text
    assert all(player in text for player in ("expectimax:1", "expectimax:2"))
    assert "One network alone plays" in text  # and so no sentence calls a side favoured
    assert not [one for one in page.favoured(made)[1] if "favoured" in one.answer]
    measures = {one.measure for one in made.entries}
    assert {"opening_entropy", "moves", "distance", "agreement", "move_changed", "temperature"} <= measures
    rows = (folder / "measures.csv").read_text(encoding="utf-8").splitlines()
    assert len(rows) == len(made.entries) + 1


def test_a_side_is_favoured_only_under_two_networks_at_two_strengths(small: tuple[Atlas, Path]) -> None:
    made, _ = small
    tests = [  # no game of 40 plies is decided, so that nothing tests the first seat
        Test(FIRST_SEAT, group, ruleset.label, "", 0.001, 1, corrected=0.001)
        for ruleset in made.comparison.plan.rulesets for group in made.comparison.plan.groups if group.series == EVEN
    ]  # fmt: skip
    before, made.comparison.test_results = made.comparison.test_results, tests
    try:
        assert {one.answer for one in page.favoured(made)[1]} == {"above half under these players; not more is known"}
        four = {"a": "champion:1", "b": "champion:2", "c": "value:x:1", "d": "value:x:2"}
        made.plan, kept = plan_of(players=four, softened=[]), made.plan
        assert {one.answer for one in page.favoured(made)[1]} == {"Black is favoured"}
        made.plan = kept
    finally:
        made.comparison.test_results = before


def test_identical_rules_have_no_distance(tmp_path: Path) -> None:
    """A variant against its copy: the same games, no distance, no changed rule, no significant test."""
    copies = [{"variant": "american", "name": name, "max_plies": 30} for name in ("american", "copy")]
    made = make_atlas(plan_of(variants=copies, doublings=0), tmp_path, Threads(1))
    assert {one.value for one in made.entries if one.measure == "distance"} == {0.0}
    assert {one.value for one in made.entries if one.measure == "agreement"} == {100.0}
    assert {"opening_entropy"} < {test.measure for test in made.comparison.test_results}
    assert not any(test.significant and test.second for test in made.comparison.test_results)


@pytest.mark.hours
def test_a_variant_and_its_copy_differ_in_few_of_200_small_atlases() -> None:
    """Every test of an atlas: of games, of openings and of skill, in games of its own for each copy. At most 5 % of
    atlases claim anything, and three standard errors."""
    game, wrong = register("examples.games.tic_tac_toe"), []
    copies = [{"variant": game.variants[0].name, "name": name} for name in ("game", "copy")]
    soft = parse_player("soft:0.3:expectimax:1", game)
    assert isinstance(soft, Soft)
    for seed in range(200):
        made = compare(
            game.id, variants=copies, players=["random", "mcts:3"], skill=None, trace=("mcts:2", 2), games=20,
            seed=seed, openings="none",
        )  # fmt: skip
        sampled = {
            (rules.label, "soft"): policies.sampled_openings(game, rules, soft, 4, 20, 2 * seed + number)
            for number, rules in enumerate(made.plan.rulesets)
        }
        tests = added_tests([rules.label for rules in made.plan.rulesets], sampled, slopes(made))
        assert {test.measure for test in tests} == {"opening_entropy", "skill_slope"}
        made.add_tests([OF_ATLAS[test.measure] for test in tests], tests)
        wrong.append(any(test.significant for test in made.test_results if test.second))
    print(f"{sum(wrong)} of {len(wrong)} claim anything, with {len(made.test_results)} tests each")
    assert np.mean(wrong) <= 0.05 + 3 * (0.05 * 0.95 / 200) ** 0.5


def test_exact_values_lie_in_the_intervals(tmp_path: Path) -> None:
    """One man each in the Royal Game of Ur, solved. The first seat's score is known, and so is how much luck there is:
    a result is the value after the first throw plus luck, and these do not depend on each other."""
    options = {"variant": "finkel", "name": "one man", "men": 1}
    table = parlour.solve("royal_ur-v0", out=tmp_path / "table", men=1)
    players = {"me": f"exact:{table.table.folder}"}
    plan = plan_of(
        game="royal_ur-v0", variants=[options], players=players, softened=[], doublings=0, games=200,
        exact=str(table.table.folder),
    )  # fmt: skip
    made = make_atlas(plan, tmp_path / "atlas", Threads(1))
    (exact,) = (one.estimate for one in made.entries if one.measure == "exact")
    first = next(one for one in made.comparison.estimates.values())["first_seat"]
    env = parlour.make("royal_ur-v0", men=1).unwrapped
    starts = []
    for faces, chance in env.games.game.outcomes(4):
        env.reset(options={"dice": [list(faces)]})
        value = sum(table.value(env)) / 2
        starts.append((chance, value if env.agent_selection == "player_0" else -value))
    whole = sum(chance * value for chance, value in starts)
    assert whole == pytest.approx(sum(table.start()) / 2, abs=1e-6)
    assert exact.covers(50 * (1 + whole))
    assert exact.high - exact.low < 1e-3
    assert first.covers(exact.value / 100)
    text = page.page_html(made, tmp_path / "atlas")
    assert f"<td>{exact.value:.1f} %" in text
    share = 1 - sum(chance * (value - whole) ** 2 for chance, value in starts) / (1 - whole**2)
    luck = next(one.estimate for one in made.entries if one.measure == "luck_share")
    assert luck.covers(100 * share)
    assert luck.high - luck.low < 15


def test_the_value_of_tic_tac_toe_is_on_its_page(tmp_path: Path) -> None:
    """A draw if both play perfectly. Where there is no table for the variant nothing is said."""
    game = register("examples.games.tic_tac_toe")
    folder = str(parlour.solve(game.id, out=tmp_path / "table").table.folder)
    players = {"me": f"exact:{folder}"}
    plan = plan_of(game=game.id, variants=[game.variants[0].name], players=players, softened=[], doublings=0)

    def made_with(exact: str, name: str) -> Atlas:
        return make_atlas(msgspec.structs.replace(plan, exact=exact), tmp_path / name, Threads(1))

    made = made_with(folder, "atlas")
    assert [one.estimate for one in made.entries if one.measure == "exact"] == [Estimate(50.0, 50.0, 50.0, 1)]
    assert "<td>50.0 %" in page.page_html(made, tmp_path / "atlas")
    with pytest.raises(ValueError, match="nowhere"):
        made_with(str(tmp_path / "nowhere"), "other")
    by_variant = str(tmp_path / "{variant}")
    assert not [one for one in made_with(by_variant, "none").entries if one.measure == "exact"]
    shutil.copytree(folder, tmp_path / game.variants[0].name)
    assert [one for one in made_with(by_variant, "none").entries if one.measure == "exact"]  # the table is noticed


def test_the_command(run: Run, tmp_path: Path) -> None:
    check_error(run("atlas"), "GAME", "atlas.toml")
    with locked(tmp_path / "held"):
        check_error(run("atlas", "pig", "--out", tmp_path / "held"), tmp_path / "held", "another run (process ")
        assert [path.name for path in (tmp_path / "held").iterdir()] == [LOCK]
    check_error(run("atlas", "--quick", "--from", tmp_path / "x.toml"), "--quick")
    (tmp_path / "mine.toml").write_text(plan_of(doublings=0).toml(tmp_path), encoding="utf-8")
    ran = run("atlas", "--from", tmp_path / "mine.toml", "--out", tmp_path / "out", "--threads", 1)
    assert ran.status == 0, ran.err
    assert (tmp_path / "out" / "index.html").is_file()
    kept = json.loads((tmp_path / "out" / "work" / "openings.json").read_text(encoding="utf-8"))
    assert len(kept["openings"]) == 2
    (tmp_path / "out" / "work" / "openings.json").write_text("{}", encoding="utf-8")
    assert "openings …" in run("atlas", "--from", tmp_path / "out" / "atlas.toml", "--threads", 1).out  # made anew


def test_an_atlas_in_another_folder_has_its_networks(run: Run, tmp_path: Path) -> None:
    """It can be repeated from there."""
    players, copied = {"me": "value:plan/own.value", "small": "value:plan/other/own.value"}, tmp_path / "out"
    plan = plan_of(doublings=0, players=players, softened=[])
    (tmp_path / "plan" / "other").mkdir(parents=True)
    shutil.copy(str(find(CHECKERS).champion), tmp_path / "plan" / "own.value")
    save(new_network(find(CHECKERS), "all", 2), tmp_path / "plan" / "other" / "own.value")
    (tmp_path / "plan" / "mine.toml").write_text(plan.toml(Path("plan")), encoding="utf-8")
    assert run("atlas", "--from", tmp_path / "plan" / "mine.toml", "--out", copied, "--threads", 1).status == 0
    assert read_plan(copied / "atlas.toml").players == {
        "me": f"value:{copied}/own.value", "small": f"value:{copied}/own-2.value",
    }  # fmt: skip
    assert "softening …" not in run("atlas", "--from", copied / "atlas.toml", "--threads", 1).out


def test_an_atlas_keeps_its_second_network(run: Run, tmp_path: Path) -> None:
    second, other = tmp_path / "atlas" / "second.value", tmp_path / "other.value"
    second.parent.mkdir()
    save(new_network(find(CHECKERS), hidden=2, seed=1), second)
    save(new_network(find(CHECKERS), hidden=2, seed=2), other)
    before = second.read_bytes()
    ran = run("atlas", CHECKERS, "--out", second.parent, "--second", other)
    check_error(ran, f"{second} is another network than {other}; give another folder")
    assert second.read_bytes() == before


def test_findings_are_looked_for_in_another_atlas() -> None:
    def row(measure: str, direction: int, p: float, sign: int = 1) -> dict[str, Any]:
        own = {"measure": measure, "players": "me", "first": "a", "second": "b"}
        return {**own, "p": p, "p_corrected": p, "direction": direction, "sign": sign}

    here = [row("plies", 1, 1e-5), row("drama", -1, 1e-5, -1), row("forced", 1, 1e-5), row("branching", 0, 0.5)]
    there = [row("plies", 0, 0.04), row("drama", 1, 1e-6), row("branching", 1, 1e-6)]
    found = found_again(here, read_table(csv_of(there).encode(), "there"))
    assert found.startswith("Of 3 tests that are significant here, 1 (33 %) point the same way")
    assert found.endswith(
        "Not: drama, a below b under me (p 1e-06 there); forced, a above b under me (not tested there)."
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "no column 'measure'"),
        (b"measure,players,first,second,sign\nplies,me,a,b,1\n", "no column 'p'; a table of tests has"),
        (b"measure,players,first,second,sign,p\nplies,me,a,b,1,0.2\nplies,me,a,c,2,0.2\n", "line 3: sign is '2'"),
        (b"measure,players,first,second,sign,p\nplies,me,a,b,1,1.2\n", "line 2: p is '1.2'; valid: 0 to 1"),
        (b"measure,players,first,second,sign,p\nplies,me,a\n", "line 2: sign is None"),
        (b'measure,players,first,second,sign,p\n"plies,me', "not a CSV file"),
        (b"\xff\xfe", "not a CSV file"),
    ],
)
def test_a_damaged_table_of_tests_is_refused(
    small: tuple[Atlas, Path], tmp_path: Path, content: bytes, words: str
) -> None:
    made, folder = small
    (tmp_path / "atlas.toml").write_bytes((folder / "atlas.toml").read_bytes())
    (tmp_path / "tests.csv").write_bytes(content)
    with pytest.raises(ValueError, match=rf"tests\.csv.*{words}"):
        add_again(tmp_path / "none", tmp_path, plan_of(seed=2))
    (tmp_path / "again.csv").write_bytes(content)
    with pytest.raises(ValueError, match=rf"again\.csv.*{words}"):
        page.page_html(made, tmp_path)


def test_an_atlas_of_another_plan_is_not_the_same_again(small: tuple[Atlas, Path], tmp_path: Path) -> None:
    made, folder = small
    with pytest.raises(ValueError, match="the same seed, 1"):
        add_again(tmp_path, folder, made.plan)
    with pytest.raises(ValueError, match="another plan; it differs in 'games'"):
        add_again(tmp_path, folder, plan_of(games=8, seed=2))
    add_again(tmp_path, folder, plan_of(seed=2))
    assert "Of 0 tests that are significant here, 0 point" in page.page_html(made, tmp_path)


def test_tables_as_parquet(
    run: Run, small: tuple[Atlas, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, folder = small
    monkeypatch.setattr("parlour.arena.statistics.tables.find_spec", lambda name: None)
    check_error(run("atlas", "pig", "--parquet", "--out", tmp_path / "none"), "pyarrow", "parlour[parquet]")
    assert not (tmp_path / "none").exists()
    monkeypatch.undo()
    pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    shutil.copytree(folder, tmp_path / "all")
    page.write_atlas(tmp_path / "all", made, parquet=True)
    read = pandas.read_parquet(tmp_path / "all" / "measures.parquet")
    assert read.to_dict("records") == pandas.DataFrame([one.row for one in made.entries]).to_dict("records")
    assert len(pandas.read_parquet(tmp_path / "all" / "tests.parquet")) == len(made.comparison.test_results)


def test_one_player_and_a_game_of_four_seats(tmp_path: Path) -> None:
    """What the game can't have is left out, and said; a single player's findings are on the page."""
    copies = [{"variant": "parker", "name": name, "rounds": 2} for name in ("parker", "copy")]
    plan = plan_of(game="crown_and_anchor-v0", variants=copies, players={"me": "greedy"}, softened=[], doublings=0)
    made = make_atlas(plan, tmp_path, Threads(1))
    text = page.page_html(made, tmp_path)
    assert "<h3>Findings</h3>\n<ul>" in text
    assert "No single rule is turned off" in text
    assert not made.entries


def test_the_command_by_itself(run: Run, tmp_path: Path) -> None:
    """A game without a champion has no second network; the same command again goes on, another seed is refused."""
    quick = ("atlas", "pig", "--quick", "--out", tmp_path / "pig", "--threads", 1)
    ran = run(*quick)
    assert ran.status == 0, ran.err
    assert read_plan(tmp_path / "pig" / "atlas.toml") == default_plan(find("pig-v0"), None, True, 0)
    before = (tmp_path / "pig" / "measures.csv").read_bytes()
    assert run(*quick).status == 0
    assert (tmp_path / "pig" / "measures.csv").read_bytes() == before
    check_error(run(*quick, "--seed", 5), "seed 0, not 5")
