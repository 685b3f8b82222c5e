"""The board as a picture and as text."""

from __future__ import annotations

from parlour.rulebook.protocol import RUNNING, Record

from .notation import SEATS, letters
from .rules import CELLS, SIDE

CELL, MARGIN = 40, 8
SIZE = SIDE * CELL + 2 * MARGIN
COLOURS = {"x": "#111", "o": "#f4f4f4"}


def svg(state: Record, variant: Record) -> str:
    """Discs on a green board; a dot marks the latest. The frame is of the colour of the seat to act; grey: the end."""
    frame = COLOURS[SEATS[state.to_act]] if state.end == RUNNING else "#888"
    shapes = [f'<rect width="{SIZE}" height="{SIZE}" fill="#2a7d4f" stroke="{frame}" stroke-width="10"/>']
    for k in range(SIDE + 1):
        at, end = MARGIN + k * CELL, SIZE - MARGIN
        shapes.append(f'<path d="M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}" stroke="#1b5233"/>')
    for cell, letter in enumerate(letters(state)):
        if letter != ".":
            x, y = MARGIN + CELL * (cell % SIDE) + CELL // 2, MARGIN + CELL * (cell // SIDE) + CELL // 2
            shapes.append(f'<circle cx="{x}" cy="{y}" r="16" fill="{COLOURS[letter]}" stroke="#111"/>')
            if cell == state.last_action < CELLS:
                shapes.append(f'<circle cx="{x}" cy="{y}" r="4" fill="#c33"/>')
    size = f'width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>'


def ansi(state: Record, variant: Record) -> str:
    """Rows from 1 to 8, with coordinates."""
    cells = letters(state)
    rows = [f"{row + 1} {' '.join(cells[SIDE * row : SIDE * (row + 1)])}" for row in range(SIDE)]
    then = f"{SEATS[state.to_act]} to act" if state.end == RUNNING else "the end"
    return "\n".join(["  a b c d e f g h", *rows, then])
