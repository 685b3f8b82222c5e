"""Action masks as 64-bit words, eight actions a word: how many they allow, and which.

A mask is int8 (A₈,), 1 where an action is legal; ``words`` are the same bytes as uint64 (A₈ / 8,).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel

ZERO, SEVEN, EIGHT = np.uint64(0), np.uint64(7), np.uint64(8)
BYTES_SUM, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)  # word × BYTES_SUM: its bytes' sum in the top byte
TOP_BITS = np.uint64(0x8080808080808080)  # of the eight bytes
EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
PAIRS_SUM, TOP_PAIR = np.uint64(0x0001000100010001), np.uint64(48)  # the same for 16-bit numbers
BLOCK, LARGE = 8, 64
"""Masks of so many words, which are mostly zeros, are gone through by blocks first."""


@kernel
def count_legal(words: Any) -> int:
    """How many actions a mask allows: how many of its bytes are 1."""
    pairs = ZERO  # four counts side by side, of 16 bits each
    for k in range(words.shape[0]):
        pairs += (words[k] & EVEN_BYTES) + ((words[k] >> EIGHT) & EVEN_BYTES)
    return np.int64((pairs * PAIRS_SUM) >> TOP_PAIR)


@kernel
def nth_legal(words: Any, n: int) -> int:
    """The n-th (from 0) action that a mask allows, n being less than their number."""
    k = 0
    while words.shape[0] >= LARGE and k + BLOCK <= words.shape[0]:
        block = ZERO
        for j in range(k, k + BLOCK):
            block += words[j]
        count = np.int64((block * BYTES_SUM) >> TOP_BYTE)
        if n < count:
            break
        n -= count
        k += BLOCK
    count = np.int64((words[k] * BYTES_SUM) >> TOP_BYTE)
    while n >= count:
        n -= count
        k += 1
        count = np.int64((words[k] * BYTES_SUM) >> TOP_BYTE)
    upto = words[k] * BYTES_SUM  # byte j: how many of the bytes 0 to j are 1
    not_yet = ((np.uint64(n) * BYTES_SUM | TOP_BITS) - upto) & TOP_BITS  # the top bit of byte j: whether that is ≤ n
    return 8 * k + np.int64(((not_yet >> SEVEN) * BYTES_SUM) >> TOP_BYTE)


@kernel
def random_legal(words: Any, count: int, stream: Any) -> int:
    """One of the ``count`` actions that a mask allows, each as likely; −1 where there is none."""
    return nth_legal(words, below(stream, count)) if count else -1
