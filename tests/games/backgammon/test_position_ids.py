"""XGID and GNU Backgammon's IDs: known values, read and written, and what is refused."""

from __future__ import annotations

import re
import warnings
from typing import Any

import numpy as np
import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from parlour.rulebook.positions import forms_of
from parlour.text import TextGame

START = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:0:10"
STANDARD = "24:w2 19:b5 17:b3 13:w5 12:b5 8:w3 6:w5 1:b2 | bar 0 0 | off 0 0"
KNOWN = "HC/wATDg8+AxAA:cIgUAAAAAAAA"


def placed(text: str, **options: Any) -> GameEnv:
    """A game that goes on from a position."""
    env = parlour.make("backgammon-v0", illegal_move="raise").unwrapped
    env.reset(seed=1, options={"position": text, **options})
    return env


def test_the_starting_position_of_xgid() -> None:
    assert placed(START).position() == f"{STANDARD} | w | dice 3 1 | left 3 1 | 0"
    assert placed(START.removeprefix("XGID=")).position() == placed(START).position()
    assert placed(START.replace(":1:31:", ":-1:31:")).position() == f"{STANDARD} | b | dice 3 1 | left 3 1 | 0"


def test_the_starting_position_of_gnu_backgammon() -> None:
    """Its manual's example. Without a match ID White is on roll, before the throw."""
    env = placed("4HPwATDgc/ABMA", dice=[(6, 2)])
    assert env.position() == f"{STANDARD} | w | dice 6 2 | left 6 2 | 0"


def test_a_known_id_with_its_throw() -> None:
    """For the seat on roll 16:2 13:4 8:4 6:5 with 5-1, for the other from its own side 24:2 13:5 7:1 6:4 3:3."""
    env = placed(KNOWN)
    seat, other = env.possible_agents.index(env.agent_selection), 0
    other = 1 - seat
    men = env.games.states["men"][0]
    points = [{24 - step: int(count) for step, count in enumerate(own) if count} for own in men]
    assert points[seat] == {16: 2, 13: 4, 8: 4, 6: 5}
    assert points[other] == {24: 2, 13: 5, 7: 1, 6: 4, 3: 3}
    assert sorted(env.dice) == [1, 5]


@pytest.mark.parametrize(
    "text",
    [
        KNOWN, "HC/wATDg8+AxAA cIgUAAAAAAAA", "Position ID: HC/wATDg8+AxAA Match ID: cIgUAAAAAAAA",
        "GNU Backgammon  Position ID: HC/wATDg8+AxAA\n                 Match ID   : cIgUAAAAAAAA",
        "GNUBGID HC/wATDg8+AxAA:cIgUAAAAAAAA",
    ],
)  # fmt: skip
def test_ids_are_known_by_their_form(text: str) -> None:
    assert placed(text).position() == placed(KNOWN).position()


@pytest.mark.parametrize("text", [START.replace(":31:", ":00:"), "4HPwATDgc/ABMA"])
def test_a_throw_that_is_missing_is_made(text: str) -> None:
    """By the seed, or as it is given. The record begins behind it."""
    env = placed(text)
    assert len(env.dice) == 2
    assert env.position() == placed(text).position()
    given = placed(text, dice=[(4, 4), (2, 1)])
    assert given.dice == (4, 4)
    record = given.record()
    assert record.position == given.position()
    for _ in range(4):
        given.step(int(given.games.action_mask[0].nonzero()[0][0]))
    assert given.dice == (2, 1)
    batch = parlour.make_batch("backgammon-v0", 64)
    batch.reset(seed=0, options={"position": text})
    assert len({batch.position(row) for row in range(64)}) > 10


