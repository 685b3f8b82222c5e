"""Texts of positions and names of moves: envs/checkers/README.md and docs/common_rules.md."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.moves import Reading, read_move
from tests.support import texts
from tests.support.texts import play, standing

GAME = "checkers-v0"
FEN = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
ZEROS = "steps=0 king_steps=0"
ACTIONS = 128
resumed = partial(texts.resumed, GAME)


def new(**options: Any) -> GameEnv:
    env = parlour.make(GAME, illegal_move="raise", **options)
    env.reset(seed=1)
    return env


def shuffling(env: GameEnv, last: str, chance: random.Random) -> str:
    """A legal move, more often than not the one that takes ``last`` back, so that positions come again."""
    source, _, target = last.partition("-")
    back = f"{target}-{source}"
    return back if back in env.legal_moves() and chance.random() < 0.9 else chance.choice(env.legal_moves())


# --- texts of games that go on ---


@pytest.mark.parametrize(
    ("options", "end"),
    [({}, "repetition"), ({"repetition": 0}, "no_progress"), ({"variant": "openspiel"}, "no_progress"),
     ({"draw_rule": "none", "max_plies": 30}, "max_plies")],
)  # fmt: skip
def test_a_resumed_game_goes_on_as_the_original(options: dict[str, Any], end: str) -> None:
    """“whatever else the rest of the game depends on included […] (under `repetition` the earlier occurrences too)”:
    games resumed after every ninth ply go on like the original until they end with it."""
    text = "B:WK4,K12,30:BK29,K21,3 steps=20 king_steps=60"
    ends = []
    for seed in range(4):
        chance = random.Random(seed)
        games = [resumed(text, **options)]
        last = ["", ""]
        while not games[0].is_over():
            if len(last) % 9 == 0:
                games.append(resumed(games[0].position(), **options))
            last.append(shuffling(games[0], last[-2], chance))
            for env in games:
                play(env, last[-1])
                assert standing(env) == standing(games[0])
                assert env.rewards == games[0].rewards
        ends.append(games[0].position().partition(" end=")[2])
    assert end in ends


def test_text_of_the_set_up() -> None:
    """“written as side, White's squares, Black's, ascending, no full stop”; “both draw counts always”."""
    assert new().position() == f"{FEN} {ZEROS}"
    assert new(draw_rule="none").position() == f"{FEN} {ZEROS}"


def test_text_in_mid_game() -> None:
    """In one fixed order."""
    text = play(resumed("B:W15,22,32:B11,K1 steps=7"), "11x18").position()
    assert text == "B:W22,32:BK1,18 jump=18 steps=0 king_steps=0 plies=1"
    text = play(resumed("B:W32:BK1"), "1-6", "32-28").position()
    assert text.startswith("B:W28:BK6 steps=2 king_steps=0 plies=2")
    assert "seen=" not in text  # a man's move: nothing before it can come again


def test_earlier_occurrences_are_in_the_text() -> None:
    text = play(resumed("B:WK32:BK1"), "1-6", "32-28").position()
    assert text.startswith("B:WK28:BK6 steps=2 king_steps=2 plies=2 seen=")
    assert text.count(",") == 1
    assert "seen=" not in play(resumed("B:WK32:BK1", repetition=0), "1-6", "32-28").position()


@pytest.mark.parametrize(
    "text",
    [
        "B:B1,2:W21,22",
        "B:B2,1:W22,21.",
        "B:W21,22:B1,2.",
        "B:W21,22:B1,2 steps=0",
        "B:W21,22:B2,1 king_steps=0 plies=0",
        "B:W22,21:B1,2 plies=0",
    ],
)
def test_the_fen_is_read_in_any_order(text: str) -> None:
    """“read in any order, a full stop allowed”; “on reading any may be missing”."""
    assert resumed(text).position() == f"B:W21,22:B1,2 {ZEROS}"


def test_kings_and_empty_fields() -> None:
    """“`K` before a king's square”; “an empty field as the letter alone”."""
    assert resumed("W:WK2,32:BK31,K5,1").position() == f"W:WK2,32:B1,K5,K31 {ZEROS}"
    assert resumed("W:W:B1 end=no_move").position() == f"W:W:B1 {ZEROS} end=no_move"
    assert resumed("B:B:W32 end=no_move").position() == f"B:W32:B {ZEROS} end=no_move"


