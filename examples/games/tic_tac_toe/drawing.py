"""The board as a picture and as text. A drawing sees only a state."""

from __future__ import annotations

from parlour.rulebook.protocol import RUNNING, HitArea, Record

from .notation import NAMES, SEATS, letters
from .rules import SIDE

CELL, MARGIN = 60, 10
SIZE = SIDE * CELL + 2 * MARGIN
COLOURS = {"x": "#a33", "o": "#338"}


def svg(state: Record, variant: Record) -> str:
    """A grid with crosses and rings; the frame has the colour of the seat to act, grey after the end."""
    frame = COLOURS[SEATS[state.to_act]] if state.end == RUNNING else "#999"
    shapes = [f'<rect width="{SIZE}" height="{SIZE}" fill="#fff" stroke="{frame}" stroke-width="6"/>']
    for k in range(1, SIDE):
        at, end = MARGIN + k * CELL, SIZE - MARGIN
        shapes.append(f'<path d="M{at} {MARGIN}V{end}M{MARGIN} {at}H{end}" stroke="#999" stroke-width="2"/>')
    for cell, letter in enumerate(letters(state)):
        x, y = _middle(cell)
        style = f'fill="none" stroke="{COLOURS.get(letter)}" stroke-width="6"'
        if letter == "x":
            shapes.append(
                f'<path d="M{x - 18} {y - 18}L{x + 18} {y + 18}M{x - 18} {y + 18}L{x + 18} {y - 18}" {style}/>'
            )
        elif letter == "o":
            shapes.append(f'<circle cx="{x}" cy="{y}" r="19" {style}/>')
    size = f'width="{SIZE}" height="{SIZE}" viewBox="0 0 {SIZE} {SIZE}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(shapes)}</svg>'


def hit_areas(state: Record, variant: Record) -> list[HitArea]:
    """The nine cells, as places to click."""
    return [
        HitArea(name, f"{name}, {letter if letter != '.' else 'empty'}", *_middle(cell), CELL, CELL)
        for cell, (name, letter) in enumerate(zip(NAMES, letters(state)))
    ]


def _middle(cell: int) -> tuple[int, int]:
    """The centre of a cell in the picture (x, y); rank 1 is at the bottom."""
    return MARGIN + CELL * (cell % SIDE) + CELL // 2, MARGIN + CELL * (SIDE - 1 - cell // SIDE) + CELL // 2


def ansi(state: Record, variant: Record) -> str:
    """The rows from the top, with coordinates, then the seat to act."""
    cells = letters(state)
    rows = [f"{row + 1} {' '.join(cells[SIDE * row : SIDE * (row + 1)])}" for row in reversed(range(SIDE))]
    then = f"{SEATS[state.to_act]} to act" if state.end == RUNNING else "the end"
    return "\n".join([*rows, "  a b c", then])
