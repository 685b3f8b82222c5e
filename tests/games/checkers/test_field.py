"""Files of PDN as people have them (``field/README.md``): what each gives, and what is never taken for checkers."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from parlour.envs.checkers.pdn import find_games
from parlour.envs.checkers.pdn_text import game_at
from parlour.records import GameRecord, read_records, replay, write_records
from parlour.records.files import ReadGame, decoded, each_game, parse_records, records_text
from parlour.serve.library import parse_upload
from tests.support.pages import data_of

FIELD = Path(__file__).with_name("field")
STEPS = ["11-15", "23-19"]
GIVES = {
    "01_x_for_a_step": [["11-15", "23-18", "8-11", "27-23", "4-8", "23-19", "10-14", "19x10"]],
    "02_one_bad_of_three": [STEPS, "line 5: '23-20' is not legal", ["9-13", "22-18"]],
    "03_resigned": [[*STEPS, "8-11", "22-17"]],
    "04_result_glued_to_tag": [STEPS, ["11-16"]],
    "05_star_move": [STEPS],
    "06_star_inside": [[*STEPS, "8-11", "22-17"]],
    "07_leading_zeros": [["9-13", "22-18", "11-15", "18x11", "8x15"]],
    "08_spaces_in_moves": [[*STEPS, "8-11", "22-17", "4-8", "17-13"]],
    "09_tag_twice": [[], ["9-14", "22-17"]],
    "10_latin1": [STEPS],
    "11_red": [["11-15"]],
    "12_ambiguous_but_settled_by_what_follows": [["10x17", "17x26", "18-14", "26-31"]],
    "13_double_forfeit": [STEPS],
    "14_gametype_unknown": [["11-15"]],
    "15_curly_quotes": [["11-15"]],
    "16_lower_case_fen": [[]],
    "17_cr_only_upload": [[*STEPS, "8-11"]],
    "18_ten_by_ten": ['line 1: GameType "20,W,10,10,N2,0" is draughts on 10 × 10'],
    "19_prose_in_round_brackets": [[*STEPS, "8-11", "22-17"]],
}
"""For each file its games: their plies, or how the reason against one begins."""


def games_of(data: bytes) -> list[ReadGame]:
    return list(each_game(decoded(data, "a.pdn", ".pdn")[0], "a.pdn", ".pdn"))


def read_one(text: str) -> GameRecord:
    (record,) = parse_records(text, "a.pdn", ".pdn")
    return record


def reason(text: str) -> str:
    """Why the only game of a text can't be read."""
    (game,) = games_of(text.encode())
    assert game.record is None
    return game.reason


def test_every_file_is_tested() -> None:
    assert sorted(GIVES) == sorted(path.stem for path in FIELD.glob("*.pdn"))


@pytest.mark.parametrize("name", GIVES)
def test_a_file_gives_its_games(name: str) -> None:
    games = games_of((FIELD / f"{name}.pdn").read_bytes())
    assert [game.number for game in games] == list(range(1, len(GIVES[name]) + 1))
    for game, expected in zip(games, GIVES[name]):
        if game.record is None:
            assert f"line {game.line}: {game.reason}".startswith(str(expected))
        else:
            assert game.record.moves == expected
            assert len(list(replay(game.record, "here"))) == len(expected) + 1


def test_what_is_not_utf_8_is_told() -> None:
    with pytest.warns(UserWarning, match="Latin-1"):
        (record,) = read_records(FIELD / "10_latin1.pdn")
    assert record.players == ["Jörg, A.", "Beta, B."]
    assert any("Latin-1" in note for note in parse_upload((FIELD / "10_latin1.pdn").read_bytes(), "a.pdn").notes)


def test_a_game_that_cannot_be_read_is_left_out_and_told() -> None:
    with pytest.warns(UserWarning, match="1 of 3 games are left out: game 2, line 5: '23-20' is not legal"):
        records = read_records(FIELD / "02_one_bad_of_three.pdn")
    assert [record.moves for record in records] == [STEPS, ["9-13", "22-18"]]
    assert [(game.number, game.line) for game in records.left_out] == [(2, 5)]
    with pytest.raises(ValueError, match="line 5: '23-20' is not legal"):
        read_records(FIELD / "02_one_bad_of_three.pdn", strict=True)


def test_tags_without_moves_are_told() -> None:
    with pytest.warns(UserWarning, match="game 1, line 1: it has tags alone"):
        read_records(FIELD / "09_tag_twice.pdn")


# --- what a file says ---

MATCH = {
    "Event": "Match", "Site": "Town", "Date": "1905.03.15", "Round": "3", "Black": "Alpha, A.", "White": "Beta, B.",
    "Result": "1-0",
}  # fmt: skip


