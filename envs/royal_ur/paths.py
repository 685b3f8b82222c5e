"""The boards, and the ways over them.

A tile is a pair: its row, 0 Light's own, 1 the middle, 2 Dark's own, and its column from the left. The standard board,
with Bell's path by Light's square numbers (``*``: a rosette)::

    Dark    *  .  .  .        *  .        row 2, c
            5  6  7 *8  9 10 11 12        row 1, b
    Light  *4  3  2  1      *14 13        row 0, a

The board of Aseb has the same four columns at the left, and a middle row of twelve tiles.
"""

from __future__ import annotations

from typing import NamedTuple

ROWS, COLUMNS = 3, 12
LETTERS = "abc"  # the rows, from Light's own
Tile = tuple[int, int]


class Board(NamedTuple):
    """A board: its tiles, and those with rosettes."""

    tiles: frozenset[Tile]
    rosettes: frozenset[Tile]


def _board(outer: str, middle: str) -> Board:
    """A board from its rows; ``*``: a tile with a rosette, ``.``: one without."""
    signs = {(row, k): sign for row, line in enumerate((outer, middle, outer)) for k, sign in enumerate(line)}
    return Board(
        frozenset(tile for tile, sign in signs.items() if sign != " "),
        frozenset(tile for tile, sign in signs.items() if sign == "*"),
    )


def _way(text: str) -> tuple[Tile, ...]:
    """A path from the names of its tiles; ``b1-b8``: all from the one to the other."""
    tiles: list[Tile] = []
    for part in text.split(" "):
        first, _, last = part.partition("-")
        row, start, end = LETTERS.index(first[0]), int(first[1:]), int((last or first)[1:])
        step = 1 if end >= start else -1
        tiles += [(row, number - 1) for number in range(start, end + step, step)]
    return tuple(tiles)


STANDARD, ASEB = _board("*...  *.", "...*...."), _board("*...", "...*...*...*")
ROUND_THE_END = "a4-a1 b1-b7 c7-c8 b8 a8-a7"  # Masters, Murray, Skiriuk
PATHS = {
    "bell": (STANDARD, _way("a4-a1 b1-b8 a8-a7")),
    "masters": (STANDARD, _way(ROUND_THE_END)),
    "aseb": (ASEB, _way("a4-a1 b1-b12")),
    "murray": (STANDARD, _way(f"{ROUND_THE_END} b7-b1 c1-c4")),
    "skiriuk": (STANDARD, _way(f"{ROUND_THE_END} b7-b1")),
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


def name_of(tile: Tile) -> str:
    """``b4``: a tile by its row and column."""
    return f"{LETTERS[tile[0]]}{tile[1] + 1}"
