"""Self-play: plays many games up to the next ply of the seat that learns."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import ASKING, FUNCTION, GREEDY, HALTED, RANDOM, UNFINISHED, Arrays, SelfPlayArrays
from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels.ply import has_room
from parlour.engine.kernels.roll_out import MAX_EFFORT
from parlour.engine.kernels.simple_players import greedy_row
from parlour.engine.kernels.step import find_legal, observe, play_row
from parlour.engine.own_arrays import zeros
from parlour.rulebook.bits import lowest
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.masks import random_allowed
from parlour.rulebook.protocol import MAX_PLIES, RUNNING


@loop
def advance_rows(low: int, high: int, rules: GameFunctions, play: SelfPlayArrays, arrays: Arrays) -> int:
    """Plays on in the rows ``play.row_ids[low]`` to ``play.row_ids[high − 1]`` until the learning seat is to act or is
    out of the game, the game is over, or the caller must choose an action. Returns the number of rows that have reached
    neither their learner nor their end, times 2³², plus the longest ``seen``.

    A row first plays its action, unless that is −1; the action then becomes −1. The rewards of all plies are added to
    the totals. Outputs are those of rows that have halted, for the seat to act; after the end, for the learner.
    """
    faces = zeros(max(rules.dice, 1), np.int8)
    longest, waiting, effort = 0, 0, 0
    for m in range(low, high):
        i = play.row_ids[m]
        state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
        learner, opponent = play.learners[i], play.opponents[i]
        wait = UNFINISHED
        action = play.actions[i]
        while effort < MAX_EFFORT:
            if action >= 0:
                effort += 1
                play_ply(rules, i, action, play, arrays, faces)
                action = -1
            if state.end != RUNNING or state.to_act == learner or rules.is_out(state, variant, learner) != 0:
                wait = HALTED
                break
            if not has_room(state, variant, arrays.history[i]):
                break
            if opponent == RANDOM:
                action = random_allowed(arrays.legal_bits[i], arrays.counts[i], arrays.player_rng[i])
            elif opponent == GREEDY:
                effort += arrays.counts[i]
                action = greedy_action(rules, i, low, play, arrays)
            elif opponent == FUNCTION and arrays.counts[i] == 1:
                action = only_action(i, arrays.legal_bits)
            else:
                wait = ASKING
                break
        play.actions[i], play.waits[m] = action, wait
        waiting += wait != HALTED
        longest = max(longest, state.seen)
        if wait == HALTED:
            observe_halted(rules, i, learner, arrays)
    return (waiting << 32) + longest


@loop
def greedy_action(rules: GameFunctions, i: int, low: int, play: SelfPlayArrays, arrays: Arrays) -> int:
    """The action of `greedy` in row i. Row ``low`` of the scratch is used."""
    return greedy_row(rules, i, arrays, play.after, low, play.scratch)


@kernel
def play_ply(rules: GameFunctions, i: int, action: int, play: SelfPlayArrays, arrays: Arrays, faces: Any) -> None:
    """Plays a ply in row i, adds its rewards to the totals, and writes the next mask."""
    arrays.rewards[i, :] = 0
    play_row(rules, i, action, arrays, faces)
    for seat in range(play.totals.shape[1]):
        play.totals[i, seat] += arrays.rewards[i, seat]
    find_legal(rules, i, arrays)


@kernel
def only_action(i: int, legal_bits: Any) -> int:
    """The one action that is legal in row i."""
    k = 0
    while legal_bits[i, k] == 0:
        k += 1
    return 64 * k + lowest(legal_bits[i, k])


@kernel
def observe_halted(rules: GameFunctions, i: int, learner: int, arrays: Arrays) -> None:
    """Writes the outputs of row i, which has halted."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    out = state.end == RUNNING and state.to_act != learner and rules.is_out(state, variant, learner) != 0
    if out:
        arrays.words[i, :] = 0
        arrays.legal_bits[i, :] = 0
        arrays.counts[i] = 0
    arrays.terminated[i] = state.end > MAX_PLIES or out
    arrays.truncated[i] = state.end == MAX_PLIES
    arrays.to_act[i] = state.to_act if state.end == RUNNING and not out else learner
    observe(rules, i, arrays.to_act[i], arrays, arrays.planes, i)
