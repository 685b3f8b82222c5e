"""Records every ply of a game, for measures of whole games: who acted, the potentials, what the board shows and what a
ply changes on it, from the view of seat 0.

The picture of a board is made of those planes of the observation that are not the same number everywhere: pieces,
stakes and the like, not counters that fill a whole plane. A cell has changed when any plane of the picture has changed
there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Traces
from parlour.engine.calls import copy_state, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import scoring
from parlour.engine.own_arrays import zeros
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.hashing import NO_WORDS, add_word

EIGHT = np.uint64(8)
NOTHING = np.uint64(0)


@kernel
def varies(planes: Any, low: int, high: int) -> bool:
    """Whether the numbers from ``low`` to ``high`` − 1 of ``planes`` are not all the same."""
    k = low + 1
    while k < high and planes[k] == planes[low]:
        k += 1
    return k < high


@kernel
def key_of(k: int, number: int) -> Any:
    """The part (uint64) of one number, at place ``k`` of an observation, in the hash of a picture."""
    return add_word(NO_WORDS, np.uint64(k) << EIGHT | np.uint64(np.int64(number) & 255))


@kernel
def plane_key(planes: Any, low: int, high: int) -> Any:
    """The hash (uint64) of the plane from ``low`` to ``high`` − 1: the sum of the parts of its numbers."""
    key = NOTHING
    for k in range(low, high):
        key += key_of(k, planes[k])
    return key


@kernel
def picture_key(planes: Any, plane_size: int) -> Any:
    """The hash (uint64) of a picture: the sum of the hashes of its planes. ``planes``: int8 (C · H · W, …)."""
    key = NOTHING
    for low in range(0, planes.shape[0] - plane_size + 1, plane_size):
        if varies(planes, low, low + plane_size):
            key += plane_key(planes, low, low + plane_size)
    return key


@kernel
def note_changes(i: int, t: int, width: int, traces: Traces) -> None:
    """Records what ply t of row i changed in the picture: its new key, the changed cells, and the distance between
    them.

    Most of an observation does not change, so it is compared in words of eight numbers.
    """
    before, after = traces.pictures[i, t & 1], traces.pictures[i, t + 1 & 1]
    words, new_words = traces.words[i, t & 1], traces.words[i, t + 1 & 1]
    latest, size = traces.latest[i], traces.latest.shape[1]
    key, changed = traces.keys[i, t], 0
    top, bottom, left, right = size, -1, width, -1
    low = high = 0  # of the plane that is looked at
    was_shown = is_shown = False
    for word in range(words.shape[0]):
        if words[word] == new_words[word]:
            continue
        for k in range(8 * word, 8 * word + 8):
            if before[k] == after[k]:
                continue
            if k >= high:
                low = k - k % size
                high = low + size
                was_shown, is_shown = varies(before, low, high), varies(after, low, high)
                if was_shown and not is_shown:
                    key -= plane_key(before, low, high)
                elif is_shown and not was_shown:
                    key += plane_key(after, low, high)
            if was_shown and is_shown:
                key += key_of(k, after[k]) - key_of(k, before[k])
            cell = k - low
            if (was_shown or is_shown) and latest[cell] <= t:
                latest[cell] = t + 1
                changed += 1
                row, column = cell // width, cell % width
                top, bottom = min(top, row), max(bottom, row)
                left, right = min(left, column), max(right, column)
    traces.keys[i, t + 1], traces.changed[i, t] = key, changed
    traces.distance[i, t] = max(bottom - top, right - left) if changed else 0


@kernel
def note_position(rules: GameFunctions, i: int, t: int, states: Any, variants: Any, counts: Any, traces: Traces) -> int:
    """Records the position of row i before its ply t: the seat to act, the number of legal actions, potentials, and the
    state, with which the next position is compared. Returns the seat that is ahead, or −1."""
    state, variant = state_at(states, i), variant_at(variants, i)
    traces.seats[i, t], traces.legal[i, t] = state.to_act, counts[i]
    potentials, leads = traces.potentials[i, t], traces.leads[i, t]
    leader = write_potentials(rules, state, variant, potentials)
    for seat in range(potentials.shape[0]):
        best = np.float32(-np.inf)
        for other in range(potentials.shape[0]):
            if other != seat:
                best = max(best, potentials[other])
        leads[seat] = potentials[seat] - best
    copy_state(state, traces.before, i)
    return leader


@kernel
def write_potentials(rules: GameFunctions, state: Any, variant: Any, potentials: Any) -> int:
    """Writes the potential of every seat into ``potentials`` (float32 (P,)). Returns the seat whose potential is higher
    than any other's; −1 where several share the highest."""
    leader, best = -1, np.float32(-np.inf)
    for seat in range(potentials.shape[0]):
        potentials[seat] = scoring.potential_of(rules, state, variant, seat)
        if potentials[seat] > best:
            leader, best = seat, potentials[seat]
        elif potentials[seat] == best:
            leader = -1
    return leader


