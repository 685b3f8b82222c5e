"""The value of a position by a small value network: see `parlour.players.value.network.ValueNetwork`.

A network sees the position from the view of one seat. With two seats this is the seat to act, or the seat that throws
next if a throw is due. With more seats it is the seat whose value is asked for.

Only inputs that have changed since the last position are added up again (`update_sums`), even if the two positions are
unrelated. (Stockfish keeps the sums of the position before a ply and changes them by the ply: NNUE, Nasu 2018. Here
nothing is kept along the path, since positions that a search evaluates one after another are similar anyway.)
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels.ply import throws_due
from parlour.engine.value_arrays import NetworkEvaluation, NetworkWeights, ValueMemory
from parlour.rulebook.bits import lowest
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.protocol import RUNNING, Record

WON, MORE, LESS = 0, 1, 2
"""The outputs of a head. A single one is the whole value."""
ALMOST = 1 - 1e-6
"""Values are limited to this share of the scale before taking logits."""
ZERO, ALL_ONES = np.uint64(0), np.uint64(255)


@kernel
def write_numbers(
    rules: GameFunctions, state: Record, variant: Record, seat: int, before_throw: Any, numbers: Any, words: Any
) -> None:
    """Writes the numbers that a network sees from the view of ``seat``: int8 (D₈,), and the same bytes as uint64: the
    game's features, or, in a game without them, its observation planes. If a throw is due, the planes that show the
    last throw are 0. The bytes after the D numbers stay zero."""
    rules.write_numbers(state, variant, seat, numbers)
    if rules.has_features == 0 and throws_due(rules, state, variant) > 0:
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


@kernel
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
def part_of(head: int, output: int, sums: Any, network: NetworkWeights) -> float:
    """The part of a head's value that an output stands for, for hidden sums (int32 (U,)): see `share_of`."""
    row, total = head * network.outputs + output, np.int64(0)
    for j in range(sums.shape[0]):
        unit = max(np.int32(sums[j] + network.hidden_bias[head, j]), np.int32(0))  # 32 bits: twice as fast to multiply
        total += np.int64(unit) * np.int64(network.output[row, j])
    half = math.tanh(0.5 * (network.output_bias[row] + network.step * total))
    if output == WON:
        return half if network.outputs > 1 else network.scale * half
    beyond = 0.5 * (network.scale - 1) * (1 + half)
    return beyond if output == MORE else -beyond


@kernel
def share_of(output: int, outputs: int, part: float, scale: float) -> float:
    """The number from 0 to 1 that an output gives where its part of the value is ``part``, the inverse of `part_of`.

    A single output: the value, from −``scale`` to ``scale``. Of three: what is won or lost up to 1, what is won beyond
    1, and what is lost beyond it."""
    if output == WON:
        return 0.5 + 0.5 * (part if outputs > 1 else part / scale)
    return abs(part) / (scale - 1)


@kernel
def value_of(head: int, sums: Any, network: NetworkWeights) -> float:
    """The value of a head, from −``scale`` to ``scale``, for hidden sums (int32 (U,))."""
    value = part_of(head, WON, sums, network)
    if network.outputs > 1:
        value += part_of(head, MORE, sums, network) + part_of(head, LESS, sums, network)
    return value


@kernel
def look(
    rules: GameFunctions, i: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation
) -> None:
    """Updates the hidden sums of row i of the memory to what ``seat`` sees of a running position."""
    network, memory = evaluation.network, evaluation.memory
    write_numbers(rules, state, variant, seat, network.before_throw, memory.numbers[i], memory.words[i])
    update_sums(i, seat, network, memory)


@kernel
def value_seen_by(
    rules: GameFunctions, i: int, head: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation
) -> float:
    """The rewards that ``seat`` can expect from a running position on, from its own view. ``head``: that of seat 0. Row
    i of the memory is used."""
    look(rules, i, seat, state, variant, evaluation)
    return value_of(head + seat, evaluation.memory.sums[i, seat], evaluation.network)


@kernel
def write_parts(
    rules: GameFunctions, i: int, head: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation,
    parts: Any,
) -> None:  # fmt: skip
    """`value_to` in parts (float64 (O,)), which add up to it."""
    network, memory = evaluation.network, evaluation.memory
    viewer = state.to_act if memory.sums.shape[1] == 2 else seat
    look(rules, i, viewer, state, variant, evaluation)
    for output in range(network.outputs):
        part = part_of(head + viewer, output, memory.sums[i, viewer], network)
        if viewer == seat:
            parts[output] = part
        else:  # what one seat wins beyond 1 is what the other loses
            parts[output if output == WON else MORE + LESS - output] = -part


@kernel
def value_to(
    rules: GameFunctions, i: int, head: int, seat: int, state: Record, variant: Record, evaluation: NetworkEvaluation
) -> float:
    """The rewards that ``seat`` can expect from a running position on; with two seats, half of the difference to the
    other seat."""
    if evaluation.memory.sums.shape[1] != 2:
        return value_seen_by(rules, i, head, seat, state, variant, evaluation)
    value = value_seen_by(rules, i, head, state.to_act, state, variant, evaluation)
    return value if seat == state.to_act else -value


# --- values and rewards ---


@kernel
def paid_to(seat: int, rewards: Any, n: int) -> float:
    """The rewards of ``seat`` in row n of ``rewards``; with two seats, half of the difference to the other seat."""
    if rewards.shape[1] == 2:
        return 0.5 * (rewards[n, seat] - rewards[n, 1 - seat])
    return rewards[n, seat]


@kernel
def logit_of(value: float, scale: float) -> float:
    """The logit of a value from −``scale`` to ``scale``."""
    share = min(max(value / scale, -ALMOST), ALMOST)
    return math.log((1 + share) / (1 - share))


# --- many positions ---


@loop
def write_rows(
    low: int, high: int, rules: GameFunctions, states: Any, variants: Any, seats: Any, before_throw: Any, numbers: Any,
    words: Any,
) -> None:  # fmt: skip
    """`write_numbers` for every row, from the view of ``seats[i]`` (N,)."""
    for i in range(low, high):
        state, variant = state_at(states, i), variant_at(variants, i)
        write_numbers(rules, state, variant, seats[i], before_throw, numbers[i], words[i])


@loop
def value_rows(
    low: int, high: int, rules: GameFunctions, states: Any, variants: Any, evaluation: NetworkEvaluation, values: Any
) -> None:
    """Writes the value of every running row for each seat into ``values`` (float64 (N, P)); 0 if the game is over.
    The memory's row ``low`` is used for all."""
    for i in range(low, high):
        state, variant, head = state_at(states, i), variant_at(variants, i), evaluation.network.row_heads[i]
        for seat in range(values.shape[1]):
            values[i, seat] = 0.0
            if state.end == RUNNING:
                values[i, seat] = value_to(rules, low, head, seat, state, variant, evaluation)
