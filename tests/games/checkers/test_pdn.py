"""Game records as PDN: written as other programs read it, read back, and refused by line and word."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.cli import main
from parlour.players import parse_players
from parlour.records import GameRecord, read_records, record_game, replay, write_records
from parlour.records.files import each_game, parse_records, records_text
from tests.support.games import begun

GAME = "checkers-v0"
NO_COUNTS = "steps=0 king_steps=0"


def played(seed: int, players: str = "greedy,random", **options: Any) -> GameRecord:
    return record_game(parlour.make(GAME, **options), parse_players(players, 2), seed)


def played_from(position: str, *moves: str, **options: Any) -> GameRecord:
    """The record of moves from a position."""
    env = begun(GAME, position=position, illegal_move="raise", **options)
    returns = np.zeros(2)
    for move in moves:
        env.step(env.parse_move(move))
        returns += list(env.rewards.values())
    return GameRecord(
        GAME, parlour.__version__, env.variant, env.values, 0, ["a", "b"], list(moves), returns.tolist(),
        env.games.ending(0), position,
    )  # fmt: skip


def write_games(records: list[GameRecord]) -> str:
    return records_text(".pdn", records)


def read_games(text: str) -> list[GameRecord]:
    return parse_records(text, "a.pdn", ".pdn")


def read_one(text: str) -> GameRecord:
    (record,) = read_games(text)
    return record


def positions(record: GameRecord) -> list[str]:
    return [env.position() for env in replay(record, "here")]


# --- writing ---

GRAMMAR = re.compile(
    r'(?:\[\w+ "(?:[^"\\]|\\["\\])*"\]\n)+\n(?:(?:[0-9]+\.(?:\.\.)? )?[0-9]+(?:-[0-9]+|(?:x[0-9]+)+)\s)*'
    r"(?:1-0|0-1|1/2-1/2|\*)\n"
)
"""What we write, a part of PDN."""


@pytest.mark.parametrize("options", [{}, {"variant": "openspiel"}, {"draw_rule": "none", "max_plies": 41}], ids=str)
def test_round_trip(options: dict[str, Any], tmp_path: Path) -> None:
    """Records come back whole, the same moves, options, seed, end."""
    records = [played(seed, players, **options) for seed in range(5) for players in ("greedy,random", "random")]
    path = tmp_path / "games.pdn"
    write_records(path, records)
    text = path.read_text(encoding="utf-8")
    assert re.fullmatch(f"(?:{GRAMMAR.pattern}\n?)+", text)
    assert max(len(line) for line in text.splitlines() if not line.startswith("[")) <= 80
    assert read_records(path) == records
    assert any("x" in move for record in records for move in record.moves)


def test_a_game_as_text() -> None:
    """Tags, numbers of moves, a multi-jump with all its squares, the result."""
    record = played_from("B:W15,22,32:B11,1", "11x18", "18x25", "32-28", "25-30", "28-24", "30-25", max_plies=6)
    assert write_games([record]) == (
        '[Event "checkers-v0 american"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[Black "a"]\n[White "b"]\n'
        '[Result "*"]\n[GameType "21"]\n[SetUp "1"]\n[FEN "B:W15,22,32:B1,11"]\n'
        f'[Parlour "{parlour.__version__} american seed=0 draw_rule=wcdf repetition=3 repeats=draw max_plies=6"]\n\n'
        "1. 11x18x25 32-28 2. 25-30 28-24 3. 30-25 *\n"
    )


@pytest.mark.parametrize(
    ("position", "moves", "options", "result"),
    [
        ("B:W18:B14", ["14x23"], {}, "1-0"),
        ("W:W14:B9,K30", ["14x5", "30-25", "5-1", "25-22"], {"max_plies": 4}, "*"),
        ("W:W18:B14", ["18x9"], {}, "0-1"),
        ("B:WK4:BK29", ["29-25", "4-8", "25-29", "8-4"], {"repetition": 2}, "1/2-1/2"),
        ("B:W15,22,32:B11", ["11x18"], {"max_plies": 1}, "*"),
    ],
)
def test_results(position: str, moves: list[str], options: dict[str, Any], result: str) -> None:
    """`1-0` is a win of Black, who moves first; every one reads back."""
    record = played_from(position, *moves, **options)
    text = write_games([record])
    assert f'[Result "{result}"]' in text
    assert text.endswith(f" {result}\n")
    assert positions(read_one(text)) == positions(record)


def test_a_game_that_white_begins() -> None:
    text = write_games([played_from("W:W18,32:B14,1", "18x9", "1-5")])
    assert "\n1... 18x9 2. 1-5 *\n" in text
    assert '[FEN "W:W18,32:B1,14"]' in text


def test_a_text_with_words_keeps_them() -> None:
    """FEN can't hold counters, so a tag of our own does, as it was written."""
    record = played_from("B:WK4:BK29 steps=79 king_steps=79 plies=90", "29-25")
    assert record.end == "no_progress"
    assert read_one(write_games([record])) == record


