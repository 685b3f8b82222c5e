"""Search to a fixed depth over many games at once, each thread searching its own rows.

Where two seats play, whose rewards are opposite, it is alpha-beta (Knuth and Moore, *An Analysis of Alpha-Beta
Pruning*, Artificial Intelligence 6, 1975); where more do, max^n (Luckhardt and Irani, *An Algorithmic Solution of
N-Person Games*, AAAI 1986): each seat takes what is best for itself. Throws are averaged over all their outcomes with
exact probabilities. Depth is counted in plies, of whatever seat. A game that is over is worth its rewards, a little
less the later it ends (`LATER`); a position at full depth, the rewards on the way and its potential (`LEAF`).

A search of depth D follows those of depth 1 to D − 1 and tries first what they found best, which a table keeps by
position. All that belongs to one level of the tree lies in one row of `Levels`; the tree is gone through by a loop,
since Numba can't keep recursive functions on disk.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.arrays import Columns
from parlour.rulebook.chance import FACES, below
from parlour.rulebook.hashing import hash_words
from parlour.rulebook.protocol import RUNNING, Evaluation, Record, Rules

rules: Rules
evaluation: Evaluation
ply: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

LATER = 1 / 1024
"""A result loses this share of its worth with each ply that it is away: so the sooner of two wins is played."""
LEAF = 0.9
"""A potential of 1 is worth this much of a win."""
MOST_THROWS = 3
"""Throws that follow one another without a ply between; a position before yet another is worth its potential."""
MOST_DEPTH = 64
NONE = -1
EXACT, AT_LEAST, AT_MOST = 0, 1, 2
TIE = 1e-9
"""Actions at the root whose values are no further apart are equally good."""

ENTRY = np.dtype(
    [
        ("key", np.uint64),
        ("value", np.float64),  #    for player_0, without the rewards on the way to the position
        ("generation", np.int64),  # which search, and to which depth, it comes from
        ("action", np.int32),  #     what was best
        ("left", np.int16),  #       how deep the search beneath it went
        ("bound", np.int8),  #       EXACT, AT_LEAST or AT_MOST
    ],
    align=True,
)

LEVEL = np.dtype(
    [
        ("key", np.uint64),
        ("alpha", np.float64),  #  what player_0 is sure of elsewhere, and
        ("beta", np.float64),  #   the most that player_1 allows; for two seats
        ("low", np.float64),  #    alpha when the level was entered
        ("high", np.float64),  #   and beta
        ("cursor", np.int32),  #   which of the actions is being looked at
        ("count", np.int32),  #    how many there are
        ("action", np.int32),  #   the best so far
        ("left", np.int16),  #     plies still to be played
        ("dice", np.int16),  #     dice that are due; 0: someone acts
        ("throws", np.int16),  #   throws since the latest ply
    ],
    align=True,
)


class Levels(NamedTuple):
    """What a thread works with, at row ``low`` of each: L levels."""

    states: Any
    """(N, L) records"""
    words: Any
    """uint64 (N, L, state size / 8): the same bytes"""
    frames: Any
    """(N, L) records of `LEVEL`"""
    rewards: Any
    """float64 (N, L, P): since the root"""
    values: Any
    """float64 (N, L, P): the best so far, or the sum over the throws so far; in the end what the level is worth"""
    history: Any
    """uint64 (N, L, K): see `protocol.Columns`"""
    actions: Any
    """int32 (N, L, A): in the order in which they are tried"""
    scores: Any
    """float64 (N, A): what they are sorted by"""
    faces: Any
    """int8 (N, L, dice): the throw that is being looked at"""
    masks: Any
    """int8 (N, A₈)"""
    mask_words: Any
    """uint64 (N, A₈ / 8): the same bytes"""
    entries: Any
    """(N, T) records of `ENTRY`, T a power of 2"""


# --- throws ---


@kernel
def first_throw(faces: Any, dice: int) -> None:
    """The first of all sorted throws."""
    for k in range(dice):
        faces[k] = rules.FIRST_FACE


@kernel
def next_throw(faces: Any, dice: int) -> bool:
    """The next of all sorted throws; False when there is none."""
    k = dice - 1
    while k >= 0 and faces[k] == rules.FIRST_FACE + FACES - 1:
        k -= 1
    if k < 0:
        return False
    face = faces[k] + 1
    for j in range(k, dice):
        faces[j] = face
    return True


@kernel
def chance_of(faces: Any, dice: int) -> float:
    """The probability of a sorted throw: its orders, over all throws."""
    orders, alike = 1.0, 0
    for k in range(dice):
        alike = alike + 1 if k > 0 and faces[k] == faces[k - 1] else 1
        orders *= (k + 1) / alike
    return orders / FACES**dice


# --- the order of actions ---


@kernel
def list_actions(low: int, level: int, variant: Record, levels: Levels, first: int, sorting: bool) -> None:
    """Lists the legal actions of a level: ``first`` (NONE: no such) before all others, and these, if ``sorting``, by
    how well the seat stands after them."""
    actions, mask = levels.actions[low, level], levels.masks[low]
    rules.legal(levels.states[low, level], variant, mask, levels.mask_words[low])
    count = 0
    for action in range(actions.shape[0]):
        if mask[action]:
            actions[count] = action
            count += 1
    levels.frames[low, level].count = count
    if sorting:
        sort_actions(low, level, variant, levels, count)
    for k in range(count):
        if actions[k] == first:
            for j in range(k, 0, -1):
                actions[j] = actions[j - 1]
            actions[0] = first


@loop
def sort_actions(low: int, level: int, variant: Record, levels: Levels, count: int) -> None:
    """Sorts by the potential right after each action, ends first. (By insertion: the lists are short.)"""
    state, actions, scores = levels.states[low, level], levels.actions[low, level], levels.scores[low]
    for k in range(count):
        action = actions[k]
        levels.states[low, level + 1] = state
        after = levels.states[low, level + 1]
        rules.apply(after, variant, action, levels.rewards[low, level + 1])
        score = evaluation.potential(after, variant, state.to_act) if after.end == RUNNING else 2.0
        j = k
        while j > 0 and scores[j - 1] < score:
            scores[j] = scores[j - 1]
            actions[j] = actions[j - 1]
            j -= 1
        scores[j] = score
        actions[j] = action


# --- positions met before ---


@kernel
def key_of(state: Record, words: Any) -> Any:
    """A 64-bit word for a state, whatever ply it was reached by. ``words``: its bytes, uint64 (state size / 8,)."""
    action, seat = state.last_action, state.last_seat
    state.last_action = 0
    state.last_seat = 0
    key = hash_words(words)
    state.last_action = action
    state.last_seat = seat
    return key


@kernel
def entry_of(low: int, key: Any, levels: Levels) -> Record:
    """The place in the table of a position with this key."""
    return levels.entries[low, np.int64(key & np.uint64(levels.entries.shape[1] - 1))]


@kernel
def recall(low: int, level: int, generation: int, levels: Levels) -> bool:
    """Narrows a level's window by what the table knows; True if that settles its value."""
    frame = levels.frames[low, level]
    entry = entry_of(low, frame.key, levels)
    if entry.key != frame.key or entry.generation != generation or entry.left != frame.left or level == 0:
        return False
    value = entry.value + lead(levels.rewards[low, level])
    if entry.bound != AT_MOST:
        frame.alpha = max(frame.alpha, value)
    if entry.bound != AT_LEAST:
        frame.beta = min(frame.beta, value)
    if entry.bound == EXACT or frame.alpha >= frame.beta:
        set_lead(levels.values[low, level], value)
        return True
    return False


