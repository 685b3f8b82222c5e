"""The executor of N games side by side, row by row: one call does a ply of every game and writes all that is seen of it.

This file is a template: `parlour.kernels.instantiate` runs it once for each game with ``rules``, ``evaluation`` and
``kernel`` bound (the decorator, keeping machine code with the game's), so that Numba compiles the rules right into it. One game (the AEC environment) is a table of one row.

Arrays, all with a row a game: ``states`` and ``variants`` (N,) records; ``streams`` and ``samplers`` (N,) `STREAM` records
(dice; players' choices); ``history`` uint64 (N, K), the keys of positions that could come again; ``rewards`` float32
(N, P); ``terminated``, ``truncated`` bool (N,); ``to_act`` int8 (N,); ``masks`` int8 (N, A₈), A₈ being A rounded up to
a multiple of 8, ``words`` the same bytes as uint64 (N, A₈ / 8) and ``counts`` int64 (N,) how many actions they allow;
``planes`` int8 (N, C · H · W). ``given`` int8 (G, dice + 1) are throws given from
outside, each with its number of dice last.
Every call works on the rows from ``low`` to ``high`` − 1 alone, so threads share the arrays without locks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.kernels.chance import FACES, below
from parlour.kernels.protocol import MAX_PLIES, REPETITION, RUNNING, Evaluation, Rules

rules: Rules
evaluation: Evaluation
kernel: Callable[[Any], Any]

DISABLED, NEXT_STEP, SAME_STEP = 0, 1, 2
"""What happens to a game that has ended: see `gymnasium.vector.AutoresetMode`."""

ZERO, EIGHT, LOW_BYTE = np.uint64(0), np.uint64(8), np.uint64(255)
BYTES_SUM, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)  # word × BYTES_SUM: its bytes' sum in the top byte
EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
PAIRS_SUM, TOP_PAIR = np.uint64(0x0001000100010001), np.uint64(48)  # the same for 16-bit numbers


@kernel
def make_throws(state: Any, variant: Any, stream: Any, given: Any, faces: Any, rewards: Any) -> None:
    """Makes every throw that is due: those given from outside first, then from the stream. ``faces`` is scratch."""
    due = rules.dice_due(state, variant)
    while due > 0 and state.end == RUNNING:
        use_given = stream.given < given.shape[0] and stream.misfit == 0
        if use_given and given[stream.given, rules.DICE] != due:
            stream.misfit = due
            use_given = False
        for k in range(due):
            faces[k] = given[stream.given, k] if use_given else rules.FIRST_FACE + below(stream, FACES)
        if use_given:
            stream.given += 1
        rules.throw(state, variant, faces, rewards)
        due = rules.dice_due(state, variant)


@kernel
def count_occurrences(state: Any, seen: Any) -> None:
    """Notes the position at the end of a turn, and how often it has occurred. ``seen``: this game's row of the history."""
    if state.irreversible:
        state.seen = 0
    key = rules.position_key(state)
    occurrences = 1
    for j in range(state.seen):
        if seen[j] == key:
            occurrences += 1
    seen[state.seen] = key
    state.seen += 1
    state.occurrences = occurrences


@kernel
def begin(state: Any, variant: Any, stream: Any, given: Any, faces: Any, seen: Any, rewards: Any) -> None:
    """Sets up a game and makes the throws before its first ply."""
    state.plies = 0
    state.seen = 0
    state.occurrences = 0
    state.last_action = -1
    state.last_seat = -1
    state.end = RUNNING
    state.turn_over = 1
    state.irreversible = 0
    rules.setup(state, variant)
    make_throws(state, variant, stream, given, faces, rewards)
    if variant.repetition:
        count_occurrences(state, seen)  # RULES.md, Common: "the starting position counts as an occurrence"


@kernel
def play(
    state: Any, variant: Any, action: int, stream: Any, given: Any, faces: Any, seen: Any, rewards: Any
) -> None:
    """One ply, the throws after it, and the endings that all games share, in the order of RULES.md, Common."""
    state.last_action = action
    state.last_seat = state.to_act
    rules.apply(state, variant, action, rewards)
    make_throws(state, variant, stream, given, faces, rewards)
    state.plies += 1
    if state.end == RUNNING and variant.repetition and state.turn_over:
        count_occurrences(state, seen)
        if state.occurrences >= variant.repetition:
            state.end = REPETITION
    if state.end == RUNNING and 0 < variant.max_plies <= state.plies:
        state.end = MAX_PLIES