def test_a_resigned_game_keeps_what_its_file_says(tmp_path: Path) -> None:
    """Through PDN, JSON lines, an array and a page; the returns are those of the rules."""
    (record,) = read_records(FIELD / "03_resigned.pdn")
    assert (record.tags, record.comments) == (MATCH, {1: "a note"})
    assert (record.end, record.returns, record.result()) == ("", [0.0, 0.0], [1.0, -1.0])
    for ending in (".pdn", ".jsonl", ".json"):
        write_records(tmp_path / f"again{ending}", [record])
        assert read_records(tmp_path / f"again{ending}") == [record]
    (game,) = data_of(record.html())["games"]
    assert game["about"] == (
        "Match, Town, 1905.03.15, round 3. Black: Alpha, A., White: Beta, B.; seed 0. "
        "4 plies, Black won: resigned or agreed, the board has not ended."
    )
    assert game["label"] == "1: Alpha, A. – Beta, B., 4 plies, Black won"
    assert game["comments"] == {"1": "a note"}
    assert "a note" in game["record"]


@pytest.mark.parametrize("name", [name for name in GIVES if name != "18_ten_by_ten"])
@pytest.mark.filterwarnings("ignore")
def test_what_is_read_comes_back_whole(name: str, tmp_path: Path) -> None:
    records = read_records(FIELD / f"{name}.pdn")
    for ending in (".pdn", ".jsonl"):
        write_records(tmp_path / f"again{ending}", records)
        assert read_records(tmp_path / f"again{ending}") == records


@pytest.mark.parametrize(
    ("result", "told", "numbers"),
    [
        ("1-0", "1-0", [1.0, -1.0]), ("0–2", "0-1", [-1.0, 1.0]), ("½", "1/2-1/2", [0.0, 0.0]),
        ("0-0", "0-0", [-1.0, -1.0]), ("*", "*", None), ("", "*", None),
    ],
)  # fmt: skip
def test_told_results(result: str, told: str, numbers: list[float] | None) -> None:
    for text in (f"1. 11-15 {result}", f'[Result "{result}"]\n1. 11-15'):
        record = read_one(text)
        assert (record.tags["Result"], record.result()) == (told, numbers)


ENDED = '[FEN "B:W18:B14"]\n'


def test_a_game_that_ended_on_the_board_has_its_result_without_being_told() -> None:
    assert read_one(f"{ENDED}1. 14x23 *").result() == [1.0, -1.0]
    assert read_one(f"{ENDED}1. 14x23 0-1").result() == [-1.0, 1.0]
    assert read_one(f"{ENDED}1. 14x23 0-1").returns == [1.0, -1.0]


@pytest.mark.parametrize(
    ("text", "note"),
    [
        (f"{ENDED}1. 14x23\n0-1", "line 3: the file tells the result 0-1, but on the board it is 1-0"),
        ('[Result "1-0"]\n11-15\n0-1', "line 3: the tag Result says 1-0, behind the moves stands 0-1; the tag counts"),
        (f"{ENDED}1. 14x23 1-0", ""), (f"{ENDED}1. 14x23 *", ""), ('[Result "*"]\n1. 11-15 1-0', ""),
        ('[Result "2-0"]\n1. 11-15 1-0', ""),
    ],
)  # fmt: skip
def test_a_result_that_contradicts_is_told(text: str, note: str) -> None:
    (game,) = games_of(text.encode())
    assert list(game.notes) == ([note] if note else [])


COMMENTS = "{first} 1. {second} 11-15 ; to the end\n{and {more}} 23-19 2. 8-11 1-0 {at last} and why"


def test_comments_stand_by_plies(tmp_path: Path) -> None:
    """Also behind the result, and within a turn of several plies; variations are none."""
    record = read_one(COMMENTS)
    assert record.comments == {0: "first second", 1: "to the end and {more}", 3: "at last and why"}
    assert read_one(records_text(".pdn", [record])) == record
    record = read_one(f"{JUMPS}1. 11x18 {{half-way}} 18x25 (28-24 {{not}}) {{whole}} 32-28")
    assert record.comments == {1: "half-way", 2: "whole"}
    assert "1. 11x18x25 {half-way} {whole} 32-28 *\n" in records_text(".pdn", [record])


@pytest.mark.parametrize(
    "comment", ["}", "{", "a } b { c", '[Event "x"]', '\n[Event "x"]', "% ; ( [", "1-0", "x" * 200]
)
def test_any_comment_can_be_written(comment: str) -> None:
    record = replace(read_one(COMMENTS), comments={2: comment, 3: "c"})
    again = read_one(records_text(".pdn", [record]))
    assert (again.moves, sorted(again.comments)) == (record.moves, [2, 3])
    assert len(again.comments[2]) == len(" ".join(comment.split()))


