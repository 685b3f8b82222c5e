"""The positions of a game that could come again: one row of `Arrays.history`.

A row is uint64 (K,). Its first `FILTER_WORDS` words are a Bloom filter (Bloom, 1970): every key sets two bits of one
word. Behind them are the keys, in the order in which the positions came. Most positions are new, and of most new ones a
bit is missing: then one word is read instead of all keys. Where both bits are set, the keys are counted.

With no position to count, the filter means nothing: `note` clears it when it writes the first key.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.compiling import kernel

FILTER_WORDS = 4
"""With twice as many, Swords & Shields was no faster."""
WORD, SHIFT, BIT = np.uint64(FILTER_WORDS - 1), np.uint64(6), np.uint64(63)
ONE, ALL = np.uint64(1), np.uint64(0xFFFF_FFFF_FFFF_FFFF)


@kernel
def filter_word(key: Any) -> int:
    """The word of the filter in which ``key`` has its bits."""
    return np.int64(key & WORD)


@kernel
def filter_bits(key: Any) -> Any:
    """The bits of ``key`` in that word."""
    return ONE << (key >> SHIFT & BIT) | ONE << (key >> SHIFT + SHIFT & BIT)


@kernel
def earlier_occurrences(seen: Any, count: int, key: Any) -> int:
    """How often ``key`` is among the first ``count`` keys of the row ``seen``."""
    occurrences = 0
    bits = filter_bits(key)
    if count > 0 and seen[filter_word(key)] & bits == bits:
        for k in range(FILTER_WORDS, FILTER_WORDS + count):
            if seen[k] == key:
                occurrences += 1
    return occurrences


@kernel
def note(seen: Any, count: int, key: Any) -> None:
    """Writes ``key`` behind the first ``count`` keys of the row ``seen``."""
    if count == 0:
        for k in range(FILTER_WORDS):
            seen[k] = 0
    seen[filter_word(key)] |= filter_bits(key)
    seen[FILTER_WORDS + count] = key


@kernel
def has_room(seen: Any, count: int) -> bool:
    """Whether the row ``seen`` takes another key and one after it, with ``count`` keys in it."""
    return FILTER_WORDS + count + 1 < seen.shape[0]


@kernel
def copy_keys(source: Any, count: int, seen: Any) -> None:
    """Makes ``seen`` a row with the first ``count`` keys of the row ``source``."""
    for k in range(FILTER_WORDS + count if count > 0 else 0):
        seen[k] = source[k]


@kernel
def let_all_through(seen: Any) -> None:
    """Sets the whole filter of a row whose keys were not written by `note`: they are all counted from now on."""
    for k in range(FILTER_WORDS):
        seen[k] = ALL


def keys_of(history: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The keys alone, a view: (…, K − `FILTER_WORDS`); none where nothing is counted."""
    return history[..., FILTER_WORDS:]
