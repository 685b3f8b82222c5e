"""The track as a picture and as text."""

from __future__ import annotations

from parlour.rulebook.protocol import RUNNING, Record
from parlour.rulebook.svg_shapes import FACES, box, circle, die, picture, ring
from parlour.rulebook.svg_text import text_path

from . import TITLE, rules
from .notation import NAMES, SEATS, squares_of

CELL, MAN = 44, 15.0
HEIGHT = 4 * CELL
"""Rows from the top: men of the first seat in hand and at home, the track, those of the second seat, words."""
COLOURS, INK, WOOD, SQUARE, MARK = ("#a33", "#338"), "#333", "#e8d8b0", "#fff6e0", "#2a2"
EDGE = f'stroke="{WOOD}"'


def svg(state: Record, variant: Record) -> str:
    """The track between hand and home, the men, the throw beside the seat to act, the place that the last ply left."""
    width = CELL * (int(variant.length) + 3)
    parts = [box(0, 0, width, HEIGHT, 8, WOOD)]
    parts += [box(_across(k) - 20, 1.5 * CELL - 20, 40, 40, 4, SQUARE) for k in range(1, int(variant.length) + 1)]
    for seat in range(2):
        parts += [circle(_across(square), 1.5 * CELL, MAN, COLOURS[seat]) for square in squares_of(state, seat)]
        waiting, home = (int(state.men[seat, place]) for place in (rules.HAND, rules.HOME))
        parts += [circle(_across(0) + 12 * k, _down(seat), MAN, COLOURS[seat], EDGE) for k in range(waiting)]
        parts += [circle(width - CELL - 12 * k, _down(seat), MAN, COLOURS[seat], EDGE) for k in range(home)]
    parts += [_last_ply(state), _throw(state, width / 2)]
    parts.append(text_path(status(state), width / 2, 3.7 * CELL, 13, INK))
    return picture(width, HEIGHT, f"{TITLE}. {status(state)}", parts)


def _across(place: int) -> float:
    """The middle of a square of the track, or of the hand."""
    return CELL * (place + 1)


def _down(seat: int) -> float:
    """The middle of a seat's own row."""
    return CELL * (0.5 + 2 * seat)


def _last_ply(state: Record) -> str:
    """A ring on the place that the last man has left."""
    place = int(state.last_action)
    if place < 0 or place == rules.PASS:
        return ""
    return ring(_across(place), _down(state.last_seat) if place == rules.HAND else 1.5 * CELL, MAN + 2, MARK, 3)


def _throw(state: Record, x: float) -> str:
    """The die, in the row of the seat to act."""
    y = _down(state.to_act)
    spots = [circle(x + 9 * right, y + 9 * down, 3, INK) for right, down in FACES[int(state.dice[0])]]
    return die("die-0", box(x - 16, y - 16, 32, 32, 5, "#fff") + "".join(spots))


def ansi(state: Record, variant: Record) -> str:
    """The track in letters, men of the first seat as F; then men in hand and at home, the throw, the last ply."""
    cells = ["."] * int(variant.length)
    for seat, letter in enumerate("FS"):
        for square in squares_of(state, seat):
            cells[square - 1] = letter
    hand, home = (f"{state.men[0, place]} F, {state.men[1, place]} S" for place in (rules.HAND, rules.HOME))
    last = f"{SEATS[state.last_seat]} {NAMES[state.last_action]}" if state.last_action >= 0 else "none"
    track = f"hand {hand} | {' '.join(cells)} | home {home}"
    return f"{track}\ndice {state.dice[0]}, last ply: {last}, {status(state)}"


def status(state: Record) -> str:
    """``first to act``, or how the game has ended."""
    if state.end == RUNNING:
        return f"{SEATS[state.to_act]} to act"
    if state.end != rules.ALL_HOME:
        return "nobody wins"
    return f"{SEATS[int(state.men[1, rules.HOME] == rules.MEN)]} wins"