def test_tags_of_any_kind_are_kept() -> None:
    record = read_one('[Opening "Old Faithful"]\n[BLACK "a"]\n[ECO "\\"x\\" \\\\"]\n[GameType "21"]\n1. 11-15 *')
    assert record.tags == {"Opening": "Old Faithful", "Black": "a", "ECO": '"x" \\', "Result": "*"}
    assert read_one(records_text(".pdn", [record])) == record
    with pytest.raises(ValueError, match=r"game 1: 'a b' is no name of a PDN tag"):
        records_text(".pdn", [replace(record, tags={"a b": ""})])


def test_a_comment_beyond_the_game_is_not_true() -> None:
    for ply in (-1, 3):
        with pytest.raises(ValueError, match=f"here: a comment behind ply {ply}; the game has 2"):
            list(replay(replace(read_one("11-15 23-19"), comments={ply: "x"}), "here"))


# --- where the meaning is clear ---


@pytest.mark.parametrize(
    "moves",
    [
        "1. 11-15 23-19 2. 8-11 22-17", "1) 11-15 23-19 2) 8-11 22-17", "1 11-15 23-19 2 8-11 22-17",
        "1.11–15 23—19 2.8−11 22-17", "1. 1115 2319 2. 0811 2217", "11x15 23×19 8:11 22X17",
        "1. 11 - 15 23 -19 2. 8- 11 22-17", "1. 11-15! 23-19? 2. 8-11* 22-17 $3", "1.11-15{a}23-19;b\n2.8-11(x)22-17",
        "1. 11-15 {a {b} c} 23-19 {d { e} 2. 8-11 (see (also) {this :)}) 22-17", "\ufeff1... 11-15 23-19 8-11 22-17",
    ],
)  # fmt: skip
def test_spellings_of_moves(moves: str) -> None:
    assert read_one(f"{moves} 1-0").moves == ["11-15", "23-19", "8-11", "22-17"]


@pytest.mark.parametrize(
    "result",
    ["1-0", "0-1", "1/2-1/2", "1/2", "½-½", "½", "1 - 0", "0–1", "1/2 - 1/2", "2-0", "1-1", "0-0", "*", "*\n"],
)
def test_words_for_results(result: str) -> None:
    """Each ends a game, also right before the next one's tags."""
    games = games_of(f'1. 11-15 {result}[Event "x"]\n1. 11-16 {result}'.encode())
    assert [game.record and game.record.moves for game in games] == [["11-15"], ["11-16"]]


def test_words_behind_the_last_move_are_a_remark() -> None:
    assert read_one("1. 11-15 23-19 White resigned").moves == STEPS
    assert read_one("1. 11-15 23-19 1-0 and so Black won").moves == STEPS
    assert read_one("1. 11-15 23-19 1-0 as played in 1905").moves == STEPS
    assert read_one("1. 11-15 23-19 Town, 1905").comments == {2: "Town, 1905"}
    assert "'so'" in reason("1. 11-15 so 23-19 *")
    assert "'Kd4'" in reason("1. 11-15 Kd4")


JUMPS = '[FEN "B:W15,22,32:B11,1"]\n'


@pytest.mark.parametrize(
    "move",
    [
        "11x18x25", "11x25", "11:18:25", "11:25", "11-18-25", "11-25", "11X25!", "11x18 18x25", "11-18 18-25",
        "11x18 {so} 18x25",
    ],
)  # fmt: skip
def test_spellings_of_a_multi_jump(move: str) -> None:
    assert read_one(f"{JUMPS}1. {move} 32-28 *").moves == ["11x18", "18x25", "32-28"]


def test_readings_that_survive_are_both_named() -> None:
    """What follows settles the field's file; without it the game is refused."""
    text = (FIELD / "12_ambiguous_but_settled_by_what_follows.pdn").read_text()
    said = reason(text.replace("18-14 2. 26-31", ""))
    assert said.startswith("'10x26' can mean several moves in 'B:W14,15,18,21,22,23,30:B6,7,8,10,12,13")
    assert "'10x17x26'" in said
    assert "'10x19x26'" in said


@pytest.mark.parametrize(
    "fen",
    [
        "W:W30,K31:B1-3,K4:H0:F1", "W:W30,K31:B1,2,3,K4:+1+2", "W:W030,K31,0:B01,2,3,K4,0.", "w:w30,k31:b1,2,3,k4",
        "W:B0,1-3,K4:W30,0,K31", "W:W30,K31:B1,2,3,K4.", "w:wK31,30:b1-3,K4", "W: W 30, K31: B 1, 2, 3, K4",
    ],
)  # fmt: skip
def test_spellings_of_a_fen(fen: str) -> None:
    assert read_one(f'[SetUp "1"]\n[FEN "{fen}"]\n*').position.startswith("W:W30,K31:B1,2,3,K4 ")


