"""Texts of positions and names of moves: envs/checkers/README.md and docs/common_rules.md."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from parlour.interfaces.moves import Reading, read_move
from tests.games.checkers.texts import NAMED, STEPS, touching
from tests.support import texts
from tests.support.games import begun
from tests.support.texts import play

GAME = "checkers-v0"
resumed = partial(texts.resumed, GAME)


def new(**options: Any) -> GameEnv:
    return begun(GAME, seed=1, illegal_move="raise", **options)


# --- texts of games that go on ---


def test_text_in_mid_game() -> None:
    """In one fixed order."""
    text = play(resumed("B:W15,22,32:B11,K1 steps=7"), "11x18").position()
    assert text == "B:W22,32:BK1,18 jump=18 steps=0 king_steps=0 plies=1"
    text = play(resumed("B:W32:BK1"), "1-6", "32-28").position()
    assert text.startswith("B:W28:BK6 steps=2 king_steps=0 plies=2")
    assert "seen=" not in text  # a man's move: nothing before it can come again


def test_a_text_can_be_resumed_under_another_rule() -> None:
    """Both counts are kept under every rule."""
    text = play(resumed("B:WK4,K12:BK29,K21 steps=38 king_steps=30", draw_rule="none"), "29-25").position()
    env = resumed(text, variant="openspiel")
    assert play(env, "4-8").position().endswith("end=no_progress")
    assert "end=" not in play(resumed(text), "4-8").position()


@pytest.fixture(scope="module")
def mid_game() -> GameEnv:
    """A game under way, which no text changes."""
    return play(new(), "11-15", "22-18", "15x22")


# --- names of moves ---


def test_a_jump_has_the_index_of_its_step() -> None:
    """Whatever stands there."""
    for text, _, names in NAMED:
        env = resumed(text)
        for square, direction, target in STEPS:
            beyond = touching(target)[direction] if target else None
            if beyond:
                assert env.parse_move(f"{square}x{beyond}") == names.index(f"{square}-{target}")


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
