"""The boards, and the ways over them.

A tile is a pair: its row, 0 Light's own, 1 the middle, 2 Dark's own, and its column from the left. The standard board,
with Bell's path by Light's square numbers (``*``: a rosette)::

    Dark    *  .  .  .        *  .        row 2
            5  6  7 *8  9 10 11 12        row 1
    Light  *4  3  2  1      *14 13        row 0

The board of Aseb has the same four columns at the left, and a middle row of twelve tiles.
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

ROWS, COLUMNS = 3, 12
Tile = tuple[int, int]


class Board(NamedTuple):
    """A board: its tiles, and those with rosettes."""

    tiles: frozenset[Tile]
    rosettes: frozenset[Tile]


def _block(rows: range, columns: range) -> set[Tile]:
    return {(row, column) for row in rows for column in columns}


def _walk(*corners: Tile) -> tuple[Tile, ...]:
    way = [corners[0]]
    for start, end in pairwise(corners):
        (row, column), steps = start, max(abs(end[0] - start[0]), abs(end[1] - start[1]))
        down, right = (end[0] - row) // steps, (end[1] - column) // steps
        way += [(row + down * k, column + right * k) for k in range(1, steps + 1)]
    return tuple(way)


STANDARD = Board(
    frozenset(_block(range(3), range(4)) | _block(range(1, 2), range(8)) | _block(range(3), range(6, 8))),
    frozenset({(0, 0), (2, 0), (1, 3), (0, 6), (2, 6)}),
)
ASEB = Board(
    frozenset(_block(range(3), range(4)) | _block(range(1, 2), range(12))),
    frozenset({(0, 0), (2, 0), (1, 3), (1, 7), (1, 11)}),
)

START = ((0, 3), (0, 0), (1, 0))  # every path: the own row to the left, then into the middle row
ROUND_THE_END = (*START, (1, 6), (2, 6), (2, 7), (0, 7), (0, 6))  # Masters, Murray, Skiriuk
PATHS: dict[str, tuple[Board, tuple[Tile, ...]]] = {
    "bell": (STANDARD, _walk(*START, (1, 7), (0, 7), (0, 6))),
    "masters": (STANDARD, _walk(*ROUND_THE_END)),
    "aseb": (ASEB, _walk(*START, (1, 11))),
    "murray": (STANDARD, _walk(*ROUND_THE_END, (1, 6), (1, 0), (2, 0), (2, 3))),
    "skiriuk": (STANDARD, _walk(*ROUND_THE_END, (1, 6), (1, 0))),
}
"""Of each value of the option ``path``: its board, and Light's path: square k of it is tile k − 1 of the list."""
LONGEST = max(len(way) for _, way in PATHS.values())


def mirrored(tile: Tile) -> Tile:
    """The same tile as the other seat sees it: Dark's path is Light's, with the rows exchanged."""
    return ROWS - 1 - tile[0], tile[1]


def tile_of(path: str, seat: int, square: int) -> Tile:
    """The tile of a seat's square (1 to the path's length)."""
    tile = PATHS[path][1][square - 1]
    return tile if seat == 0 else mirrored(tile)