@pytest.mark.parametrize("fen", ["", "?", " ", "-"])
def test_no_position_told_is_the_start(fen: str) -> None:
    assert read_one(f'[FEN "{fen}"]\n1. 11-15 *').position == ""


@pytest.mark.parametrize("tag", ['[Event "a "b" c"]', "[Event “a”]", "[EVENT „a“]", '[event "a\\"b"]', '[Event ""]'])
def test_spellings_of_a_tag(tag: str) -> None:
    assert read_one(f"{tag}\n1. 11-15 *").moves == ["11-15"]


def test_an_open_bracket_behind_a_result_costs_nothing_before_it() -> None:
    games = games_of(b'1. 11-15 1-0 {never\n1. 11-16 *\n[Event "x"]\n1. 12-16 *')
    assert [game.record and game.record.moves for game in games] == [["11-15"], None, ["12-16"]]
    games = games_of(b"1. 11-15 {{a} 1-0 1. 11-16 {b {c} d} 23-19 *")
    assert [game.record and game.record.moves for game in games] == [["11-15"], ["11-16", "23-19"]]


def test_the_same_tag_again_is_no_other_game() -> None:
    """Unless it is the first one, with which another game begins."""
    assert read_one('[Event "a"]\n[Result "1-0"]\n[Result "1-0"]\n1. 11-15').tags == {"Event": "a", "Result": "1-0"}
    twice = '[Event "a"]\n[FEN "W:W32:B1"]\n'
    assert [game.record and game.record.tags["Event"] for game in games_of(2 * twice.encode())] == ["a", "a"]


def test_positions_of_files_that_name_the_wrong_game() -> None:
    """GameType 20 by mistake: four legal moves show that a position is one of checkers."""
    text = '[GameType "20"]\n[FEN "W:W27,31,19:B17,12,5"]\n1. 19-15 12-16 2. 27-23 16-19'
    assert len(read_one(text).moves) == 4
    assert "10 × 10" in reason(text.replace("16-19", ""))


def test_a_game_begins_anew_behind_what_cannot_be_read() -> None:
    """Strange words, and brackets that are never closed, cost one game."""
    for bad in ("11-15 e3-d4 23-19", "11-15 {never", "11-15 (never", "11-15 )", "99-98", "11-15 {{a}"):
        games = games_of(f'1. 11-15 *\n[Event "b"]\n1. {bad}\n\n[Event "c"]\n1. 11-16 {{d}} *'.encode())
        assert [game.record is not None for game in games] == [True, bad.endswith("}"), True], bad
        assert games[2].record.moves == ["11-16"]
        assert [game.line for game in games if game.record is None] in ([3], [])


# --- where it is not ---

OTHERS = [
    *(f'[GameType "{kind}"]\n{moves}' for kind in (
        "22", "23", "24", "25", "25,W,8,8,A0,0", "26", "27,W,12,12,N2,0", "30", "31", "40", "0", "Russian"
    ) for moves in ("*", "1. 11-15 23-19 *", "1. 22-17 11-16 *")),
    '[GameType "20"]\n1. 32-28 19-23 2. 28x19 14x23 *', '[GameType "20"]\n*',
    '[GameType "20,W,10,10,N2,0"]\n1. 11-15 *',
    '[GameType "20"]\n[FEN "W:W28,31:B12,19"]\n*', '[GameType "20"]\n[FEN "W:W28,31:B12,19"]\n1. 28-23 *',
    "1. 32-28 19-23 2. 28x19 14x23 3. 37-32 *", "1. 33-29 20-24 *", '[FEN "W:W31,K46:B5,K33"]\n*', "1. c3-d4 d6-c5 *",
    "1. 22-17 11-16 *", "1. cd4 dc5 *",
]  # fmt: skip


@pytest.mark.parametrize("text", OTHERS)
def test_other_draughts_are_never_taken_for_checkers(text: str) -> None:
    said = reason(text)
    if "32-28" in text or "33-29" in text or "10,10" in text or "K46" in text:
        assert "10 × 10" in said


# --- speed and safety ---


@pytest.mark.parametrize(
    "piece",
    ["{", "(", "{{} ", "{{} 1-0 ", '[a "', "1 ", "1-", "x", "* ", ") ", "1. ", " ", "½ ", '[Event "x"]\n{', "(1-0 "],
)
def test_the_same_again_and_again(piece: str) -> None:
    """Reading takes a time in proportion to the text: a square of it would be minutes."""
    spans = list(find_games(piece * 100_000))
    assert [span.start for span in spans[1:]] == [span.end for span in spans[:-1]]
    for span in spans[:20]:
        assert game_at(piece * 100_000, span)[1].begun
