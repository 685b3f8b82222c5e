"""One reader of moves: whole turns in any spelling and order, and a reason where one can't be played."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import parlour
from parlour.interfaces.moves import Reading, read_move
from tests.games.acey_ducey import positions as acey_ducey
from tests.support.cases import GAMES
from tests.support.games import begun
from tests.support.turns import STYLES, after, names_of, plies_of_a_turn, ways_of, written

START = "24:w2 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 1:b2 | bar 0 0 | off 0 0 | w"
BLOT_ON_23 = "24:w2 23:b1 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 1:b1 | bar 0 0 | off 0 0 | w"
ON_THE_BAR = "24:w1 20:b1 19:b4 17:b3 13:w5 12:b5 8:w3 6:w5 1:b2 | bar 1 0 | off 0 0 | w"
BEARING_OFF = "24:b15 6:w3 5:w2 | bar 0 0 | off 10 0 | w"


def backgammon(board: str, dice: str) -> Any:
    """A position in which a throw has been made."""
    faces = dice.split()
    left = " ".join(faces if faces[0] != faces[1] else faces[:1] * 4)
    return begun("backgammon-v0", position=f"{board} | dice {dice} | left {left} | 0")


def reading(env: Any, text: str) -> Reading:
    """What a text means."""
    return read_move(env.games, 0, text)


@pytest.mark.parametrize(
    ("board", "dice", "text", "plies"),
    [
        (START, "3 1", "8/5 6/5", "8/5 6/5"),
        (START, "3 1", "6/5, 8/5", "8/5 6/5"),
        (START, "3 1", "31: 8/5 6/5", "8/5 6/5"),
        (START, "3 1", "1-3: 8/5 6/5", "8/5 6/5"),
        (START, "3 1", "31 8/5 6/5", "8/5 6/5"),
        (START, "3 1", "(3-1) 8/5, 6/5", "8/5 6/5"),
        (START, "3 1", "8 5 6 5", "8/5 6/5"),
        (START, "3 1", "8-5 and then 6-5", "8/5 6/5"),
        (START, "3 1", "24/23/20", "24/23 23/20"),
        (START, "3 1", "24/20", "24/23 23/20"),
        (START, "3 1", "8/5", "8/5"),
        (START, "5 5", "13/3", "13/8 8/3"),
        (START, "5 5", "13/8(2) 8/3(2)", "13/8 13/8 8/3 8/3"),
        (START, "5 5", "13/3 (2)", "13/8 13/8 8/3 8/3"),
        (BLOT_ON_23, "3 1", "24/23*/20", "24/23 23/20"),
        (BLOT_ON_23, "3 1", "24/21/20", "24/21 21/20"),
        (ON_THE_BAR, "5 1", "bar/20* 24/23", "bar/20 24/23"),
        (ON_THE_BAR, "5 1", "b/20 24/23", "bar/20 24/23"),
        (ON_THE_BAR, "5 1", "Bar/20", "bar/20"),
        (ON_THE_BAR, "5 1", "25/20", "bar/20"),
        (ON_THE_BAR, "5 1", "25/24/19", ""),
        (BEARING_OFF, "6 5", "6/off 5/off", "6/off 5/off"),
        (BEARING_OFF, "6 5", "6/0 5/0", "6/off 5/off"),
        (BEARING_OFF, "6 5", "6/o, 5off", "6/off 5/off"),
    ],
)
def test_turns_of_backgammon_are_read_as_books_print_them(board: str, dice: str, text: str, plies: str) -> None:
    env = backgammon(board, dice)
    assert sorted(names_of(env, list(reading(env, text).actions))) == sorted(plies.split())


def test_a_pass_behind_the_last_man_that_enters_says_nothing() -> None:
    closed = "20:b2 19:b4 17:b3 13:w5 12:b4 8:w3 6:w5 1:b2 | bar 2 0 | off 0 0 | w"
    env = backgammon(closed, "5 1")
    assert names_of(env, list(reading(env, "bar/24 pass").actions)) == ["bar/24"]
    assert "you can pass only" in reading(backgammon(START, "3 1"), "8/5 pass").problem


def test_ways_that_differ_in_a_hit_are_asked_for() -> None:
    env = backgammon(BLOT_ON_23, "3 1")
    assert reading(env, "24/20").matches == ("24/23* 23/20", "24/21 21/20")


@pytest.mark.parametrize(
    ("board", "dice", "text", "problem"),
    [
        (START, "3 1", "62: 8/5 6/5", "the throw is 3 1, not 6 2"),
        (START, "3 1", "8/5 6/4", "6/4 can't be played after 8/5: 2 is not among the numbers to play: 1"),
        (START, "3 1", "8/5 6/5 13/10", "13/10 can't be played after 8/5 6/5: the turn is over"),
        (START, "5 1", "24/19 6/5", "24/19 can't be played: point 19 is closed by black"),
        (ON_THE_BAR, "5 1", "13/8 6/5", "13/8 can't be played: you must first come in from the bar"),
    ],
)
def test_what_can_not_be_played_is_told_with_its_reason(board: str, dice: str, text: str, problem: str) -> None:
    """Nothing is played in part."""
    env = backgammon(board, dice)
    before = env.position()
    assert reading(env, text) == Reading(problem=problem)
    with pytest.raises(ValueError, match=re.escape(problem)):
        env.parse_turn(text)
    assert env.position() == before


@pytest.mark.parametrize("text", ["", " ", "?", "*", "("])
def test_a_text_without_letters_and_digits_is_no_move(text: str) -> None:
    """No reason is looked for why what is legal can't be played: here a man may leave the board of Royal Ur."""
    env = begun("royal_ur-v0", position="light 4 6 13 | dark 4 10 | hand 4 4 | off 0 1 | light | dice 0 0 1 1 | 30")
    with pytest.raises(ValueError, match="is no move"):
        env.parse_move(text)
    with pytest.raises(ValueError, match="is no move"):
        env.parse_turn(text or "?")


