"""Matches as .mat and .sgf: read as other programs write them, and written so that nothing is lost on the way back."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.interfaces.game_record import GameRecord
from parlour.records import read_records, write_records
from parlour.records.files import each_game
from parlour.records.replaying import replay
from tests.support.games import begun
from tests.support.pages import data_of

MATCH = """; [Site "At home"]
; [EventDate "2026.11.27"]

 5 point match

 Game 1
 Ann Other : 0                  Bob : 0
  1)                             21: 13/11 24/23
  2) 65: 24/13                   43: 24/20 13/10
  3)  Doubles => 2                Drops
      Wins 1 point

 Game 2
 Ann Other : 1                  Bob : 0
  1) 61: 13/7 8/7                32: 24/21 13/11
  2) 53: 13/9 24/21              44: 8/4* 8/4 6/2 6/2

 Game 3
 Ann Other : 1                  Bob : 0
  1) 33: 24/21(2) 13/10(2)       62: 24/18 13/11
  2) 61: 13/7*
"""
SGF = """(;FF[4]GM[6]AP[GNU Backgammon:1.07.001]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[Bob]DT[2026-11-27]RE[W+2R]
;W[31hefe]A[0][hefe E ver 3 0.5]
;B[double]C[Too early: \\[sic\\]]
;W[take]
;B[65aggl](;W[21xwmk])(;W[21fefd]))
(;FF[4]GM[1]SZ[19];B[pd])
(;GM[6]PW[Ann]PB[Bob]AE[a:x]AW[aabb]AB[xx];W[31hefe])
"""


def games_in(text: str, ending: str) -> list[Any]:
    """The games of a text."""
    return list(each_game(text, "a", ending))


def test_a_match_is_read_game_by_game() -> None:
    first, second, third = games_in(MATCH, ".mat")
    assert first.record.players == ["Ann Other", "Bob"]
    assert first.record.tags == {
        "Site": "At home", "Date": "2026.11.27", "Match": "5 point match", "Score": "0-0", "Result": "1-0",
        "Points": "1",
    }  # fmt: skip
    assert (first.record.end, first.record.result()) == ("", [1.0, -1.0])
    assert (second.record, second.line) == (None, 16)
    assert second.reason.startswith("White, 53: 13/9 can't be played: 4 is not among the numbers to play: 5 3")
    assert third.record.moves[:4] == ["24/21", "24/21", "13/10", "13/10"]
    assert third.record.options["opening"] == "throw"


def test_cube_and_result_are_told_where_they_stood() -> None:
    (first, _, _), (game, *_) = games_in(MATCH, ".mat"), games_in(SGF, ".sgf")
    assert "without it" in first.notes[0]
    assert first.record.comments == {len(first.record.moves): "White: Doubles => 2. Black: Drops."}
    assert game.record.comments == {2: "Black: Doubles. Too early: [sic] White: Takes.", 6: "Black: Resigns."}
    assert (game.record.tags["Result"], game.record.tags["Points"]) == ("1-0", "2")


def test_the_first_variation_of_sgf_is_read_and_other_games_are_refused() -> None:
    game, go, set_up = games_in(SGF, ".sgf")
    assert game.record.moves == ["8/5", "6/5", "24/18", "18/13", "24/23", "13/11"]
    assert (go.line, go.reason) == (6, "GM[1] is another game; that of backgammon is 6")
    assert (set_up.line, set_up.reason) == (7, "it begins at a position that was set up; only whole games are read")


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("  2) 65: 24/14", "White, 65: '24/14' is no move"),
        ("  2) 65:", "White plays nothing with 65"),
        ("  2) 65: 24/18", "White plays 24/18 with 65, after which"),
        ("  2) nonsense", "'nonsense' is no turn"),
        ("  2) 65: 24/13 hm", "'hm' is no turn"),
        ("  2)                             43: 24/20", "Black plays 43: twice in a row"),
        ("  2) 77: 24/13", "'77: 24/13' is no turn"),
    ],
)
def test_what_can_not_be_played_is_told_with_its_line(line: str, reason: str) -> None:
    text = MATCH.replace("  2) 65: 24/13                   43: 24/20 13/10", f"{line}\n  3) 21: 6/4 24/23")
    first = games_in(text, ".mat")[0]
    assert first.record is None
    assert reason in first.reason
    assert first.line in (8, 9, 10)


def test_a_turn_behind_the_end_is_refused() -> None:
    """And a seat that can't move has a gap, which some programs fill with words."""
    record = played("hyper", 3)
    text = written([record], ".mat")
    assert games_in(text, ".mat")[0].record.end == record.end
    last = text.rstrip().splitlines()
    more = "\n".join([*last[:-1], " 99) 21: 6/4 24/23", last[-1], ""])
    assert "comes after the end" in games_in(more, ".mat")[0].reason
    gap = re.sub(r"([1-6]{2}):(?=\s{3}|\n)", r"\1: Cannot Move ", text)
    assert games_in(gap, ".mat")[0].record.moves == record.moves