@pytest.mark.parametrize(
    ("text", "unknown"),
    [
        (START.replace(":0:0:1:31:", ":1:-1:1:31:"), "the cube"),
        (START.replace(":31:0:0:0:0:", ":31:3:2:0:7:"), "the score of the match"),
        (START.replace(":31:0:0:", ":D:1:0:"), "the cube and the score of the match"),
        ("4HPwATDgc/ABMA:QYkqASAAIAAA", "the cube and the score of the match"),
    ],
)
def test_what_the_game_does_not_know_is_told(text: str, unknown: str) -> None:
    with pytest.warns(UserWarning, match=f"it also tells {unknown}, which this game does not know"):
        placed(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (START.replace("E-C", "F-C"), "White has 16 men; each seat has 15"),
        (START.replace("-b---", "Ab---"), "'A' stands for men on the bar of the other player"),
        (START.replace("e----B-", "e----B"), "an XGID has 26 letters"),
        (START.replace("eE", "qE"), "an XGID has 26 letters"),
        (START.replace(":31:", ":71:"), "behind its letters an XGID has nine numbers"),
        ("XGID=", "an XGID has 26 letters"),
        ("XGID=" + "-" * 26 + ":0:0:1:31:0:0:0:0:10", "both seats have borne off all men"),
        ("//////////////", "the position ID '//////////////' does not have 25 places for each player"),
        ("4HPwATDgc/ABMA:////////////", "the match ID has the dice 7 and 7"),
        ("4HPwATD4c/ABMA", "does not have 25 places for each player"),
    ],
)
def test_what_no_game_can_reach_is_refused(text: str, problem: str) -> None:
    env = placed(START)
    before = env.position()
    with pytest.raises(ValueError, match=re.escape(problem)):
        env.reset(options={"position": text})
    assert env.position() == before


def test_men_of_both_seats_on_one_point_are_refused() -> None:
    """An XGID can't say so, an ID of GNU Backgammon can: both have men on their 13 and 12 points."""
    from parlour.envs.backgammon import position_ids

    places = [0] * 25
    places[12], places[11] = 8, 7
    bits = [bit for count in places * 2 for bit in (*[1] * count, 0)]
    with pytest.raises(ValueError, match="both seats have men on point 13"):
        placed(position_ids._encoded(bits, 80))


@pytest.mark.parametrize("form", ["xgid", "gnubg"])
@pytest.mark.parametrize("variant", ["standard", "nackgammon", "hyper"])
def test_what_is_written_is_read(variant: str, form: str) -> None:
    """At every start of a turn of random games, the end included."""
    env, again = (parlour.make("backgammon-v0", variant=variant).unwrapped for _ in range(2))
    rng, written = np.random.default_rng(1), 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for seed in range(4):
            env.reset(seed=seed)
            while not env.is_over():
                if env.games.states["turn_over"][0]:
                    text = env.position(form)
                    again.reset(seed=0, options={"position": text})
                    assert again.position().rpartition(" | ")[0] == env.position().rpartition(" | ")[0]
                    assert again.position(form) == text
                    written += 1
                env.step(int(rng.choice(env.games.action_mask[0].nonzero()[0])))
            over = env.position(form)
            again.reset(seed=0, options={"position": over})
            assert again.is_over()
            assert again.games.ending(0) == env.games.ending(0)
    assert written > 50


def test_both_forms_say_the_same() -> None:
    for text in (START, START.replace(":1:31:", ":-1:65:"), "XGID=a-B-A-E-B---cC---c-e----A-:0:0:-1:65:0:0:0:0:10"):
        env = placed(text)
        other = placed(env.position("gnubg"))
        assert other.position("xgid") == env.position("xgid") == text
        assert other.position() == env.position()


def test_only_whole_throws_and_known_forms_are_written() -> None:
    env = placed(START)
    with pytest.raises(ValueError, match="'fen' is no form of backgammon-v0's positions; forms: 'xgid' and 'gnubg'"):
        env.position("fen")
    with pytest.raises(ValueError, match="is no form of checkers-v0's positions"):
        begun = parlour.make("checkers-v0").unwrapped
        begun.reset(seed=0)
        begun.position("xgid")
    env.step(env.parse_move("8/5"))
    for form in forms_of(env.game.notation):
        with pytest.raises(ValueError, match="a part of the throw has been played"):
            env.position(form)


def test_they_are_taken_wherever_a_position_is(run: Any) -> None:
    text = TextGame("backgammon-v0", seat="all", rules="none")
    assert "6/5" in text.reset(seed=0, position=START)
    with_cube = START.replace(":0:0:1:31:", ":1:-1:1:31:")
    moves = ["8/5* 6/5", "quit"]
    ran = run("play", "backgammon", "--against", "random", "--seed", 0, "--position", with_cube, stdin=moves)
    assert (ran.status, ran.out.count("Note: nothing is hit on 5.")) == (0, 1)
    assert ran.err == f"parlour: position {with_cube!r}: it also tells the cube, which this game does not know\n"
