"""Steps N games side by side: one call plays a ply of every game and writes all outputs.

A single game, as in the AEC environment, is the case of one row.

The arrays are described in `parlour.engine.arrays.Arrays`. Every call works only on the rows from ``low`` to
``high`` − 1, so that threads share the arrays without locks.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import DISABLED, SAME_STEP, Arrays, Finals, LookaheadArrays
from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, repeats, scoring
from parlour.engine.one_game import END_BITS, NO_ROOM, REFUSED, SEAT_BITS, unpacked
from parlour.engine.own_arrays import zeros
from parlour.engine.prefetch import prefetch
from parlour.engine.repetition import FILTER_WORDS
from parlour.rulebook.chance import pick
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.masks import allows_in, pack_legal, random_allowed
from parlour.rulebook.planes import fill
from parlour.rulebook.protocol import MAX_PLIES, RUNNING

AHEAD = 4
"""How many rows ahead the history is prefetched."""


# --- rows of games ---


@kernel
def observe_row(rules: GameFunctions, i: int, arrays: Arrays) -> None:
    """Writes all that callers see of row i: endings, the seat to act, mask and planes."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    arrays.terminated[i] = state.end > MAX_PLIES
    arrays.truncated[i] = state.end == MAX_PLIES
    arrays.to_act[i] = state.to_act
    arrays.counts[i] = rules.show(
        state, variant, arrays.masks[i], arrays.words[i], arrays.legal_bits[i], arrays.planes[i]
    )
    if ply.forbids_repeats(variant):
        forbid_repeats(rules, i, arrays)
    show_variant(i, arrays, arrays.planes, i)


@kernel
def find_legal(rules: GameFunctions, i: int, arrays: Arrays) -> None:
    """Writes the mask of row i, as bytes and as bits, and how many actions it allows."""
    variant = variant_at(arrays.variants, i)
    rules.legal(state_at(arrays.states, i), variant, arrays.masks[i], arrays.words[i])
    arrays.counts[i] = pack_legal(arrays.words[i], arrays.legal_bits[i])
    if ply.forbids_repeats(variant):
        forbid_repeats(rules, i, arrays)


@kernel
def forbid_repeats(rules: GameFunctions, i: int, arrays: Arrays) -> None:
    """Removes the plies that would repeat a position from the mask of row i."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    repeats.forbid_seen(rules, state, variant, arrays.history[i], arrays.masks[i], arrays.words[i])
    arrays.counts[i] = pack_legal(arrays.words[i], arrays.legal_bits[i])


@kernel
def observe(rules: GameFunctions, i: int, seat: int, arrays: Arrays, planes: Any, m: int) -> None:
    """What ``seat`` sees of row i, into row m of ``planes``: the game's own planes and those that show the variant."""
    rules.observe(state_at(arrays.states, i), variant_at(arrays.variants, i), seat, planes[m])
    show_variant(i, arrays, planes, m)


@kernel
def show_variant(i: int, arrays: Arrays | LookaheadArrays, planes: Any, m: int) -> None:
    """Writes the planes that show the variant of row i, if there are any, into row m of ``planes``."""
    variant_planes = arrays.variant_planes.shape[1]
    if variant_planes:
        game_planes = planes.shape[1] // arrays.plane_size - variant_planes
        for e in range(variant_planes):
            fill(planes[m], game_planes + e, arrays.plane_size, arrays.variant_planes[arrays.variant_index[i], e])


@kernel
def choose_variant(i: int, arrays: Arrays) -> None:
    """Draws the variant of row i's next game."""
    if arrays.variant_records.shape[0] > 1:
        set_variant(i, pick(arrays.variant_rng[i], arrays.cumulative), arrays)


@kernel
def set_variant(i: int, k: int, arrays: Arrays) -> None:
    """Sets the k-th variant in row i."""
    arrays.variant_index[i] = k
    copy_row(arrays.variant_records, k, arrays.variants, i)


@kernel
def begin_row(rules: GameFunctions, i: int, arrays: Arrays, faces: Any) -> None:
    """Begins a new game in row i. Nothing is paid before its first ply, so the rewards of the last ply remain."""
    rules.begin_game(
        state_at(arrays.states, i), variant_at(arrays.variants, i), arrays.dice_rng[i], arrays.forced_dice, faces,
        arrays.history[i], arrays.rewards[i],
    )  # fmt: skip


@kernel
def begin_again(rules: GameFunctions, i: int, arrays: Arrays, faces: Any) -> None:
    """Begins the next game in row i. Forced throws that are left belong to the last game, so they are dropped."""
    arrays.dice_rng[i].forced_used = arrays.dice_rng[i].forced_end
    arrays.dice_rng[i].misfit = 0
    choose_variant(i, arrays)
    begin_row(rules, i, arrays, faces)


