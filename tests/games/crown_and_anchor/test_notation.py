"""Texts of positions and names of moves: envs/crown_and_anchor/README.md and docs/common_rules.md."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import pytest

import parlour
from parlour.interfaces.aec import GameEnv
from tests.support import texts
from tests.support.texts import check_every_position_reads_back, standing

GAME = "crown_and_anchor-v0"
DESIGNS = ("crown", "anchor", "heart", "spade", "diamond", "club")
PRINTED = "chips 20 19 21 20 | banker 2 | throws 3 | bets 3:crown*2,anchor*1 0:- | player_1 | dice 0 0 4 | 17"
FREE = {"bets": "many", "sit_out": True}
START = "chips 20 20 20 20 | banker 2 | throws 0 | bets | player_3 | dice - | 0"
OWNED = "chips 0 20 0 0 | banker 2 | throws 0 | bets | player_1 | dice - | 0 end=all_chips"
resumed = partial(texts.resumed, GAME)


# --- texts of games that go on ---


@pytest.mark.parametrize("players", [2, 4, 12])
@pytest.mark.parametrize(
    "options",
    [{}, {"variant": "many_bets", "sit_out": True}, {"variant": "limited_bank", "start_chips": 5}, {"max_plies": 31}],
    ids=str,
)
def test_every_position_of_a_game_reads_back(players: int, options: dict[str, Any]) -> None:
    """“every position has a **text** that can be read back”, finished ones included."""
    check_every_position_reads_back(GAME, players, players=players, rounds=12, **options)


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


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (START.replace("bets", "bets -"), START),
        (PRINTED.replace("crown*2,anchor*1", "anchor*1,crown*2"), PRINTED),
    ],
)
def test_other_ways_to_write_the_same(text: str, written: str) -> None:
    """An empty cloth as a dash; a seat's designs in any order."""
    assert resumed(text, **FREE).position() == written


@pytest.mark.parametrize(
    "text",
    [
        START.replace("20 20 20 20", "1 2 3 4"),  # another number of chips than play would have
        START.replace("20 20 20 20", "-3 9000000000000000 3 4"),
        START.replace("throws 0", "throws 99"),
        START.replace("dice -", "dice 5 0 5"),
        START.replace("| 0", "| 2000000000"),
        START.replace("20 20 20 20", "0 20 0 0").replace("player_3", "player_1"),
        "chips 0 0 20 0 | banker 2 | throws 0 | bets | player_2 | dice - | 0",
        "chips 20 20 20 20 | banker 2 | throws 100 | bets | player_3 | dice 1 2 3 | 400 end=rounds",
        "chips 20 20 20 20 | banker 2 | throws 0 | bets 3:club*5 | player_0 | dice - | 1",
    ],
)
def test_texts_at_the_limits_are_read(text: str) -> None:
    """The other side of what is refused; “whether play can reach the position is not asked”."""
    assert resumed(text).position() == text


# --- texts that are refused ---

REFUSED: list[tuple[str, str, dict[str, Any]]] = [
    *[
        (text, "not of the form", {})
        for text in (
            "", " ", "chips", START.replace(" | ", "|"), START.replace("bets", "bet"), START + " |", START + " | 3",
            "|" + START, " " + START, START.replace("player_3", "3"), START.replace("throws 0 | ", ""),
            START.replace("chips", "Chips"), START.replace("bets |", "bets| "),
        )
    ],
    *[(START.replace("20 20 20 20", held), "numbers", {}) for held in ("20 20 20", "20 20 20 20 20", "20")],
    *[
        (START.replace("20 20 20 20", f"20 {count} 20 20"), "no whole number", {})
        for count in ("x", "+3", "03", "-0", "1.0", "--1", "1e3", "２", "99999999999999999", "")
        if count
    ],
    *[(START.replace("banker 2", f"banker {seat}"), "no seat", {}) for seat in ("4", "-1", "x", "02", "²", "99", "")],
    *[(START.replace("player_3", f"player_{seat}"), "no seat", {}) for seat in ("4", "-1", "x", "", "03")],
    *[(START.replace("throws 0", f"throws {count}"), "throws=", {}) for count in ("-1", "x", "00", "2147483648", "")],
    *[(START.replace("- | 0", f"- | {count}"), "plies=", {}) for count in ("-1", "x", "00", "2147483648")],
    *[
        (START.replace("dice -", f"dice {dice}"), "no throw", {})
        for dice in ("0 0", "0 0 6", "1 2 3 4", "0  0 0", "-1 0 0", "crown", "000")
    ],
    *[
        (PRINTED.replace("0:-", bets), said, FREE)
        for bets, said in (
            ("0", "not of the form"), ("0-", "no seat"), ("x:-", "no seat"), ("1:-", "out of turn"),
            ("3:-", "out of turn"), ("2:-", "out of turn"), ("0:", "no bet"), ("0:crown", "no bet"),
            ("0:crown*0", "no bet"), ("0:Crown*1", "no bet"), ("0:crown*01", "no bet"), ("0:crown*-1", "no bet"),
            ("0:star*1", "no bet"), ("0:crown*1,", "no bet"), ("0:crown*6", "max_stake=5"),
            ("0:crown*1,crown*2", "twice"), ("0:-,-", "no bet"),
            ("0:- 0:-", "out of turn"), ("0:- 1:-", "has had its turn"),
            ("", "no seat"), ("0:- 1:club*1 1:heart*1", "has had its turn"),
        )
    ],
    (PRINTED, "sit_out=False", {"bets": "many"}),
    (PRINTED, "bets=one", {"sit_out": True}),
    (START.replace("bets | player_3", "bets 3:crown*1 | player_3"), "has had its turn", {}),
    ("chips 20 20 20 3 | banker 2 | throws 0 | bets 3:crown*4 | player_0 | dice - | 0", "more than the 3", {}),
    (PRINTED.replace("20 19 21 20", "20 19 21 2"), "more than the 2", FREE),
    *[(START.replace("player_3", f"player_{seat}"), "it is player_3", {}) for seat in (0, 1, 2)],
    (START.replace("20 20 20 20", "20 20 20 0"), "it is player_0", {}),
    (START.replace("20 20 20 20", "0 20 20 -4"), "it is player_1", {}),
    (START.replace("throws 0", "throws 100"), "need end=rounds", {}),
    (START.replace("throws 0", "throws 7"), "need end=rounds", {"rounds": 7}),
    (START.replace("throws 0", "throws 8") + " end=rounds", "after 8 throws", {"rounds": 7}),
    (START + " end=rounds", "end=rounds after 0 throws", {}),
    (START + " end=all_chips", "bank=unlimited", {}),
    (START + " end=all_chips", "4 seats have chips", {"bank": "limited"}),
    (START.replace("throws 0", "throws 7").replace("bets | player_3", "bets 3:club*1 | player_0") + " end=rounds",
     "end=rounds with bets", {"rounds": 7}),
    (START.replace("throws 0", "throws 7").replace("bets | player_3", "bets 3:- | player_0") + " end=rounds",
     "end=rounds with bets", {"rounds": 7, "sit_out": True}),
    (OWNED.replace("bets | player_1", "bets 1:club*1 | player_2"), "end=all_chips with bets", {"bank": "limited"}),
    (OWNED, "the seat that has all the chips is the Banker", {"bank": "limited"}),
    (OWNED.replace("banker 2 | throws 0", "banker 1 | throws 8"), "8 throws; with rounds=7 there are no more",
     {"bank": "limited", "rounds": 7}),
    (START + " foo=3", "the word 'foo=3' has no meaning", {}),
    (START + " end=rounds foo=3", "the word 'foo=3' has no meaning", {}),
    (START + " end=win", "no ending", {}),
    (START + " end=repetition", "repetition", {}),
    (START + " end=max_plies", "max_plies", {}),
    (START + " end=rounds end=rounds", "repeated", {}),
    (START.replace("- | 0", "- | 9"), "need end=max_plies", {"max_plies": 9}),
    (START.replace("20 20 20 20", "0 20 0 0").replace("player_3", "player_1"), "one seat has all", {"bank": "limited"}),
    (START.replace("20 20 20 20", "-1 20 0 9"), "fewer than 0", {"bank": "limited"}),
    (START.replace("20 20 20 20", "0 0 0 0").replace("player_3", "player_2"), "nobody", {"bank": "limited"}),
    (START, "players=3", {"players": 3}),
]  # fmt: skip


