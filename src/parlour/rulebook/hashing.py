"""One hash for all games and searches: it turns a list of 64-bit words into one word, and order counts.

Each word is mixed into the hash of all words before it by SplitMix64's mixing function (`chance.mix`), a bijection. So
the order of the words counts. Two lists that differ only in their last word always have different hashes; any other two
lists have the same hash with a probability of about 2⁻⁶⁴.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from .chance import GOLDEN, mix
from .compiling import kernel

NO_WORDS = np.uint64(GOLDEN)
"""The hash of no words, from which every hash begins."""


@kernel
def add_word(hashed: Any, word: Any) -> Any:
    """The hash (uint64) of all words so far and ``word`` (uint64); ``hashed``: the hash of the words before it."""
    return mix(hashed ^ word)


@kernel
def hash_words(words: Any) -> Any:
    """The hash (uint64) of ``words`` (uint64 (K,)), such as all the bytes of a state."""
    hashed = NO_WORDS
    for k in range(words.shape[0]):
        hashed = add_word(hashed, words[k])
    return hashed
