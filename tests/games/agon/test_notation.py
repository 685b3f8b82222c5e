"""Texts of positions of Agon: envs/agon/README.md and docs/common_rules.md."""

from __future__ import annotations

import random
from functools import partial
from typing import Any

import pytest

import parlour
from tests.games.agon.test_referee import COVER, Options
from tests.support import texts
from tests.support.texts import standing

GAME = "agon-v0"
BOARD = "1g1G1q/G6/7G/9/g8g/11/G8G/9/g7/6g/Q1g1G1"
NO_GUARDS = "5q/7/8/9/10/11/10/9/8/7/Q5"
DECIDED = "6/7/8/9/4GG4/4GQG4/4GG4/9/8/g6/5q"
resumed = partial(texts.resumed, GAME)


@pytest.mark.parametrize("options", COVER[::2], ids=lambda options: "-".join(map(str, options.values())))
def test_every_position_of_a_game_reads_back_and_goes_on_alike(options: Options) -> None:
    """“every position has a **text** that can be read back”, in mid-turn and finished ones included: nothing that can
    be seen differs, and a game resumed early ends like the original."""
    rng = random.Random(7)
    env: Any = parlour.make(GAME, illegal_move="raise", **options)
    again: Any = parlour.make(GAME, illegal_move="raise", **options)
    env.reset(seed=0)
    twin = resumed(env.position(), **options)
    while True:
        again.reset(options={"position": env.position()})
        assert standing(again) == standing(env) == standing(twin)
        if env.is_over():
            break
        if rng.random() < 0.2:
            twin = resumed(env.position(), **options)
        move = rng.choice(env.legal_moves())
        for game in (env, twin):
            game.step(game.parse_move(move))


@pytest.mark.parametrize(
    ("text", "options"),
    [
        (f"{BOARD} l", {}),
        (f"{BOARD} d passes=1 plies=7", {}),
        (f"{BOARD} l phase=touched:a1 plies=2", {"touch_move": True}),
        (f"{NO_GUARDS} l phase=place", {"setup": "guards"}),
        ("6/7/8/9/10/11/10/9/8/7/6 l phase=place", {"setup": "all"}),
        (f"{DECIDED} d end=enthroned", {}),
        (f"{DECIDED} d plies=9 end=enthroned", {"capture": "bloody"}),
        ("5q/7/8/9/10/11/10/9/8/7/Q4G d end=guardless", {"capture": "bloody"}),
        ("6/7/8/9/4GG4/4G1G4/4GG4/9/8/7/g3Qq d end=forfeit", {}),
        (f"{BOARD} d passes=2 end=passes", {}),
        (f"{BOARD} d plies=500 end=max_plies", {}),
        ("6/7/8/9/10/2GgG6/10/2g1g4/3G4/7/Q4q l", {"entering": "trapped"}),
        (NO_GUARDS + " l", {}),
    ],
)
def test_texts_read_back(text: str, options: Options) -> None:
    """Fewer than six guards, trapped pieces, finished games: all can be read."""
    assert resumed(text, **options).position() == text