@kernel
def begin_rows(
    low: int, high: int, chosen: Any, reseed: bool, dice_starts: Any, player_starts: Any, states: Any, variants: Any,
    streams: Any, samplers: Any, given: Any, history: Any, rewards: Any, terminated: Any, truncated: Any, to_act: Any, masks: Any, words: Any, counts: Any, planes: Any,
) -> None:  # fmt: skip
    """Begins a new game in every chosen row (``chosen``: bool (N,)), with the streams starting from
    ``dice_starts`` and ``player_starts`` (uint64 (N,)) if ``reseed``, else going on."""
    faces = np.empty(max(rules.DICE, 1), np.int8)
    for i in range(low, high):
        if not chosen[i]:
            continue
        if reseed:
            streams[i].counter = dice_starts[i]
            samplers[i].counter = player_starts[i]
        streams[i].given = 0
        streams[i].misfit = 0
        rewards[i, :] = 0
        begin(states[i], variants[i], streams[i], given, faces, history[i], rewards[i])
        rewards[i, :] = 0
        show(i, states, variants, terminated, truncated, to_act, masks, words, counts, planes)


@kernel
def show_rows(
    low: int, high: int, states: Any, variants: Any, terminated: Any, truncated: Any, to_act: Any, masks: Any, words: Any, counts: Any, planes: Any
) -> None:  # fmt: skip
    """Writes what is seen of every row as it stands: for states that came from outside, such as a text."""
    for i in range(low, high):
        show(i, states, variants, terminated, truncated, to_act, masks, words, counts, planes)


@kernel
def show(
    i: int, states: Any, variants: Any, terminated: Any, truncated: Any, to_act: Any, masks: Any, words: Any, counts: Any, planes: Any
) -> None:
    """Writes row i of all that the seat to act is given."""
    state, variant = states[i], variants[i]
    terminated[i] = state.end > MAX_PLIES
    truncated[i] = state.end == MAX_PLIES
    to_act[i] = state.to_act
    rules.legal(state, variant, masks[i], words[i])
    counts[i] = count_legal(words[i])
    rules.observe(state, variant, state.to_act, planes[i])


@kernel
def look(states: Any, variants: Any, i: int, seat: int, mask: Any, words: Any, planes: Any) -> None:
    """What any seat sees of row i: ``mask`` (A₈,), all zeros off turn, and ``planes`` (C · H · W,)."""
    state, variant = states[i], variants[i]
    rules.observe(state, variant, seat, planes)
    if seat == state.to_act:
        rules.legal(state, variant, mask, words)
    else:
        mask[:] = 0


@kernel
def step_rows(
    low: int, high: int, actions: Any, autoreset: int, states: Any, variants: Any, streams: Any, given: Any, history: Any,
    rewards: Any, terminated: Any, truncated: Any, to_act: Any, masks: Any, words: Any, counts: Any, planes: Any, final_to_act: Any,
    final_planes: Any,
) -> int:  # fmt: skip
    """Plays ``actions[i]`` (int64 (N,), legal) in every row. Returns the longest ``seen`` of all rows.

    A row that has ended before is left as it is with DISABLED and begins anew with NEXT_STEP, its action unused; with
    SAME_STEP a row that ends here begins anew at once, its last observation being kept in ``final_planes`` (N, C · H · W)
    and the seat that looks there in ``final_to_act``.
    """
    faces = np.empty(max(rules.DICE, 1), np.int8)
    longest = 0
    for i in range(low, high):
        state, variant = states[i], variants[i]
        rewards[i, :] = 0
        if state.end == RUNNING:
            play(state, variant, actions[i], streams[i], given, faces, history[i], rewards[i])
            longest = max(longest, state.seen)
            if state.end != RUNNING and autoreset == SAME_STEP:
                final_to_act[i] = state.to_act
                rules.observe(state, variant, state.to_act, final_planes[i])
                end = state.end
                begin_again(i, states, variants, streams, given, faces, history, rewards)
                show(i, states, variants, terminated, truncated, to_act, masks, words, counts, planes)
                terminated[i] = end > MAX_PLIES
                truncated[i] = end == MAX_PLIES
            else:
                show(i, states, variants, terminated, truncated, to_act, masks, words, counts, planes)
        elif autoreset == NEXT_STEP:
            begin_again(i, states, variants, streams, given, faces, history, rewards)
            show(i, states, variants, terminated, truncated, to_act, masks, words, counts, planes)
    return longest


