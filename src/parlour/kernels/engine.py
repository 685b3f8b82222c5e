"""The executor of N games side by side: one call does a ply of every game and writes all that is seen of it.

This file is a template: `compiling.instantiate` runs it once a game with ``rules``, ``evaluation``, ``kernel`` and
``loop`` bound (decorators, which keep machine code with the game's own), so that Numba compiles the rules right into
it. One game, the AEC environment, is a table of one row. A ``loop`` is a kernel that stays a function of its own where
another kernel calls it: loops over rows that are compiled into one function take half as long again.

The arrays are described at `protocol.Columns`. Every call works on the rows from ``low`` to ``high`` − 1 alone, so that
threads share the arrays without locks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.kernels.chance import FACES, below, pick
from parlour.kernels.compiling import COMPILED
from parlour.kernels.planes import fill
from parlour.kernels.protocol import (
    ASLEEP,
    CHECK,
    DISABLED,
    GREEDY,
    IDLE,
    LEAVE,
    MAX_PLIES,
    MOST_PLIES,
    NEXT_STEP,
    RANDOM,
    REPETITION,
    RUNNING,
    SAME_STEP,
    SAMPLE,
    STEP,
    Columns,
    Evaluation,
    Finals,
    Record,
    Rules,
)

if COMPILED:
    from parlour.kernels.relay import await_job, write

rules: Rules
evaluation: Evaluation
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

ZERO, SEVEN, EIGHT = np.uint64(0), np.uint64(7), np.uint64(8)
BYTES_SUM, TOP_BYTE = np.uint64(0x0101010101010101), np.uint64(56)  # word × BYTES_SUM: its bytes' sum in the top byte
TOP_BITS = np.uint64(0x8080808080808080)  # of the eight bytes
EVEN_BYTES = np.uint64(0x00FF00FF00FF00FF)
PAIRS_SUM, TOP_PAIR = np.uint64(0x0001000100010001), np.uint64(48)  # the same for 16-bit numbers


# --- one game ---


@kernel
def make_throws(state: Record, variant: Record, stream: Record, given: Any, faces: Any, rewards: Any) -> None:
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
def count_occurrences(state: Record, seen: Any) -> None:
    """Notes the position at the end of a turn, and how often it has occurred. ``seen``: the game's row of the
    history."""
    key = rules.position_key(state)
    occurrences = 1
    for j in range(state.seen):
        if seen[j] == key:
            occurrences += 1
    seen[state.seen] = key
    state.seen += 1
    state.occurrences = occurrences


@kernel
def begin(state: Record, variant: Record, stream: Record, given: Any, faces: Any, seen: Any, rewards: Any) -> None:
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
    state: Record, variant: Record, action: int, stream: Record, given: Any, faces: Any, seen: Any, rewards: Any
) -> None:
    """One ply, the throws after it, and the endings that all games share, in the order of RULES.md, Common."""
    open_ply(state, variant, action, rewards)
    make_throws(state, variant, stream, given, faces, rewards)
    close_ply(state, variant, seen)


@kernel
def open_ply(state: Record, variant: Record, action: int, rewards: Any) -> None:
    """A ply up to the throws after it."""
    state.last_action = action
    state.last_seat = state.to_act
    rules.apply(state, variant, action, rewards)


@kernel
def close_ply(state: Record, variant: Record, seen: Any) -> None:
    """What follows the throws: counts, and the endings that all games share."""
    if state.plies < MOST_PLIES:
        state.plies += 1
    if variant.repetition and state.irreversible:
        state.seen = 0
        state.occurrences = 1
    if variant.repetition and state.turn_over:
        count_occurrences(state, seen)
        if state.end == RUNNING and state.occurrences >= variant.repetition:
            state.end = REPETITION
    if state.end == RUNNING and 0 < variant.max_plies <= state.plies:
        state.end = MAX_PLIES


@kernel
def look(states: Any, variants: Any, i: int, seat: int, mask: Any, words: Any, planes: Any) -> None:
    """What any seat sees of row i: ``mask`` (A₈,), all zeros off turn, and ``planes`` (C · H · W,)."""
    state, variant = states[i], variants[i]
    rules.observe(state, variant, seat, planes)
    if seat == state.to_act:
        rules.legal(state, variant, mask, words)
    else:
        mask[:] = 0


@loop
def step_one(
    action: int,
    states: Any,
    variants: Any,
    streams: Any,
    given: Any,
    history: Any,
    rewards: Any,
    masks: Any,
    words: Any,
    planes: Any,
) -> tuple[int, int, bool]:
    """`step_rows` for a table of one running row: with fewer arrays, and its news as the returned ``to_act``, ``end``
    and whether any reward is not 0, it costs half as much to call."""
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


# --- rows of games ---


@kernel
def show(i: int, rows: Columns) -> None:
    """Writes row i of all that is seen of a game."""
    state, variant = rows.states[i], rows.variants[i]
    rows.terminated[i] = state.end > MAX_PLIES
    rows.truncated[i] = state.end == MAX_PLIES
    rows.to_act[i] = state.to_act
    rules.legal(state, variant, rows.masks[i], rows.words[i])
    rows.counts[i] = count_legal(rows.words[i])
    observe(i, state.to_act, rows, rows.planes)


@kernel
def observe(i: int, seat: int, rows: Columns, planes: Any) -> None:
    """What ``seat`` sees of row i, into row i of ``planes``: the game's own planes and those that tell the variant."""
    rules.observe(rows.states[i], rows.variants[i], seat, planes[i])
    badges = rows.badges.shape[1]
    if badges:
        own = planes.shape[1] // rows.plane_size - badges
        for e in range(badges):
            fill(planes[i], own + e, rows.plane_size, rows.badges[rows.chosen[i], e])


