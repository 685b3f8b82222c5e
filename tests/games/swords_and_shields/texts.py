"""Texts of positions of Swords & Shields for tests/games/test_texts.py."""

from __future__ import annotations

import re
from itertools import product
from typing import Any

BOARD = "3sss3/4s4/4o4/s3o3s/ssoocooss/s3o3s/4o4/4s4/3sss3"
ROWS = BOARD.split("/")
KEY = "0123456789abcdef"
LONE = "9/9/9/9/6c2/9/9/9/s8"  # a sword and the Chief, free to move
STUCK_SWORD = "9/9/9/9/6c2/9/9/o8/so7"
STUCK_SHIELDS = "9/9/9/9/9/2ss5/1scos4/2ss5/9"
ESCAPED = "9/9/9/9/9/9/9/9/3c4s"
CORNER: dict[str, Any] = {"variant": "corner_escape"}
LIMITED: dict[str, Any] = {"max_plies": 7}


def board_text(pieces: dict[str, str]) -> str:
    """The board of a text by the letter on each dot: nine rows, rank 9 first, runs of empty dots as digits."""
    rows = ("".join(pieces.get(file + rank, ".") for file in "abcdefghi") for rank in "987654321")
    return re.sub(r"\.+", lambda run: str(len(run[0])), "/".join(rows))


def board(**rows: str) -> str:
    """The set-up with other rows: ``board(r9="9")``."""
    return "/".join(rows.get(f"r{rank}", row) for rank, row in zip(range(9, 0, -1), ROWS))


def name_of(action: int) -> str:
    """“1296 actions: 81 dots × 16 targets (8 in its rank, 8 in its file)”: the dots along the ranks from a1, the
    targets from file a, then from rank 1."""
    dot, place = divmod(action, 16)
    rank, file = divmod(dot, 9)
    others_of_rank = [f"{other}{rank + 1}" for f, other in enumerate("abcdefghi") if f != file]
    others_of_file = [f"{'abcdefghi'[file]}{r + 1}" for r in range(9) if r != rank]
    return f"{'abcdefghi'[file]}{rank + 1}-{(others_of_rank + others_of_file)[place]}"


