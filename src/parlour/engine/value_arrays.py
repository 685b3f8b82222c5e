"""What kernels need to evaluate positions by a small value network: its weights as whole numbers, and memory.

Axis letters: N games, P seats, D input numbers (D₈: rounded up to a multiple of 8), F units,
U hidden units, V variants, O outputs of a head (`parlour.players.value.network.ValueNetwork`).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle
from parlour.rulebook.compiling import kernel


@bundle
class NetworkWeights(NamedTuple):
    """The weights of a `parlour.players.value.network.ValueNetwork` as whole numbers
    (`parlour.players.value.quantised`), so that sums do not depend on their order."""

    units_on: Any
    """int32 (D, 128): if input number d is v, units ``units_on[d, 0]`` to ``units_on[d, v]`` − 1 are on"""
    before_throw: Any
    """uint64 (D₈ / 8,): a mask of bytes: the input numbers that are read while a throw is due"""
    hidden: Any
    """int16 (F, U)"""
    hidden_bias: Any
    """int32 (V · P, U)"""
    output: Any
    """int32 (V · P · O, U)"""
    output_bias: Any
    """float64 (V · P · O,)"""
    outputs: int
    """O: 1 or 3"""
    step: float
    """the logit that 1 in the sum of hidden units times output weights stands for"""
    scale: float
    """the highest value"""
    row_heads: Any
    """int64 (N,): of the V · P heads, that of seat 0 in each row's variant"""


@bundle
class ValueMemory(NamedTuple):
    """The hidden sums of the last position that was evaluated, for each row and each seat from whose view it was.

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


@bundle
class NetworkEvaluation(NamedTuple):
    """A network and its memory, as kernels take them."""

    network: NetworkWeights
    memory: ValueMemory


NO_NETWORK = NetworkEvaluation(
    NetworkWeights(
        np.zeros((0, 128), np.int32), np.zeros(0, np.uint64), np.zeros((0, 0), np.int16), np.zeros((0, 0), np.int32),
        np.zeros((0, 0), np.int32), np.zeros(0), 1, 0.0, 0.0, np.zeros(0, np.int64),
    ),
    ValueMemory(
        np.zeros((0, 0), np.int8), np.zeros((0, 0), np.uint64), np.zeros((0, 0, 0), np.int8),
        np.zeros((0, 0, 0), np.uint64), np.zeros((0, 0, 0), np.int32),
    ),
)  # fmt: skip
"""In place of a network, for a search without one."""


@kernel
def has_network(evaluation: NetworkEvaluation) -> bool:
    """Whether it is a network, and not `NO_NETWORK`."""
    return evaluation.network.row_heads.shape[0] > 0


@bundle
class Experience(NamedTuple):
    """The positions of self-play in N rows: Q per row, each from the view of L seats (L is 1 with two seats, else
    P)."""

    numbers: Any
    """int8 (N, Q · L, D₈): the input numbers, the L views of a position one after another"""
    words: Any
    """uint64 (N, Q · L, D₈ / 8): the same bytes"""
    heads: Any
    """int64 (N, Q · L)"""
    targets: Any
    """float32 (N, Q · L, O): what the network is to learn, from 0 to 1: see `network_value.share_of`"""
    seats: Any
    """int8 (N, Q · L): the seat of the view"""
    values: Any
    """float64 (N, Q, P, O): the parts of the network's value of the position for each seat"""
    paid: Any
    """float64 (N, Q, P): each seat's rewards between the position and the next; with two seats, half of the
    difference"""
    is_last: Any
    """bool (N, Q): whether the game ended before the next position"""
    progress: Any
    """int64 (N, 5): see `FILLED` and below"""


FILLED, LATEST, OPENING, GAMES, PLIES = 0, 1, 2, 3, 4
"""Columns of ``progress``: positions that are filled; the latest one of the running game, −1 for none; random plies
still to be played; games that have ended, and plies, since the caller set them to 0."""
