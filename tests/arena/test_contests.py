"""Matches and tournaments: every pairing in both seats with the same dice, the same on any number of threads, and the
same again after a stop."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.arena import Threads, compare, match, tournament
from parlour.arena.matches.contests import plan_contest, standings
from parlour.arena.runs.journal import JOURNAL
from parlour.arena.setting.plans import Played
from parlour.interfaces.registry import find
from parlour.players import parse_player

ACEY = "acey_ducey-v0"


def test_every_game_is_in_the_journal_as_soon_as_it_is_told(tmp_path: Path) -> None:
    def look(games: list[Played]) -> None:
        lines = (tmp_path / "journal.jsonl").read_text().splitlines()
        assert {played.spec.index for played in games} <= {json.loads(line)["index"] for line in lines}

    match(ACEY, "greedy", "random", games=10, folder=tmp_path, on_played=look)


def test_a_match_counts_what_was_played() -> None:
    specs: list[Any] = []
    made = match(ACEY, "greedy", "random", games=31, seed=2, on_played=specs.extend)
    assert made.games == len(specs) == 32
    assert made.wins + made.draws + made.losses == 32
    assert made.score.count == 16
    assert made.score.value == pytest.approx((made.wins + made.draws / 2) / 32)
    assert made.score.low > 0.5
    assert made.seated[0].count == made.seated[1].count == 16
    assert str(made).startswith("greedy against random: +")


def first_legal(observation: Any, mask: Any) -> Any:
    return mask.argmax(axis=1)


def test_functions_and_objects_play() -> None:
    lists = match(ACEY, first_legal, parse_player("random"), games=10)
    assert (lists.first, lists.second) == ("first_legal", "random")
    by_name = tournament(ACEY, {"mine": first_legal, "random": "random"}, games=10)
    (made,) = by_name.scores
    assert (made.wins, made.losses) == (lists.wins, lists.losses)


def test_a_function_plays_every_seat_that_is_its_own() -> None:
    """Of four seats it has two: the games are those of an object that does the same."""

    class FirstLegal:
        name = "first"

        def choose(self, view: Any, row_mask: Any, actions: Any) -> None:
            actions[row_mask] = view.action_mask[row_mask].argmax(axis=1)

    def first(observation: Any, mask: Any) -> Any:
        return mask.argmax(axis=1)

    games: list[list[Played]] = [[], []]
    for told, player in zip(games, (FirstLegal(), first)):
        match(
            "crown_and_anchor-v0", player, "random", games=4, workers=Threads(1), rounds=5, max_plies=100,
            on_played=told.extend,
        )  # fmt: skip
    by_object, by_function = (sorted(told, key=lambda played: played.spec.index) for told in games)
    assert by_function == by_object


def test_a_player_that_fails_is_named_with_its_games_and_the_games_before_are_kept(tmp_path: Path) -> None:
    calls = 0

    def tires(observation: Any, mask: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls > 9:
            raise KeyError("tired")
        return mask.argmax(axis=1)

    with pytest.raises(ValueError, match=r"'pig: tires against random', (one of the games|game) .*: KeyError: 'tired'"):
        match("pig-v0", tires, "random", games=2000, goal=9, workers=Threads(1), folder=tmp_path / "run")
    assert (tmp_path / "run" / JOURNAL).read_bytes().count(b"\n") > 0


def test_a_player_may_be_given_a_name() -> None:
    result = match("pig-v0", {"mine": "greedy"}, {"yours": parse_player("random")}, games=4, goal=9)
    assert (result.first, result.second) == ("mine", "yours")
    with pytest.raises(ValueError, match="give one player by a name of your own"):
        match("pig-v0", {"mine": "greedy", "yours": "random"}, "random", games=4)


def test_players_that_are_always_the_same_are_found_out(tmp_path: Path) -> None:
    """A function that is said to be random and is not: its games are the same, and count once."""

    def first(observation: Any, mask: Any) -> Any:
        return mask.argmax(axis=1)

    def last(observation: Any, mask: Any) -> Any:
        return mask.shape[1] - 1 - mask[:, ::-1].argmax(axis=1)

    first.deterministic = last.deterministic = False  # type: ignore[attr-defined]
    result = match("agon-v0", first, last, games=20, max_plies=30)
    assert (result.games, result.duplicates) == (2, 18)
    assert "18 of 20 games are the same as others, move for move, and are not counted" in result.notes[0]
    compared = compare("agon-v0", variants=["classic"], players={"first": first}, skill=None, games=20, max_plies=30)
    assert {row["n"] for row in compared.figure_rows() if row["measure"] == "undecided"} == {1}
    assert "19 of 20 games are the same" in compared.notes[0]
    opened = match("agon-v0", first, last, games=200, max_plies=30, openings="random:1")
    assert 2 < opened.games == 200 - opened.duplicates < 100
    assert match("agon-v0", first, "random", games=20, max_plies=30).games == 20
    sprt = match("agon-v0", first, last, games=200, max_plies=30, sprt=(0, 100))
    assert sprt.sequential is not None
    assert (sprt.sequential.verdict, sprt.games) == ("continue", 2)


def test_an_object_is_copied_for_each_task() -> None:
    """Search players remember their trees, which would depend on who plays what first."""
    mcts = parse_player("mcts:10")
    by_name = match(ACEY, "mcts:10", "random", games=8, workers=Threads(1))
    made = match(ACEY, mcts, "random", games=8, workers=Threads(3))
    assert (made.wins, made.losses) == (by_name.wins, by_name.losses)


def test_what_a_function_does_wrong_is_raised() -> None:
    players = {"forbidden": lambda seen, mask: mask.argmin(axis=1), "random": "random"}
    with pytest.raises(parlour.IllegalMove, match="player 'forbidden' can't play action"):
        tournament(ACEY, players, games=2)


def test_a_tournament_rates_the_stronger_higher() -> None:
    made = tournament(ACEY, ["random", "greedy", "mcts:30"], games=20)
    assert set(made.names) == {"random", "greedy", "mcts:30"}
    assert made.names[-1] == "random"
    ratings = [rating.value for rating in made.ratings.values()]
    assert ratings == sorted(ratings, reverse=True)
    assert sum(ratings) == pytest.approx(0, abs=1e-6)
    assert made.ratings["random"].value == min(ratings)
    assert [(each.first, each.second) for each in made.scores] == [
        ("random", "greedy"), ("random", "mcts:30"), ("greedy", "mcts:30"),
    ]  # fmt: skip
    assert standings(made.scores, made.rungs) == made
    assert len(str(made).splitlines()) == 3 + 2 * 3  # a player, a pairing in two lines


def test_a_field_is_played_against_alone() -> None:
    made = tournament(ACEY, ["greedy"], field=["random", "mcts:5"], games=4)
    assert {(each.first, each.second) for each in made.scores} == {("greedy", "random"), ("greedy", "mcts:5")}


def test_pairings_have_dice_of_their_own() -> None:
    named = {name: name for name in ("random", "greedy", "mcts:5")}
    plan = plan_contest(find(ACEY), named, [], 4, None, 0, {})
    seeds = {spec.seed for series in plan.series for spec in series.specs()}
    assert len(seeds) == 6


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((["greedy"],), "two players or more are needed"),
        ((["greedy", "greedy"],), "players: every player must have a name of its own"),
        (("greedy",), "players are a list of names"),
        ((["greedy", "nobody"],), "there is no player 'nobody'"),
        ((["greedy", "mcts:0"],), "mcts takes 1 to"),
        (({"a": 3, "b": "random"},), "player 'a': 3 is not valid; valid: a player's name"),
    ],
)
def test_what_is_not_valid_is_refused(arguments: Any, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        tournament(ACEY, *arguments, games=2)


def test_other_wrong_arguments() -> None:
    with pytest.raises(ValueError, match="games must be a whole number from 1 up, not 0"):
        match(ACEY, "greedy", "random", games=0)
    with pytest.raises(ValueError, match="not 'greedy' against itself"):
        match(ACEY, "greedy", "greedy")
    with pytest.raises(ValueError, match="all players are in the field"):
        tournament(ACEY, [], field=["greedy", "random"])
    with pytest.raises(ValueError, match="'parlour'"):
        match(ACEY, "greedy", "random", variant="parlour")
    with pytest.raises(ValueError, match="threads must be a whole number from 1 to 1024, not 0"):
        Threads(0)