REFUSED: list[tuple[str, str, Options]] = [
    (f"{BOARD.replace('/11/', '/G10/')} l", "7 light guards", {}),
    (f"{BOARD.replace('/11/', '/Q10/')} l", "2 light queens", {}),
    (f"{BOARD.replace('1g1G1q', '3G1q').replace('/11/', '/5g5/')} l", "throne", {}),
    (f"{BOARD.replace('1g1G1q', '1g1G2')} l", "no dark queen", {}),
    (f"{BOARD.replace('/11/', '/12/')} l", "'12'", {}),
    (f"{BOARD.replace('/11/', '/10/')} l", "row f", {}),
    (f"{BOARD.replace('/11/', '/92/')} l", "'92'", {}),
    (f"{BOARD.replace('/11/', '/5x5/')} l", "'x'", {}),
    (f"{BOARD}/6 l", "12 rows", {}),
    (BOARD, "seat to act", {}),
    (f"{BOARD} w", "seat to act", {}),
    (f"{BOARD} l foo=1", "'foo=1'", {}),
    (f"{BOARD} l passes=1 phase=exile", "'phase=exile'", {}),
    (f"{BOARD} l passes=2", "end=passes", {}),
    (f"{BOARD} l passes=x", "passes='x'", {}),
    (f"{BOARD} l passes=1 passes=1", "'passes=1'", {}),
    (f"{BOARD} l phase=", "no phase", {}),
    (f"{BOARD} l phase=touched", "no phase", {"touch_move": True}),
    (f"{BOARD} l phase=put", "no phase", {"capture": "bloody"}),
    (f"{BOARD} l phase=exchange:", "no phase", {"capture": "bloody"}),
    (f"{BOARD} l phase=place", "fixed", {}),
    (f"{BOARD} l phase=place", "counts", {"setup": "guards"}),
    (f"{NO_GUARDS} d phase=place", "counts", {"setup": "all"}),
    (f"{NO_GUARDS.replace('/11/', '/G10/')} l phase=place", "counts", {"setup": "guards"}),
    (f"{NO_GUARDS} l phase=place passes=1", "passes=1", {"setup": "guards"}),
    ("2g3/7/8/9/10/7g3/10/3GqG3/8/7/Q1g3 l phase=exchange passes=1", "passes=1", {"capture": "bloody"}),
    ("6/7/8/9/10/2GgG6/10/9/8/7/Q4q l phase=put:f4 passes=1", "passes=1", {"capture": "bloody"}),
    (f"{BOARD} l phase=touched:a1", "touch_move=False", {}),
    (f"{BOARD} l phase=exile", "queen_placed_by='owner'", {}),
    (f"{BOARD} l phase=exile", "capture='bloody'", {"capture": "bloody"}),
    (f"{BOARD} l phase=touched:k6", "not a piece to touch", {"touch_move": True}),
    (f"{BOARD} l phase=touched:z9", "no cell", {"touch_move": True}),
    (f"{BOARD} l phase=chosen:a5", "not one of several", {}),
    (f"{BOARD} l phase=exile", "no trapped queen", {"queen_placed_by": "opponent"}),
    (f"{BOARD} l phase=exchange", "not 'bloody'", {}),
    (f"{BOARD} l phase=exchange", "does not stand between", {"capture": "bloody"}),
    (f"{BOARD} l phase=put:g1", "between two", {"capture": "bloody"}),
    (f"{BOARD} l phase=put:a5", "between two", {"capture": "bloody"}),
    ("6/7/8/9/10/2GgG6/10/9/8/7/Q4q l phase=put:f4,f4", "twice", {"capture": "bloody"}),
    (f"{DECIDED} d", "end=enthroned", {}),
    (f"{DECIDED} d end=forfeit", "end=enthroned", {}),
    (f"{BOARD} d end=enthroned", "no such end", {}),
    (f"{BOARD} d end=guardless", "guardless", {"capture": "bloody"}),
    (f"{NO_GUARDS} l", "no guards", {"capture": "bloody"}),
    (f"{BOARD} d end=win", "no ending", {}),
    (f"{BOARD} l phase=touched:a1 end=repetition", "middle of a turn", {"touch_move": True, "repetition": 2}),
    (f"{BOARD} l plies=500", "max_plies", {}),
]


@pytest.mark.parametrize(("text", "said", "options"), REFUSED)
def test_texts_that_are_refused(text: str, said: str, options: Options) -> None:
    """By a ValueError that says what is wrong; the game that was under way stands as before."""
    env: Any = parlour.make(GAME, illegal_move="raise", **options)
    env.reset(seed=1)
    before = standing(env)
    with pytest.raises(ValueError) as caught:
        env.reset(options={"position": text})
    assert said in str(caught.value)
    assert standing(env) == before


def test_guards_still_to_be_put_down_are_named_in_their_order() -> None:
    """In cell-index order as the stepping seat sees the board; a running game may show a decided board in between."""
    text = "6/7/8/9/2GgGgG3/11/10/9/8/7/Q4q l phase=put:g4,g6"
    env = resumed(text, capture="bloody")
    assert env.position() == text
    env.step(env.parse_move(env.legal_moves()[0]))
    assert "phase=put:g6" in env.position()


def test_a_name_in_the_eyes_of_either_seat_is_the_same() -> None:
    """“Names and texts are absolute, the same for both seats”; every name that some position allows is read."""
    for seat in "ld":
        env = resumed(f"{BOARD} {seat}")
        for name in ("a1-b1", "e5-f6", "@f6", "f6^", "pass", "k6-j7"):
            assert env.move_name(env.parse_move(name)) == name
        for name in ("e5-d5", "f6-e5", "a1-c1", "@l1", "a7^", "Pass", ""):
            with pytest.raises(ValueError, match="no move"):
                env.parse_move(name)