@cache
def under_way(options: tuple[tuple[str, Any], ...]) -> GameEnv:
    """A game that no refused text changes."""
    env = parlour.make(GAME, **dict(options))
    env.reset(seed=5)
    return env


@pytest.mark.parametrize(("text", "said", "options"), REFUSED)
def test_malformed_texts_are_refused(text: str, said: str, options: dict[str, Any]) -> None:
    """A `ValueError` that names the text and what is wrong with it; the game that was under way stands as before."""
    env = under_way(tuple(options.items()))
    before = standing(env)
    with pytest.raises(ValueError) as caught:
        env.reset(seed=2, options={"position": text})
    assert repr(text)[1:-1] in str(caught.value)
    assert said in str(caught.value).partition(f"{text!r}: ")[2]
    assert standing(env) == before


# --- names of moves ---


@pytest.mark.parametrize("max_stake", [1, 5, 200])
@pytest.mark.parametrize("seat", [0, 3])
def test_names_of_all_actions(max_stake: int, seat: int) -> None:
    """“6 × max_stake + 2 actions, in this order: `crown*1` … `crown*max`, `anchor*1` … `club*max`, `done`, `roll`”, the
    same for every seat."""
    text = START.replace("banker 2", f"banker {(seat - 1) % 4}").replace("player_3", f"player_{seat}")
    env = resumed(text, max_stake=max_stake)
    names = [f"{design}*{stake}" for design in DESIGNS for stake in range(1, max_stake + 1)] + ["done", "roll"]
    assert [env.move_name(action) for action in range(len(names))] == names
    assert [env.parse_move(name) for name in names] == list(range(len(names)))
    for action in (-1, len(names)):
        with pytest.raises(ValueError, match=f"0 to {len(names) - 1}"):
            env.move_name(action)


@pytest.mark.parametrize(
    "text",
    [
        "", " ", "crown", "crown*", "*3", "crown*0", "crown*6", "crown*03", "crown*-1", "crown*+1", "crown *1",
        "Crown*1", "crown*1 ", "crown*1\n", "crowns*1", "star*1", "crown*1,anchor*1", "Done", "ROLL", "pass",
        "roll 0 0 0", "crown*١",
        "crown*99999999999", 5, None, True, b"roll", ["roll"],
    ],
    ids=repr,
)  # fmt: skip
def test_other_texts_are_no_names(text: Any) -> None:
    env = resumed(START)
    with pytest.raises(ValueError) as caught:
        env.unwrapped.games.parse_move(0, text)
    assert repr(text) in str(caught.value)
    assert repr(START) in str(caught.value)


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
    env = parlour.make(GAME, players=players)
    env.reset(
        seed=1, options={"position": f"chips {held} | banker 1 | throws 0 | bets | player_{2 % players} | dice - | 0"}
    )
    plain = env.svg()
    assert all(f'"{colour}"' in plain for colour in env.game.drawing.SEAT_COLOURS[:players])
    env.step(env.parse_move("crown*1"))
    assert env.svg().count("stroke-dasharray") == plain.count("stroke-dasharray") + 1