@kernel
def choose_variant(i: int, rows: Columns) -> None:
    """The variant of row i's next game, by the odds."""
    if rows.menu.shape[0] > 1:
        set_variant(i, pick(rows.selectors[i], rows.odds), rows)


@kernel
def set_variant(i: int, k: int, rows: Columns) -> None:
    """Row i takes the k-th variant of the menu."""
    rows.chosen[i] = k
    rows.variants[i] = rows.menu[k]


@kernel
def begin_row(i: int, rows: Columns, faces: Any) -> None:
    """A new game in row i. Its opening carries no reward, so those of a last ply stand."""
    begin(
        rows.states[i], rows.variants[i], rows.streams[i], rows.given, faces, rows.history[i], rows.rewards[i]
    )  # fmt: skip


@loop
def show_rows(low: int, high: int, rows: Columns) -> None:
    """Writes what is seen of every row as it stands: for states that came from outside, such as a text."""
    for i in range(low, high):
        show(i, rows)


@loop
def begin_rows(low: int, high: int, chosen: Any, forced: Any, starts: Any, rows: Columns) -> None:
    """Begins a new game in every chosen row (``chosen``: bool (N,)).

    ``forced``: int64 (N,), the place in the menu of the variant to play; −1 where it is drawn. ``starts``: uint64
    (3, N), from where the streams for dice, players and variants start; (3, 0) if they go on.
    """
    faces = np.empty(max(rules.DICE, 1), np.int8)
    for i in range(low, high):
        if not chosen[i]:
            continue
        if starts.shape[1]:
            rows.streams[i].counter = starts[0, i]
            rows.samplers[i].counter = starts[1, i]
            rows.selectors[i].counter = starts[2, i]
        if forced[i] < 0:
            choose_variant(i, rows)
        else:
            set_variant(i, forced[i], rows)
        rows.streams[i].given = 0
        rows.streams[i].misfit = 0
        rows.rewards[i, :] = 0
        begin_row(i, rows, faces)
        show(i, rows)


@loop
def step_rows(low: int, high: int, actions: Any, autoreset: int, rows: Columns, finals: Finals) -> int:
    """Plays ``actions[i]`` (int64 (N,), legal) in every row. Returns the longest ``seen`` of all rows.

    A row that has ended before is left as it is with DISABLED and begins anew with NEXT_STEP, its action unused; with
    SAME_STEP a row that ends here begins anew at once, its end being kept in ``finals``.
    """
    faces = np.empty(max(rules.DICE, 1), np.int8)
    longest = 0
    for i in range(low, high):
        state = rows.states[i]
        rows.rewards[i, :] = 0
        end = RUNNING
        if state.end == RUNNING:
            play_row(i, actions[i], rows, faces)
            longest = max(longest, state.seen)
            end = state.end
            if end != RUNNING and autoreset == SAME_STEP:
                keep_end(i, rows, finals)
                choose_variant(i, rows)
                begin_row(i, rows, faces)
        elif autoreset == NEXT_STEP:
            choose_variant(i, rows)
            begin_row(i, rows, faces)
        else:
            continue
        show(i, rows)
        if end != RUNNING:
            rows.terminated[i] = end != MAX_PLIES
            rows.truncated[i] = end == MAX_PLIES
    return longest


@kernel
def play_row(i: int, action: int, rows: Columns, faces: Any) -> None:
    """`play` in row i."""
    play(
        rows.states[i], rows.variants[i], action, rows.streams[i], rows.given, faces, rows.history[i], rows.rewards[i]
    )  # fmt: skip


