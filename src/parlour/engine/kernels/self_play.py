"""Self-play: playing many games on to the next ply of the seat that learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import GREEDY, RANDOM, Columns
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Rules

rules: Rules
step: Any
simple_players: Any
loop: Callable[[Any], Any]


@loop
def play_rows(low: int, high: int, chosen: Any, actions: Any, totals: Any, rows: Columns) -> None:
    """Plays ``actions[i]`` (int64 (N,), legal) in every chosen row (bool (N,)), adding all rewards to ``totals``
    (float64 (N, P)), and writes the next mask and who is to act."""
    faces = np.empty(max(rules.DICE, 1), np.int8)
    for i in range(low, high):
        if not chosen[i]:
            continue
        rows.rewards[i, :] = 0
        step.play_row(i, actions[i], rows, faces)
        for seat in range(totals.shape[1]):
            totals[i, seat] += rows.rewards[i, seat]
        rows.to_act[i] = rows.states[i].to_act
        rules.legal(rows.states[i], rows.variants[i], rows.masks[i], rows.words[i])
        rows.counts[i] = pack_legal(rows.words[i], rows.legal_bits[i])


@loop
def find_turns(
    low: int, high: int, chosen: Any, learners: Any, opponents: Any, kind: int, rows: Columns, turns: Any
) -> bool:
    """Marks in ``turns`` (bool (N,)) the chosen rows in which an opponent of a kind is to act, and has room in the
    history. Returns whether there are any."""
    found = False
    for i in range(low, high):
        state = rows.states[i]
        turns[i] = (
            chosen[i]
            and opponents[i] == kind
            and state.end == RUNNING
            and state.to_act != learners[i]
            and (state.seen + 1 < rows.history.shape[1] or rows.variants[i].repetition == 0)
        )
        found |= turns[i]
    return found


@loop
def show_halted(low: int, high: int, chosen: Any, learners: Any, rows: Columns) -> int:
    """Writes what is seen of every chosen row: by its seat to act, after the end by its learner. Returns the longest
    ``seen`` of them."""
    longest = 0
    for i in range(low, high):
        if chosen[i]:
            state = rows.states[i]
            longest = max(longest, state.seen)
            rows.terminated[i] = state.end > MAX_PLIES
            rows.truncated[i] = state.end == MAX_PLIES
            rows.to_act[i] = state.to_act if state.end == RUNNING else learners[i]
            step.observe(i, rows.to_act[i], rows, rows.planes)
    return longest


@loop
def advance_rows(
    low: int, high: int, chosen: Any, given: Any, actions: Any, learners: Any, opponents: Any, totals: Any,
    rows: Columns, turns: Any, after: Any, scratch: Any,
) -> int:  # fmt: skip
    """Plays on in every chosen row (bool (N,)) until its learning seat (``learners``: int8 (N,)) is to act, the
    opponent is none that plays here, or the game is over. Returns the longest ``seen`` of the chosen rows.

    It begins with ``actions[i]`` (int64 (N,), legal; overwritten) by whichever seat is to act in the rows of ``given``
    (bool (N,)). ``opponents``: int8 (N,), RANDOM, GREEDY or OUTSIDE. The rewards of all plies are added to ``totals``
    (float64 (N, P)), and each row shows what its seat to act sees; after the end, what its learner does. A row also
    halts where its history is full: call again. ``turns``, bool (N,), is scratch, and so are ``after`` and ``scratch``:
    see `simple_players.greedy_rows`.
    """
    play_rows(low, high, given, actions, totals, rows)
    on = True
    while on:
        on = find_turns(low, high, chosen, learners, opponents, RANDOM, rows, turns)
        if on:
            simple_players.sample_rows(low, high, turns, rows.legal_bits, rows.counts, rows.samplers, actions)
            play_rows(low, high, turns, actions, totals, rows)
        if find_turns(low, high, chosen, learners, opponents, GREEDY, rows, turns):
            on = True
            simple_players.greedy_rows(low, high, turns, rows, after, scratch, actions)
            play_rows(low, high, turns, actions, totals, rows)
    return show_halted(low, high, chosen, learners, rows)