def test_a_text_without_words_needs_no_tag() -> None:
    record = played_from(f"B:W18,32:B14 {NO_COUNTS}", "14x23")
    text = write_games([record])
    assert "ParlourPosition" not in text
    assert read_one(text) == record


@pytest.mark.parametrize(
    ("position", "options", "result"),
    [
        ("W:W:B1 end=no_move", {}, "1-0"),
        ("B:W32:B end=no_move", {}, "0-1"),
        ("B:WK4:BK29 king_steps=80 end=no_progress", {}, "1/2-1/2"),
        ("B:WK4:BK29 end=repetition", {}, "1/2-1/2"),
        ("B:WK4:BK29 end=max_plies", {"max_plies": 9}, "*"),
    ],
)
def test_a_game_that_is_over_where_it_begins(position: str, options: dict[str, Any], result: str) -> None:
    """It has no returns, but the result of the position."""
    record = played_from(position, **options)
    text = write_games([record])
    assert f'[Result "{result}"]' in text
    assert read_one(text) == record


@pytest.mark.parametrize(
    ("position", "moves"),
    [
        (f"B:W15,22,32:B1,11 {NO_COUNTS}", ["11x18"]),
        (f"B:W12,18,19,26,27:BK15 {NO_COUNTS}", ["15x24", "24x31"]),
    ],
)
def test_a_game_that_stops_in_a_multi_jump(position: str, moves: list[str]) -> None:
    """Its last move is the beginning of a turn; elsewhere, and in games of others, turns are whole."""
    record = played_from(position, *moves)
    text = write_games([record])
    assert read_one(text) == record
    with pytest.raises(ValueError, match="is not legal"):
        read_one(text.replace("[Parlour ", "[Other "))
    with pytest.raises(ValueError, match="is not legal"):
        read_one(text.replace(" *\n", " 32-28 *\n"))


def test_a_game_without_a_seed() -> None:
    record = replace(played(1), seed=None)
    assert read_one(write_games([record])) == record


def test_players_of_any_name() -> None:
    record = replace(played(1), players=['Smith, "Ray"', "back\\slash [x] {y} 1-0"])
    assert read_one(write_games([record])) == record


def test_what_pdn_cannot_hold_is_refused() -> None:
    for record, said in (
        (played_from("B:W15,22,32:B11 jump=11"), "multi-jump"),
        (replace(played(1), moves=["11-15", "11-15"]), "11-15"),
        (replace(played(1), returns=[1.0, 1.0]), "returns"),
        (replace(played(1), game="swords_and_shields-v0"), "swords_and_shields-v0"),
    ):
        with pytest.raises(ValueError, match=f"(?s)game 2.*{said}"):
            write_games([played(2), record])


# --- reading ---

FOREIGN = """% an archive
[Event "Match"] [Black "Wyllie, J"]
[White "Martins, R"]
[GameType "21,B,8,8,N1,0"]
[Result "1/2-1/2"]

1. 11-15 {the "Old Faithful"} 23-19! 2. 8-11 $4 22-17 (2... 24-20 3. 11-16 (3. 4-8) 20x11)
3.11-16?! 24-20 ; a comment to the end 1. 99-99
4. 16:23 27X11 5. 7x16 20x11 6. 3-7 28-24 7. 7x16 24-20 8. 16-19 25-22 1/2-1/2
"""


def test_a_game_from_elsewhere() -> None:
    """Comments, glyphs and variations are skipped; draws do not come by themselves; the result is no end of ours."""
    record = read_one(FOREIGN)
    assert record.players == ["Wyllie, J", "Martins, R"]
    assert record.options == {"draw_rule": "none", "repeats": "draw", "repetition": 0, "max_plies": 0}
    assert record.moves[:6] == ["11-15", "23-19", "8-11", "22-17", "11-16", "24-20"]
    assert "27x18" in record.moves
    assert record.moves[record.moves.index("27x18") + 1] == "18x11"
    assert (record.end, record.returns, record.position) == ("", [0.0, 0.0], "")
    assert len(positions(record)) == len(record.moves) + 1


MULTI = '[FEN "B:W15,22,32:B11,1"]\n'


@pytest.mark.parametrize("kind", ["21", "21,B,8,8,N1,0", "20"])
def test_kinds_of_game(kind: str) -> None:
    """21 is English draughts; 20 is read too."""
    assert read_one(f'[GameType "{kind}"]\n11-15 *').moves == ["11-15"]


def test_a_fen_of_the_start_is_the_start() -> None:
    assert read_one('[FEN "B:W21-32:B1-12"] 11-15 *').position == ""


def test_several_games_and_missing_results() -> None:
    text = '[Black "a"]\n1. 11-15\n[Black "b"]\n1. 11-16 *\n1. 12-16 23-19 0-1\n[Black "c"]'
    records = list(read_games(text))
    assert [record.moves for record in records] == [["11-15"], ["11-16"], ["12-16", "23-19"], []]
    assert [record.players[0] for record in records] == ["a", "b", "?", "c"]


