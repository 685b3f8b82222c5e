"""The transposition table of a search: what is known of positions, stored by 64-bit keys.

A position is stored in one of two places: the first keeps what was searched deepest, the second what came last
(D. M. Breuker, J. W. H. M. Uiterwijk, H. J. van den Herik, *Replacement Schemes for Transposition Tables*, ICCA
Journal 17, 1994).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.search_arrays import AT_LEAST, AT_MOST, EXACT, MOVE_ONLY, NONE, Memory
from parlour.rulebook.hashing import NO_WORDS, add_word
from parlour.rulebook.protocol import HEADER, Record, Rules, first_state_dtype

rules: Rules
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

ZERO, ONE = np.uint64(0), np.uint64(1)
PATH_FIELDS = (
    "plies", "seen", "occurrences", "last_action", "last_seat", "end", "turn_over", "irreversible",
)  # fmt: skip
"""Fields that describe the way to a state; the key ignores them."""
SHARED_WORDS = HEADER.itemsize // 8
"""A game's own fields begin behind these words."""


def _key_masks() -> tuple[np.ndarray[Any, np.dtype[np.uint64]], int]:
    """A mask for each word of a game's own fields, and where among these words the seat to act comes in, as a count of
    bits. So keys are those of version 0.3.0, which had the shared fields behind a game's own, and ladders stay."""
    first: Any = first_state_dtype(rules.STATE)
    kept = np.zeros(first.itemsize, np.uint8)
    for name, (dtype, offset, *_) in first.fields.items():
        if name not in HEADER.names:
            kept[offset : offset + dtype.itemsize] = 255
    to_act = first.fields["to_act"][1]
    return kept.view(np.uint64)[: to_act // 8 + 1], 8 * to_act


KEY_MASKS, TO_ACT = _key_masks()
KEY_WORDS, WORDS = len(KEY_MASKS), rules.STATE.itemsize // 8
TO_ACT_WORD, TO_ACT_SHIFT = TO_ACT // 64, np.uint64(TO_ACT % 64)
BYTE = np.uint64(255)


@kernel
def key_of(i: int, level: int, words: Any, seat: int, salt: Any) -> Any:
    """A word for a position with ``seat`` to act, whatever path led to it. ``words``: uint64 (N, L, state size / 8)."""
    key = add_word(NO_WORDS, salt)
    for k in range(KEY_WORDS):
        word = words[i, level, SHARED_WORDS + k] & KEY_MASKS[k] if SHARED_WORDS + k < WORDS else ZERO
        if k == TO_ACT_WORD:
            word |= (np.uint64(seat) & BYTE) << TO_ACT_SHIFT
        key = add_word(key, word)
    return key | ONE  # 0 is an empty place


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
