"""Roll-outs: games played to their end by simple players, for searches and for statistics.

Chance and choices come from one stream. Repetition is not counted, since that would need each game's earlier positions.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays, RollOuts
from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels.simple_players import greedy_choice
from parlour.engine.own_arrays import zeros
from parlour.rulebook.compiling import loop
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

MAX_EFFORT = 1 << 18
"""The most work of one call, in random plies: a few hundredths of a second, so that Ctrl-C works."""

NO_LIMIT = 1 << 62
"""More plies than any game has."""


@loop
def play_out(
    rules: GameFunctions, state: Record, variant: Record, greedy: bool, player_rng: Record, mask: Any, words: Any,
    bits: Any, forced_dice: Any, faces: Any, seen: Any, after: Any, place: int, scratch: Any, rewards: Any,
    max_plies: int, max_effort: int,
) -> int:  # fmt: skip
    """Plays to the end of the game, until it has ``max_plies`` plies, or up to the limit of one call. Adds to
    ``rewards`` (P,). Returns the amount of work. ``after``, ``place`` and ``scratch``: see
    `simple_players.greedy_choice`."""
    if not greedy:
        return rules.play_at_random(
            state, variant, player_rng, mask, words, forced_dice, faces, seen, rewards, max_plies, max_effort
        )
    effort = 0
    while state.end == RUNNING and state.plies < max_plies and effort < max_effort:
        rules.legal(state, variant, mask, words)
        effort += 1 + pack_legal(words, bits)
        action = greedy_choice(rules, state, variant, bits, player_rng, after, place, scratch)
        rules.play_ply(state, variant, action, player_rng, forced_dice, faces, seen, rewards)
    return effort


@loop
def play_out_rows(low: int, high: int, rules: GameFunctions, greedy: bool, arrays: Arrays, work: RollOuts) -> int:
    """Continues the roll-outs of every row i with ``work.places[i]`` from 0 up, until ``work`` has all results, or up
    to the limit of one call. Returns 1 if it must be called again."""
    seats = arrays.rewards.shape[1]
    faces = zeros(max(rules.dice, 1), np.int8)
    no_forced_dice, no_history = zeros((0, rules.dice + 1), np.int8), zeros(1, np.uint64)
    bits, tried = zeros(arrays.legal_bits.shape[1], np.uint64), zeros(seats, np.float64)
    mask, words, variant = work.masks[low], work.words[low], variant_at(work.variants, low)
    effort = 0
    for i in range(low, high):
        m = work.places[i]
        if m < 0:
            continue
        state, rewards = state_at(work.states, i), work.rewards[i]
        copy_row(arrays.variants, i, work.variants, low)
        variant.repetition = 0
        while work.done[i] < work.returns.shape[1]:
            if effort >= MAX_EFFORT:
                return 1
            if not work.begun[i]:
                copy_row(arrays.states, i, work.states, i)
                rewards[:] = 0
                work.begun[i] = True
            effort += 1 + play_out(
                rules, state, variant, greedy, arrays.player_rng[i], mask, words, bits, no_forced_dice, faces,
                no_history, work.after, low, tried, rewards, NO_LIMIT, MAX_EFFORT,
            )  # fmt: skip
            if state.end == RUNNING:
                return 1
            k = work.done[i]
            for seat in range(seats):
                work.returns[m, k, seat] = rewards[seat]
            work.plies[m, k] = state.plies - state_at(arrays.states, i).plies
            work.truncated[m, k] = state.end == MAX_PLIES
            work.begun[i] = False
            work.done[i] += 1
    return 0
