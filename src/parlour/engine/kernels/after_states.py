"""Looking one action, or one turn, ahead in many games: the positions that the seat to act can reach by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import LookaheadArrays, Outcomes, TurnTree
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import GOLDEN, mix
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.planes import fill
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record, Rules

rules: Rules
ply: Any
repeats: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]
inner_loop: Callable[[Any], Any]

START = -1
"""The parent of the first positions of a turn."""
GOES_ON = -1
"""In place of the number of dice if the turn goes on."""
ZERO, HALF = np.uint64(0), np.uint64(32)


@kernel
def write_outcome(
    k: int, i: int, seat: int, state: Record, due: int, rewards: Any, arrays: LookaheadArrays, out: Outcomes
) -> None:
    """Writes the position that ``seat`` of row i has reached as the k-th outcome. ``due``: dice; ``rewards``: float64
    (P,)."""
    out.chance_due[k] = due > 0
    out.to_act[k] = state.to_act
    out.terminated[k] = state.end > MAX_PLIES
    out.truncated[k] = state.end == MAX_PLIES
    for other in range(rewards.shape[0]):
        out.rewards[k, other] = rewards[other]
    rules.observe(state, arrays.variants[i], seat, out.planes[k])
    variant_planes = arrays.variant_planes.shape[1]
    own = out.planes.shape[1] // arrays.plane_size - variant_planes
    for e in range(variant_planes):
        fill(out.planes[k], own + e, arrays.plane_size, arrays.variant_planes[arrays.variant_index[i], e])


# --- one action ---


@loop
def write_after_states(
    low: int, high: int, firsts: Any, arrays: LookaheadArrays, row_ids: Any, actions: Any, out: Outcomes
) -> None:
    """Plays every legal action of every row i with ``firsts[i]`` (int64 (N,)) from 0 up, and writes what follows,
    in the order of the actions, from place ``firsts[i]`` on. ``row_ids``, ``actions``: int64 (K,), written too."""
    after, rewards = arrays.states[:1].copy(), np.zeros(out.rewards.shape[1])
    for i in range(low, high):
        k = firsts[i]
        if k < 0:
            continue
        seat, variant, seen = arrays.states[i].to_act, arrays.variants[i], arrays.history[i]
        for w in range(arrays.legal_bits.shape[1]):
            bits = arrays.legal_bits[i, w]
            while bits:
                action = 64 * w + lowest(bits)
                bits = without_lowest(bits)
                after[0] = arrays.states[i]
                rewards[:] = 0
                ply.open_ply(after[0], variant, action, rewards)
                due = ply.close_until_throw(after[0], variant, seen, rewards)
                row_ids[k] = i
                actions[k] = action
                write_outcome(k, i, seat, after[0], due, rewards, arrays, out)
                k += 1


# --- one turn ---


@kernel
def quick_hash(words: Any) -> Any:
    """A hash (uint64) of ``words`` (uint64 (K,)): weaker than `hash_words` and several times as fast, since two chains
    go side by side. Equal hashes are looked at more closely."""
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
    """The index of position n's hash in ``tree.places``; an equal position of the same row (from ``first`` on) has the
    same index."""
    size = tree.places.shape[0]
    place = np.int64(quick_hash(tree.words[n]) & np.uint64(size - 1))
    while tree.places[place] >= first and not same_position(tree.places[place], n, tree):
        place = (place + 1) & (size - 1)
    return place


@kernel
def same_position(n: int, other: int, tree: TurnTree) -> bool:
    """Whether two positions of one turn, and their rewards, are the same, whatever plies led there."""
    for w in range(tree.words.shape[1]):
        if tree.words[n, w] != tree.words[other, w]:
            return False
    same = True
    for seat in range(tree.rewards.shape[1]):
        same &= tree.rewards[n, seat] == tree.rewards[other, seat]
    return same


@inner_loop
def play_on(i: int, seat: int, n: int, parent: int, action: int, arrays: LookaheadArrays, tree: TurnTree) -> None:
    """Plays ``action`` after position ``parent`` of row i (`START`: the row's present position) into position n."""
    variant = arrays.variants[i]
    if parent == START:
        tree.states[n] = arrays.states[i]
        tree.rewards[n, :] = 0
        tree.lengths[n] = 1
    else:
        tree.states[n] = tree.states[parent]
        for other in range(tree.rewards.shape[1]):
            tree.rewards[n, other] = tree.rewards[parent, other]
        tree.lengths[n] = tree.lengths[parent] + 1
    state = tree.states[n]
    ply.open_ply(state, variant, action, tree.rewards[n])
    due = ply.close_until_throw(state, variant, arrays.history[i], tree.rewards[n])
    state.last_action = 0  # positions that differ only in the way there are to have the same bytes
    if variant.max_plies == 0:
        state.plies = arrays.states[i].plies
    goes_on = due == 0 and state.end == RUNNING and state.turn_over == 0 and state.to_act == seat
    tree.due[n] = GOES_ON if goes_on else due
    tree.row_ids[n], tree.parents[n], tree.actions[n] = i, parent, action


@inner_loop
def grow_turn(
    i: int, first: int, arrays: LookaheadArrays, tree: TurnTree, mask: Any, words: Any, bits: Any
) -> tuple[int, int]:
    """Finds the positions that the seat to act in row i can reach in its turn, nearest first, and writes them from
    index ``first`` on, as far as there is room. Returns the index after the last, and that of the first position not
    fully expanded (`START` for the row's present one); both are the same if the whole turn is there. ``mask`` (A₈,),
    ``words``, the same bytes, and ``bits`` (A₆₄ / 64,) are scratch."""
    seat, variant, room = arrays.states[i].to_act, arrays.variants[i], tree.states.shape[0]
    size, parent = first, START
    while parent == START or parent < size:
        if parent == START or tree.due[parent] == GOES_ON:
            if parent == START:
                for w in range(bits.shape[0]):
                    bits[w] = arrays.legal_bits[i, w]
            else:
                repeats.legal(tree.states[parent], variant, arrays.history[i], mask, words)
                pack_legal(words, bits)
            for w in range(bits.shape[0]):
                rest = bits[w]
                while rest:
                    action = 64 * w + lowest(rest)
                    rest = without_lowest(rest)
                    if size == room:
                        return size, parent
                    play_on(i, seat, size, parent, action, arrays, tree)
                    place = place_of(size, first, tree)
                    if tree.places[place] < first:
                        tree.places[place] = size
                        size += 1
        parent = first if parent == START else parent + 1
    return size, size


@loop
def grow_turns(asked: Any, low: int, arrays: LookaheadArrays, tree: TurnTree, words: Any) -> tuple[int, int]:
    """`grow_turn` for the rows ``asked[low]``, ``asked[low + 1]`` … (int64 (M,)) as far as there is room. Returns
    the next m, and the number of positions. ``words``: uint64 (A₈ / 8,), scratch."""
    mask = words.view(np.int8)
    bits = np.zeros(arrays.legal_bits.shape[1], np.uint64)
    tree.places[:] = -1
    size = 0
    for m in range(low, asked.shape[0]):
        grown, expanded = grow_turn(asked[m], size, arrays, tree, mask, words, bits)
        if expanded < grown:
            return m, size
        size = grown
    return asked.shape[0], size


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
    size: int, tree: TurnTree, arrays: LookaheadArrays, row_ids: Any, actions: Any, lengths: Any, out: Outcomes
) -> None:
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
        write_outcome(k, i, arrays.states[i].to_act, tree.states[n], tree.due[n], tree.rewards[n], arrays, out)
        k += 1
