"""Texts of positions of Crown and Anchor for tests/games/test_texts.py."""

from __future__ import annotations

from itertools import product
from typing import Any

DESIGNS = ("crown", "anchor", "heart", "spade", "diamond", "club")
PRINTED = "chips 20 19 21 20 | banker 2 | throws 3 | bets 3:crown*2,anchor*1 0:- | player_1 | dice 0 0 4 | 17"
START = "chips 20 20 20 20 | banker 2 | throws 0 | bets | player_3 | dice - | 0"
OWNED = "chips 0 20 0 0 | banker 2 | throws 0 | bets | player_1 | dice - | 0 end=all_chips"
FREE: dict[str, Any] = {"bets": "many", "sit_out": True}
LIMITED: dict[str, Any] = {"bank": "limited"}
SEVEN: dict[str, Any] = {"rounds": 7}


def held(chips: str, seat: int = 3) -> str:
    """The start with other chips and another seat to act."""
    return START.replace("20 20 20 20", chips).replace("player_3", f"player_{seat}")


NAMED = [
    (
        START.replace("banker 2", f"banker {(seat - 1) % 4}").replace("player_3", f"player_{seat}"),
        {"max_stake": most},
        [f"{design}*{stake}" for design, stake in product(DESIGNS, range(1, most + 1))] + ["done", "roll"],
    )
    for seat, most in product((0, 3), (1, 5, 200))
]
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("", {"players": players, "rounds": 12, **options})
    for players, options in product(
        (2, 4, 12),
        (
            {},
            {"variant": "many_bets", "sit_out": True},
            {"variant": "limited_bank", "start_chips": 5},
            {"max_plies": 31},
        ),
    )
]
READ: list[tuple[str, dict[str, Any]]] = [
    (PRINTED, FREE),
    (PRINTED.replace(" 0:- | player_1", " 0:- 1:club*2 | player_1"), FREE),
    (held("1 2 3 4"), {}),  # another number of chips than play would have
    (held("-3 9000000000000000 3 4"), {}),
    (START.replace("throws 0", "throws 99"), {}),
    (START.replace("dice -", "dice 5 0 5"), {}),
    (START.replace("| 0", "| 2000000000"), {}),
    (held("0 20 0 0", 1), {}),
    ("chips 0 0 20 0 | banker 2 | throws 0 | bets | player_2 | dice - | 0", {}),
    ("chips 20 20 20 20 | banker 2 | throws 100 | bets | player_3 | dice 1 2 3 | 400 end=rounds", {}),
    ("chips 20 20 20 20 | banker 2 | throws 0 | bets 3:club*5 | player_0 | dice - | 1", {}),
]
REWRITTEN = [
    (START.replace("bets", "bets -"), START, FREE),
    (PRINTED.replace("crown*2,anchor*1", "anchor*1,crown*2"), PRINTED, FREE),
]
"""An empty cloth as a dash; a seat's designs in any order."""
REFUSED: dict[str, list[str]] = {
    "not of the form": [
        "", " ", "chips", START.replace(" | ", "|"), START.replace("bets", "bet"), START + " |", START + " | 3",
        "|" + START, " " + START, START.replace("player_3", "3"), START.replace("throws 0 | ", ""),
        START.replace("chips", "Chips"), START.replace("bets |", "bets| "),
    ],
    "numbers": [held(chips) for chips in ("20 20 20", "20 20 20 20 20", "20")],
    "no whole number": [
        held(f"20 {count} 20 20")
        for count in ("x", "+3", "03", "-0", "1.0", "--1", "1e3", "２", "99999999999999999")
    ],
    "no seat": [
        *(START.replace("banker 2", f"banker {seat}") for seat in ("4", "-1", "x", "02", "²", "99", "")),
        *(START.replace("player_3", f"player_{seat}") for seat in ("4", "-1", "x", "", "03")),
    ],
    "throws=": [START.replace("throws 0", f"throws {count}") for count in ("-1", "x", "00", "2147483648", "")],
    "plies=": [START.replace("- | 0", f"- | {count}") for count in ("-1", "x", "00", "2147483648")],
    "no throw": [
        START.replace("dice -", f"dice {dice}")
        for dice in ("0 0", "0 0 6", "1 2 3 4", "0  0 0", "-1 0 0", "crown", "000")
    ],
    "has had its turn": [START.replace("bets | player_3", "bets 3:crown*1 | player_3")],
    "more than the 3": ["chips 20 20 20 3 | banker 2 | throws 0 | bets 3:crown*4 | player_0 | dice - | 0"],
    "it is player_3": [START.replace("player_3", f"player_{seat}") for seat in (0, 1, 2)],
    "it is player_0": [held("20 20 20 0")],
    "it is player_1": [held("0 20 20 -4")],
    "need end=rounds": [START.replace("throws 0", "throws 100")],
    "end=rounds after 0 throws": [START + " end=rounds"],
    "bank=unlimited": [START + " end=all_chips"],
    "the word 'foo=3' has no meaning": [START + " foo=3", START + " end=rounds foo=3"],
    "no ending": [START + " end=win"],
    "repetition": [START + " end=repetition"],
    "max_plies": [START + " end=max_plies"],
    "repeated": [START + " end=rounds end=rounds"],
}  # fmt: skip
"""By what is said of them."""
REFUSED_UNDER: list[tuple[str, str, dict[str, Any]]] = [
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
    (PRINTED.replace("20 19 21 20", "20 19 21 2"), "more than the 2", FREE),
    (START.replace("throws 0", "throws 7"), "need end=rounds", SEVEN),
    (START.replace("throws 0", "throws 8") + " end=rounds", "after 8 throws", SEVEN),
    (START + " end=all_chips", "4 seats have chips", LIMITED),
    (START.replace("throws 0", "throws 7").replace("bets | player_3", "bets 3:club*1 | player_0") + " end=rounds",
     "end=rounds with bets", SEVEN),
    (START.replace("throws 0", "throws 7").replace("bets | player_3", "bets 3:- | player_0") + " end=rounds",
     "end=rounds with bets", {"rounds": 7, "sit_out": True}),
    (OWNED.replace("bets | player_1", "bets 1:club*1 | player_2"), "end=all_chips with bets", LIMITED),
    (OWNED, "the seat that has all the chips is the Banker", LIMITED),
    (OWNED.replace("banker 2 | throws 0", "banker 1 | throws 8"), "8 throws; with rounds=7 there are no more",
     {**LIMITED, **SEVEN}),
    (START.replace("- | 0", "- | 9"), "need end=max_plies", {"max_plies": 9}),
    (held("0 20 0 0", 1), "one seat has all", LIMITED),
    (held("-1 20 0 9"), "fewer than 0", LIMITED),
    (held("0 0 0 0", 2), "nobody", LIMITED),
    (START, "players=3", {"players": 3}),
]  # fmt: skip
NO_NAMES = [
    "", " ", "crown", "crown*", "*3", "crown*0", "crown*6", "crown*03", "crown*-1", "crown*+1", "crown *1",
    "Crown*1", "crown*1 ", "crown*1\n", "crowns*1", "star*1", "crown*1,anchor*1", "Done", "ROLL", "pass",
    "roll 0 0 0", "crown*١", "crown*99999999999",
]  # fmt: skip
