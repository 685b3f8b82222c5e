"""The value of a position by a small value network: see `parlour.players.value.network.ValueNetwork`.

A network sees the position from the view of one seat. With two seats this is the seat to act, or the seat that throws
next if a throw is due. With more seats it is the seat whose value is asked for.

Only inputs that have changed since the last position are added up again (`update_sums`), even if the two positions are
unrelated. (Stockfish keeps the sums of the position before a ply and changes them by the ply: NNUE, Nasu 2018. Here
nothing is kept along the path, since positions that a search looks at one after another are alike anyway.)
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.value_arrays import NetworkEvaluation, NetworkWeights, ValueMemory
from parlour.rulebook.bits import lowest
from parlour.rulebook.protocol import RUNNING, Evaluation, Record, Rules

rules: Rules
throws: Any
evaluation: Evaluation
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]
inner_loop: Callable[[Any], Any]

ZERO, ALL_ONES = np.uint64(0), np.uint64(255)

if hasattr(evaluation, "features"):

    @kernel
    def write_numbers(state: Record, variant: Record, seat: int, before_throw: Any, numbers: Any, words: Any) -> None:
        """Writes the numbers that a network sees from the view of ``seat``: int8 (D₈,), and the same bytes as uint64.
        The bytes after the D numbers stay zero."""
        evaluation.features(state, variant, seat, numbers)

else:

    @kernel
    def write_numbers(state: Record, variant: Record, seat: int, before_throw: Any, numbers: Any, words: Any) -> None:
        """Writes the observation planes of ``seat``: int8 (D₈,), and the same bytes as uint64. Where a throw is due,
        what the last one showed is left out (0). The bytes after the D numbers stay zero."""
        rules.observe(state, variant, seat, numbers)
        if throws.DICE > 0 and state.end == RUNNING and rules.dice_due(state, variant) > 0:
            for w in range(words.shape[0]):
                words[w] &= before_throw[w]


@kernel
def add_unit(u: int, sums: Any, hidden: Any) -> None:
    """Switches unit u on."""
    for j in range(sums.shape[0]):
        sums[j] += hidden[u, j]


@kernel
def subtract_unit(u: int, sums: Any, hidden: Any) -> None:
    """Switches unit u off."""
    for j in range(sums.shape[0]):
        sums[j] -= hidden[u, j]


@kernel
def change_number(d: int, before: int, now: int, sums: Any, network: NetworkWeights) -> None:
    """Changes input number d from ``before`` to ``now``."""
    was_on, on = network.units_on[d, max(before, 0)], network.units_on[d, max(now, 0)]
    for u in range(was_on, on):
        add_unit(u, sums, network.hidden)
    for u in range(on, was_on):
        subtract_unit(u, sums, network.hidden)


@inner_loop
def update_sums(i: int, seat: int, network: NetworkWeights, memory: ValueMemory) -> None:
    """Updates the hidden sums of row i for ``seat`` to the position in ``memory.numbers``."""
    sums, numbers, known = memory.sums[i, seat], memory.numbers[i], memory.known_numbers[i, seat]
    for w in range(memory.words.shape[1]):
        changed = memory.words[i, w] ^ memory.known_words[i, seat, w]
        while changed:
            byte = lowest(changed) >> 3
            changed &= ~(ALL_ONES << np.uint64(8 * byte))
            d = 8 * w + byte
            change_number(d, known[d], numbers[d], sums, network)
        memory.known_words[i, seat, w] = memory.words[i, w]


@kernel
def output_of(head: int, sums: Any, network: NetworkWeights) -> float:
    """The value of a head, from −``scale`` to ``scale``, for hidden sums (int32 (U,))."""
    total = np.int64(0)
    for j in range(sums.shape[0]):
        unit = max(np.int32(sums[j] + network.hidden_bias[head, j]), np.int32(0))  # 32 bits: twice as fast to multiply
        total += np.int64(unit) * np.int64(network.output[head, j])
    logit = network.output_bias[head] + network.step * total
    return network.scale * math.tanh(0.5 * logit)


@kernel
def look_value(i: int, head: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation) -> float:
    """The rewards that ``seat`` can expect from a running position on, from its own view. ``head``: of seat 0. Row i of
    the memory is used."""
    network, memory = evaluation.network, evaluation.memory
    write_numbers(state, variant, seat, network.before_throw, memory.numbers[i], memory.words[i])
    update_sums(i, seat, network, memory)
    return output_of(head + seat, memory.sums[i, seat], network)


@kernel
def value_to(i: int, head: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation) -> float:
    """The rewards that ``seat`` can expect from a running position on; with two seats, half of the difference to the
    other seat."""
    if evaluation.memory.sums.shape[1] != 2:
        return look_value(i, head, seat, state, variant, evaluation)
    value = look_value(i, head, state.to_act, state, variant, evaluation)
    return value if seat == state.to_act else -value


# --- as `turn_choice` asks ---


@kernel
def row_value(i: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation) -> float:
    """`value_to`, by the head of row i."""
    return value_to(i, evaluation.network.row_heads[i], seat, state, variant, evaluation)


@kernel
def scale_of(evaluation: NetworkEvaluation) -> float:
    """The highest value."""
    return evaluation.network.scale


# --- many positions ---


@loop
def write_rows(
    low: int, high: int, states: Any, variants: Any, seats: Any, before_throw: Any, numbers: Any, words: Any
) -> None:
    """`write_numbers` for every row, from the view of ``seats[i]`` (N,)."""
    for i in range(low, high):
        write_numbers(states[i], variants[i], seats[i], before_throw, numbers[i], words[i])


@loop
def value_rows(low: int, high: int, states: Any, variants: Any, evaluation: NetworkEvaluation, values: Any) -> None:
    """Writes the value of every running row for each seat into ``values`` (float64 (N, P)); 0 if the game is over.
    The memory's row ``low`` is used for all."""
    for i in range(low, high):
        for seat in range(values.shape[1]):
            values[i, seat] = 0.0
            if states[i].end == RUNNING:
                head = evaluation.network.row_heads[i]
                values[i, seat] = value_to(low, head, seat, states[i], variants[i], evaluation)