@kernel
def keep_end(i: int, rows: Columns, finals: Finals) -> None:
    """Keeps what row i, which is over, shows."""
    seat = rows.states[i].to_act
    finals.to_act[i] = seat
    observe(i, seat, rows, finals.planes)
    if finals.potentials.shape[0]:
        potential_row(i, rows, finals.potentials)
    if finals.events.shape[0]:
        event_row(i, finals.before, rows, finals.events)


@loop
def serve_rows(
    low: int,
    high: int,
    posts: Any,
    k: int,
    autoreset: int,
    count: int,
    actions: Any,
    sampled: Any,
    answers: Any,
    rows: Columns,
    finals: Finals,
) -> None:
    """Helper k's stay: its share of every `first_refused` and `step_rows` (of ``actions``) and `sample_rows` (into
    ``sampled``, all rows being chosen) that the leader posts. ``answers``: int64, what they return, one a helper."""
    while True:
        job = await_job(posts, k)
        if job == CHECK:
            answers[k] = first_refused(low, high, actions, count, rows.states, rows.masks, autoreset)
        elif job == STEP:
            answers[k] = step_rows(low, high, actions, autoreset, rows, finals)
        elif job == SAMPLE:
            for i in range(low, high):
                sampled[i] = sample_row(i, rows.words, rows.counts, rows.samplers)
        else:
            if job == LEAVE:
                write(posts, k, ASLEEP)
            return
        write(posts, k, IDLE)


@loop
def first_refused(low: int, high: int, actions: Any, count: int, states: Any, masks: Any, autoreset: int) -> int:
    """The first row whose action is not to be played, or −1. ``count``: A. A row that has ended takes −1 alone
    (DISABLED) or anything (NEXT_STEP)."""
    for i in range(low, high):
        action = actions[i]
        if states[i].end != RUNNING:
            if autoreset == DISABLED and action != -1:
                return i
        elif action < 0 or action >= count or masks[i, action] == 0:
            return i
    return -1


# --- choosing ---


@kernel
def count_legal(words: Any) -> int:
    """How many actions a mask allows: how many of its bytes are 1. ``words``: the mask as uint64 (A₈ / 8,)."""
    pairs = ZERO  # four counts side by side, of 16 bits each
    for k in range(words.shape[0]):
        pairs += (words[k] & EVEN_BYTES) + ((words[k] >> EIGHT) & EVEN_BYTES)
    return np.int64((pairs * PAIRS_SUM) >> TOP_PAIR)


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
    not_yet = ((np.uint64(n) * BYTES_SUM | TOP_BITS) - upto) & TOP_BITS  # the top bit of byte j: whether that is ≤ n
    return 8 * k + np.int64(((not_yet >> SEVEN) * BYTES_SUM) >> TOP_BYTE)


@kernel
def sample_row(i: int, words: Any, counts: Any, samplers: Any) -> int:
    """A legal action of row i, each as likely; −1 where there is none."""
    return nth_legal(words[i], below(samplers[i], counts[i])) if counts[i] else -1


@loop
def sample_rows(low: int, high: int, chosen: Any, words: Any, counts: Any, samplers: Any, actions: Any) -> None:
    """Writes into ``actions`` (int64 (N,)) of every chosen row a legal action, each as likely; −1 where there is
    none."""
    for i in range(low, high):
        if chosen[i]:
            actions[i] = sample_row(i, words, counts, samplers)


@kernel
def greedy_choice(before: Record, variant: Record, mask: Any, sampler: Record, after: Any, rewards: Any) -> int:
    """A legal action of the highest merit, each such as likely; −1 where there is none. ``mask``: int8 (A₈,);
    ``after``, one record, and ``rewards`` (P,) are scratch."""
    best, ties, choice = 0.0, 0, -1
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        after[0] = before
        rules.apply(after[0], variant, action, rewards)
        merit = evaluation.merit(before, after[0], variant, before.to_act)
        if ties == 0 or merit > best:
            best, ties, choice = merit, 1, action
        elif merit == best:
            ties += 1
            if below(sampler, ties) == 0:
                choice = action
    return choice


@kernel
def greedy_row(i: int, rows: Columns, after: Any, rewards: Any) -> int:
    """`greedy_choice` in row i."""
    return greedy_choice(rows.states[i], rows.variants[i], rows.masks[i], rows.samplers[i], after, rewards)


@loop
def greedy_rows(low: int, high: int, chosen: Any, rows: Columns, after: Any, rewards: Any, actions: Any) -> None:
    """`greedy_row` into ``actions`` (int64 (N,)) of every chosen row. ``after``: (N,) records and ``rewards``: (N, P)
    are scratch, used at row ``low``."""
    for i in range(low, high):
        if chosen[i]:
            actions[i] = greedy_row(i, rows, after[low : low + 1], rewards[low])