@kernel
def note_leader(i: int, leader: int, leaders: Any, lead_changes: Any) -> None:
    """Updates ``leaders[i]``, and counts in ``lead_changes[i]`` if another seat is ahead now."""
    if leader >= 0:
        if leaders[i] >= 0 and leaders[i] != leader:
            lead_changes[i] += 1
        leaders[i] = leader


@loop
def begin_traces(rules: GameFunctions, row_ids: Any, states: Any, variants: Any, counts: Any, traces: Traces) -> None:
    """Begins the records of new games in the rows ``row_ids`` (int64 (K,)). The arrays: see
    `parlour.engine.arrays.Arrays`."""
    for m in range(row_ids.shape[0]):
        i = row_ids[m]
        traces.lengths[i] = traces.lead_changes[i] = 0
        traces.leaders[i] = -1
        traces.latest[i, :] = 0
        rules.observe(state_at(states, i), variant_at(variants, i), 0, traces.pictures[i, 0])
        traces.keys[i, 0] = picture_key(traces.pictures[i, 0], traces.latest.shape[1])
        note_position(rules, i, 0, states, variants, counts, traces)


@loop
def trace_plies(
    rules: GameFunctions, row_ids: Any, actions: Any, width: int, states: Any, variants: Any, counts: Any,
    traces: Traces,
) -> None:  # fmt: skip
    """Records the plies ``actions`` (int64 (N,)), which have been played in the rows ``row_ids`` (int64 (K,)).
    ``width``: W."""
    event_counts = zeros(traces.events.shape[2], np.int64)
    for m in range(row_ids.shape[0]):
        i = row_ids[m]
        t = traces.lengths[i]
        rules.observe(state_at(states, i), variant_at(variants, i), 0, traces.pictures[i, t + 1 & 1])
        note_changes(i, t, width, traces)
        before, state, variant = state_at(traces.before, i), state_at(states, i), variant_at(variants, i)
        scoring.count_events(rules, before, state, variant, event_counts)
        for event in range(event_counts.shape[0]):
            traces.events[i, t, event] = event_counts[event]
        traces.actions[i, t] = actions[i]
        leader = note_position(rules, i, t + 1, states, variants, counts, traces)
        note_leader(i, leader, traces.leaders, traces.lead_changes)
        traces.lengths[i] = t + 1


@loop
def score_plies(
    rules: GameFunctions, row_ids: Any, states: Any, variants: Any, before: Any, potentials: Any, leaders: Any,
    lead_changes: Any, events: Any,
) -> None:  # fmt: skip
    """After a ply in the rows ``row_ids`` (int64 (K,)), adds its events to ``events`` (int64 (N, E)), and 1 to
    ``lead_changes`` (int64 (N,)) if another seat is ahead than ``leaders`` says (int64 (N,); −1: nobody was ahead yet).
    ``before``: (N,) states before the ply, which are then set to those now. ``potentials``: float32 (P,), scratch."""
    event_counts = zeros(events.shape[1], np.int64)
    for m in range(row_ids.shape[0]):
        i = row_ids[m]
        state, variant = state_at(states, i), variant_at(variants, i)
        if scoring.count_events(rules, state_at(before, i), state, variant, event_counts):
            for event in range(event_counts.shape[0]):
                events[i, event] += event_counts[event]
        note_leader(i, write_potentials(rules, state, variant, potentials), leaders, lead_changes)
        copy_state(state, before, i)