NAMED = [
    (f"{BOARD} {seat}", {"variant": variant}, [name_of(action) for action in range(81 * 16)])
    for seat, variant in product("so", ("milton_bradley", "tablut", "corner_escape"))
]
PLAYED = [
    ("", {"variant": variant, "repetition": repetition, "max_plies": max_plies})
    for variant, (repetition, max_plies) in product(
        ("milton_bradley", "tablut", "corner_escape"), ((2, 0), (3, 40), (3, 9), (0, 16))
    )
]
READ: list[tuple[str, dict[str, Any]]] = [
    (f"{BOARD} s", {}),
    (f"{BOARD} s plies=399", {}),
    (f"{BOARD} s plies=2000000000", {"max_plies": 0}),
    (f"{BOARD} s seen={KEY},{KEY}", {}),
    ("s7s/9/9/9/6c2/9/9/9/o7o o", {}),  # corners, under escape=edge
    ("9/9/9/9/9/2s6/9/2s6/9 o end=capture", {}),
    ("9/9/9/9/9/9/9/9/9 s end=capture", {}),
    (f"{ESCAPED} s end=escape", {}),
    ("c8/9/9/9/9/9/9/9/9 s end=escape", CORNER),
    (f"{STUCK_SWORD} s end=no_move", {}),
    ("9/9/9/9/6c2/9/9/9/9 s end=no_move", {}),
    (f"{BOARD} o plies=4 end=repetition", {}),
    (f"{BOARD} o plies=400 end=max_plies", {}),
]
REFUSED: dict[str, list[str]] = {
    "2 chiefs": [f"{board(r6='s3c3s')} s"],
    "9 shields": [f"{board(r7='4oo3')} s"],
    "17 swords": [f"{board(r9='3ssss2')} s"],
    "chief": [
        "9/9/9/9/9/9/9/9/9 s", f"{board(r5='ssoo1ooss')} s",
        *(f"{board(r5='ssoo1ooss')} s {end}" for end in ("plies=400 end=max_plies", "end=escape", "end=repetition")),
    ],
    "e5": [
        "9/9/9/9/4s4/9/9/9/c8 s end=escape", "9/9/6c2/9/4s4/9/9/9/s8 s", "9/9/6c2/9/4o4/9/9/9/s8 s",
        "9/9/9/9/4o4/2s6/9/2s6/9 o end=capture",
    ],
    "8 rows": ["/".join(ROWS[:8]) + " s", BOARD.replace("/", "\\", 1) + " s"],
    "10 rows": ["/".join([*ROWS, "9"]) + " s", f"{BOARD}/ s", f"/{BOARD} s"],
    "1 rows": [BOARD.replace("/", "") + " s"],
    "rank 9 ('3sss4') has 10 cells": [f"{board(r9='3sss4')} s"],
    "rank 9 ('3sss2') has 8 cells": [f"{board(r9='3sss2')} s"],
    "rank 3 ('4o3') has 8 cells": [f"{board(r3='4o3')} s"],
    "rank 1 ('') has 0 cells": [f"{board(r1='')} s"],
    "rank 1 ('9s') has 10 cells": [f"{board(r1='9s')} s"],
    "'x'": [f"{board(r9='3sxs3')} s"],
    "'S'": [f"{board(r9='3sSs3')} s"],
    "'C'": [f"{board(r5='ssooCooss')} s"],
    "'.'": [f"{board(r9='...sss...')} s"],
    "'30'": [f"{board(r9='3sss30')} s"],
    "'03'": [f"{board(r9='03sss3')} s"],
    "'-'": [f"{board(r9='3s-s3')} s"],
    "'³'": [f"{board(r9='3sss³')} s"],
    "'３'": [f"{board(r9='3sss３')} s"],
    "rank 9 ('12sss3') has '12' where a number from 1 to 9 must be, alone": [f"{board(r9='12sss3')} s"],
    "rank 7 ('4o22') has '22' where a number from 1 to 9 must be, alone": [f"{board(r7='4o22')} s"],
    r"'\n'": [f"{BOARD}\n s"],
    "seat to act": [
        "", " ", BOARD, f"{BOARD} ", f"{BOARD} plies=3", f"{BOARD}  s", f" {BOARD} s", f"{BOARD}\ts", f"s {BOARD}",
        *(f"{BOARD} {seat}" for seat in ("x", "c", "S", "so", "swords", "player_0")),
    ],
    **{repr(word): [f"{BOARD} s {word}"] for word in ("foo", "plies", "plies:3", "Plies=3", "=3", "s", "o")},
    "'foo=1'": [f"{BOARD} s {words}" for words in ("foo=1", "plies=3 foo=1", "foo=1 plies=3")],
    "'passes=1'": [f"{BOARD} s {words}" for words in ("passes=1", "plies=3 passes=1 end=repetition")],
    "''": [f"{BOARD} s {words}" for words in ("", " plies=3", "plies=3 ")],
    "plies= is repeated": [
        f"{BOARD} s {words}" for words in ("plies=3 plies=3", "plies=3 plies=4", f"plies=3 seen={KEY} plies=3")
    ],
    "seen= is repeated": [f"{BOARD} s seen={KEY} seen={KEY}"],
    "end= is repeated": [f"{LONE} s end=repetition end=repetition"],
    "order plies= seen= end=": [
        f"{BOARD} s seen={KEY} plies=3", f"{BOARD} s end=repetition plies=3", f"{BOARD} s end=repetition seen={KEY}",
    ],
    **{
        f"plies={digits!r}": [f"{BOARD} s plies={digits}"]
        for digits in (
            "", "-1", "-0", "+1", "01", "00", "x", "1x", "0x10", "1.0", "1e2", "1_0", "1,0", "１", "1１", "²", "1\n",
            "\t1", "2147483648", "9999999999", "99999999999999999999999",
        )
    },
    "seen=": [
        f"{BOARD} s seen={keys}"
        for keys in (
            "", "x", "1", KEY[1:], KEY + "0", KEY.upper(), f"{KEY},", f",{KEY}", f"{KEY};{KEY}", KEY + KEY,
            f"{KEY},,{KEY}", f"{KEY}\n", "-" + KEY[1:],
        )
    ],
    "seen= repeats": [f"{BOARD} s seen={KEY},{KEY},{KEY}"],
    **{
        f"end={end!r}": [f"{LONE} s end={end}"]
        for end in ("", "win", "Escape", "CAPTURE", "draw", "0", "no", "capture,escape")
    },
    "end=capture": [f"{LONE} s end=capture"],
    "end=escape": [
        f"{LONE} s end=escape", f"{ESCAPED} s", f"{ESCAPED} o", "c8/9/9/9/9/9/9/9/8s o", f"{ESCAPED} s end=repetition",
        f"{ESCAPED} s end=no_move",
    ],
    "end=no_move": [
        f"{LONE} s end=no_move", f"{LONE} o end=no_move", f"{STUCK_SWORD} s", f"{STUCK_SWORD} s end=repetition",
        f"{STUCK_SWORD} s plies=400 end=max_plies", f"{STUCK_SWORD} o end=no_move", f"{STUCK_SHIELDS} o",
        "9/9/9/9/6c2/9/9/9/9 s",
    ],
    "no swords": ["9/9/9/9/6c2/9/9/9/9 o"],
    "end=max_plies": [f"{BOARD} s plies={plies}" for plies in (400, 401, 2147483647)],
}  # fmt: skip
"""By what is said of them."""
REFUSED_UNDER: list[tuple[str, str, dict[str, Any]]] = [
    (f"{BOARD} s plies=7", "end=max_plies", LIMITED),
    (f"{BOARD} s end=max_plies", "end=max_plies", {"max_plies": 0}),
    (f"{BOARD} s plies=8 end=repetition", "no game with max_plies=7 ends after 8 plies", LIMITED),
    (f"{BOARD} s plies=3 end=max_plies", "no game with max_plies=7 ends after 3 plies", LIMITED),
    (f"{BOARD} s plies=3 end=max_plies", "end=max_plies", {"max_plies": 0}),
    (f"{BOARD} s end=repetition", "end=repetition", {"repetition": 0}),
    (f"{BOARD} s seen={KEY},{KEY}", "seen= repeats", {"repetition": 2}),
    ("s8/9/9/9/6c2/9/9/9/9 s", "a9", {"escape": "corner"}),
    ("9/9/9/9/6c2/9/9/9/8s s", "i1", {"escape": "corner"}),
    ("8o/9/9/9/6c2/9/9/9/1s7 s", "i9", {"escape": "corner"}),
    ("9/9/9/9/6c2/9/9/9/os7 s", "a1", CORNER),
    ("c8/9/9/9/9/9/9/9/3s5 s", "end=escape", CORNER),
    ("3c5/9/9/9/9/9/9/9/3s5 s end=escape", "end=escape", CORNER),
    ("9/9/9/9/6c2/9/9/1o7/1so6 s", "end=no_move", CORNER),
    ("9/9/9/9/3os4/3oo4/9/9/6c2 s", "e5", {"escape": "corner"}),
]
NO_MOVES = [
    "", " ", "-", "d9", "d9d6", "d9-", "-d6", "D9-D6", "d9-D6", " d9-d6", "d9-d6 ", "d9-d6\n", "d9 - d6", "d9 d6",
    "d9–d6", "d9xd6", "d9-d6-d5", "e5-e5", "a1-b2", "d9-e7", "j1-a1", "a1-j1", "a0-a1", "a1-a0", "a1-a10", "a10-a1",
    "1a-2a", "pass", "0", "5", "d９-d6",
]  # fmt: skip