@kernel
def step_one(
    action: int, states: Any, variants: Any, streams: Any, given: Any, history: Any, rewards: Any, masks: Any, words: Any,
    planes: Any,
) -> tuple[int, int, bool]:  # fmt: skip
    """`step_rows` for a table of one running row: with fewer arrays and its news as the returned ``to_act``, ``end`` and
    whether any reward is not 0, half the cost of the call."""
    state, variant = states[0], variants[0]
    faces = np.empty(max(rules.DICE, 1), np.int8)
    rewards[0, :] = 0
    play(state, variant, action, streams[0], given, faces, history[0], rewards[0])
    rules.legal(state, variant, masks[0], words[0])
    rules.observe(state, variant, state.to_act, planes[0])
    rewarded = False
    for seat in range(rewards.shape[1]):
        if rewards[0, seat] != 0:
            rewarded = True
    return state.to_act, state.end, rewarded


@kernel
def begin_again(
    i: int, states: Any, variants: Any, streams: Any, given: Any, faces: Any, history: Any, rewards: Any
) -> None:
    """Autoreset of row i: no throw can carry a reward before the first ply, so those of the last ply stand."""
    begin(states[i], variants[i], streams[i], given, faces, history[i], rewards[i])


@kernel
def first_refused(low: int, high: int, actions: Any, actions_count: int, states: Any, masks: Any, autoreset: int) -> int:
    """The first row whose action is not to be played, or −1. A row that has ended takes −1 alone (DISABLED) or anything
    (NEXT_STEP)."""
    for i in range(low, high):
        action = actions[i]
        if states[i].end != RUNNING:
            if autoreset == DISABLED and action != -1:
                return i
        elif action < 0 or action >= actions_count or masks[i, action] == 0:
            return i
    return -1


@kernel
def count_legal(words: Any) -> int:
    """How many actions a mask allows: how many of its bytes are 1. ``words``: the mask as uint64 (A₈ / 8,)."""
    pairs = ZERO  # four counts side by side, of 16 bits each
    for k in range(words.shape[0]):
        pairs += (words[k] & EVEN_BYTES) + ((words[k] >> EIGHT) & EVEN_BYTES)
    return np.int64((pairs * PAIRS_SUM) >> TOP_PAIR)  # type: ignore[return-value]


@kernel
def nth_legal(words: Any, n: int) -> int:
    """The n-th (from 0) action that a mask allows, n being less than their number."""
    k = 0
    count = np.int64((words[k] * BYTES_SUM) >> TOP_BYTE)
    while n >= count:
        n -= count
        k += 1
        count = np.int64((words[k] * BYTES_SUM) >> TOP_BYTE)
    upto = words[k] * BYTES_SUM  # byte j: how many of the bytes 0 to j are 1
    action = 8 * k
    while np.int64(upto & LOW_BYTE) <= n:
        upto >>= EIGHT
        action += 1
    return action


@kernel
def sample_rows(low: int, high: int, chosen: Any, words: Any, counts: Any, samplers: Any, actions: Any) -> None:
    """Writes into ``actions`` (int64 (N,)) of every chosen row a legal action, each as likely; −1 where there is none."""
    for i in range(low, high):
        if chosen[i]:
            actions[i] = nth_legal(words[i], below(samplers[i], counts[i])) if counts[i] else -1


@kernel
def greedy_rows(
    low: int, high: int, chosen: Any, states: Any, variants: Any, after: Any, rewards: Any, masks: Any, samplers: Any,
    actions: Any,
) -> None:  # fmt: skip
    """Writes into ``actions`` of every chosen row an action of the highest merit, each such as likely; −1 where there is
    none. ``after``: (N,) records and ``rewards``: (N, P), both scratch, used at row ``low``."""
    for i in range(low, high):
        if not chosen[i]:
            continue
        best, ties = 0.0, 0
        actions[i] = -1
        for action in range(masks.shape[1]):
            if masks[i, action] == 0:
                continue
            after[low] = states[i]
            rules.apply(after[low], variants[i], action, rewards[low])
            merit = evaluation.merit(states[i], after[low], variants[i], states[i].to_act)
            if ties == 0 or merit > best:
                best, ties = merit, 1
                actions[i] = action
            elif merit == best:
                ties += 1
                if below(samplers[i], ties) == 0:
                    actions[i] = action
