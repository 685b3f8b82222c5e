"""Potentials and events of many games, by the game's evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Evaluation, Record

evaluation: Evaluation
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]


@kernel
def potential_of(state: Record, variant: Record, seat: int) -> float:
    """0 for a game that is over by its rules, the potential of its last position for one that was truncated."""
    return 0.0 if state.end > MAX_PLIES else evaluation.potential(state, variant, seat)


@kernel
def potential_row(i: int, arrays: Arrays, potentials: Any) -> None:
    """Writes the potential of row i for every seat into row i of ``potentials`` (float32 (N, P))."""
    for seat in range(potentials.shape[1]):
        potentials[i, seat] = potential_of(arrays.states[i], arrays.variants[i], seat)


@loop
def potential_rows(low: int, high: int, arrays: Arrays, potentials: Any) -> None:
    """`potential_row` of every row."""
    for i in range(low, high):
        potential_row(i, arrays, potentials)


@loop
def mover_potential_rows(low: int, high: int, arrays: Arrays, potentials: Any) -> None:
    """Writes the potential of every row for its seat to act into ``potentials`` (float32 (N,))."""
    for i in range(low, high):
        potentials[i] = potential_of(arrays.states[i], arrays.variants[i], arrays.states[i].to_act)


@kernel
def potential_one(states: Any, variants: Any, seat: int) -> float:
    """The number that `potential_rows` writes for ``seat`` in a single game."""
    return float(np.float32(potential_of(states[0], variants[0], seat)))


if hasattr(evaluation, "most_to_win"):

    @loop
    def limit_rows(low: int, high: int, row_ids: Any, arrays: Arrays, values: Any) -> None:
        """Limits what the rows ``row_ids`` (int64 (M,)) are thought to be worth to each of two seats, ``values``
        (float64 (M, 2)), to what each can still win."""
        for m in range(low, high):
            state, variant = arrays.states[row_ids[m]], arrays.variants[row_ids[m]]
            if state.end == RUNNING:
                most, least = evaluation.most_to_win(state, variant, 0), -evaluation.most_to_win(state, variant, 1)
                values[m, 0] = min(max(values[m, 0], least), most)
                values[m, 1] = min(max(values[m, 1], -most), -least)


@kernel
def count_events(before: Record, after: Record, variant: Record, counts: Any) -> bool:
    """Writes into ``counts`` (int64 (E,)) what happened in the ply between two states. Returns whether anything did."""
    counts[:] = 0
    evaluation.events(before, after, variant, counts)
    happened = False
    for event in range(counts.shape[0]):
        if counts[event] != 0:
            happened = True
    return happened


@kernel
def event_row(i: int, before: Any, arrays: Arrays, counts: Any) -> None:
    """Counts in row i of ``counts`` (int64 (N, E), overwritten) what happened between ``before[i]`` and the state now,
    at most one ply later."""
    counts[i, :] = 0
    if arrays.states[i].plies > before[i].plies:
        evaluation.events(before[i], arrays.states[i], arrays.variants[i], counts[i])


@loop
def event_rows(low: int, high: int, before: Any, arrays: Arrays, counts: Any) -> None:
    """`event_row` of every row. ``before``: (N,) states."""
    for i in range(low, high):
        event_row(i, before, arrays, counts)
