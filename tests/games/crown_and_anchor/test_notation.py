"""Texts of positions and names of moves: envs/crown_and_anchor/README.md and docs/common_rules.md."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from tests.games.crown_and_anchor.texts import FREE, PRINTED
from tests.support import texts
from tests.support.games import begun

GAME = "crown_and_anchor-v0"
resumed = partial(texts.resumed, GAME)


# --- texts of games that go on ---


def test_the_printed_text() -> None:
    """The README's own example."""
    env = resumed(PRINTED, **FREE)
    assert env.position() == PRINTED
    assert env.agent_selection == "player_1"
    assert env.dice == (0, 0, 4)


def test_a_seat_in_the_middle_of_its_bets() -> None:
    text = PRINTED.replace(" 0:- | player_1", " 0:- 1:club*2 | player_1")
    env = resumed(text, **FREE)
    assert env.position() == text
    assert "club*3" in env.legal_moves()
    assert "club*4" not in env.legal_moves()


# --- the picture in text ---


def test_ansi() -> None:
    """Every number of the position, the seat to act and the Banker marked."""
    lines = resumed(PRINTED, **FREE).ansi().splitlines()
    assert lines[0] == "latest throw: crown crown diamond"
    assert [line.split() for line in lines[2:6]] == [
        ["player_0", "20", ".", ".", ".", ".", ".", "."],
        [">", "player_1", "19", ".", ".", ".", ".", ".", "."],
        ["Bplayer_2", "21", ".", ".", ".", ".", ".", "."],
        ["player_3", "20", "2", "1", ".", ".", ".", "."],
    ]
    assert lines[-1] == "player_1 bets, throw 4 of 100, ply 18"


@pytest.mark.parametrize(
    ("text", "last", "options"),
    [
        ("chips 5 9 9 | banker 1 | throws 100 | bets | player_2 | dice 1 2 3 | 9 end=rounds",
         "The most chips after 100 throws: player_1 and player_2", {}),
        ("chips 0 9 0 | banker 1 | throws 7 | bets | player_1 | dice 1 2 3 | 9 end=all_chips",
         "player_1 has all the chips after 7 throws", {"bank": "limited"}),
        ("chips 5 9 9 | banker 1 | throws 7 | bets 2:club*1 | player_0 | dice 1 2 3 | 9 end=max_plies",
         "The limit of 9 plies is reached; stakes on the cloth are void", {"max_plies": 9}),
        ("chips 5 9 9 | banker 1 | throws 7 | bets 2:club*1 0:club*1 | player_1 | dice 1 2 3 | 9",
         "player_1 throws, throw 8 of 100, ply 10", {}),
    ],
)  # fmt: skip
def test_every_ending_has_words_and_a_picture(text: str, last: str, options: dict[str, Any]) -> None:
    env = resumed(text, players=3, render_mode="rgb_array", **options)
    assert env.ansi().splitlines()[-1] == last
    assert last in env.svg()
    assert env.render().shape[2] == 3


@pytest.mark.parametrize("players", range(2, 13))
def test_pictures_show_every_seat_and_every_stake(players: int) -> None:
    """Numbers of any length have shapes; a stake more is a chip more."""
    held = " ".join(str((-7) ** seat) for seat in range(players))
    env = begun(
        GAME,
        1,
        position=f"chips {held} | banker 1 | throws 0 | bets | player_{2 % players} | dice - | 0",
        players=players,
    )
    plain = env.svg()
    assert all(f'"{colour}"' in plain for colour in env.game.drawing.SEAT_COLOURS[:players])
    env.step(env.parse_move("crown*1"))
    assert env.svg().count("stroke-dasharray") == plain.count("stroke-dasharray") + 1
