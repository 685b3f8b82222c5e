"""Potentials and events of many games, by the game's rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.one_game import unpacked
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record


@kernel
def potential_of(rules: GameFunctions, state: Record, variant: Record, seat: int) -> float:
    """0 for a game that is over by its rules, the potential of its last position for one that was truncated."""
    return 0.0 if state.end > MAX_PLIES else rules.potential(state, variant, seat)


@kernel
def potential_row(rules: GameFunctions, i: int, arrays: Arrays, potentials: Any) -> None:
    """Writes the potential of row i for every seat into row i of ``potentials`` (float32 (N, P))."""
    for seat in range(potentials.shape[1]):
        potentials[i, seat] = potential_of(rules, state_at(arrays.states, i), variant_at(arrays.variants, i), seat)


@loop
def potential_rows(low: int, high: int, rules: GameFunctions, arrays: Arrays, potentials: Any) -> None:
    """`potential_row` of every row."""
    for i in range(low, high):
        potential_row(rules, i, arrays, potentials)


@kernel
def potential_shown(rules: GameFunctions, state: Record, variant: Record, seat: int) -> float:
    """The potential for ``seat``, rounded to float32 as `potential_rows` writes it."""
    return float(np.float32(potential_of(rules, state, variant, seat)))


@kernel
def mover_potential_row(rules: GameFunctions, i: int, arrays: Arrays, potentials: Any) -> None:
    """Writes the potential of row i for its seat to act into row i of ``potentials`` (float64 (N,))."""
    state = state_at(arrays.states, i)
    potentials[i] = potential_shown(rules, state, variant_at(arrays.variants, i), state.to_act)


@loop
def mover_potential_rows(low: int, high: int, rules: GameFunctions, arrays: Arrays, potentials: Any) -> None:
    """`mover_potential_row` of every row."""
    for i in range(low, high):
        mover_potential_row(rules, i, arrays, potentials)


@loop
def mover_potential_of_one(place: Any, potentials: Any) -> None:
    """`mover_potential_row` of a single game. ``place``: see `one_game.unpacked`."""
    rules, arrays = unpacked(place)
    mover_potential_row(rules, 0, arrays, potentials)


@loop
def potential_one(rules: GameFunctions, arrays: Arrays, seat: int) -> float:
    """`potential_shown` of a single game."""
    return potential_shown(rules, state_at(arrays.states, 0), variant_at(arrays.variants, 0), seat)


@loop
def out_rows(low: int, high: int, rules: GameFunctions, arrays: Arrays, out: Any) -> None:
    """Writes into ``out`` (bool (N, P)) which seats are out of the games."""
    for i in range(low, high):
        for seat in range(out.shape[1]):
            out[i, seat] = rules.is_out(state_at(arrays.states, i), variant_at(arrays.variants, i), seat) != 0


@loop
def limit_rows(low: int, high: int, rules: GameFunctions, row_ids: Any, arrays: Arrays, values: Any) -> None:
    """Limits ``values`` (float64 (M, 2)), the estimated values of the rows ``row_ids`` (int64 (M,)) for each of two
    seats, to what each seat can still win."""
    for m in range(low, high):
        state, variant = state_at(arrays.states, row_ids[m]), variant_at(arrays.variants, row_ids[m])
        if state.end == RUNNING:
            most, least = rules.most_to_win(state, variant, 0), -rules.most_to_win(state, variant, 1)
            values[m, 0] = min(max(values[m, 0], least), most)
            values[m, 1] = min(max(values[m, 1], -most), -least)


@kernel
def count_events(rules: GameFunctions, before: Record, after: Record, variant: Record, counts: Any) -> bool:
    """Writes into ``counts`` (int64 (E,)) what happened in the ply between two states. Returns whether anything did."""
    counts[:] = 0
    rules.note_events(before, after, variant, counts)
    happened = False
    for event in range(counts.shape[0]):
        if counts[event] != 0:
            happened = True
    return happened


@kernel
def event_row(rules: GameFunctions, i: int, before: Any, arrays: Arrays, counts: Any) -> bool:
    """Counts in row i of ``counts`` (int64 (N, E), overwritten) what happened between row i of ``before`` and the state
    now, at most one ply later. Returns whether anything did."""
    state, earlier = state_at(arrays.states, i), state_at(before, i)
    if state.plies > earlier.plies:
        return count_events(rules, earlier, state, variant_at(arrays.variants, i), counts[i])
    counts[i, :] = 0
    return False


@loop
def event_rows(low: int, high: int, rules: GameFunctions, before: Any, arrays: Arrays, counts: Any) -> bool:
    """`event_row` of every row. ``before``: (N,) states. Returns whether anything happened."""
    happened = False
    for i in range(low, high):
        happened |= event_row(rules, i, before, arrays, counts)
    return happened


@loop
def events_of_one(place: Any, before: Any, counts: Any) -> bool:
    """`event_row` of a single game. ``place``: see `one_game.unpacked`."""
    rules, arrays = unpacked(place)
    return event_row(rules, 0, before, arrays, counts)