@loop
def observe_rows(low: int, high: int, rules: GameFunctions, row_mask: Any, arrays: Arrays) -> None:
    """Writes the outputs of the present positions in the rows of ``row_mask`` (bool (N,)), for states that were set
    from outside, such as from a text."""
    for i in range(low, high):
        if row_mask[i]:
            observe_row(rules, i, arrays)


@loop
def look_rows(low: int, high: int, rules: GameFunctions, row_ids: Any, arrays: Arrays, planes: Any) -> None:
    """Writes what the seats to act in the rows ``row_ids`` (int64 (M,)) see into ``planes`` (int8 (M, C · H · W))."""
    for m in range(low, high):
        observe(rules, row_ids[m], state_at(arrays.states, row_ids[m]).to_act, arrays, planes, m)


@loop
def begin_rows(
    low: int, high: int, rules: GameFunctions, row_mask: Any, variant_index: Any, starts: Any, arrays: Arrays
) -> None:
    """Begins a new game in every row of ``row_mask`` (bool (N,)).

    ``variant_index``: int64 (N,), the number of the variant to play; −1 to draw it. ``starts``: uint64 (3, N), the
    starts of the streams for dice, players and variants; (3, 0) if they continue.
    """
    faces = zeros(max(rules.dice, 1), np.int8)
    for i in range(low, high):
        if not row_mask[i]:
            continue
        start_streams(i, starts, arrays)
        begin_anew(rules, i, variant_index[i], arrays, faces)


@kernel
def start_streams(i: int, starts: Any, arrays: Arrays) -> None:
    """Starts the streams of row i; see `begin_rows`."""
    if starts.shape[1]:
        arrays.dice_rng[i].counter = starts[0, i]
        arrays.player_rng[i].counter = starts[1, i]
        arrays.variant_rng[i].counter = starts[2, i]


@loop
def throw_rows(low: int, high: int, rules: GameFunctions, row_mask: Any, arrays: Arrays) -> None:
    """Makes the throws that are due in every row of ``row_mask`` (bool (N,))."""
    faces = zeros(max(rules.dice, 1), np.int8)
    for i in range(low, high):
        if row_mask[i]:
            ply.make_throws(
                rules, state_at(arrays.states, i), variant_at(arrays.variants, i), arrays.dice_rng[i],
                arrays.forced_dice, faces, arrays.rewards[i],
            )  # fmt: skip


@kernel
def begin_anew(rules: GameFunctions, i: int, variant_index: int, arrays: Arrays, faces: Any) -> None:
    """Begins a new game in row i and writes its outputs; see `begin_rows`."""
    if variant_index < 0:
        choose_variant(i, arrays)
    else:
        set_variant(i, variant_index, arrays)
    arrays.dice_rng[i].misfit = 0
    arrays.rewards[i, :] = 0
    begin_row(rules, i, arrays, faces)
    observe_row(rules, i, arrays)


@loop
def step_rows(
    low: int, high: int, rules: GameFunctions, actions: Any, autoreset: int, arrays: Arrays, finals: Finals
) -> int:
    """Plays ``actions[i]`` (int64 (N,), legal) in every row. Returns the longest ``seen`` of all rows.

    A row that had ended before stays as it is with DISABLED, and begins a new game with NEXT_STEP; its action is not
    used. With SAME_STEP a row that ends here begins a new game at once, and ``finals`` keeps its end. If the new game
    is over after its opening, it begins again in the next step.
    """
    faces = zeros(max(rules.dice, 1), np.int8)
    longest = 0
    for i in range(low, high):
        if i + AHEAD < high:
            prefetch_history(i + AHEAD, arrays)
        longest = max(longest, step_row(rules, i, actions[i], autoreset, arrays, finals, faces))
    return longest


@kernel
def step_row(
    rules: GameFunctions, i: int, action: int, autoreset: int, arrays: Arrays, finals: Finals, faces: Any
) -> int:
    """`step_rows` in row i. Returns its ``seen`` after the ply."""
    state = state_at(arrays.states, i)
    arrays.rewards[i, :] = 0
    end, seen = RUNNING, 0
    if state.end == RUNNING:
        play_row(rules, i, action, arrays, faces)
        end, seen = state.end, state.seen
        if end != RUNNING and autoreset == SAME_STEP:
            keep_end(rules, i, arrays, finals)
            begin_again(rules, i, arrays, faces)
    elif autoreset != DISABLED:
        begin_again(rules, i, arrays, faces)
    else:
        return seen
    observe_row(rules, i, arrays)
    if end != RUNNING:
        arrays.terminated[i] = end != MAX_PLIES
        arrays.truncated[i] = end == MAX_PLIES
    return seen


@kernel
def prefetch_history(i: int, arrays: Arrays) -> None:
    """Prefetches the part of the history that the next ply of row i needs. Only this array is not read from end to end,
    so the processor can't predict the access."""
    if arrays.history.shape[1] > 1:
        prefetch(arrays.history, i, 0)
        prefetch(arrays.history, i, FILTER_WORDS + state_at(arrays.states, i).seen)


