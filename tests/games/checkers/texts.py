"""Texts of positions of Checkers for tests/games/test_texts.py."""

from __future__ import annotations

from typing import Any

FEN = "B:W21,22,23,24,25,26,27,28,29,30,31,32:B1,2,3,4,5,6,7,8,9,10,11,12"
ZEROS = "steps=0 king_steps=0"
STUCK = "W:W12:B3,8"
JUMPING = "B:W15,22:B11 jump="
OPENSPIEL: dict[str, Any] = {"variant": "openspiel"}


def touching(square: int) -> list[int | None]:
    """The squares beside one, by direction: forward (for Black) to the left and right, back to the left and right."""
    row, column = (square - 1) // 4, 2 * ((square - 1) % 4) + 1 - (square - 1) // 4 % 2
    found: list[int | None] = []
    for down, across in ((1, -1), (1, 1), (-1, -1), (-1, 1)):
        there = row + down, column + across
        found.append(4 * there[0] + there[1] // 2 + 1 if 0 <= there[0] < 8 and 0 <= there[1] < 8 else None)
    return found


STEPS = [(square, direction, touching(square)[direction]) for direction in range(4) for square in range(1, 33)]
"""“128 actions: 32 squares × 4 directions, 98 of which can ever be played”; names are absolute, indices turned."""
NAMES = [f"{square}-{target}" if target else "" for square, _, target in STEPS]
NAMED: list[tuple[str, dict[str, Any], list[str]]] = [
    ("B:W32:B1", {}, NAMES), ("W:W32:B1", {}, NAMES[::-1]),
]  # fmt: skip
PLAYED: list[tuple[str, dict[str, Any]]] = [
    ("B:WK4,K12,30:BK29,K21,3 steps=20 king_steps=60", options)
    for options in ({}, {"repetition": 0}, OPENSPIEL, {"draw_rule": "none", "max_plies": 30})
]
READ: list[tuple[str, dict[str, Any]]] = [
    (f"{FEN} {ZEROS}", {}),
    (f"{FEN} {ZEROS}", {"draw_rule": "none"}),
    (f"{FEN} steps=500 king_steps=79", {}),
    (f"{FEN} steps=39 king_steps=99", OPENSPIEL),
    (f"{FEN} steps=999 king_steps=999", {"draw_rule": "none"}),
    (f"{FEN} {ZEROS} end=no_progress", {}),
    ("W:W12:B3,8 steps=80 king_steps=80 end=no_move", {}),
    (f"B:W15,22:B11 jump=11 {ZEROS}", {}),
    (f"B:W18,32:BK14 jump=14 {ZEROS} end=max_plies", {"max_plies": 9}),
    (f"W:W:B1 {ZEROS} end=no_move", {}),
]
REWRITTEN = [
    *(
        (text, f"B:W21,22:B1,2 {ZEROS}", {})
        for text in (
            "B:B1,2:W21,22", "B:B2,1:W22,21.", "B:W21,22:B1,2.", "B:W21,22:B1,2 steps=0",
            "B:W21,22:B2,1 king_steps=0 plies=0", "B:W22,21:B1,2 plies=0",
        )
    ),
    ("W:WK2,32:BK31,K5,1", f"W:WK2,32:B1,K5,K31 {ZEROS}", {}),
    ("W:W:B1 end=no_move", f"W:W:B1 {ZEROS} end=no_move", {}),
    ("B:B:W32 end=no_move", f"B:W32:B {ZEROS} end=no_move", {}),
    ("W:B:W31,32:B1,2", f"B:W31,32:B1,2 {ZEROS}", {}),  # as py-draughts wrote it until June 2026
]  # fmt: skip
"""“read in any order, a full stop allowed”; “on reading any may be missing”."""
REFUSED: dict[str, list[str]] = {
    "no FEN": [
        "", "B", "B:W21", "B:W21:B1:W3", "B:W21:W22", "B:B21:B22", "B:21:1", "X:W21:B1", "b:W21:B1", "B:w21:b1",
        "W21:B1", ":W21:B1", "W:X:W31,32:B1,2",
    ],
    "'1.'": ["B:W21:B1.."],
    "'0'": ["B:W0:B1", f"{JUMPING}0"],
    "'33'": ["B:W33:B1"],
    "'021'": ["B:W021:B1"],
    "'-1'": ["B:W-1:B1"],
    "''": ["B:W21,:B1", "B:W,21:B1", JUMPING],
    "'21;22'": ["B:W21;22:B1"],
    "'21-24'": ["B:W21-24:B1"],
    "'２１'": ["B:W２１:B1"],
    "'k21'": ["B:Wk21:B1"],
    "'K21'": ["B:WKK21:B1"],
    "'21K'": ["B:W21K:B1"],
    "two pieces on square 21": ["B:W21,21:B1", "B:W21:B21", "B:W21,K21:B1"],
    "13 pieces": [
        "B:W13,14,15,16,17,18,19,20,21,22,23,24,25:B1", "B:W32:BK1,K2,K3,K4,K5,K6,K7,K8,K9,K10,K11,K12,K13",
    ],
    "a man on 1": ["B:W1:B9"],
    "a man on 4": ["B:W4:B9"],
    "a man on 29": ["B:W21:B29"],
    "a man on 32": ["B:W21:B32 end=no_move"],
    "no pieces": ["B:W:B1", "W:W21:B", "B:W:B end=no_move", "B:W:B1 end=repetition"],
    "no move": [
        "B:W21:B", STUCK, f"{STUCK} end=repetition", f"{STUCK} steps=80 king_steps=80 end=no_progress",
    ],
    "end=no_move": [f"{FEN} end=no_move"],
    "end=no_progress": [f"{FEN} king_steps=80", f"{FEN} king_steps=80 end=repetition"],
    "king_steps=81": [f"{FEN} king_steps=81 end=no_progress"],
    "king_steps=3": [f"{FEN} king_steps=3 end=no_progress"],
    "king_steps=": [f"{FEN} king_steps=-1"],
    "jump=11": [f"{FEN} jump=11"],
    "jump=12": [f"{STUCK} jump=12 end=no_move"],
    "jump=15": [f"{JUMPING}15"],
    "jump=18": [f"{JUMPING}18"],
    "'11,12'": [f"{JUMPING}11,12"],
    "steps": [f"{JUMPING}11 steps=1"],
    "steps=": [f"{FEN} steps=x"],
    "end=repetition": [f"{JUMPING}11 end=repetition"],
    "'foo=1' has no meaning": [f"{FEN} foo=1"],
    "order": [f"{FEN} king_steps=1 steps=1"],
    "max_plies is 0": [f"{FEN} end=max_plies"],
}  # fmt: skip
"""By what is said of them."""
REFUSED_UNDER: list[tuple[str, str, dict[str, Any]]] = [
    (f"{FEN} steps=40", "end=no_progress", OPENSPIEL),
    (f"{FEN} steps=40 end=max_plies", "end=no_progress", OPENSPIEL),
    ("W:W12:B3,8 steps=40 end=no_move", "end=no_progress", OPENSPIEL),
    (f"{FEN} end=no_progress", "draw_rule", {"draw_rule": "none"}),
    (f"{FEN} plies=1000", "end=max_plies", OPENSPIEL),
    (f"{FEN} end=repetition", "repetition", OPENSPIEL),
]
NO_MOVES = [
    "11-11", "1-2", "4-9", "29-33", "0-4", "001-5", "5-1x", "b6-c5", "", "-", "x", "pass", "32-28-24", "1x5x9", "1",
    "115", "11155", "11+15", "11/15", "1 5x",
]  # fmt: skip
