"""Self-play: playing many games on to the next ply of the seat that learns."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import ASKING, FUNCTION, GREEDY, HALTED, RANDOM, UNFINISHED, Arrays, SelfPlayArrays
from parlour.rulebook.bits import lowest
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record, Rules

rules: Rules
throws: Any
ply: Any
step: Any
simple_players: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

MAX_EFFORT = 1 << 18
"""The most that a call plays, in random plies: some hundredths of a second, so that it can be interrupted."""

if hasattr(rules, "is_out"):
    is_out = rules.is_out
else:

    @kernel
    def is_out(state: Record, variant: Record, seat: int) -> bool:
        """The default of `protocol.Rules.is_out`: every seat plays to the end."""
        return False


@loop
def advance_rows(low: int, high: int, play: SelfPlayArrays, arrays: Arrays) -> int:
    """Plays on in the rows ``play.row_ids[low]`` to ``play.row_ids[high − 1]`` until the learning seat is to act or is
    out of the game, the game is over, or an outside opponent must be asked. Returns the number of rows that have
    reached neither their learner nor their end, times 2³², plus the longest ``seen``.

    A row first plays its action, unless that is −1; the action then becomes −1. The rewards of all plies are added to
    the totals. Outputs are those of rows that have halted, for the seat to act; after the end, for the learner.
    """
    faces = np.empty(throws.SPACE, np.int8)
    longest, waiting, effort = 0, 0, 0
    for m in range(low, high):
        i = play.row_ids[m]
        state, variant = arrays.states[i], arrays.variants[i]
        learner, opponent = play.learners[i], play.opponents[i]
        wait = UNFINISHED
        action = play.actions[i]
        while effort < MAX_EFFORT:
            if action >= 0:
                effort += 1
                play_ply(i, action, play, arrays, faces)
                action = -1
            if state.end != RUNNING or state.to_act == learner or is_out(state, variant, learner):
                wait = HALTED
                break
            if not ply.has_room(state, variant, arrays.history[i]):
                break
            if opponent == RANDOM:
                action = step.random_action(i, arrays.legal_bits, arrays.counts, arrays.player_rng)
            elif opponent == GREEDY:
                effort += arrays.counts[i]
                action = greedy_action(i, low, play, arrays)
            elif opponent == FUNCTION and arrays.counts[i] == 1:
                action = only_action(i, arrays.legal_bits)
            else:
                wait = ASKING
                break
        play.actions[i], play.waits[m] = action, wait
        waiting += wait != HALTED
        longest = max(longest, state.seen)
        if wait == HALTED:
            observe_halted(i, learner, arrays)
    return (waiting << 32) + longest


@loop
def greedy_action(i: int, low: int, play: SelfPlayArrays, arrays: Arrays) -> int:
    """The action of `greedy` in row i. Row ``low`` of the scratch is used."""
    return simple_players.greedy_row(i, arrays, play.after[low : low + 1], play.scratch[low])


@kernel
def play_ply(i: int, action: int, play: SelfPlayArrays, arrays: Arrays, faces: Any) -> None:
    """Plays a ply in row i, adds its rewards to the totals, and writes the next mask."""
    arrays.rewards[i, :] = 0
    step.play_row(i, action, arrays, faces)
    for seat in range(play.totals.shape[1]):
        play.totals[i, seat] += arrays.rewards[i, seat]
    step.find_legal(i, arrays)


@kernel
def only_action(i: int, legal_bits: Any) -> int:
    """The one action that is legal in row i."""
    k = 0
    while legal_bits[i, k] == 0:
        k += 1
    return 64 * k + lowest(legal_bits[i, k])


@kernel
def observe_halted(i: int, learner: int, arrays: Arrays) -> None:
    """Writes the outputs of row i, which has halted."""
    state = arrays.states[i]
    out = state.end == RUNNING and state.to_act != learner and is_out(state, arrays.variants[i], learner)
    if out:
        arrays.words[i, :] = 0
        arrays.legal_bits[i, :] = 0
        arrays.counts[i] = 0
    arrays.terminated[i] = state.end > MAX_PLIES or out
    arrays.truncated[i] = state.end == MAX_PLIES
    arrays.to_act[i] = state.to_act if state.end == RUNNING and not out else learner
    step.observe(i, arrays.to_act[i], arrays, arrays.planes, i)