@kernel
def remember(low: int, level: int, generation: int, levels: Levels) -> None:
    """Notes what a level has come to in the table."""
    frame = levels.frames[low, level]
    value = levels.values[low, level, 0]
    entry = entry_of(low, frame.key, levels)
    entry.key = frame.key
    entry.value = value - lead(levels.rewards[low, level])
    entry.generation = generation
    entry.action = frame.action
    entry.left = frame.left
    entry.bound = AT_MOST if value <= frame.low else AT_LEAST if value >= frame.high else EXACT


# --- what a level is worth ---


@kernel
def lead(values: Any) -> float:
    """What two seats play for: half of what player_0 is ahead."""
    return 0.5 * (values[0] - values[1])


@kernel
def set_lead(values: Any, value: float) -> None:
    """A value for each of two seats, the one the opposite of the other."""
    values[0] = value
    values[1] = -value


@kernel
def settle(low: int, level: int, variant: Record, plies: int, levels: Levels) -> None:
    """The value of a level that is not gone into further; ``plies``: how far it is from the root."""
    state, rewards, values = levels.states[low, level], levels.rewards[low, level], levels.values[low, level]
    for seat in range(rewards.shape[0]):
        if state.end == RUNNING:
            values[seat] = rewards[seat] + LEAF * evaluation.potential(state, variant, seat)
        else:
            values[seat] = rewards[seat] * (1 - LATER * plies)
    if rewards.shape[0] == 2:
        set_lead(values, lead(values))


# --- the search ---


