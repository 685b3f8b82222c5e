"""Texts of positions and names of moves: envs/swords_and_shields/README.md and docs/common_rules.md."""

from __future__ import annotations

import re
from functools import partial
from typing import Any

import pytest

from parlour.interfaces.aec import GameEnv
from tests.games.swords_and_shields.texts import BOARD, board_text, name_of
from tests.support import texts
from tests.support.games import begun
from tests.support.texts import play

GAME = "swords_and_shields-v0"
resumed = partial(texts.resumed, GAME)


def new(**options: Any) -> GameEnv:
    """A game from the set-up."""
    return begun(GAME, seed=1, illegal_move="raise", **options)


def end_of(env: GameEnv) -> str:
    """The word for how a game has ended, or nothing."""
    return env.position().partition(" end=")[2]


# --- texts of games that go on ---


def test_text_in_mid_game() -> None:
    """“a list of `key=value` words, one space before each, in one fixed order”: `plies=`, then the occurrences."""
    env = play(new(), "d9-b9", "e7-b7")
    board = "1s2ss3/4s4/1o7/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
    assert re.fullmatch(f"{board} s plies=2 seen=[0-9a-f]{{16}},[0-9a-f]{{16}}", env.position())
    assert play(new(repetition=0), "d9-b9", "e7-b7").position() == f"{board} s plies=2"


def test_text_after_a_capture_forgets_what_cannot_come_again() -> None:
    """Only positions that could come again need to be kept."""
    env = resumed("9/9/2s6/6c2/9/9/2o6/2s6/9 s")
    play(env, "c2-b2", "g6-g5", "b2-c2", "g5-g6")
    assert " seen=" in env.position()
    play(env, "c7-c4")
    assert env.position() == "9/9/9/6c2/9/2s6/9/2s6/9 o plies=5"


@pytest.mark.parametrize("words", ["", " plies=0", " plies=7"])
def test_words_may_be_missing(words: str) -> None:
    """“on reading any may be missing (counters 0, […] the position its own first occurrence)”: the draw comes after
    as many rounds as from the set-up."""
    env = resumed(f"{BOARD} s{words}", repetition=2)
    play(env, "d9-b9", "e7-b7", "b9-d9")
    assert not env.is_over()
    play(env, "b7-e7")
    assert end_of(env) == "repetition"


def test_a_text_of_seen_alone_reads() -> None:
    """Any of the words may be missing, `plies=` before `seen=` too; what `seen=` tells still counts."""
    env = play(new(), "d9-b9", "e7-b7", "b9-d9", "b7-e7")
    text = env.position().replace(" plies=4", "")
    assert " seen=" in text
    again = resumed(text)
    assert again.position() == text
    play(again, "d9-b9", "e7-b7", "b9-d9", "b7-e7")
    assert end_of(again) == "repetition"


def test_seen_counts_the_occurrences_before_the_present_one() -> None:
    """With two earlier ones the present one would be the third, which no running game can show; with one it goes on."""
    start = play(new(), "d9-b9").position()[-16:]
    assert resumed(f"{BOARD} s seen={start}").position() == f"{BOARD} s seen={start}"
    with pytest.raises(ValueError, match="seen= repeats"):
        resumed(f"{BOARD} s seen={start},{start}")
    env = play(resumed(f"{BOARD} s seen={start}"), "d9-b9", "e7-b7", "b9-d9", "b7-e7")
    assert end_of(env) == "repetition"


def test_an_option_may_differ_from_the_game_that_was_written() -> None:
    """Occurrences are of no use where `repetition` is off."""
    text = play(new(), "d9-b9", "e7-b7").position()
    assert resumed(text, repetition=0).position() == text[: text.index(" seen=")]


# --- names of moves ---


def test_a_step_moves_what_its_name_says() -> None:
    """From every dot to every other one of its rank and file, by the Chief, who alone may go everywhere."""
    for action in range(0, 81 * 16, 7):
        source, target = name_of(action).split("-")
        corners = {"a1", "a9", "i1", "i9"}
        if source in corners or target in corners:
            continue
        spare = next(
            dot for dot in ("b2", "h8", "c4", "f7") if dot[0] not in source + target and dot[1] not in source + target
        )
        env = resumed(f"{board_text({source: 'c', spare: 's'})} o", escape="corner")
        env.step(action)
        assert env.position().startswith(f"{board_text({target: 'c', spare: 's'})} s")
