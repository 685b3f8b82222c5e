"""One hash for all games and searches: words of 64 bits made into one, in order.

Each word is mixed into the hash of all words before it by SplitMix64's mixing function (`chance.mix`), a bijection. So
the order of the words counts, and of two lists that differ in their last word alone the hashes always differ; any other
two have the same hash with a probability of about 2⁻⁶⁴.
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
    """The hash (uint64) of all words so far and ``word`` (uint64), where ``hashed`` is that of those before it."""
    return mix(hashed ^ word)


@kernel
def hash_words(words: Any) -> Any:
    """The hash (uint64) of ``words`` (uint64 (K,)), such as all the bytes of a state."""
    hashed = NO_WORDS
    for k in range(words.shape[0]):
        hashed = add_word(hashed, words[k])
    return hashed
