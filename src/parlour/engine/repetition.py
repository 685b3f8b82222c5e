"""The earlier positions of a game that could occur again: one row of `Arrays.history`.

A row is uint64 (K,). Its first `FILTER_WORDS` words are a Bloom filter (Bloom, 1970): every key sets two bits of one
word. After them come the keys, in the order in which the positions occurred. Most positions are new, and for most new
positions at least one of the two bits is not set: then one word is read instead of all keys. If both bits are set, the
keys are compared.

While a row has no keys, its filter is undefined: `note` clears it when it writes the first key.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.compiling import kernel

FILTER_WORDS = 4
"""With twice as many, Swords & Shields was not faster."""
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
    """How often ``key`` occurs among the first ``count`` keys of the row ``seen``."""
    occurrences = 0
    bits = filter_bits(key)
    if count > 0 and seen[filter_word(key)] & bits == bits:
        for k in range(FILTER_WORDS, FILTER_WORDS + count):
            if seen[k] == key:
                occurrences += 1
    return occurrences


@kernel
def note(seen: Any, count: int, key: Any) -> None:
    """Appends ``key`` to the row ``seen``, which has ``count`` keys."""
    if count == 0:
        for k in range(FILTER_WORDS):
            seen[k] = 0
    seen[filter_word(key)] |= filter_bits(key)
    seen[FILTER_WORDS + count] = key


@kernel
def has_room(seen: Any, count: int) -> bool:
    """Whether the row ``seen``, which has ``count`` keys, has room for two more."""
    return FILTER_WORDS + count + 1 < seen.shape[0]


@kernel
def copy_keys(source: Any, count: int, seen: Any) -> None:
    """Copies the filter and the first ``count`` keys of the row ``source`` into the row ``seen``."""
    for k in range(FILTER_WORDS + count if count > 0 else 0):
        seen[k] = source[k]


@kernel
def let_all_through(seen: Any) -> None:
    """Sets every bit of the filter, for a row whose keys were not written by `note`. From then on keys are always
    compared."""
    for k in range(FILTER_WORDS):
        seen[k] = ALL


def keys_of(history: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """The keys without the filter, a view: (…, K − `FILTER_WORDS`); empty if the variant has no repetition."""
    return history[..., FILTER_WORDS:]
