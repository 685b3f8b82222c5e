"""The transposition table of a search: what is known of positions, stored by 64-bit keys.

A position is stored in one of two places: the first keeps what was searched deepest, the second what came last
(D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, *Replacement Schemes for Transposition Tables*, ICCA
Journal 17, 1994).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.search_arrays import AT_LEAST, AT_MOST, EXACT, MOVE_ONLY, NONE, Memory
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.protocol import Record

ZERO, ONE = np.uint64(0), np.uint64(1)


@kernel
def place_of(i: int, key: Any, memory: Memory) -> int:
    """The first of a position's two places."""
    return np.int64((key >> ONE) & np.uint64(memory.entries.shape[1] - 2))


@kernel
def find(i: int, key: Any, memory: Memory) -> int:
    """The index of a position in the table; NONE if it is not there."""
    place = place_of(i, key, memory)
    if memory.entries[i, place].key == key:
        return place
    return place + 1 if memory.entries[i, place + 1].key == key else NONE


@kernel
def settles(entry: Record, alpha: float, beta: float) -> bool:
    """Whether an entry makes a search of its position unnecessary."""
    if entry.bound == EXACT:
        return True
    return (entry.bound == AT_LEAST and entry.value >= beta) or (entry.bound == AT_MOST and entry.value <= alpha)


@kernel
def store(i: int, frame: Record, bound: int, memory: Memory) -> None:
    """Stores the result of a frame. Of a `MOVE_ONLY` result only the action counts."""
    place = place_of(i, frame.key, memory)
    first, second = memory.entries[i, place], memory.entries[i, place + 1]
    left = frame.left if bound != MOVE_ONLY else NONE
    deeper = first.key != ZERO and first.left > left
    if first.key != frame.key and (second.key == frame.key or deeper):
        place += 1
    entry = memory.entries[i, place]
    if entry.key == ZERO:
        note_taken(i, place, memory)
    if entry.key == frame.key and bound == MOVE_ONLY and entry.bound != MOVE_ONLY:
        return
    if frame.action != NONE or entry.key != frame.key:
        entry.action = frame.action
    entry.key = frame.key
    entry.value = frame.value
    entry.left = left
    entry.bound = bound
    entry.proved = frame.proved


@kernel
def note_taken(i: int, place: int, memory: Memory) -> None:
    """Notes that an empty place of the table of row i is taken."""
    progress = memory.progress[i]
    if progress.taken < memory.taken_places.shape[1]:
        memory.taken_places[i, progress.taken] = place
    progress.taken += 1


@loop
def clear(i: int, memory: Memory) -> None:
    """Clears the table of row i: after a short search only the places that were taken, since the table is large."""
    taken = memory.progress[i].taken
    if taken <= memory.taken_places.shape[1]:
        for k in range(taken):
            memory.entries[i, memory.taken_places[i, k]].key = ZERO
    else:
        for k in range(memory.entries.shape[1]):
            memory.entries[i, k].key = ZERO
    memory.progress[i].taken = 0
    for seat in range(memory.history.shape[1]):
        for action in range(memory.history.shape[2]):
            memory.history[i, seat, action] = 0
            memory.countermoves[i, seat, action] = NONE


@kernel
def age(i: int, memory: Memory) -> None:
    """Between two plies of a game: reduces the weight of what was learnt about actions."""
    for seat in range(memory.history.shape[1]):
        for action in range(memory.history.shape[2]):
            memory.history[i, seat, action] //= 4
