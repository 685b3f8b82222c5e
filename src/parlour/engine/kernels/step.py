"""Steps N games side by side: one call plays a ply of every game and writes all outputs.

A single game, as in the AEC environment, is the case of one row.

The arrays are described in `parlour.engine.arrays.Arrays`. Every call works only on the rows from ``low`` to
``high`` − 1, so that threads share the arrays without locks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import DISABLED, SAME_STEP, Arrays, Finals
from parlour.engine.one_game import ADDRESS, END_BITS, NO_ROOM, REFUSED, SEAT_BITS, taken_over
from parlour.engine.prefetch import prefetch
from parlour.engine.repetition import FILTER_WORDS
from parlour.rulebook.chance import STREAM, pick
from parlour.rulebook.masks import allows_in, pack_legal, random_allowed
from parlour.rulebook.planes import fill
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Rules

rules: Rules
throws: Any
ply: Any
repeats: Any
scoring: Any
variant_dtype: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

AHEAD = 4
"""How many rows ahead the history is prefetched."""


# --- rows of games ---


@kernel
def observe_row(i: int, arrays: Arrays) -> None:
    """Writes all that callers see of row i: endings, the seat to act, mask and planes."""
    state = arrays.states[i]
    arrays.terminated[i] = state.end > MAX_PLIES
    arrays.truncated[i] = state.end == MAX_PLIES
    arrays.to_act[i] = state.to_act
    find_legal(i, arrays)
    observe(i, state.to_act, arrays, arrays.planes, i)


@kernel
def find_legal(i: int, arrays: Arrays) -> None:
    """Writes the mask of row i, as bytes and as bits, and how many actions it allows."""
    repeats.legal(arrays.states[i], arrays.variants[i], arrays.history[i], arrays.masks[i], arrays.words[i])
    arrays.counts[i] = pack_legal(arrays.words[i], arrays.legal_bits[i])


@kernel
def observe(i: int, seat: int, arrays: Arrays, planes: Any, m: int) -> None:
    """What ``seat`` sees of row i, into row m of ``planes``: the game's own planes and those that tell the variant."""
    rules.observe(arrays.states[i], arrays.variants[i], seat, planes[m])
    variant_planes = arrays.variant_planes.shape[1]
    if variant_planes:
        own = planes.shape[1] // arrays.plane_size - variant_planes
        for e in range(variant_planes):
            fill(planes[m], own + e, arrays.plane_size, arrays.variant_planes[arrays.variant_index[i], e])


@kernel
def choose_variant(i: int, arrays: Arrays) -> None:
    """Draws the variant of row i's next game."""
    if arrays.variant_records.shape[0] > 1:
        set_variant(i, pick(arrays.variant_rng[i], arrays.cumulative), arrays)


@kernel
def set_variant(i: int, k: int, arrays: Arrays) -> None:
    """Sets the k-th variant in row i."""
    arrays.variant_index[i] = k
    arrays.variants[i] = arrays.variant_records[k]


@kernel
def begin_row(i: int, arrays: Arrays, faces: Any) -> None:
    """Begins a new game in row i. Its opening has no rewards, so those of the last ply remain."""
    ply.begin(
        arrays.states[i], arrays.variants[i], arrays.dice_rng[i], arrays.forced_dice, faces, arrays.history[i],
        arrays.rewards[i]
    )  # fmt: skip


@kernel
def begin_again(i: int, arrays: Arrays, faces: Any) -> None:
    """Begins the next game in row i. Forced throws that are left belonged to the game before, so they are dropped."""
    arrays.dice_rng[i].forced_used = arrays.dice_rng[i].forced_end
    arrays.dice_rng[i].misfit = 0
    choose_variant(i, arrays)
    begin_row(i, arrays, faces)


@loop
def observe_rows(low: int, high: int, row_mask: Any, arrays: Arrays) -> None:
    """Writes the outputs of the present positions in the rows of ``row_mask`` (bool (N,)), for states that were set
    from outside, such as from a text."""
    for i in range(low, high):
        if row_mask[i]:
            observe_row(i, arrays)


@loop
def look_rows(low: int, high: int, row_ids: Any, arrays: Arrays, planes: Any) -> None:
    """Writes what the seats to act in the rows ``row_ids`` (int64 (M,)) see into ``planes`` (int8 (M, C · H · W))."""
    for m in range(low, high):
        observe(row_ids[m], arrays.states[row_ids[m]].to_act, arrays, planes, m)


