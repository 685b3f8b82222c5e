"""Looks one action, or one turn, ahead in many games: at the positions that the seat to act can reach by itself."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine import repetition
from parlour.engine.arrays import LookaheadArrays, Outcomes, TurnTree
from parlour.engine.calls import copy_row, copy_state, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, repeats
from parlour.engine.kernels.step import show_variant
from parlour.engine.own_arrays import bytes_of, new_states, zeros
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import GOLDEN, mix
from parlour.rulebook.compiling import inner_loop, kernel, loop
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

START = -1
"""The parent of the first positions of a turn."""
GOES_ON = -1
"""In place of the number of dice if the turn goes on."""
ZERO, HALF = np.uint64(0), np.uint64(32)


@kernel
def write_outcome(
    rules: GameFunctions, k: int, i: int, seat: int, state: Record, due: int, rewards: Any, arrays: LookaheadArrays,
    out: Outcomes,
) -> None:  # fmt: skip
    """Writes the position that ``seat`` of row i has reached as the k-th outcome. ``due``: dice; ``rewards``: float64
    (P,)."""
    out.chance_due[k] = due > 0
    out.to_act[k] = state.to_act
    out.terminated[k] = state.end > MAX_PLIES
    out.truncated[k] = state.end == MAX_PLIES
    for other in range(rewards.shape[0]):
        out.rewards[k, other] = rewards[other]
    rules.observe(state, variant_at(arrays.variants, i), seat, out.planes[k])
    show_variant(i, arrays, out.planes, k)


@kernel
def close_until_throw(rules: GameFunctions, state: Record, variant: Record, seen: Any, rewards: Any) -> int:
    """Counts a ply, and closes it if no throw is due: `ply.close_ply` without changing the game's row of the history,
    ``seen``. Returns how many dice are due."""
    due = ply.throws_due(rules, state, variant)
    ply.count_ply(state)
    if due == 0:
        if variant.repetition:
            ply.forget_irreversible(state)
            if state.turn_over:
                key = rules.position_key(state)
                state.occurrences = 1 + repetition.earlier_occurrences(seen, state.seen, key)
                state.seen += 1
                ply.end_by_occurrences(rules, state, variant, rewards)
        if ply.forbids_repeats(variant):
            repeats.close(rules, state, variant, seen, rewards)
        else:
            ply.end_by_plies(state, variant)
    return due


# --- one action ---


@loop
def write_after_states(
    low: int, high: int, rules: GameFunctions, offsets: Any, arrays: LookaheadArrays, row_ids: Any, actions: Any,
    out: Outcomes,
) -> None:  # fmt: skip
    """Plays every legal action of every row i with ``offsets[i]`` (int64 (N,)) from 0 up, and writes what follows,
    in the order of the actions, from place ``offsets[i]`` on. ``row_ids``, ``actions``: int64 (K,), written too."""
    scratch, rewards = new_states(rules, 1), zeros(out.rewards.shape[1], np.float64)
    after = state_at(scratch, 0)
    for i in range(low, high):
        k = offsets[i]
        if k < 0:
            continue
        state, variant, seen = state_at(arrays.states, i), variant_at(arrays.variants, i), arrays.history[i]
        for w in range(arrays.legal_bits.shape[1]):
            bits = arrays.legal_bits[i, w]
            while bits:
                action = 64 * w + lowest(bits)
                bits = without_lowest(bits)
                copy_state(state, scratch, 0)
                rewards[:] = 0
                ply.open_ply(rules, after, variant, action, rewards)
                due = close_until_throw(rules, after, variant, seen, rewards)
                row_ids[k] = i
                actions[k] = action
                write_outcome(rules, k, i, state.to_act, after, due, rewards, arrays, out)
                k += 1


# --- one turn ---


@kernel
def quick_hash(words: Any) -> Any:
    """A hash (uint64) of ``words`` (uint64 (K,)): weaker than `hash_words`, but several times as fast, since two chains
    run side by side. Collisions are harmless: positions are compared."""
    hashed, other, count = ZERO, ZERO, words.shape[0]
    for k in range(0, count - 1, 2):
        hashed = (hashed ^ words[k]) * GOLDEN
        other = (other ^ words[k + 1]) * GOLDEN
        hashed ^= hashed >> HALF
        other ^= other >> HALF
    if count % 2:
        hashed = (hashed ^ words[count - 1]) * GOLDEN
    return mix(hashed + GOLDEN * other)


@kernel
def place_of(n: int, first: int, tree: TurnTree) -> int:
    """Where position n belongs in the hash table ``tree.places``: the place of an equal position of the same row (from
    ``first`` on), or a free place."""
    size = tree.places.shape[0]
    place = np.int64(quick_hash(tree.words[n]) & np.uint64(size - 1))
    while tree.places[place] >= first and not same_position(tree.places[place], n, tree):
        place = (place + 1) & (size - 1)
    return place


@kernel
def same_position(n: int, other: int, tree: TurnTree) -> bool:
    """Whether two positions of one turn, and their rewards, are equal."""
    for w in range(tree.words.shape[1]):
        if tree.words[n, w] != tree.words[other, w]:
            return False
    same = True
    for seat in range(tree.rewards.shape[1]):
        same &= tree.rewards[n, seat] == tree.rewards[other, seat]
    return same


@inner_loop
def play_on(
    rules: GameFunctions, i: int, seat: int, n: int, parent: int, action: int, arrays: LookaheadArrays,
    tree: TurnTree,
) -> None:  # fmt: skip
    """Plays ``action`` after position ``parent`` of row i (`START`: the row's present position) into position n."""
    variant = variant_at(arrays.variants, i)
    if parent == START:
        copy_row(arrays.states, i, tree.states, n)
        tree.rewards[n, :] = 0
        tree.lengths[n] = 1
    else:
        copy_row(tree.states, parent, tree.states, n)
        for other in range(tree.rewards.shape[1]):
            tree.rewards[n, other] = tree.rewards[parent, other]
        tree.lengths[n] = tree.lengths[parent] + 1
    state = state_at(tree.states, n)
    ply.open_ply(rules, state, variant, action, tree.rewards[n])
    due = close_until_throw(rules, state, variant, arrays.history[i], tree.rewards[n])
    state.last_action = 0  # so that positions reached by other plies have the same bytes
    if variant.max_plies == 0:
        state.plies = state_at(arrays.states, i).plies
    goes_on = due == 0 and state.end == RUNNING and state.turn_over == 0 and state.to_act == seat
    tree.due[n] = GOES_ON if goes_on else due
    tree.row_ids[n], tree.parents[n], tree.actions[n] = i, parent, action


@inner_loop
def grow_turn(
    rules: GameFunctions, i: int, first: int, arrays: LookaheadArrays, tree: TurnTree, mask: Any, words: Any,
    bits: Any,
) -> tuple[int, int]:  # fmt: skip
    """Breadth-first search: writes the positions that the seat to act in row i can reach in its turn from index
    ``first`` on, as far as there is room. Returns the index after the last, and that of the first position not fully
    expanded (`START`: the row's present one); both are equal if the turn is complete. ``mask`` (A₈,), ``words``, the
    same bytes, and ``bits`` (A₆₄ / 64,) are scratch."""
    seat, variant, room = state_at(arrays.states, i).to_act, variant_at(arrays.variants, i), tree.words.shape[0]
    size, parent = first, START
    while parent == START or parent < size:
        if parent == START or tree.due[parent] == GOES_ON:
            if parent == START:
                for w in range(bits.shape[0]):
                    bits[w] = arrays.legal_bits[i, w]
            else:
                state = state_at(tree.states, parent)
                rules.legal(state, variant, mask, words)
                if ply.forbids_repeats(variant):
                    repeats.forbid_seen(rules, state, variant, arrays.history[i], mask, words)
                pack_legal(words, bits)
            for w in range(bits.shape[0]):
                rest = bits[w]
                while rest:
                    action = 64 * w + lowest(rest)
                    rest = without_lowest(rest)
                    if size == room:
                        return size, parent
                    play_on(rules, i, seat, size, parent, action, arrays, tree)
                    place = place_of(size, first, tree)
                    if tree.places[place] < first:
                        tree.places[place] = size
                        size += 1
        parent = first if parent == START else parent + 1
    return size, size


@loop
def grow_turns(
    rules: GameFunctions, row_ids: Any, low: int, arrays: LookaheadArrays, tree: TurnTree, words: Any
) -> tuple[int, int]:
    """`grow_turn` for the rows ``row_ids[low]``, ``row_ids[low + 1]`` … (int64 (M,)), as far as there is room. Returns
    the index of the next row in ``row_ids``, and the number of positions. ``words``: uint64 (A₈ / 8,), scratch."""
    mask = bytes_of(words)
    bits = zeros(arrays.legal_bits.shape[1], np.uint64)
    tree.places[:] = -1
    size = 0
    for m in range(low, row_ids.shape[0]):
        grown, expanded = grow_turn(rules, row_ids[m], size, arrays, tree, mask, words, bits)
        if expanded < grown:
            return m, size
        size = grown
    return row_ids.shape[0], size


@loop
def count_ends(size: int, tree: TurnTree) -> tuple[int, int]:
    """How many of the first ``size`` positions end a turn, and after how many plies at most."""
    count, longest = 0, 0
    for n in range(size):
        if tree.due[n] != GOES_ON:
            count += 1
            longest = max(longest, tree.lengths[n])
    return count, longest


@loop
def write_turn_ends(
    rules: GameFunctions, size: int, tree: TurnTree, arrays: LookaheadArrays, row_ids: Any, actions: Any,
    lengths: Any, out: Outcomes,
) -> None:  # fmt: skip
    """Writes those of the first ``size`` positions that end a turn, in their order: int64 ``row_ids`` (K,), ``actions``
    (K, T), the plies that lead there, −1 after the last, ``lengths`` (K,), and the outcomes."""
    k = 0
    for n in range(size):
        if tree.due[n] == GOES_ON:
            continue
        i = tree.row_ids[n]
        row_ids[k], lengths[k] = i, tree.lengths[n]
        actions[k, :] = -1
        step = n
        while step != START:
            actions[k, tree.lengths[step] - 1] = tree.actions[step]
            step = tree.parents[step]
        state, seat = state_at(tree.states, n), state_at(arrays.states, i).to_act
        write_outcome(rules, k, i, seat, state, tree.due[n], tree.rewards[n], arrays, out)
        k += 1
