"""Positions before a throw as numbers, for `parlour.solve`: the whole game, under all options.

A tier holds the positions in which the seats have m and n men left that are not borne off, whichever of the two is to
act; men are borne off for good. A position is then how the tiles are filled. Tiles that men come to last come first in
the number, so that a move forward leads to a higher number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from parlour.rulebook.bits import ONE, ZERO, count_bits, lowest, without_lowest
from parlour.rulebook.compiling import kernel
from parlour.rulebook.endings import PLACED, Tier, pair_number, pair_of, pair_tiers
from parlour.rulebook.protocol import Record

from .paths import LONGEST, PATHS, mirrored
from .rules import BIT, LIGHT, SECOND_TIME
from .variants import MEN

LIMIT = None
MOST, MOST_TILES = MEN.maximum, 20


def _tiles() -> tuple[Any, Any]:
    """[path, side, square]: the number of the tile of a square of the seat to act (side 0) or the other seat, −1 for
    none; and [path, side, second time, tile]: the square there, 0 for none."""
    numbers = np.full((len(PATHS), 2, LONGEST + 2), -1, np.int64)
    squares = np.zeros((len(PATHS), 2, 2, MOST_TILES), np.int64)
    for p, (_, way) in enumerate(PATHS.values()):
        first = {tile: s for s, tile in reversed([*enumerate(way, 1)])}
        farthest = sorted(
            {*way, *map(mirrored, way)}, key=lambda tile: (-min(first.get(t, 99) for t in (tile, mirrored(tile))), tile)
        )
        for s, tile in enumerate(way, 1):
            for side, there in enumerate((tile, mirrored(tile))):
                numbers[p, side, s] = farthest.index(there)
                squares[p, side, SECOND_TIME[p, s], farthest.index(there)] = s
    return numbers, squares


TILE, SQUARE = _tiles()


def _fillings() -> Any:
    """[path, tile, m + 1, n + 1]: in how many ways at most m men of the seat to act and n of the other can stand on the
    tiles from this one on; 0 for −1 men."""
    ways = np.zeros((len(PATHS), MOST_TILES + 1, MOST + 2, MOST + 2), np.int64)
    ways[:, MOST_TILES, 1:, 1:] = 1
    for p in range(len(PATHS)):
        for t in range(MOST_TILES - 1, -1, -1):
            mine, others = np.count_nonzero(SQUARE[p, :, :, t], axis=1)
            after = ways[p, t + 1]
            ways[p, t, 1:, 1:] = after[1:, 1:] + mine * after[:-1, 1:] + others * after[1:, :-1]
    return ways


WAYS = _fillings()
OWN_SQUARES = np.count_nonzero(SQUARE[:, 0], axis=1)
"""[path, tile]: how many squares of the seat to act lie on it."""


def tiers(values: Mapping[str, Any], limit: int) -> Sequence[Tier]:
    """One for each pair of numbers of men left."""
    path = list(PATHS).index(values["path"])
    return pair_tiers(values["men"], lambda more, less: int(WAYS[path, 0, more + 1, less + 1]))


@kernel
def tiles_of(path: int, side: int, held: Any) -> tuple[Any, Any]:
    """The tiles of men ``held``, as a set; and those among them that their men come over for the second time."""
    tiles, again = ZERO, ZERO
    while held:
        square = lowest(held)
        held = without_lowest(held)
        here = ONE << np.uint64(TILE[path, side, square])
        tiles |= here
        if SECOND_TIME[path, square]:
            again |= here
    return tiles, again


@kernel
def rank(state: Record, variant: Record) -> tuple[int, int]:
    """See `parlour.rulebook.protocol.Endings`."""
    seat, path = np.int64(state.to_act), np.int64(variant.path)
    men = np.int64(variant.men) - state.off[seat]
    others = np.int64(variant.men) - state.off[1 - seat]
    tier, index = pair_number(men, others), 0
    if men < others:
        index = WAYS[path, 0, men + 1, others + 1]
    own_tiles, again = tiles_of(path, 0, state.held[seat])
    tiles, again_too = tiles_of(path, 1, state.held[1 - seat])
    again |= again_too
    tiles |= own_tiles
    while tiles:
        t = lowest(tiles)
        tiles = without_lowest(tiles)
        here = ONE << np.uint64(t)
        index += WAYS[path, t + 1, men + 1, others + 1]
        if own_tiles & here != ZERO:
            if again & here != ZERO:
                index += WAYS[path, t + 1, men, others + 1]
            men -= 1
        else:
            index += OWN_SQUARES[path, t] * WAYS[path, t + 1, men, others + 1]
            if again & here != ZERO and SQUARE[path, 1, 0, t] > 0:
                index += WAYS[path, t + 1, men + 1, others]
            others -= 1
    return tier, index


@kernel
def place(tier: int, index: int, state: Record, variant: Record) -> int:
    """See `parlour.rulebook.protocol.Endings`."""
    path, men = np.int64(variant.path), np.int64(variant.men)
    mine, others = pair_of(tier)
    if index >= WAYS[path, 0, mine + 1, others + 1]:
        index -= WAYS[path, 0, mine + 1, others + 1]
        mine, others = others, mine
    state.off[0], state.off[1] = men - mine, men - others
    state.held[0], state.held[1] = ZERO, ZERO
    for t in range(MOST_TILES):
        empty = WAYS[path, t + 1, mine + 1, others + 1]
        if index < empty:
            continue
        index -= empty
        placed = -1
        for side in range(2):
            for again in range(2):
                square = SQUARE[path, side, again, t]
                if placed >= 0 or square == 0:
                    continue
                ways = WAYS[path, t + 1, mine + side, others + 1 - side]
                if index < ways:
                    state.held[side] |= BIT[square]
                    placed = side
                else:
                    index -= ways
        if placed == 0:
            mine -= 1
        else:
            others -= 1
    for seat in range(2):
        state.hand[seat] = men - state.off[seat] - count_bits(state.held[seat])
    for k in range(4):
        state.dice[k] = -1
    state.number = 0
    state.reached = 0
    state.due = 1
    state.to_act = LIGHT
    return PLACED
