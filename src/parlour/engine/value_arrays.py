"""What kernels need to evaluate positions by a small value network: its weights as whole numbers, and memory.

Axis letters: N games, P seats, D input numbers (D₈: rounded up to a multiple of 8), F units,
U hidden units, V variants.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.rulebook.compiling import kernel


class NetworkWeights(NamedTuple):
    """A value network as it plays: see `parlour.players.value.network.ValueNetwork`; `quantised` there tells how
    the whole numbers are made. With whole numbers, sums are the same in whatever order they are made."""

    units_on: Any
    """int32 (D, 128): where input number d is v, its units from ``units_on[d, 0]`` to ``units_on[d, v]`` − 1 are on"""
    before_throw: Any
    """uint64 (D₈ / 8,): the input numbers that are read where a throw is due, as bytes of ones"""
    hidden: Any
    """int16 (F, U)"""
    hidden_bias: Any
    """int32 (V · P, U)"""
    output: Any
    """int32 (V · P, U)"""
    output_bias: Any
    """float64 (V · P,)"""
    step: float
    """what 1 of the sum of hidden units times output weights is worth in logits"""
    scale: float
    """the highest value"""
    row_heads: Any
    """int64 (N,): V · P heads, of which that of seat 0 in the variant of each row"""


class ValueMemory(NamedTuple):
    """The hidden sums of the last position that was evaluated, for each row and each seat that looks.

    The next position differs from it in a few numbers, so that only these are added up again.
    """

    numbers: Any
    """int8 (N, D₈): scratch"""
    words: Any
    """uint64 (N, D₈ / 8): the same bytes"""
    known_numbers: Any
    """int8 (N, P, D₈): the input numbers that belong to ``sums``"""
    known_words: Any
    """uint64 (N, P, D₈ / 8): the same bytes"""
    sums: Any
    """int32 (N, P, U): the hidden units without their bias"""


class NetworkEvaluation(NamedTuple):
    """What a template that values positions by a network is given."""

    network: NetworkWeights
    memory: ValueMemory


NO_NETWORK = NetworkEvaluation(
    NetworkWeights(
        np.zeros((0, 128), np.int32), np.zeros(0, np.uint64), np.zeros((0, 0), np.int16), np.zeros((0, 0), np.int32),
        np.zeros((0, 0), np.int32), np.zeros(0), 0.0, 0.0, np.zeros(0, np.int64),
    ),
    ValueMemory(
        np.zeros((0, 0), np.int8), np.zeros((0, 0), np.uint64), np.zeros((0, 0, 0), np.int8),
        np.zeros((0, 0, 0), np.uint64), np.zeros((0, 0, 0), np.int32),
    ),
)  # fmt: skip
"""What a search without a network is given for one."""


@kernel
def has_network(evaluation: NetworkEvaluation) -> bool:
    """Whether it is a network, and not `NO_NETWORK`."""
    return evaluation.network.row_heads.shape[0] > 0


class Experience(NamedTuple):
    """What self-play in N rows has met: Q positions a row, each seen by L seats (L is 1 between two seats, else P)."""

    numbers: Any
    """int8 (N, Q · L, D₈): what was seen, the L of a position one after another"""
    words: Any
    """uint64 (N, Q · L, D₈ / 8): the same bytes"""
    heads: Any
    """int64 (N, Q · L)"""
    targets: Any
    """float32 (N, Q · L): what the network should have said, from 0 (−scale) to 1 (scale)"""
    seats: Any
    """int8 (N, Q · L): who saw it"""
    values: Any
    """float64 (N, Q, P): what the network said that the position is worth to each seat"""
    paid: Any
    """float64 (N, Q, P): what was paid between the position and the next, to each seat; between two, half of the
    lead"""
    is_last: Any
    """bool (N, Q): whether the game ended before the next position"""
    progress: Any
    """int64 (N, 5): see `FILLED` and below"""


FILLED, LATEST, OPENING, GAMES, PLIES = 0, 1, 2, 3, 4
"""Of a row: positions that are filled; the latest of the running game, −1 for none; random plies that are still to be
played; games that have ended, and plies, since somebody set them to 0."""