def test_a_wrong_sign_of_a_hit_is_told_and_the_turn_played() -> None:
    found = reading(backgammon(START, "3 1"), "8/5* 6/5")
    assert (len(found.actions), found.note) == (2, "nothing is hit on 5")
    assert reading(backgammon(BLOT_ON_23, "3 1"), "24/23* 23/20").note == ""
    assert reading(backgammon(START, "3 1"), "8/5*").note == "nothing is hit on 5"
    assert reading(backgammon(BLOT_ON_23, "3 1"), "24/23*").note == ""


@pytest.mark.parametrize(
    ("text", "plies"),
    [("9:3 7:5", "9:3 7:5"), ("9/6 7/2", "9:3 7:5"), ("7/2, 9/6", "9:3 7:5"), ("9/1", "9:3 6:5"), ("9/4/1", "9:5 4:3")],
)
def test_acey_ducey_is_read_by_numbers_and_by_places(text: str, plies: str) -> None:
    env = acey_ducey.at("9:r1 7:r1 20:b2", "3 5").unwrapped
    assert sorted(names_of(env, list(reading(env, text).actions))) == sorted(plies.split())


def test_men_enter_from_the_dog_house_in_other_words() -> None:
    env = acey_ducey.at("6:r1 4:r1 24:b2", "3 4", dog=(1, 0)).unwrapped
    (action,) = reading(env, "dog:3").actions
    for text in ("dog/22", "doghouse/22", "Dog House/22", "bar/22", "dog 3", "34: dog house/22", "3 4 dog:3"):
        assert reading(env, text).actions == (action,), text


@pytest.mark.parametrize(
    "text", ["26x17x10x1", "26x1", "26-17-10-1", "26 17 10 1", "26:17:10:1", "26 takes 17 takes 10 takes 1"]
)
def test_jumps_of_checkers_are_read_as_a_whole(text: str) -> None:
    env = begun("checkers-v0", position="W:W26,32:B22,14,6")
    plies = names_of(env, env.parse_turn(text))
    assert plies == ["26x17", "17x10", "10x1"]
    with pytest.raises(ValueError, match="names a turn of 3 plies, not one: parse_turn reads it"):
        env.parse_move("26x1")


def check_turns(game: str, count: int, seed: int, **options: Any) -> None:
    """Random turns of random games in all notations mean what they say; what can mean two things is told."""
    rng, env = random.Random(seed), parlour.make(game, **options).unwrapped
    env.reset(seed=seed)
    for k in range(count):
        if env.is_over():
            env.reset(seed=seed + k)
        for name in env.legal_moves():
            assert names_of(env, list(reading(env, name).actions)) == [name]
        plies = plies_of_a_turn(env, rng)
        names, ways = names_of(env, plies), ways_of(env, plies)
        for style in STYLES:
            text = written(names, ways, env.dice, style, rng)
            found = reading(env, text)
            if found.actions:
                assert after(env, list(found.actions)) == after(env, plies), text
            else:
                assert len(found.matches) > 1, (env.position(), text, found)
                assert style in ("ways", "any order")
        for action in plies:
            env.step(action)


@pytest.mark.parametrize("game", GAMES)
def test_turns_mean_what_they_say(game: str) -> None:
    check_turns(game, 25, 1)


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_many_turns_mean_what_they_say(game: str) -> None:
    for variant in parlour.variants(game):
        check_turns(game, 1000, 2, variant=variant)


@pytest.mark.parametrize("text", [7, None, "", "?", "8/5 " * 100, "8/" * 90, "1 2 3 4 5 6 7 8 9 10 11 12"])
def test_what_is_no_turn_is_refused(text: Any) -> None:
    env = backgammon(START, "3 1")
    with pytest.raises(ValueError, match=r"a turn is a text|is no move|can't be played|begins no legal move|can mean"):
        env.parse_turn(text)
