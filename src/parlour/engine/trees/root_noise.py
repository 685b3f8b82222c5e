"""Random numbers for the root of a search, so that it explores actions to which the network gives a low probability.

Each action has its own random number, so the order of the actions does not matter.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlour.rulebook.chance import GOLDEN, SHIFT_11, UNIT, mix
from parlour.rulebook.compiling import kernel


@kernel
def uniform(word: Any) -> float:
    """A number between 0 and 1, both excluded, from a 64-bit word."""
    return (np.int64(mix(word) >> SHIFT_11) + 0.5) * UNIT


@kernel
def word_of(base: Any, action: int) -> Any:
    """The 64-bit word from which an action's random number is made. ``base``: a word that differs in each search."""
    return base + np.uint64(action + 1) * GOLDEN


@kernel
def gumbel(word: Any) -> float:
    """A number with the standard Gumbel distribution."""
    return -math.log(-math.log(uniform(word)))


@kernel
def gamma(word: Any, shape: float) -> float:
    """A number with the gamma distribution of this ``shape`` (above 0) and scale 1. Several such numbers, each divided
    by their sum, have a Dirichlet distribution.

    Marsaglia and Tsang, *A Simple Method for Generating Gamma Variables*, ACM TOMS 26 (2000); normal numbers by Box and
    Muller's method.
    """
    word = mix(word)
    boosted = shape if shape >= 1 else shape + 1
    d = boosted - 1 / 3
    c = 1 / math.sqrt(9 * d)
    accepted = -1.0
    while accepted < 0:
        radius, angle = math.sqrt(-2 * math.log(uniform(word + GOLDEN))), uniform(word)
        x = radius * math.cos(2 * math.pi * angle)
        v = (1 + c * x) ** 3
        word = mix(word)
        if v > 0 and math.log(uniform(word)) < 0.5 * x * x + d - d * v + d * math.log(v):
            accepted = d * v
        word = mix(word)
    if shape < 1:
        accepted *= uniform(word) ** (1 / shape)
    return accepted
