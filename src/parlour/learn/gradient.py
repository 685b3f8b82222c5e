"""Learning the weights of a small value network, compiled: one pass over positions and their targets by Adam.

The loss of a position is the sum of the cross-entropies between its targets, from 0 to 1, and the logistic functions of
the network's logits. Adam: Kingma and Ba, *Adam: A Method for Stochastic Optimization*, ICLR 2015.

Axis letters: F units, U hidden units, D input numbers (D₈: rounded up to a multiple of 8), K positions, M units that
are on at once, O outputs of a head, W weights in all.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlour.rulebook.bits import lowest
from parlour.rulebook.compiling import kernel

NO_UNIT = -1
"""Fills a row of ``units`` after the last unit that is on."""
BETA_1, BETA_2, EPSILON = np.float32(0.9), np.float32(0.999), np.float32(1e-8)
ONE, ZERO = np.float32(1), np.float32(0)
TINY = np.float32(1e-30)
"""Smaller moments count as 0: they change no weight, and processors are slow at numbers below 1e-38."""
ALL_ONES = np.uint64(255)


class Weights(NamedTuple):
    """The weights of a network, or other numbers of the same shapes: views of one array."""

    flat: Any
    """float32 (W,): all arrays below, one after another"""
    hidden: Any
    """float32 (F, U)"""
    hidden_bias: Any
    """float32 (V · P, U)"""
    output: Any
    """float32 (V · P · O, U)"""
    output_bias: Any
    """float32 (V · P · O,)"""


class Positions(NamedTuple):
    """K positions with their targets."""

    units: Any
    """int16 (K, M): the units that are on, `NO_UNIT` after the last"""
    heads: Any
    """int64 (K,)"""
    targets: Any
    """float32 (K, O)"""


class Adam(NamedTuple):
    """The state of Adam, and scratch."""

    gradient: Weights
    mean: Any
    """float32 (W,): running mean of the gradient"""
    square: Any
    """float32 (W,): running mean of its square"""
    hidden: Any
    """float32 (U,): scratch"""
    slopes: Any
    """float32 (U,): scratch"""


@kernel
def write_unit_indices(numbers: Any, words: Any, first_units: Any, thresholds: Any, units: Any) -> int:
    """Writes the units that are on for ``numbers`` (int8 (K, D₈), and the same bytes as uint64) into ``units`` (int16
    (K, M)). Returns the largest number of units that are on, which may be more than M.
    ``first_units``: see `parlour.players.value.inputs.first_units`. ``thresholds``: int8 (F,), the lowest input number
        at which each unit is on."""
    largest = 0
    for k in range(numbers.shape[0]):
        count = 0
        for w in range(words.shape[1]):
            rest = words[k, w]  # the bytes of the word that have not been looked at
            while rest:
                byte = lowest(rest) >> 3
                rest &= ~(ALL_ONES << np.uint64(8 * byte))
                d = 8 * w + byte
                for u in range(first_units[d], first_units[d + 1]):
                    if numbers[k, d] < thresholds[u]:
                        break
                    if count < units.shape[1]:
                        units[k, count] = u
                    count += 1
        largest = max(largest, count)
        for m in range(count, units.shape[1]):
            units[k, m] = NO_UNIT
    return largest


@kernel
def write_hidden(k: int, positions: Positions, weights: Weights, hidden: Any) -> None:
    """Writes the hidden units of position k into ``hidden`` (float32 (U,))."""
    head = positions.heads[k]
    for j in range(hidden.shape[0]):
        hidden[j] = weights.hidden_bias[head, j]
    for m in range(positions.units.shape[1]):
        u = positions.units[k, m]
        if u == NO_UNIT:
            break
        for j in range(hidden.shape[0]):
            hidden[j] += weights.hidden[u, j]
    for j in range(hidden.shape[0]):
        hidden[j] = max(hidden[j], ZERO)


@kernel
def add_output(row: int, target: float, share: float, weights: Weights, adam: Adam) -> float:
    """Adds the gradient of the loss of one output, row ``row`` of the output weights, at the hidden units
    ``adam.hidden``, and its slopes by these units to ``adam.slopes``. Returns the loss."""
    logit = weights.output_bias[row]
    for j in range(adam.hidden.shape[0]):
        logit += adam.hidden[j] * weights.output[row, j]
    slope = np.float32(share * (1 / (1 + math.exp(-logit)) - target))
    adam.gradient.output_bias[row] += slope
    for j in range(adam.hidden.shape[0]):
        adam.gradient.output[row, j] += slope * adam.hidden[j]
        adam.slopes[j] += slope * weights.output[row, j]
    return max(logit, 0.0) - target * logit + math.log1p(math.exp(-abs(logit)))


@kernel
def add_gradient(k: int, share: float, positions: Positions, weights: Weights, adam: Adam) -> float:
    """Adds the gradient of the loss of position k, times ``share``, to ``adam.gradient``. Returns the loss."""
    gradient, slopes, head, outputs = adam.gradient, adam.slopes, positions.heads[k], positions.targets.shape[1]
    write_hidden(k, positions, weights, adam.hidden)
    for j in range(slopes.shape[0]):
        slopes[j] = ZERO
    loss = 0.0
    for output in range(outputs):
        loss += add_output(head * outputs + output, positions.targets[k, output], share, weights, adam)
    for j in range(slopes.shape[0]):
        slopes[j] = slopes[j] if adam.hidden[j] > ZERO else ZERO
        gradient.hidden_bias[head, j] += slopes[j]
    for m in range(positions.units.shape[1]):
        u = positions.units[k, m]
        if u == NO_UNIT:
            break
        for j in range(slopes.shape[0]):
            gradient.hidden[u, j] += slopes[j]
    return loss


@kernel
def adam_step(number: int, rate: float, weights: Weights, adam: Adam) -> None:
    """Step ``number`` of Adam (from 1) with the learning rate ``rate``."""
    flat, gradient, means, squares = weights.flat, adam.gradient.flat, adam.mean, adam.square
    size = np.float32(rate / (1 - 0.9**number))
    unbiased = np.float32(1 / (1 - 0.999**number))
    for w in range(flat.shape[0]):
        slope = gradient[w]
        mean = BETA_1 * means[w] + (ONE - BETA_1) * slope
        square = BETA_2 * squares[w] + (ONE - BETA_2) * slope * slope
        means[w] = mean if abs(mean) > TINY else ZERO
        squares[w] = square if square > TINY else ZERO
        flat[w] -= size * mean / (np.sqrt(square * unbiased) + EPSILON)


@kernel
def learn_from(
    order: Any, batch: int, number: int, rate: float, positions: Positions, weights: Weights, adam: Adam
) -> float:
    """One pass over the positions ``order`` (int64 (Q,)) in batches, after ``number`` steps. Returns the mean loss."""
    loss, first = 0.0, 0
    while first < order.shape[0]:
        end = min(first + batch, order.shape[0])
        for w in range(adam.gradient.flat.shape[0]):
            adam.gradient.flat[w] = ZERO
        for m in range(first, end):
            loss += add_gradient(order[m], 1 / (end - first), positions, weights, adam)
        number += 1
        adam_step(number, rate, weights, adam)
        first = end
    return loss / max(order.shape[0], 1)