# --- self-play ---


@loop
def play_rows(low: int, high: int, chosen: Any, actions: Any, totals: Any, rows: Columns) -> None:
    """Plays ``actions[i]`` (int64 (N,), legal) in every chosen row (bool (N,)), adding all rewards to ``totals``
    (float64 (N, P)), and writes the next mask and who is to act."""
    faces = np.empty(max(rules.DICE, 1), np.int8)
    for i in range(low, high):
        if not chosen[i]:
            continue
        rows.rewards[i, :] = 0
        play_row(i, actions[i], rows, faces)
        for seat in range(totals.shape[1]):
            totals[i, seat] += rows.rewards[i, seat]
        rows.to_act[i] = rows.states[i].to_act
        rules.legal(rows.states[i], rows.variants[i], rows.masks[i], rows.words[i])
        rows.counts[i] = count_legal(rows.words[i])


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
            observe(i, rows.to_act[i], rows, rows.planes)
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
    see `greedy_rows`.
    """
    play_rows(low, high, given, actions, totals, rows)
    on = True
    while on:
        on = find_turns(low, high, chosen, learners, opponents, RANDOM, rows, turns)
        if on:
            sample_rows(low, high, turns, rows.words, rows.counts, rows.samplers, actions)
            play_rows(low, high, turns, actions, totals, rows)
        if find_turns(low, high, chosen, learners, opponents, GREEDY, rows, turns):
            on = True
            greedy_rows(low, high, turns, rows, after, scratch, actions)
            play_rows(low, high, turns, actions, totals, rows)
    return show_halted(low, high, chosen, learners, rows)


# --- judging ---


@kernel
def potential_of(state: Record, variant: Record, seat: int) -> float:
    """0 for a game that is over by its rules, the potential of its last position for one that was truncated."""
    return 0.0 if state.end > MAX_PLIES else evaluation.potential(state, variant, seat)


@kernel
def potential_row(i: int, rows: Columns, potentials: Any) -> None:
    """Writes the potential of row i for every seat into row i of ``potentials`` (float32 (N, P))."""
    for seat in range(potentials.shape[1]):
        potentials[i, seat] = potential_of(rows.states[i], rows.variants[i], seat)


@loop
def potential_rows(low: int, high: int, rows: Columns, potentials: Any) -> None:
    """`potential_row` of every row."""
    for i in range(low, high):
        potential_row(i, rows, potentials)


@loop
def mover_potential_rows(low: int, high: int, rows: Columns, potentials: Any) -> None:
    """Writes the potential of every row for its seat to act alone into ``potentials`` (float32 (N,))."""
    for i in range(low, high):
        potentials[i] = potential_of(rows.states[i], rows.variants[i], rows.states[i].to_act)


@kernel
def potential_one(states: Any, variants: Any, seat: int) -> float:
    """The number that `potential_rows` writes for ``seat`` in a table of one row."""
    return float(np.float32(potential_of(states[0], variants[0], seat)))


@kernel
def event_row(i: int, before: Any, rows: Columns, counts: Any) -> None:
    """Counts in row i of ``counts`` (int64 (N, E), set anew) what happened between ``before[i]`` and the state now, a
    ply apart or none."""
    counts[i, :] = 0
    if rows.states[i].plies > before[i].plies:
        evaluation.events(before[i], rows.states[i], rows.variants[i], counts[i])


@loop
def event_rows(low: int, high: int, before: Any, rows: Columns, counts: Any) -> None:
    """`event_row` of every row. ``before``: (N,) states."""
    for i in range(low, high):
        event_row(i, before, rows, counts)


@loop
def step_one_judged(
    action: int,
    counts: Any,
    states: Any,
    variants: Any,
    streams: Any,
    given: Any,
    history: Any,
    rewards: Any,
    masks: Any,
    words: Any,
    planes: Any,
) -> tuple[int, int, bool, float, bool]:
    """`step_one`, returning besides: the potential of the seat then to act, as `potential_rows` writes it, and whether
    any event happened. ``counts``: int64 (E,), of these."""
    before = states.copy()  # cheaper than another array of records to hand over
    to_act, end, rewarded = step_one(
        action, states, variants, streams, given, history, rewards, masks, words, planes
    )  # fmt: skip
    counts[:] = 0
    evaluation.events(before[0], states[0], variants[0], counts)
    happened = False
    for event in range(counts.shape[0]):
        if counts[event] != 0:
            happened = True
    return to_act, end, rewarded, potential_one(states, variants, to_act), happened