def test_a_text_can_be_resumed_under_another_rule() -> None:
    """Both counts are kept under every rule."""
    text = play(resumed("B:WK4,K12:BK29,K21 steps=38 king_steps=30", draw_rule="none"), "29-25").position()
    env = resumed(text, variant="openspiel")
    assert play(env, "4-8").position().endswith("end=no_progress")
    assert "end=" not in play(resumed(text), "4-8").position()


REFUSED: list[tuple[str, str]] = [
    # the FEN
    ("", "no FEN"),
    ("B", "no FEN"),
    ("B:W21", "no FEN"),
    ("B:W21:B1:W3", "no FEN"),
    ("B:W21:W22", "no FEN"),
    ("B:B21:B22", "no FEN"),
    ("B:21:1", "no FEN"),
    ("X:W21:B1", "no FEN"),
    ("b:W21:B1", "no FEN"),
    ("B:w21:b1", "no FEN"),
    ("W21:B1", "no FEN"),
    (":W21:B1", "no FEN"),
    ("B:W21:B1..", "'1.'"),
    # squares
    ("B:W0:B1", "'0'"),
    ("B:W33:B1", "'33'"),
    ("B:W021:B1", "'021'"),
    ("B:W-1:B1", "'-1'"),
    ("B:W21,:B1", "''"),
    ("B:W,21:B1", "''"),
    ("B:W21;22:B1", "'21;22'"),
    ("B:W21-24:B1", "'21-24'"),
    ("B:W２１:B1", "'２１'"),
    ("B:Wk21:B1", "'k21'"),
    ("B:WKK21:B1", "'K21'"),
    ("B:W21K:B1", "'21K'"),
    ("B:W21,21:B1", "two pieces on square 21"),
    ("B:W21:B21", "two pieces on square 21"),
    ("B:W21,K21:B1", "two pieces on square 21"),
    # “at most 12 a side, no man on its king row”
    ("B:W13,14,15,16,17,18,19,20,21,22,23,24,25:B1", "13 pieces"),
    ("B:W32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12,K13", "13 pieces"),
    ("B:W1:B9", "a man on 1"),
    ("B:W4:B9", "a man on 4"),
    ("B:W21:B29", "a man on 29"),
    ("B:W21:B32 end=no_move", "a man on 32"),
    # decided positions
    ("B:W:B1", "no pieces"),
    ("B:W21:B", "no move"),
    ("W:W21:B", "no pieces"),
    ("B:W:B end=no_move", "no pieces"),
    ("B:W:B1 end=repetition", "no pieces"),
    ("W:W12:B3,8", "no move"),
    ("W:W12:B3,8 end=repetition", "no move"),
    ("W:W12:B3,8 steps=80 king_steps=80 end=no_progress", "no move"),
    (f"{FEN} end=no_move", "end=no_move"),
    (f"{FEN} king_steps=80", "end=no_progress"),
    (f"{FEN} king_steps=80 end=repetition", "end=no_progress"),
    (f"{FEN} king_steps=81 end=no_progress", "king_steps=81"),
    (f"{FEN} king_steps=3 end=no_progress", "king_steps=3"),
    # the jump
    (f"{FEN} jump=11", "jump=11"),
    ("B:W15,22:B11 jump=15", "jump=15"),
    ("B:W15,22:B11 jump=18", "jump=18"),
    ("B:W15,22:B11 jump=0", "'0'"),
    ("B:W15,22:B11 jump=", "''"),
    ("B:W15,22:B11 jump=11,12", "'11,12'"),
    ("B:W15,22:B11 jump=11 steps=1", "steps"),
    ("B:W15,22:B11 jump=11 end=repetition", "end=repetition"),
    ("W:W12:B3,8 jump=12 end=no_move", "jump=12"),
    # words
    (f"{FEN} foo=1", "'foo=1' has no meaning"),
    (f"{FEN} king_steps=1 steps=1", "order"),
    (f"{FEN} steps=x", "steps="),
    (f"{FEN} king_steps=-1", "king_steps="),
    (f"{FEN} end=max_plies", "max_plies is 0"),
]


@pytest.fixture(scope="module")
def mid_game() -> GameEnv:
    """A game under way, the same for all texts: none of them changes it."""
    return play(new(), "11-15", "22-18", "15x22")