@loop
def begin_rows(low: int, high: int, row_mask: Any, variant_index: Any, starts: Any, arrays: Arrays) -> None:
    """Begins a new game in every row of ``row_mask`` (bool (N,)).

    ``variant_index``: int64 (N,), the number of the variant to play; −1 to draw it. ``starts``: uint64 (3, N), the
    starts of the streams for dice, players and variants; (3, 0) if they continue.
    """
    faces = np.empty(throws.SPACE, np.int8)
    for i in range(low, high):
        if not row_mask[i]:
            continue
        if starts.shape[1]:
            arrays.dice_rng[i].counter = starts[0, i]
            arrays.player_rng[i].counter = starts[1, i]
            arrays.variant_rng[i].counter = starts[2, i]
        begin_anew(i, variant_index[i], arrays, faces)


@kernel
def begin_anew(i: int, variant_index: int, arrays: Arrays, faces: Any) -> None:
    """Begins a new game in row i and writes its outputs; see `begin_rows`."""
    if variant_index < 0:
        choose_variant(i, arrays)
    else:
        set_variant(i, variant_index, arrays)
    arrays.dice_rng[i].misfit = 0
    arrays.rewards[i, :] = 0
    begin_row(i, arrays, faces)
    observe_row(i, arrays)


@loop
def step_rows(low: int, high: int, actions: Any, autoreset: int, arrays: Arrays, finals: Finals) -> int:
    """Plays ``actions[i]`` (int64 (N,), legal) in every row. Returns the longest ``seen`` of all rows.

    A row that had ended before stays as it is with DISABLED, and begins a new game with NEXT_STEP; its action is not
    used. With SAME_STEP a row that ends here begins a new game at once, and ``finals`` keeps its end. If the new game
    is over after its opening, it begins again in the next step.
    """
    faces = np.empty(throws.SPACE, np.int8)
    longest = 0
    for i in range(low, high):
        if i + AHEAD < high:
            ask_for_history(i + AHEAD, arrays)
        state = arrays.states[i]
        arrays.rewards[i, :] = 0
        end = RUNNING
        if state.end == RUNNING:
            play_row(i, actions[i], arrays, faces)
            longest = max(longest, state.seen)
            end = state.end
            if end != RUNNING and autoreset == SAME_STEP:
                keep_end(i, arrays, finals)
                begin_again(i, arrays, faces)
        elif autoreset != DISABLED:
            begin_again(i, arrays, faces)
        else:
            continue
        observe_row(i, arrays)
        if end != RUNNING:
            arrays.terminated[i] = end != MAX_PLIES
            arrays.truncated[i] = end == MAX_PLIES
    return longest


@kernel
def ask_for_history(i: int, arrays: Arrays) -> None:
    """Prefetches the part of the history that the next ply of row i needs. Only this array is not read from end to end,
    so the processor can't predict the access."""
    if arrays.history.shape[1] > 1:
        prefetch(arrays.history, i, 0)
        prefetch(arrays.history, i, FILTER_WORDS + arrays.states[i].seen)


@kernel
def play_row(i: int, action: int, arrays: Arrays, faces: Any) -> None:
    """`play` in row i."""
    ply.play(
        arrays.states[i], arrays.variants[i], action, arrays.dice_rng[i], arrays.forced_dice, faces, arrays.history[i],
        arrays.rewards[i]
    )  # fmt: skip


# --- a single game ---


@loop
def pass_addresses(arrays: Arrays, addresses: Any) -> int:
    """Writes the addresses of the arrays into ``addresses`` (see `one_game.sizes`). Returns the address of
    ``addresses``, which `step_one` takes as ``place``. It is valid as long as all these arrays are kept."""
    addresses[0, ADDRESS] = arrays.states.ctypes.data
    addresses[1, ADDRESS] = arrays.variants.ctypes.data
    addresses[2, ADDRESS] = arrays.dice_rng.ctypes.data
    addresses[3, ADDRESS] = arrays.player_rng.ctypes.data
    addresses[4, ADDRESS] = arrays.forced_dice.ctypes.data
    addresses[5, ADDRESS] = arrays.history.ctypes.data
    addresses[6, ADDRESS] = arrays.rewards.ctypes.data
    addresses[7, ADDRESS] = arrays.terminated.ctypes.data
    addresses[8, ADDRESS] = arrays.truncated.ctypes.data
    addresses[9, ADDRESS] = arrays.to_act.ctypes.data
    addresses[10, ADDRESS] = arrays.masks.ctypes.data
    addresses[11, ADDRESS] = arrays.words.ctypes.data
    addresses[12, ADDRESS] = arrays.legal_bits.ctypes.data
    addresses[13, ADDRESS] = arrays.counts.ctypes.data
    addresses[14, ADDRESS] = arrays.planes.ctypes.data
    addresses[15, ADDRESS] = arrays.variant_records.ctypes.data
    addresses[16, ADDRESS] = arrays.cumulative.ctypes.data
    addresses[17, ADDRESS] = arrays.variant_rng.ctypes.data
    addresses[18, ADDRESS] = arrays.variant_index.ctypes.data
    addresses[19, ADDRESS] = arrays.variant_planes.ctypes.data
    return addresses.ctypes.data


