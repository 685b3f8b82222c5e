"""Texts of positions and names of moves: envs/acey_ducey/README.md and docs/common_rules.md."""

from __future__ import annotations

import pytest

from tests.games.acey_ducey.positions import GAME, at
from tests.games.acey_ducey.variants import PAIRWISE, VARIANT_OPTIONS
from tests.support.texts import check_every_position_reads_back, play, resumed

RULES_TEXT = "24:r2 19:r5 6:b15 | in 0 0 | dog 3 0 | off 5 0 | r | dice 1 6 | left 6 | - | 41"
START = "- | in 15 15 | dog 0 0 | off 0 0 | b | dice 3 4 | left 3 4 | - | 0"
NEXT_TURN = {"bear_off_from": "next_turn"}


def read(text: str, **options: object) -> str:
    return resumed(GAME, text, **options).position()


@pytest.mark.parametrize("options", [*VARIANT_OPTIONS.values(), *PAIRWISE[1:4]])
def test_every_position_of_a_game_reads_back(options: dict[str, object]) -> None:
    """The same text, planes, mask and seat, finished games included."""
    check_every_position_reads_back(GAME, 4, **{**options, "max_plies": 250})


@pytest.mark.parametrize("text", [RULES_TEXT, START, START.replace("3 4", "1 1"), f"{RULES_TEXT} end=max_plies"])
def test_texts_are_written_as_read(text: str) -> None:
    assert read(text, max_plies=0 if "end" not in text else 41) == text


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("6:b15", "6:b14"), ("19:r5", "19:r5 19:b1"), ("24:r2 19:r5", "19:r5 24:r2"), ("24:r2", "25:r2"),
        ("24:r2", "24:x2"), ("in 0 0", "in 1 0"), ("in 0 0", "in 0"), ("dog 3 0", "dog 3"), ("| r |", "| w |"),
        ("dice 1 6", "dice 1 7"), ("dice 1 6", "dice -"), ("left 6", "left 5"), ("left 6", "left 1"),
        ("left 6", "left 6 6 6"), ("left 6", "left choose"), ("left 6", "left -"), ("left 6 | -", "left 6 | again"),
        ("| 41", "| 041"), ("| 41", "| -1"), ("| 41", ""), ("| 41", "| 41 | home"), ("| 41", "| 2000"),
        ("| 41", "| 41 end=borne_off"), ("| 41", "| 41 end=repetition"), ("| 41", "| 41 end=nothing"),
        ("off 5 0", "off 5 0 0"), ("24:r2 19:r5 6:b15", ""), ("24:r2", "24:r02"), (" | ", "|"),
    ],
)  # fmt: skip
def test_what_no_running_game_shows_is_refused(old: str, new: str) -> None:
    """The error names the text; the game stands as before."""
    env = play(at("20:r2 10:b2", "3 4"), "20:3")
    before = env.position()
    assert old in RULES_TEXT
    with pytest.raises(ValueError, match="position "):
        env.reset(options={"position": RULES_TEXT.replace(old, new)})
    assert env.position() == before


def test_a_decided_position_needs_its_end() -> None:
    text = "6:b15 | in 0 0 | dog 0 0 | off 15 0 | r | dice 1 6 | left 6 | - | 41"
    with pytest.raises(ValueError, match="borne_off"):
        read(text)
    assert read(f"{text} end=borne_off") == f"{text} end=borne_off"


def test_men_beyond_the_starting_table_while_some_are_to_enter() -> None:
    text = "18:r1 10:b15 | in 14 0 | dog 0 0 | off 0 0 | b | dice 3 4 | left 3 4 | - | 9"
    with pytest.raises(ValueError, match="beyond"):
        read(text)
    with pytest.raises(ValueError, match="beyond"):
        read(text.replace("18:r1", "24:r1"), entering="joint")


def test_the_word_for_next_turn() -> None:
    """“whatever an option needs besides follows after another bar”; it may be missing."""
    text = "6:r1 4:r1 1:b1 | in 0 0 | dog 0 0 | off 13 14 | r | dice 4 4 | left 4 | - | 41"
    assert read(f"{text} | -", **NEXT_TURN).endswith("| 41 | -")
    assert read(text, **NEXT_TURN).endswith("| 41 | home")
    with pytest.raises(ValueError, match="home"):
        read(f"{text} | away", **NEXT_TURN)
    with pytest.raises(ValueError, match="home"):
        read(f"{text.replace('6:r1', '7:r1')} | home", **NEXT_TURN)


def test_names_of_actions() -> None:
    """“182 actions, in this order”; the mover's own numbering, the same for both seats."""
    for seat in "rb":
        env = at("20:r2 10:b2", "3 4", seat=seat)
        expected = [f"{source}:{n}" for source in ("in", "dog", *range(24, 0, -1)) for n in range(1, 7)]
        assert [env.move_name(action) for action in range(156)] == expected
        assert (env.move_name(180), env.move_name(181)) == ("again", "pass")
        sends = {156 + 24 - point: f"send {point}" for point in (24, 23, 18, 17, 8, 7, 2, 1)}
        for action in range(156, 180):
            if action in sends:
                assert env.move_name(action) == sends[action]
                assert env.parse_move(sends[action]) == action
            else:
                with pytest.raises(ValueError, match=str(action)):
                    env.move_name(action)
        assert [env.parse_move(name) for name in expected] == list(range(156))


@pytest.mark.parametrize("name", ["", "25:1", "0:1", "13:7", "13:0", "in", "send 3", "send", "Pass", "in:6 ", "13-4"])
def test_no_names(name: str) -> None:
    with pytest.raises(ValueError, match="move"):
        at("20:r2 10:b2", "3 4").parse_move(name)
