"""Seeds: checking what callers give, and the start of a game's random streams."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from parlour.rulebook.chance import FOR_DICE, FOR_PLAYERS, FOR_VARIANTS, checked_seed, seed_word, start


def check_seed(seed: object) -> int:
    """A seed as int; a fresh one for None; ValueError for anything but a whole number from 0 up."""
    return secrets.randbits(63) if seed is None else checked_seed(seed)


def stream_starts(seeds: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """Where the streams of ``seeds`` (N,) for dice, players and variants start: (3, N)."""
    return np.stack([start(seeds, purpose) for purpose in (FOR_DICE, FOR_PLAYERS, FOR_VARIANTS)])


def seed_words(seeds: Sequence[int]) -> NDArray[np.uint64]:
    """Seeds as the words that streams start from: uint64 (N,)."""
    return np.array([seed_word(seed) for seed in seeds], np.uint64)