@loop
def enter(low: int, level: int, variant: Record, depth: int, generation: int, levels: Levels) -> bool:
    """Begins with a level; True if its value is known at once."""
    frame, state = levels.frames[low, level], levels.states[low, level]
    values, seats = levels.values[low, level], levels.rewards.shape[2]
    frame.dice = rules.dice_due(state, variant) if state.end == RUNNING else 0
    if frame.dice > 0 and frame.throws < MOST_THROWS:
        first_throw(levels.faces[low, level], frame.dice)
        values[:] = 0
        return False
    if level > 0 and frame.dice == 0:
        ply.close_ply(state, variant, levels.history[low, level])
    if state.end != RUNNING or frame.left == 0 or frame.dice > 0:
        settle(low, level, variant, depth - frame.left, levels)
        return True
    frame.low = frame.alpha
    frame.high = frame.beta
    frame.key = key_of(state, levels.words[low, level])
    if seats == 2 and recall(low, level, generation, levels):
        return True
    hint = entry_of(low, frame.key, levels)
    known = hint.key == frame.key and hint.generation // MOST_DEPTH == generation // MOST_DEPTH
    list_actions(low, level, variant, levels, hint.action if known else NONE, seats == 2 and frame.left > 1)
    frame.cursor = 0
    frame.action = NONE
    return False


@loop
def descend(low: int, level: int, variant: Record, levels: Levels) -> None:
    """Sets up the next level: after the action, or the throw, that is being looked at."""
    frame, below_it = levels.frames[low, level], levels.frames[low, level + 1]
    levels.states[low, level + 1] = levels.states[low, level]
    state, rewards = levels.states[low, level + 1], levels.rewards[low, level + 1]
    for p in range(rewards.shape[0]):
        rewards[p] = levels.rewards[low, level, p]
    for k in range(state.seen if variant.repetition else 0):
        levels.history[low, level + 1, k] = levels.history[low, level, k]
    if frame.dice > 0:
        rules.throw(state, variant, levels.faces[low, level], rewards)
        below_it.left, below_it.throws = frame.left, frame.throws + 1
        below_it.alpha, below_it.beta = -math.inf, math.inf  # of a mean, every value must be known
        return
    ply.open_ply(state, variant, levels.actions[low, level, frame.cursor], rewards)
    below_it.left, below_it.throws = frame.left - 1, 0
    margin = TIE if level == 0 else 0.0  # at the root, values as good as the best are wanted too
    below_it.alpha, below_it.beta = frame.alpha - margin, frame.beta + margin


@loop
def take(low: int, level: int, generation: int, sampler: Record, levels: Levels) -> bool:
    """Takes the value of the level beneath; True if the level is done with it."""
    frame = levels.frames[low, level]
    values, found = levels.values[low, level], levels.values[low, level + 1]
    if frame.dice > 0:
        chance = chance_of(levels.faces[low, level], frame.dice)
        for seat in range(values.shape[0]):
            values[seat] += chance * found[seat]
        return not next_throw(levels.faces[low, level], frame.dice)
    seat = levels.states[low, level].to_act
    if frame.action == NONE or found[seat] > values[seat] + (TIE if level == 0 else 0.0):
        for p in range(values.shape[0]):
            values[p] = found[p]
        frame.action = levels.actions[low, level, frame.cursor]
        frame.throws = 1  # at the root: how many actions are equally good
    elif level == 0 and found[seat] >= values[seat] - TIE:
        frame.throws += 1
        if below(sampler, frame.throws) == 0:
            frame.action = levels.actions[low, level, frame.cursor]
    frame.cursor += 1
    done = frame.cursor == frame.count
    if values.shape[0] == 2:
        if seat == 0:
            frame.alpha = max(frame.alpha, values[0])
        else:
            frame.beta = min(frame.beta, values[0])
        done = done or frame.alpha >= frame.beta
        if done:
            remember(low, level, generation, levels)
    return done


@loop
def search_row(i: int, low: int, depth: int, generation: int, rows: Columns, levels: Levels) -> int:
    """An action of the highest value at ``depth`` in row i, each such as likely."""
    variant, frame = rows.variants[i], levels.frames[low, 0]
    levels.states[low, 0] = rows.states[i]
    levels.rewards[low, 0, :] = 0
    for k in range(rows.states[i].seen if variant.repetition else 0):
        levels.history[low, 0, k] = rows.history[i, k]
    frame.left, frame.throws, frame.alpha, frame.beta = depth, 0, -math.inf, math.inf
    level = 0
    known = enter(low, level, variant, depth, generation, levels)
    while not known or level > 0:
        if known:
            level -= 1
            known = take(low, level, generation, rows.samplers[i], levels)
        else:
            descend(low, level, variant, levels)
            level += 1
            known = enter(low, level, variant, depth, generation, levels)
    return frame.action


@kernel
def search_rows(
    low: int, high: int, chosen: Any, depth: int, number: int, rows: Columns, levels: Levels, actions: Any
) -> None:
    """Searches every chosen row (bool (N,)) to depth 1, 2 … ``depth`` and writes into ``actions`` (int64 (N,)) what is
    best at the last. ``number``: of the call, so that it knows its own entries in the table."""
    for i in range(low, high):
        if chosen[i]:
            for d in range(1, depth + 1):
                generation = (number * rows.states.shape[0] + i) * MOST_DEPTH + d
                actions[i] = search_row(i, low, d, generation, rows, levels)