REFUSED = [
    ("", "line 1: no game"),
    ("\n {nothing} \n", "line 1: no game"),
    ("1. 11-15\n2. 24-23 *", "line 2: '24-23' is not legal"),
    ("1. 11-15 23-19 2. 9-14\n 9-14 *", "line 2: '9-14' is not legal"),
    ("1. 11-15-19 *", "line 1: '11-15-19' is not legal"),
    (f"{MULTI}1. 11x18 *", "line 2: '11x18' is not legal"),
    (f"{MULTI}1. 1-5 *", "legal: '11x18x25'"),
    (f"{MULTI}1. 11x20x25 *", "line 2: '11x20x25' is not legal"),
    ('[FEN "B:W18:B14"]\n1. 14x23 18-15 1-0', "line 2: '18-15' comes after the end (no_move)"),
    ("1. e3-d4 *", "line 1: 'e3-d4' has no meaning"),
    ("1. 11-15 Kd4 *", "'Kd4'"),
    ("1. 11-15 2-1", "line 1: '2-1' is not legal"),
    ("1. 11-15 {never closed\n2. 3-4", "line 1: '{never' has no meaning in PDN: the comment is never closed"),
    ("1. 11-15\n(1. 9-14 *", "line 2: '(' opens a variation"),
    ("1. 11-15\n) *", "line 2: ')' has no meaning in PDN: it closes a variation"),
    ("[Event]\n1. 11-15 *", "line 1: '[Event' has no meaning"),
    ('[GameType "25"]\n*', 'line 1: GameType "25"'),
    ('\n[FEN "B:W33:B1"]\n*', "line 2: FEN 'B:W33:B1' has squares beyond 32: a game on 10 × 10 is not checkers"),
    ('[FEN "B:W21-99:B1"]\n*', "line 1: position"),
    ('\n[FEN "B:W32-21:B1"]\n*', "line 2: FEN 'B:W32-21:B1': the range '32-21' is reversed; write 21-32"),
    ('[Parlour "x"]\n*', "line 1: the tag Parlour"),
    ('[Parlour "0.1.0 american seed=0 size=3"]\n*', "line 1: the tag Parlour"),
    ('\n[Parlour "0.1.0 english seed=0"]\n*', "line 2: checkers-v0 has no variant 'english'"),
    ('\n[Parlour "0.1.0 american seed=0 repetition=1"]\n*', "line 2: option 'repetition': 1 is not valid"),
]


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_what_is_no_pdn_is_refused(text: str, said: str) -> None:
    """By line and word."""
    with pytest.raises(ValueError) as caught:
        list(read_games(text))
    assert said in str(caught.value)


# --- the command line ---


def test_replay_reads_and_writes_pdn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """To PDN and back; errors in one line."""
    lines, pdn, back = (tmp_path / name for name in ("games.jsonl", "games.PDN", "back.jsonl"))
    write_records(lines, [played(1), played(2)])
    for arguments in ([lines, "--out", pdn], [pdn, "--out", back]):
        main(["replay", "--quiet", *map(str, arguments)])
    assert back.read_bytes() == lines.read_bytes()
    assert f"{pdn}, game 2: verified".replace("\n", "") in capsys.readouterr().out.replace("\n", "")
    pdn.write_text("1. 11-15\n2. 11-15 *\n")
    with pytest.raises(SystemExit) as stop:
        main(["replay", "--quiet", str(pdn)])
    assert stop.value.code == 2
    assert f"{pdn}, line 2: '11-15' is not legal" in capsys.readouterr().err


def test_a_limit_that_depends_on_another_option_is_kept(tmp_path: Path) -> None:
    """Without a rule for draws `max_plies` is 1000 by default: a record that says 0 goes on beyond that."""
    (tmp_path / "foreign.pdn").write_text('[FEN "B:WK32:BK1"] ' + "1-6 32-27 6-1 27-32 " * 251)
    (record,) = read_records(tmp_path / "foreign.pdn")
    assert record.options["max_plies"] == 0
    assert len(record.moves) == 1004
    write_records(tmp_path / "long.pdn", [record])
    assert read_records(tmp_path / "long.pdn")[0].moves == record.moves


@pytest.mark.parametrize("much", [":H1", ":+1+1", "0", " ", "1-32,"])
def test_a_fen_that_is_far_too_long_is_refused(much: str) -> None:
    """Before anything looks for its counts, which would take hours."""
    (game,) = each_game(f'[FEN "B:W21:B1{(1 << 18) * much}x"]\n*', "games", ".pdn")
    assert "characters" in game.reason


@pytest.mark.parametrize("form", ['[{} "x"]\n*', "1. {} *", '[FEN "{}"]\n*', '[GameType "{}"]\n*', '[Parlour "{}"]\n*'])
def test_what_is_wrong_is_quoted_in_part(form: str) -> None:
    for word in (100_000 * "A", 100_000 * "-"):
        for game in each_game(form.format(word), "games", ".pdn"):
            assert len(game.reason) < 2100
            assert not game.notes or max(map(len, game.notes)) < 2100
