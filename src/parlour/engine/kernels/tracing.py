"""What the board shows and what a ply changes on it, in the eyes of seat 0, for measures of whole games.

The picture of a board is made of those planes of the observation that are not the same number everywhere: pieces,
stakes and the like, not counters that fill a whole plane. A cell has changed when any plane of the picture has changed
there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.protocol import Rules

rules: Rules
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

EIGHT, BYTE = np.uint64(8), np.int64(255)


@kernel
def varies(planes: Any, low: int, high: int) -> bool:
    """Whether the numbers from ``low`` to ``high`` − 1 of ``planes`` are not all the same."""
    k = low + 1
    while k < high and planes[k] == planes[low]:
        k += 1
    return k < high


@kernel
def picture_key(planes: Any, plane_size: int) -> Any:
    """The hash (uint64) of a board's picture. ``planes``: int8 (C · H · W,)."""
    key = NO_WORDS
    for low in range(0, planes.shape[0], plane_size):
        if varies(planes, low, low + plane_size):
            key = add_word(key, np.uint64(low))
            word = np.uint64(0)
            for k in range(low, low + plane_size):
                word = (word << EIGHT) | np.uint64(np.int64(planes[k]) & BYTE)
                if (k - low) % 8 == 7:
                    key = add_word(key, word)
                    word = np.uint64(0)
            key = add_word(key, word)
    return key


@kernel
def note_changes(before: Any, after: Any, width: int, used: Any) -> tuple[int, int]:
    """Marks in ``used`` (uint8 (H · W,)) the cells in which two pictures (int8 (C · H · W,)) differ. How many there
    are, and the greatest distance between two of them, in king's steps on the plane."""
    size, changed = used.shape[0], 0
    top, bottom, left, right = size, -1, width, -1
    for cell in range(size):
        differs = False
        for k in range(cell, after.shape[0], size):
            if after[k] != before[k]:
                low = k - cell
                if varies(before, low, low + size) or varies(after, low, low + size):
                    differs = True
                    break
        if differs:
            used[cell] = 1
            changed += 1
            row, column = cell // width, cell % width
            top, bottom = min(top, row), max(bottom, row)
            left, right = min(left, column), max(right, column)
    return changed, max(bottom - top, right - left) if changed else 0


@loop
def picture_rows(low: int, high: int, row_mask: Any, arrays: Arrays, pictures: Any, keys: Any) -> None:
    """Writes seat 0's observation of each row in ``row_mask`` (bool (N,)) into ``pictures`` (int8 (N, C · H · W)), and
    the hash of its picture into ``keys`` (uint64 (N,))."""
    for i in range(low, high):
        if row_mask[i]:
            rules.observe(arrays.states[i], arrays.variants[i], 0, pictures[i])
            keys[i] = picture_key(pictures[i], arrays.plane_size)


@loop
def change_rows(
    low: int, high: int, row_mask: Any, arrays: Arrays, width: int, before: Any, after: Any, keys: Any, used: Any,
    changed: Any, distance: Any,
) -> None:  # fmt: skip
    """`picture_rows` into ``after``, and what has changed since ``before`` (int8 (N, C · H · W)): the cells in ``used``
    (uint8 (N, H · W)), how many in ``changed``, and how far apart in ``distance`` (int64 (N,))."""
    for i in range(low, high):
        if row_mask[i]:
            rules.observe(arrays.states[i], arrays.variants[i], 0, after[i])
            keys[i] = picture_key(after[i], arrays.plane_size)
            changed[i], distance[i] = note_changes(before[i], after[i], width, used[i])
