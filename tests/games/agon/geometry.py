"""The board of Agon, worked out from the README's words for the tests alone."""

from __future__ import annotations

ROW_LENGTHS = dict(zip("abcdefghijk", (6, 7, 8, 9, 10, 11, 10, 9, 8, 7, 6)))
CELLS = [f"{row}{n + 1}" for row, length in ROW_LENGTHS.items() for n in range(length)]


STEPS = ((0, -1), (0, 1), (1, 0), (1, 1), (-1, -1), (-1, 0))
"""Left, right, up-left, up-right, down-left, down-right, as rows and columns, columns sheared: the README, “Board”."""


def sheared(cell: str) -> tuple[int, int]:
    """Row and column from the throne: cell n of row r touches (r, n ± 1), (r ± 1, n) and (r ± 1, n ± 1) in them."""
    row = "abcdefghijk".index(cell[0]) - 5
    return row, int(cell[1:]) - 6 + max(row, 0)


AT = {sheared(cell): cell for cell in CELLS}


def names_in_the_eyes_of(seat: int) -> list[str]:
    """Action index to name by the README's formula, for whatever could be played; "" for steps off the board."""
    cells = CELLS if seat == 0 else CELLS[::-1]
    way = 1 if seat == 0 else -1
    steps = []
    for cell in cells:
        row, column = sheared(cell)
        targets = [AT.get((row + way * rows, column + way * columns), "") for rows, columns in STEPS]
        steps += [f"{cell}-{target}" if target else "" for target in targets]
    return [*steps, *(f"@{cell}" for cell in cells), *(f"{cell}^" for cell in cells), "pass"]


def distance(cell: str) -> int:
    """The cell's ring; 9 for a pass."""
    if cell == "pass":
        return 9
    row, column = sheared(cell)
    return max(abs(row), abs(column), abs(row - column))


NAMES = (names_in_the_eyes_of(0), names_in_the_eyes_of(1))


def neighbours(cell: str) -> list[str]:
    """The adjacent cells, left, right, up-left, up-right, down-left, down-right, as far as they exist."""
    row, column = sheared(cell)
    return [AT[row + rows, column + columns] for rows, columns in STEPS if (row + rows, column + columns) in AT]


def lines_through(cell: str) -> list[tuple[str, str]]:
    """The pairs of cells on opposite sides of a cell, in a straight line."""
    row, column = sheared(cell)
    pairs = [((row + r, column + c), (row - r, column - c)) for r, c in ((0, 1), (1, 0), (1, 1))]
    return [(AT[one], AT[other]) for one, other in pairs if one in AT and other in AT]


def ring_neighbours(cell: str) -> list[tuple[str, str]]:
    """The two cells on both sides along the cell's own ring, as a list of one pair; none for the throne."""
    beside = [other for other in neighbours(cell) if distance(other) == distance(cell)]
    return [(beside[0], beside[1])] if beside else []


def half_turned(cell: str) -> str:
    """Where a half-turn of the board takes a cell."""
    return CELLS[90 - CELLS.index(cell)]


def mirrored(cell: str) -> str:
    """Where the reflection that swaps left and right takes a cell."""
    return f"{cell[0]}{ROW_LENGTHS[cell[0]] + 1 - int(cell[1:])}"


LINES = {(min(pair), cell, max(pair)) for cell in CELLS for pair in lines_through(cell)}
"""Three adjacent cells in a straight line, the middle one in the middle."""
RINGS = {(min(pair), cell, max(pair)) for cell in CELLS for pair in ring_neighbours(cell)}
"""Three adjacent cells of one ring."""
