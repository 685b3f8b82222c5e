"""A value network in whole numbers, as compiled code uses it.

Hidden weights are int16, output weights at most as large; sums of them are exact, so a position has the same value
whatever was evaluated before it. The hidden sums fit in int32, since a network has at most `inputs.MAX_UNITS` units.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.engine.value_arrays import NetworkWeights, ValueMemory
from parlour.players.value.inputs import byte_words, numbers_before_throw, units_on
from parlour.players.value.network import ValueNetwork

LARGEST, LARGEST_BIAS = 2**15 - 1, 2**30
"""A weight, and a bias of a hidden unit."""
SMALLEST = 1e-3
"""Smaller weights are scaled as if the largest one were this."""


def quantise(network: ValueNetwork, row_heads: NDArray[np.int64]) -> NetworkWeights:
    """The weights in whole numbers; ``row_heads`` (N,): the head of seat 0 in each row."""
    largest, bias = _largest(network.hidden), _largest(network.hidden_bias)
    hidden_steps = min(LARGEST / largest, LARGEST_BIAS / bias)
    output_steps = LARGEST / _largest(network.output)
    return NetworkWeights(
        units_on(network.units, network.number_count),
        byte_words(numbers_before_throw(network.game, network.layout)),
        np.rint(network.hidden * hidden_steps).astype(np.int16),
        np.rint(network.hidden_bias * hidden_steps).astype(np.int32),
        np.rint(network.output * output_steps).astype(np.int32),
        network.output_bias.astype(np.float64),
        network.outputs,
        1 / (hidden_steps * output_steps),
        network.scale,
        row_heads,
    )


def new_memory(network: ValueNetwork, weights: NetworkWeights, rows: int) -> ValueMemory:
    """Memory for ``rows`` rows, as after a position in which all numbers are 0."""
    seats, size = network.seats, 8 * len(weights.before_throw)
    numbers, known = np.zeros((rows, size), np.int8), np.zeros((rows, seats, size), np.int8)
    sums = np.zeros((rows, seats, network.hidden.shape[1]), np.int32)
    return ValueMemory(numbers, numbers.view(np.uint64), known, known.view(np.uint64), sums)


def _largest(weights: NDArray[np.float32]) -> float:
    return max(float(np.abs(weights).max(initial=0)), SMALLEST)