@kernel
def play_alone(arrays: Arrays, action: int, faces: Any) -> int:
    """Plays a ply of row 0 and writes the outputs. See `step_one`; ``faces`` (int8, those of a throw) is scratch."""
    state = arrays.states[0]
    if action < 0 or action >= 64 * arrays.legal_bits.shape[1] or not allows_in(arrays.legal_bits, 0, action):
        return REFUSED
    if not ply.has_room(state, arrays.variants[0], arrays.history[0]):
        return NO_ROOM
    arrays.rewards[0, :] = 0
    play_row(0, action, arrays, faces)
    observe_row(0, arrays)
    rewarded = 0
    for seat in range(arrays.rewards.shape[1]):
        if arrays.rewards[0, seat] != 0:
            rewarded = 1
    to_act, end = np.int64(state.to_act), np.int64(state.end)  # int8 would overflow in the interpreter
    return to_act | end << SEAT_BITS | rewarded << (SEAT_BITS + END_BITS)


@loop
def begin_one(place: Any, variant_index: int) -> None:
    """`begin_rows` for a single game, whose streams continue."""
    faces = np.empty(throws.SPACE, np.int8)
    begin_anew(0, variant_index, taken_over(place, rules.STATE, variant_dtype, STREAM), faces)


@loop
def observe_one(place: Any) -> None:
    """`observe_rows` for a single game."""
    observe_row(0, taken_over(place, rules.STATE, variant_dtype, STREAM))


@loop
def step_one(place: Any, action: int) -> int:
    """`step_rows` for a single running game, whose arrays are passed by ``place`` (see `pass_addresses`);
    any action may be given. Returns `one_game.REFUSED`, `one_game.NO_ROOM`, or the result of the ply in one number (see
    `one_game.SEAT_BITS`)."""
    faces = np.empty(throws.SPACE, np.int8)
    return play_alone(taken_over(place, rules.STATE, variant_dtype, STREAM), action, faces)


@loop
def step_one_scored(place: Any, action: int, events: Any) -> tuple[int, float, bool]:
    """`step_one`, which also returns the potential of the next seat to act, as `scoring.potential_rows` writes it, and
    whether any event happened. ``events``: int64 (E,), their counts."""
    arrays = taken_over(place, rules.STATE, variant_dtype, STREAM)
    before = arrays.states.copy()
    faces = np.empty(throws.SPACE, np.int8)
    code = play_alone(arrays, action, faces)
    happened = scoring.count_events(before[0], arrays.states[0], arrays.variants[0], events)
    return code, scoring.potential_one(arrays.states, arrays.variants, arrays.states[0].to_act), happened


# --- ends, samples and help ---


@kernel
def keep_end(i: int, arrays: Arrays, finals: Finals) -> None:
    """Copies the outputs of row i, which is over, to ``finals``."""
    seat = arrays.states[i].to_act
    finals.to_act[i] = seat
    observe(i, seat, arrays, finals.planes, i)
    if finals.potentials.shape[0]:
        scoring.potential_row(i, arrays, finals.potentials)
    if finals.events.shape[0]:
        scoring.event_row(i, finals.before, arrays, finals.events)


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
    """Writes ``choices`` (int64 (M,)) into ``actions`` (int64 (N,)) of the rows ``row_ids`` (M,). Returns the first m
    whose action is not legal, or −1. ``count``: A."""
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
        actions[i] = random_action(i, legal_bits, counts, player_rng)


@kernel
def random_action(i: int, legal_bits: Any, counts: Any, player_rng: Any) -> int:
    """A legal action of row i, uniformly at random; −1 if there is none."""
    return random_allowed(legal_bits[i], counts[i], player_rng[i])