def played(variant: str, seed: int, **options: Any) -> GameRecord:
    """A game of random moves."""
    env, rng = parlour.make("backgammon-v0", variant=variant, **options).unwrapped, random.Random(seed)
    env.reset(seed=seed)
    while not env.is_over():
        env.step(int(rng.choice(env.games.action_mask[0].nonzero()[0])))
    record: GameRecord = env.record(["Ann", "Bob"])
    return record


def written(records: list[GameRecord], ending: str) -> str:
    """Records in a game's own form."""
    return str(parlour.envs.backgammon_v0.raw_env().game.record_form(ending).write_games(records, replay))


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_what_is_written_is_read(ending: str, tmp_path: Path) -> None:
    records = [played(variant, seed) for variant in parlour.variants("backgammon-v0") for seed in range(2)]
    records += [played("standard", 7, opening="throw", gammons="single"), played("standard", 8, max_plies=31)]
    write_records(tmp_path / f"a{ending}", records)
    for found, record in zip(read_records(tmp_path / f"a{ending}", strict=True), records, strict=True):
        assert (found.moves, found.end, found.returns) == (record.moves, record.end, record.returns)
        assert (found.variant, found.options, found.players) == (record.variant, record.options, record.players)
        *_, last = replay(found, "here")
        assert last.is_over()


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_a_match_survives_both_forms(ending: str) -> None:
    records = [game.record for game in games_in(MATCH, ".mat") if game.record]
    again = [game.record for game in games_in(written(records, ending), ending)]
    for found, record in zip(again, records, strict=True):
        assert (found.moves, found.players, found.options) == (record.moves, record.players, record.options)
        assert {**record.tags, **found.tags} == record.tags
        assert {"Score", "Match"} <= set(found.tags)


@pytest.mark.parametrize("ending", [".mat", ".sgf"])
def test_odd_tags_of_a_record_do_no_harm(ending: str) -> None:
    """Records come from files that people exchange."""
    odd = {"Points": "x", "Score": "many-few", "Match": "x\n Game 7\n", "Event": 'a"]\n Game 9\n]', "a b\n Game 3": "c"}
    record = replace(played("hyper", 3), tags=odd)
    (game,) = games_in(written([record], ending), ending)
    assert (game.record.moves, game.record.returns) == (record.moves, record.returns)
    assert game.record.tags["Score"] == "0-0"


def test_only_whole_games_are_written() -> None:
    env = begun("backgammon-v0", position="4HPwATDgc/ABMA")
    for ending in (".mat", ".sgf"):
        with pytest.raises(ValueError, match="game 1: this form has whole games alone"):
            written([env.record()], ending)


@pytest.mark.parametrize(
    "text", ["", "hello", " Game 1\n", "(;GM[6])", "(" * 5000, ";B[31]" * 2000, " Game 1\n" * 3000]
)
def test_odd_files_are_read_or_refused(text: str) -> None:
    for ending in (".mat", ".sgf"):
        try:
            games = games_in(text, ending)
        except ValueError as error:
            assert "no game of backgammon" in str(error)
        else:
            assert all(game.record is not None or game.reason for game in games)


@pytest.mark.parametrize("much", [" ", ": 1 ", "\t:", "a"])
def test_a_line_of_names_is_read_once(much: str) -> None:
    """Not again from each of its characters, which would take hours."""
    text = f" Game 1\n a : {(1 << 19) * much}  b : 0\n  1) 31: 8/5 6/5\n"
    (game,) = each_game(text, "match", ".mat")
    assert game.record is not None or len(game.reason) < 200


def test_names_are_read_with_their_scores() -> None:
    """They may have colons; with one name alone nobody knows the other."""
    for line, names, score in (
        (" a:b : 3    c d : -4  ", ["a:b", "c d"], "3--4"), ("a : 5", ["a", "?"], "5-0"),
        ("a:1 b:2 c:3", ["a", "b:2 c"], "1-3"),
    ):  # fmt: skip
        (game,) = each_game(f" Game 1\n{line}\n  1) 31: 8/5 6/5\n", "match", ".mat")
        assert game.record is not None
        assert (game.record.players, game.record.tags["Score"]) == (names, score)


def test_a_limit_of_plies_holds() -> None:
    with pytest.raises(ValueError, match="more than 3 plies"):
        list(each_game(MATCH, "a", ".mat", 3))


def test_they_are_replayed_and_served(run: Any, tmp_path: Path) -> None:
    path = tmp_path / "match.mat"
    path.write_text(MATCH)
    ran = run("replay", path, "--quiet")
    assert ran.status == 1
    assert "13/9 can't be played" in ran.err + ran.out
    assert run("replay", path, "--out", tmp_path / "match.html").status == 1
    assert "Doubles" in str(data_of((tmp_path / "match.html").read_text(encoding="utf-8"))["games"])