@pytest.mark.parametrize(("text", "said"), REFUSED)
def test_malformed_texts_are_refused(mid_game: GameEnv, text: str, said: str) -> None:
    """A ValueError that names the text and what is wrong with it; the game that was under way stands as before."""
    before = standing(mid_game)
    with pytest.raises(ValueError) as caught:
        mid_game.reset(seed=2, options={"position": text})
    message = str(caught.value)
    assert repr(text) in message
    assert said in message.replace(f"position {text!r}: ", "")
    assert standing(mid_game) == before


@pytest.mark.parametrize(
    ("text", "said", "options"),
    [
        (f"{FEN} steps=40", "end=no_progress", {"variant": "openspiel"}),
        (f"{FEN} steps=40 end=max_plies", "end=no_progress", {"variant": "openspiel"}),
        ("W:W12:B3,8 steps=40 end=no_move", "end=no_progress", {"variant": "openspiel"}),
        (f"{FEN} end=no_progress", "draw_rule", {"draw_rule": "none"}),
        (f"{FEN} plies=1000", "end=max_plies", {"variant": "openspiel"}),
        (f"{FEN} end=repetition", "repetition", {"variant": "openspiel"}),
    ],
)
def test_texts_that_the_options_forbid_are_refused(text: str, said: str, options: dict[str, Any]) -> None:
    with pytest.raises(ValueError) as caught:
        resumed(text, **options)
    assert said in str(caught.value)


def test_texts_at_the_limits_are_read() -> None:
    """The other side of what is refused."""
    assert resumed(f"{FEN} steps=500 king_steps=79").legal_moves()
    assert resumed(f"{FEN} steps=39 king_steps=99", variant="openspiel").legal_moves()
    assert resumed(f"{FEN} steps=999 king_steps=999", draw_rule="none").legal_moves()
    assert resumed("W:W12:B3,8 king_steps=80 end=no_move").is_over()
    assert resumed(f"{FEN} end=no_progress").is_over()
    assert resumed("B:W15,22:B11 jump=11").legal_moves() == ["11x18"]
    assert resumed("B:W18,32:BK14 jump=14 end=max_plies", max_plies=9).is_over()


# --- names of moves ---


