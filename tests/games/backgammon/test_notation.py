"""Texts of positions and names of moves: envs/backgammon/README.md and docs/common_rules.md."""

from __future__ import annotations

import pytest

from tests.games.backgammon.positions import GAME, at
from tests.games.backgammon.variants import COMBINED
from tests.support.texts import check_every_position_reads_back, play, resumed

TEXT = "24:w2 19:b5 17:b3 8:w3 6:w5 1:b2 | bar 0 0 | off 5 5 | w | dice 6 1 | left 6 1 | 41"


def read(text: str, **options: object) -> str:
    return resumed(GAME, text, **options).position()


@pytest.mark.parametrize("options", COMBINED[::3])
def test_every_position_of_a_game_reads_back(options: dict[str, object]) -> None:
    """The same text, planes, mask and seat, finished games included."""
    check_every_position_reads_back(GAME, 4, **{**options, "max_plies": 300})


def test_a_text_is_written_as_read() -> None:
    assert read(TEXT) == TEXT
    assert read(f"{TEXT} end=max_plies", max_plies=41) == f"{TEXT} end=max_plies"
    double = TEXT.replace("dice 6 1 | left 6 1", "dice 1 1 | left 1 1 1")
    assert read(double) == double


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("24:w2", "25:w2", "no point with men"),
        ("24:w2", "24:r2", "no point with men; such words look like 24:w2"),
        ("24:w2 19:b5", "19:b5 24:w2", "point 24 comes after point 19"),
        ("24:w2", "24:w1", "White has 14 men in all; each seat has 15"),
        ("off 5 5", "off 5 6", "Black has 16 men in all; each seat has 15"),
        ("bar 0 0", "bar 0", "is not 'bar' and 2 numbers of men from 0 to 15"),
        ("| w |", "| r |", "no seat to act"),
        ("dice 6 1", "dice 6 7", "2 faces from 1 to 6"),
        ("left 6 1", "left 1 6", "in the order of the dice"),
        ("left 6 1", "left 6 6", "with a throw that gives 6 1"),
        ("left 6 1", "left 5", "with a throw that gives 6 1"),
        ("left 6 1", "left -", "can't be played"),
        ("left 6 1", "left", "not of the form 'left 6'"),
        ("left 6 1", "left 6 1 1 1 1", "not of the form 'left 6'"),
        ("| 41", "| 041", "no count"),
        ("| 41", "", "6 parts"),
        ("| 41", "| 41 end=gammon", "no seat has borne off all men"),
        ("| 41", "| 4000", "need end=max_plies"),
    ],
)
def test_what_no_running_game_shows_is_refused(old: str, new: str, message: str) -> None:
    """The error names the text; the game stands as before."""
    env = play(at("13:w1 1:b1", "6 3"), "13/7")
    before = env.position()
    assert old in TEXT
    with pytest.raises(ValueError, match=f"position .*{message}"):
        env.reset(options={"position": TEXT.replace(old, new)})
    assert env.position() == before


@pytest.mark.parametrize(
    ("off", "end", "other"), [(3, "single", "gammon"), (0, "backgammon", "gammon"), (0, "backgammon", "single")]
)
def test_a_decided_position_needs_the_end_that_it_is(off: int, end: str, other: str) -> None:
    men = f"19:b{15 - off}" if off else "19:b14 6:b1"
    text = f"{men} | bar 0 0 | off 15 {off} | w | dice 2 1 | left - | 80"
    assert read(f"{text} end={end}") == f"{text} end={end}"
    with pytest.raises(ValueError, match=f"without end={end}"):
        read(text)
    with pytest.raises(ValueError, match=f"the end is {end}"):
        read(f"{text} end={other}")


def test_numbers_left_in_mid_turn_can_be_played() -> None:
    with pytest.raises(ValueError, match="which can't be played"):
        read("24:b2 23:b2 22:b2 21:b2 20:b2 19:b2 13:w14 | bar 1 0 | off 0 3 | w | dice 6 1 | left 6 | 3")


def test_names() -> None:
    """Of the mover's own numbers; a man never goes beyond the end."""
    env = at("13:w1 1:b1", "6 3")
    assert env.parse_move("13/7") == 6 * 12 + 5
    assert env.parse_move("bar/19") == 5
    assert env.parse_move("4/off") == 6 * 21 + 3
    for text in ("13/8x", "13-7", "4/-1", "off/3", "25/20", "7/off", "PASS"):
        with pytest.raises(ValueError, match=r"13/7|move|name"):
            env.unwrapped.games.parse_move(0, text)