@kernel
def play_row(rules: GameFunctions, i: int, action: int, arrays: Arrays, faces: Any) -> None:
    """Plays a ply in row i."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    rules.play_ply(
        state, variant, action, arrays.dice_rng[i], arrays.forced_dice, faces, arrays.history[i], arrays.rewards[i]
    )
    if ply.forbids_repeats(variant):
        repeats.close(rules, state, variant, arrays.history[i], arrays.rewards[i])


# --- a single game ---


@loop
def begin_one(place: Any, variant_index: int) -> None:
    """`begin_rows` for a single game, whose streams continue. ``place``: see `one_game.unpacked`, here and below."""
    rules, arrays = unpacked(place)
    begin_anew(rules, 0, variant_index, arrays, zeros(max(rules.dice, 1), np.int8))


@loop
def observe_one(place: Any) -> None:
    """`observe_rows` for a single game."""
    rules, arrays = unpacked(place)
    observe_row(rules, 0, arrays)


@loop
def step_one(place: Any, action: int) -> int:
    """`step_rows` for a single running game; any action may be given. Returns `one_game.REFUSED`, `one_game.NO_ROOM`,
    or the result of the ply in one number (see `one_game.SEAT_BITS`)."""
    rules, arrays = unpacked(place)
    state = state_at(arrays.states, 0)
    if action < 0 or action >= 64 * arrays.legal_bits.shape[1] or not allows_in(arrays.legal_bits, 0, action):
        return REFUSED
    if not ply.has_room(state, variant_at(arrays.variants, 0), arrays.history[0]):
        return NO_ROOM
    arrays.rewards[0, :] = 0
    play_row(rules, 0, action, arrays, zeros(max(rules.dice, 1), np.int8))
    observe_row(rules, 0, arrays)
    rewarded = 0
    for seat in range(arrays.rewards.shape[1]):
        if arrays.rewards[0, seat] != 0:
            rewarded = 1
    to_act, end = np.int64(state.to_act), np.int64(state.end)  # int8 would overflow in the interpreter
    return to_act | end << SEAT_BITS | rewarded << (SEAT_BITS + END_BITS)


@kernel
def observe_seat(rules: GameFunctions, arrays: Arrays, i: int, seat: int, mask: Any, words: Any, planes: Any) -> None:
    """What a seat observes of row i: ``mask`` (A₈,), all zeros off turn, ``words``, the same bytes, and ``planes``
    (1, C · H · W)."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    observe(rules, i, seat, arrays, planes, 0)
    if seat == state.to_act:
        rules.legal(state, variant, mask, words)
        if ply.forbids_repeats(variant):
            repeats.forbid_seen(rules, state, variant, arrays.history[i], mask, words)
    else:
        mask[:] = 0


# --- ends, and checks of actions ---


@kernel
def keep_end(rules: GameFunctions, i: int, arrays: Arrays, finals: Finals) -> None:
    """Copies the outputs of row i, which is over, to ``finals``."""
    observe_row(rules, i, arrays)
    finals.to_act[i] = arrays.to_act[i]
    for k in range(arrays.planes.shape[1]):
        finals.planes[i, k] = arrays.planes[i, k]
    if finals.potentials.shape[0]:
        scoring.potential_row(rules, i, arrays, finals.potentials)
    if finals.events.shape[0]:
        scoring.event_row(rules, i, finals.before, arrays, finals.events)


@loop
def first_refused(low: int, high: int, actions: Any, count: int, counts: Any, legal_bits: Any, autoreset: int) -> int:
    """The first row whose action can't be played, or −1. ``count``: A. A row that has ended takes only −1 (DISABLED) or
    anything (NEXT_STEP, SAME_STEP)."""
    for i in range(low, high):
        action = actions[i]
        if counts[i] == 0:
            if autoreset == DISABLED and action != -1:
                return i
        elif action < 0 or action >= count or not allows_in(legal_bits, i, action):
            return i
    return -1


@loop
def first_not_allowed(row_ids: Any, choices: Any, count: int, legal_bits: Any, actions: Any) -> int:
    """Writes ``choices`` (int64 (M,)) into ``actions`` (int64 (N,)) of the rows ``row_ids`` (M,). Stops at the first
    illegal action and returns its m; −1 if all are legal. ``count``: A."""
    for m in range(row_ids.shape[0]):
        action = choices[m]
        if action < 0 or action >= count or not allows_in(legal_bits, row_ids[m], action):
            return m
        actions[row_ids[m]] = action
    return -1


# --- random actions ---


@loop
def sample_rows(low: int, high: int, legal_bits: Any, counts: Any, player_rng: Any, actions: Any) -> None:
    """Writes into ``actions`` (int64 (N,)) of every row a legal action, uniformly at random; −1 if there is none."""
    for i in range(low, high):
        actions[i] = random_allowed(legal_bits[i], counts[i], player_rng[i])