def touching(square: int) -> list[int | None]:
    """The squares beside one, by direction: forward (for Black) to the left and right, back to the left and right."""
    row, column = (square - 1) // 4, 2 * ((square - 1) % 4) + 1 - (square - 1) // 4 % 2
    found: list[int | None] = []
    for down, across in ((1, -1), (1, 1), (-1, -1), (-1, 1)):
        there = row + down, column + across
        found.append(4 * there[0] + there[1] // 2 + 1 if 0 <= there[0] < 8 and 0 <= there[1] < 8 else None)
    return found


@pytest.mark.parametrize("seat", ["B", "W"])
def test_names_of_all_actions(seat: str) -> None:
    """“128 actions: 32 squares × 4 directions, 98 of which can ever be played”; names are absolute, indices turned."""
    env = resumed(f"{seat}:W32:B1")
    assert env.action_space("player_0").n == ACTIONS
    named = 0
    for action in range(ACTIONS):
        direction, square = divmod(action if seat == "B" else ACTIONS - 1 - action, 32)
        target = touching(square + 1)[direction]
        if target is None:
            with pytest.raises(ValueError, match=str(action)):
                env.move_name(action)
            continue
        named += 1
        assert env.move_name(action) == f"{square + 1}-{target}"
        assert env.parse_move(f"{square + 1}-{target}") == action
        beyond = touching(target)[direction]
        if beyond is not None:
            assert env.parse_move(f"{square + 1}x{beyond}") == action
    assert named == 98


def test_a_step_and_a_jump_are_one_action() -> None:
    """“`11-15` and `11x18` are the same action; `move_name` gives the jump if it is one here, else the step”."""
    env = new()
    action = env.parse_move("11-15")
    assert env.parse_move("11x18") == action
    assert env.move_name(action) == "11-15"
    here = resumed("B:W15,32:B11")
    assert here.move_name(action) == "11x18"
    assert here.legal_moves() == ["11x18"]
    play(here, "11-15")
    assert here.position().startswith("W:W32:B18")
    assert resumed("B:W15,32:B18,11").move_name(action) == "11-15"


@pytest.mark.parametrize(
    "text",
    ["11-11", "1-2", "4-9", "29-33", "0-4", "001-5", "5-1x", "b6-c5", "", "-", "x", "pass", "32-28-24", "1x5x9", "1",
     "115", "11155", "11+15", "11/15", "1 5x", 5, None, b"11-15", ["11-15"]],
    ids=repr,
)  # fmt: skip
def test_other_texts_are_no_names(mid_game: GameEnv, text: Any) -> None:
    with pytest.raises(ValueError) as caught:
        mid_game.parse_move(text)
    assert repr(text) in str(caught.value)
    assert repr(mid_game.position()) in str(caught.value)


JUMPS = "B:W15,22,32:B1,11"


@pytest.mark.parametrize("text", ["11x15", "11 - 15", "1115", " 11-15 ", "11–15", "11 15", "11:15"])
def test_spellings_of_a_step(mid_game: GameEnv, text: str) -> None:
    assert mid_game.parse_move(text) == mid_game.parse_move("11-15")
    for padded in ("01-05", "0105", "1x5", " 1-5 "):
        assert mid_game.parse_move(padded) == mid_game.parse_move("1-5")


@pytest.mark.parametrize(
    "text", ["11-18", "11 18", "11:18", "11X18", "11×18", "1118", "11x18x25", "11 18 25", "11-18-25"]
)
def test_spellings_of_a_jump(text: str) -> None:
    """“Of a multi-jump with all its squares … the first jump.”"""
    env = resumed(JUMPS)
    assert env.parse_move(text) == env.parse_move("11x18")


@pytest.mark.parametrize("text", ["11-18", "11 18", "1118", "11 18 25"])
def test_other_spellings_name_the_squares_of_the_action(mid_game: GameEnv, text: str) -> None:
    """The same action leads to 15 here, so these are not its squares."""
    assert mid_game.move_name(mid_game.parse_move("11x18")) == "11-15"
    with pytest.raises(ValueError, match=text):
        mid_game.parse_move(text)


@pytest.mark.parametrize(
    "text", ["11x18x25", "11 18 25", "11-25", "11x25", "11 takes 25", "11 TO 18 TO 25", "11:18:25"]
)
def test_a_multi_jump_is_typed_as_one_move(text: str) -> None:
    reading = read_move(resumed(JUMPS).games, 0, text)
    assert played(JUMPS, reading) == ["11x18", "18x25"]


@pytest.mark.parametrize("text", ["11x18", "11-18", "11 18", "1118", "11 to 18", "011-018"])
def test_its_first_jump_alone_too(text: str) -> None:
    assert played(JUMPS, read_move(resumed(JUMPS).games, 0, text)) == ["11x18"]


def played(position: str, reading: Reading) -> list[str]:
    """The names of the plies of a reading."""
    env, names = resumed(position), []
    for action in reading.actions:
        names.append(env.move_name(action))
        env.step(action)
    return names


@pytest.mark.parametrize(
    ("position", "text", "said"),
    [
        (JUMPS, "1-5", "1-5 is not legal here: you must jump"), (JUMPS, "0105", "1-5 is not legal here"),
        (JUMPS, "11x18x26", "is no move"), (JUMPS, "11x18x25x32", "is no move"), (JUMPS, "33-37", "is no move"),
    ],
)  # fmt: skip
def test_what_is_typed_wrongly_is_told(position: str, text: str, said: str) -> None:
    reading = read_move(resumed(position).games, 0, text)
    assert not reading.actions
    assert said in reading.problem


def test_a_jump_that_leads_to_a_square_in_two_ways_is_asked_for() -> None:
    two_ways = "B:W6,7,14,15,32:B2"
    assert sorted(read_move(resumed(two_ways).games, 0, "2x18").matches) == ["2x11 11x18", "2x9 9x18"]
    assert played(two_ways, read_move(resumed(two_ways).games, 0, "2x9x18")) == ["2x9", "9x18"]


def test_a_fen_with_a_doubled_side_is_read() -> None:
    """As py-draughts wrote it until June 2026: the second letter is the seat to act."""
    assert resumed("W:B:W31,32:B1,2").position() == resumed("B:W31,32:B1,2").position()
    with pytest.raises(ValueError, match="is no FEN"):
        resumed("W:X:W31,32:B1,2")
