"""Alpha-beta search of games between two seats, throws included, over many games at once.

What it adds to plain alpha-beta (Knuth and Moore, *An Analysis of Alpha-Beta Pruning*, Artificial Intelligence 6,
1975) is told, and can be switched off, by name: see `search_arrays.HEURISTICS`. ``leaf`` values positions: it is
`potential_leaf`, or another template with the same kernels.

Values are to the seat that acts: half of what it is ahead. That of a position is the highest, over the seat's actions,
of what the ply and the throws after it pay plus the value of the position then, ``later``. Throws are averaged by their
exact probabilities. A game that is over is worth nothing more; a position at full depth, its leaf value. Depth is
counted in plies, of whatever seat. The search goes from depth to depth, each time with what it has learnt before.

All that belongs to a level of the tree lies at that place in `Levels`; the tree is gone through by a loop, since Numba
can't keep recursive functions on disk. So a search can stop after any node and go on in another call.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.search_arrays import (
    AT_LEAST,
    AT_MOST,
    DISCOUNT,
    EXACT,
    LEAF,
    LEVELS,
    MAX_THROWS,
    MOVE_ONLY,
    NONE,
    Levels,
    Memory,
)
from parlour.rulebook.chance import GOLDEN, draw, mix
from parlour.rulebook.protocol import MAX_PLIES, REPETITION, RUNNING, Evaluation, Record, Rules

rules: Rules
evaluation: Evaluation
ply: Any
throws: Any
transpositions: Any
move_order: Any
leaf: Any
win_threats: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

TIE = 1e-9
"""Values no further apart are equally good: so wide is a null window."""
HALF_TIE = 0.5 * TIE
FAR = LEVELS
"""Of a value that does not depend on a repetition: below all levels."""
ZERO = np.uint64(0)

UNLISTED, WHOLE, SCOUT, PASSING, PROBING = 0, 1, 2, 3, 4
"""What a frame is doing: its actions are not listed yet; it has the one at hand searched with its whole window, or with
a null window; it tries a null move; of a throw: it looks at one action after each outcome."""

# --- limits of the heuristics, by trial ---
FIRST_MARGIN, WIDER = 0.04, 4.0
"""Aspiration: half of the first window round the last value, and how many times as wide the next is."""
MIN_FOR_ASPIRATION = 4
NULL_LEAST, NULL_REDUCTION = 3, 3
"""Null move: from so many plies left, and so many fewer, itself included, are searched after it."""
INTERNAL_LEAST = 4
REDUCTION_LEAST, REDUCTION_FROM = 3, 3
"""Reductions: from so many plies left, and from that place in the order (0 is the first) on."""
MAX_QUIET_PLIES = 12
PROBING_LEAST = 2
"""Star2: with fewer plies left, one action after each outcome costs as much as it can save."""


def _reductions() -> np.ndarray[Any, np.dtype[np.int64]]:
    """[plies left, place in the order]: by how many plies less a late action is searched at first."""
    left, place = np.ogrid[1:65, 1:257]
    return np.maximum(0.2 + np.log(left) * np.log(place) / 2.6, 0).astype(np.int64)


REDUCTIONS = _reductions()

if hasattr(evaluation, "null_move_is_sound"):
    null_move_is_sound = evaluation.null_move_is_sound
else:

    @kernel
    def null_move_is_sound(state: Record, variant: Record) -> bool:
        """See `protocol.Evaluation.null_move_is_sound`."""
        return False


if hasattr(evaluation, "outlook_bounds"):
    HAS_BOUNDS = True
    outlook_bounds = evaluation.outlook_bounds
else:
    HAS_BOUNDS = False

    @kernel
    def outlook_bounds(state: Record, variant: Record, seat: int, plies: int) -> tuple[float, float, float]:
        """See `protocol.Evaluation.outlook_bounds`: nothing is known."""
        return -1.0, 1.0, math.inf


# --- values from level to level ---


@kernel
def later(value: float) -> float:
    """What a value is worth a ply earlier: see `search_arrays.DISCOUNT`."""
    if value > LEAF:
        return LEAF + (value - LEAF) * DISCOUNT
    return -LEAF + (value + LEAF) * DISCOUNT if value < -LEAF else value


@kernel
def sooner(value: float) -> float:
    """The inverse of `later`."""
    if value > LEAF:
        return LEAF + (value - LEAF) / DISCOUNT
    return -LEAF + (value + LEAF) / DISCOUNT if value < -LEAF else value


@kernel
def lead(rewards: Any, i: int, seat: int) -> float:
    """Half of what ``seat`` has been paid more than the other."""
    return 0.5 * (rewards[i, seat] - rewards[i, 1 - seat])


@kernel
def open_window(frame: Record, below: Record, alpha: float, beta: float, is_ply: bool) -> None:
    """Gives the frame below the window that is ``alpha`` to ``beta`` in the frame's own eyes, after what led there."""
    alpha, beta = alpha - below.reward, beta - below.reward
    if is_ply:
        alpha, beta = sooner(alpha), sooner(beta)
    if below.seat == frame.seat:
        below.alpha, below.beta = alpha, beta
    else:
        below.alpha, below.beta = -beta, -alpha


@kernel
def value_from(frame: Record, below: Record, is_ply: bool) -> float:
    """The value of the frame below in the eyes of the frame, with what led there."""
    value = below.value if below.seat == frame.seat else -below.value
    return below.reward + (later(value) if is_ply else value)


# --- going down ---


@kernel
def copy_state(i: int, level: int, levels: Levels) -> None:
    """The next level begins as this one stands."""
    levels.states[i, level + 1] = levels.states[i, level]
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    below.first_key, below.last_key, below.path = frame.first_key, frame.last_key, frame.path
    below.passed, below.probe = False, False
    below.dice, below.throws = 0, 0


@kernel
def descend_by_action(i: int, level: int, variant: Record, levels: Levels, weights: Any, using: Record) -> None:
    """Plays the next action of a level, or once more the one at hand, and gives it a window."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    if frame.again:
        frame.again = False
    else:
        move_order.pick(i, level, frame.cursor, frame.count, levels)
        frame.stage = SCOUT if using.null_window and frame.cursor > 0 else WHOLE
        frame.reduction = reduction_of(i, level, levels) if using.reductions and frame.stage == SCOUT else 0
    copy_state(i, level, levels)
    after = levels.states[i, level + 1]
    for seat in range(2):
        levels.rewards[i, seat] = 0
    ply.open_ply(after, variant, levels.actions[i, level, frame.cursor], levels.rewards[i])
    below.reward = lead(levels.rewards, i, frame.seat)
    below.dice = rules.dice_due(after, variant) if after.end == RUNNING else 0
    below.seat = frame.seat if below.dice > 0 or after.end != RUNNING else after.to_act
    counted = 0 if using.single_reply and rules.DICE == 0 and frame.count == 1 and frame.left > 0 else 1
    below.left = frame.left - counted - frame.reduction
    beta = frame.beta if frame.stage == WHOLE else frame.alpha + TIE
    open_window(frame, below, frame.alpha, beta, True)
    if after.end == RUNNING:
        leaf.follow(i, level + 1, variant, levels, weights)


@kernel
def reduction_of(i: int, level: int, levels: Levels) -> int:
    """By how many plies less the action at hand is searched at first."""
    frame = levels.frames[i, level]
    if frame.left < REDUCTION_LEAST or frame.cursor < REDUCTION_FROM:
        return 0
    if not move_order.is_quiet(levels.scores[i, level, frame.cursor]):
        return 0
    least = min(np.int64(REDUCTIONS[min(frame.left, 63), min(frame.cursor, 255)]), frame.left - 2)
    return max(least, 0)


@kernel
def descend_by_passing(i: int, level: int, variant: Record, levels: Levels, weights: Any) -> None:
    """A null move: the other seat is to act as if this one had changed nothing."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    copy_state(i, level, levels)
    after = levels.states[i, level + 1]
    win_threats.null_move(after, variant)
    below.passed = True
    below.first_key = below.last_key  # no position before it can come again without it
    below.reward = 0.0
    below.seat = after.to_act
    below.left = frame.left - NULL_REDUCTION
    open_window(frame, below, frame.beta - TIE, frame.beta, True)
    leaf.follow(i, level + 1, variant, levels, weights)


@kernel
def descend_by_throw(i: int, level: int, variant: Record, levels: Levels, weights: Any) -> None:
    """Makes the throw at hand, and gives what follows a window: with any value outside it, and all outcomes to come at
    their bounds, the mean would be outside the frame's own (Star1)."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    copy_state(i, level, levels)
    after, faces = levels.states[i, level + 1], levels.faces[i, level]
    for seat in range(2):
        levels.rewards[i, seat] = 0
    rules.throw(after, variant, faces, levels.rewards[i])
    below.reward = lead(levels.rewards, i, frame.seat)
    below.throws = frame.throws + 1
    below.dice = rules.dice_due(after, variant) if after.end == RUNNING else 0
    below.seat = frame.seat if below.dice > 0 or after.end != RUNNING else after.to_act
    below.left = frame.left
    below.probe = frame.stage == PROBING and below.dice == 0
    chance = throws.chance_of(faces, frame.dice)
    worst, top = others_bounds(i, level, chance, levels)
    open_window(frame, below, (frame.alpha - top) / chance, (frame.beta - worst) / chance, False)
    if after.end == RUNNING:
        leaf.follow(i, level + 1, variant, levels, weights)


# --- a level is looked at for the first time ---


@kernel
def enter(i: int, level: int, variant: Record, levels: Levels, memory: Memory, weights: Any, using: Record) -> bool:
    """Begins with a level; True if its value is known at once."""
    frame, state = levels.frames[i, level], levels.states[i, level]
    frame.proved, frame.floor, frame.again = True, FAR, False
    frame.value, frame.action = -math.inf, NONE
    is_last = level == LEVELS - 1
    if frame.dice > 0 and frame.throws < MAX_THROWS and not is_last:
        begin_throws(i, level, variant, levels, using)
        return False
    if level > 0 and frame.dice == 0 and not frame.passed:
        close_ply(i, level, variant, levels, memory, using)
    if state.end != RUNNING:
        frame.value = 0.0
        frame.proved = state.end > REPETITION
        return True
    is_full_depth = frame.left <= 0 or frame.dice > 0 or is_last
    tries_null_move = using.null_move and not is_full_depth and may_pass(i, level, variant, levels)
    if is_full_depth or tries_null_move:
        frame.static = leaf.value(i, level, frame.seat, variant, levels, weights)
    if is_full_depth and not plays_on(frame, is_last, using):
        frame.value = frame.static
        frame.proved = False
        return True
    frame.low = frame.alpha
    frame.stage = UNLISTED
    if not is_full_depth:
        if look_up(i, level, levels, memory, using):
            return True
        if tries_null_move and frame.static >= frame.beta:
            frame.stage = PASSING
    return False


@kernel
def plays_on(frame: Record, is_last: bool, using: Record) -> bool:
    """Whether forcing actions are still to be played out at full depth."""
    return move_order.HAS_FORCING and using.quiescence and frame.left > -MAX_QUIET_PLIES and not is_last


@kernel
def may_pass(i: int, level: int, variant: Record, levels: Levels) -> bool:
    """Whether a null move is tried: in a null window, not after another, and where the game says that it is sound."""
    frame, state = levels.frames[i, level], levels.states[i, level]
    if level == 0 or frame.passed or frame.left < NULL_LEAST or not state.turn_over:
        return False
    narrow = frame.beta - frame.alpha < 2 * TIE and -LEAF < frame.beta < LEAF
    return narrow and null_move_is_sound(state, variant)


@kernel
def close_ply(
    i: int, level: int, variant: Record, levels: Levels, memory: Memory, using: Record
) -> None:  # fmt: skip
    """What `ply.close_ply` does, with the positions of the path, of which the game's own are the first."""
    frame, state = levels.frames[i, level], levels.states[i, level]
    ply.count_ply(state)
    if variant.repetition and state.irreversible:
        frame.first_key = frame.last_key
        frame.path = ZERO
    if variant.repetition and state.turn_over:
        key = rules.position_key(state)
        occurrences, known = 1, memory.progress[i].known_keys
        for k in range(frame.first_key, frame.last_key):
            if levels.keys[i, k] == key:
                occurrences += 1
                if k >= known and frame.floor == FAR:
                    frame.floor = levels.key_levels[i, k]
        levels.keys[i, frame.last_key] = key
        levels.key_levels[i, frame.last_key] = level
        frame.last_key += 1
        if not using.any_path:
            frame.path += mix(key)
        returned = using.early_draws and frame.floor < FAR
        if state.end == RUNNING and (returned or occurrences >= variant.repetition):
            state.end = REPETITION
    if state.end == RUNNING and 0 < variant.max_plies <= state.plies:
        state.end = MAX_PLIES


@kernel
def key_of(i: int, level: int, levels: Levels, memory: Memory, using: Record) -> Any:
    """The key of a level's position in the table of row i."""
    progress = memory.progress[i]
    salt = progress.salt
    if not using.any_path:
        salt = mix(salt ^ levels.frames[i, level].path)
    if progress.counts_plies:
        salt = mix(salt ^ np.uint64(levels.states[i, level].plies))
    return transpositions.key_of(i, level, levels.words, salt)


@kernel
def look_up(i: int, level: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """Whether the table settles the value of a level. Else the level may still learn its action."""
    frame = levels.frames[i, level]
    frame.key = key_of(i, level, levels, memory, using)
    k = transpositions.find(i, frame.key, memory)
    if k == NONE:
        if using.internal_reduction and frame.left >= INTERNAL_LEAST and level > 0:
            frame.left -= 1
        return False
    entry = memory.entries[i, k]
    if using.table_move:
        frame.action = entry.action
    if level == 0 or entry.bound == MOVE_ONLY:
        return False
    deep = entry.left == frame.left or (using.deeper_values and entry.left > frame.left)
    if not deep and not (using.proofs and entry.proved):
        return False
    if transpositions.settles(entry, frame.alpha, frame.beta):
        frame.value = entry.value
        frame.proved = entry.proved
        return True
    return False


@kernel
def list_actions(i: int, level: int, variant: Record, levels: Levels, memory: Memory, using: Record) -> bool:
    """Lists and scores the actions of a level; True if at full depth none is to be looked at."""
    frame, hint = levels.frames[i, level], levels.frames[i, level].action
    count = move_order.list_actions(i, level, variant, levels)
    frame.cursor, frame.count, frame.action, frame.stage = 0, count, NONE, WHOLE
    if frame.left <= 0:
        frame.count = move_order.keep_forcing(i, level, count, variant, levels)
        if frame.count < count:  # where all are forcing, none can be declined
            frame.value = frame.static
            frame.proved = False
            frame.alpha = max(frame.alpha, frame.static)
            if frame.count == 0 or frame.alpha >= frame.beta:
                return True
    move_order.score_actions(i, level, frame.count, hint, variant, levels, memory, using)
    return False


# --- throws ---


@kernel
def begin_throws(i: int, level: int, variant: Record, levels: Levels, using: Record) -> None:
    """Begins with a level at which a throw is due."""
    frame = levels.frames[i, level]
    throws.first_throw(levels.faces[i, level], frame.dice)
    frame.cursor = 0
    frame.total, frame.worst, frame.top = 0.0, -math.inf, math.inf
    if using.star1 and HAS_BOUNDS:
        low, high, paid = outlook_bounds(levels.states[i, level], variant, frame.seat, frame.left)
        frame.worst, frame.top = LEAF * low - paid, LEAF * high + paid
    for outcome in range(throws.count_throws(frame.dice)):
        levels.bounds[i, level, outcome, 0] = frame.worst
        levels.bounds[i, level, outcome, 1] = frame.top
    narrow = frame.alpha > -math.inf or frame.beta < math.inf
    probes = using.star2 and narrow and frame.top < math.inf and frame.left >= PROBING_LEAST
    frame.stage = PROBING if probes else WHOLE


@kernel
def others_bounds(i: int, level: int, chance: float, levels: Levels) -> tuple[float, float]:
    """The least and the most that all outcomes but the one at hand, which has this chance, add to the mean."""
    frame = levels.frames[i, level]
    own_low, own_high = levels.bounds[i, level, frame.cursor, 0], levels.bounds[i, level, frame.cursor, 1]
    if own_high == math.inf:
        return -math.inf, math.inf
    return frame.total + frame.worst - chance * own_low, frame.total + frame.top - chance * own_high


@kernel
def take_throw(i: int, level: int, levels: Levels) -> bool:
    """Takes the value after the throw at hand; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value, chance = value_from(frame, below, False), throws.chance_of(levels.faces[i, level], frame.dice)
    own_low, own_high = levels.bounds[i, level, frame.cursor, 0], levels.bounds[i, level, frame.cursor, 1]
    if frame.stage == PROBING:
        if below.value > below.alpha:  # the seat to act then has at least this
            if below.seat == frame.seat and value > own_low:
                frame.worst += chance * (value - own_low)
                levels.bounds[i, level, frame.cursor, 0] = value
            elif below.seat != frame.seat and value < own_high:
                frame.top += chance * (value - own_high)
                levels.bounds[i, level, frame.cursor, 1] = value
    else:
        frame.proved &= below.proved
        keep_floor(frame, below, level)
        frame.total += chance * value
        if own_high < math.inf:
            frame.worst -= chance * own_low
            frame.top -= chance * own_high
    if frame.worst > -math.inf and frame.total + frame.worst >= frame.beta:
        frame.value = frame.total + frame.worst
        return True
    if frame.top < math.inf and frame.total + frame.top <= frame.alpha:
        frame.value = frame.total + frame.top
        return True
    frame.cursor += 1
    if throws.next_throw(levels.faces[i, level], frame.dice):
        return False
    if frame.stage == PROBING:
        frame.stage = WHOLE
        frame.cursor = 0
        throws.first_throw(levels.faces[i, level], frame.dice)
        return False
    frame.value = frame.total
    return True


# --- coming back ---


@kernel
def keep_floor(frame: Record, below: Record, level: int) -> None:
    """A value depends on the repetitions on which what it is taken from does; not on those of positions below."""
    if below.floor <= level:
        frame.floor = min(frame.floor, below.floor)


@kernel
def take_passing(i: int, level: int, levels: Levels) -> bool:
    """Takes the value after a null move; True if it refutes the position."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value = value_from(frame, below, True)
    frame.stage = UNLISTED
    if value <= frame.beta - HALF_TIE:
        return False
    frame.value = frame.beta
    frame.proved = False
    return True


@kernel
def take_action(
    i: int, level: int, levels: Levels, memory: Memory, using: Record
) -> bool:  # fmt: skip
    """Takes the value after the action at hand; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value = value_from(frame, below, True)
    better = value > frame.alpha + HALF_TIE
    if better and frame.stage == SCOUT:
        if frame.reduction > 0:
            frame.reduction, frame.again = 0, True
            return False
        if frame.beta - frame.alpha > 2 * TIE and value < frame.beta - HALF_TIE:
            frame.stage, frame.again = WHOLE, True
            return False
    frame.proved &= below.proved
    keep_floor(frame, below, level)
    if value > frame.value:
        frame.value = value
        frame.action = levels.actions[i, level, frame.cursor]
        if level == 0 and (better or frame.cursor == 0):
            note_best(i, frame, memory)
    if better:
        frame.alpha = value
    refuted = value > frame.beta - HALF_TIE
    if refuted:
        frame.proved = below.proved
        frame.floor = below.floor if below.floor <= level else FAR
        if frame.left > 0:
            move_order.learn_refutation(i, level, frame.left, frame.cursor, levels, memory)
    frame.cursor += 1
    if not refuted and frame.cursor < frame.count and not frame.probe:
        return False
    if frame.left > 0:
        note_value(i, level, frame.cursor == frame.count, levels, memory, using)
    return True


@kernel
def note_best(i: int, frame: Record, memory: Memory) -> None:
    """The best action at the root so far."""
    progress = memory.progress[i]
    progress.action, progress.value = frame.action, frame.value


@kernel
def note_value(
    i: int, level: int, complete: bool, levels: Levels, memory: Memory, using: Record
) -> None:  # fmt: skip
    """Notes what a level has come to in the table: not a value that hangs on how the position was reached."""
    frame = levels.frames[i, level]
    if frame.value > frame.beta - HALF_TIE:
        bound = AT_LEAST
    elif not complete:
        bound = AT_LEAST if frame.value > frame.low + HALF_TIE else MOVE_ONLY
    else:
        bound = EXACT if frame.value > frame.low + HALF_TIE else AT_MOST
    if using.any_path and frame.floor < level:
        bound = MOVE_ONLY
    transpositions.store(i, frame, bound, memory)


# --- the search of a row ---


@kernel
def set_root(i: int, arrays: Arrays, levels: Levels, memory: Memory) -> None:
    """Level 0 is row i as it stands."""
    progress, variant, frame = memory.progress[i], arrays.variants[i], levels.frames[i, 0]
    levels.states[i, 0] = arrays.states[i]
    state = levels.states[i, 0]
    frame.first_key, frame.last_key, frame.path = 0, 0, ZERO
    if variant.repetition:
        frame.last_key = state.seen
        for k in range(state.seen):
            levels.keys[i, k] = arrays.history[i, k]
            levels.key_levels[i, k] = 0
            frame.path += mix(arrays.history[i, k])
    progress.known_keys = frame.last_key
    if frame.last_key > 0 and state.turn_over:
        progress.known_keys -= 1  # the last is the root itself, and a return to it is one to the path
    progress.salt = mix(np.uint64(arrays.variant_index[i]) + GOLDEN)
    progress.counts_plies = 0 < variant.max_plies <= state.plies + LEVELS
    frame.dice, frame.throws, frame.seat, frame.passed, frame.probe = 0, 0, state.to_act, False, False


@kernel
def begin_row(
    i: int, arrays: Arrays, levels: Levels, memory: Memory, weights: Any, using: Record
) -> None:  # fmt: skip
    """Makes ready for the search of row i. What is known from its last search is kept if that has met the position."""
    progress = memory.progress[i]
    set_root(i, arrays, levels, memory)
    key = key_of(i, 0, levels, memory, using)
    plies = arrays.states[i].plies
    if plies <= progress.plies or transpositions.find(i, key, memory) == NONE:
        transpositions.clear(i, memory)
    else:
        transpositions.age(i, memory)
    for level in range(LEVELS):
        levels.killers[i, level, 0] = NONE
        levels.killers[i, level, 1] = NONE
    progress.plies = plies
    progress.noise = draw(arrays.player_rng[i])
    progress.value = 0.0
    progress.nodes, progress.depth, progress.finished, progress.action = 0, 0, 0, NONE
    progress.running = True
    leaf.prepare(i, arrays.variants[i], levels, weights)
    begin_iteration(i, levels, memory, using)


@kernel
def begin_iteration(i: int, levels: Levels, memory: Memory, using: Record) -> None:
    """The next depth, with a window round the last value."""
    progress = memory.progress[i]
    progress.depth += 1
    progress.center = progress.value
    progress.margin = math.inf
    if using.aspiration and progress.depth >= MIN_FOR_ASPIRATION and abs(progress.value) < LEAF:
        progress.margin = FIRST_MARGIN
    open_root(i, levels, memory)


@kernel
def open_root(i: int, levels: Levels, memory: Memory) -> None:
    """The root as an iteration begins."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    frame.alpha, frame.beta = progress.center - progress.margin, progress.center + progress.margin
    if progress.margin == math.inf:
        frame.alpha, frame.beta = -math.inf, math.inf
    frame.left = progress.depth
    progress.level, progress.entering = 0, True


@kernel
def end_iteration(i: int, depth: int, levels: Levels, memory: Memory, using: Record) -> bool:
    """True if the search of row i is done; else it goes on with a wider window, or deeper."""
    frame, progress = levels.frames[i, 0], memory.progress[i]
    margin = progress.margin
    if margin < math.inf and abs(frame.value - progress.center) >= margin - HALF_TIE:
        progress.margin = margin * WIDER if margin * WIDER < LEAF and abs(frame.value) < LEAF else math.inf
        open_root(i, levels, memory)
        return False
    progress.finished = progress.depth
    memory.values[i, frame.seat] = frame.value
    memory.values[i, 1 - frame.seat] = -frame.value
    if progress.depth >= depth or (using.proofs and frame.proved):
        progress.running = False
        return True
    begin_iteration(i, levels, memory, using)
    return False


@loop
def search_row(
    i: int, depth: int, budget: int, arrays: Arrays, levels: Levels, memory: Memory, weights: Any, using: Record
) -> None:
    """Goes on with the search of row i, for ``budget`` nodes at the most."""
    progress, variant = memory.progress[i], arrays.variants[i]
    level, entering = progress.level, progress.entering
    while budget > 0:
        frame = levels.frames[i, level]
        if entering:
            budget -= 1
            progress.nodes += 1
            done = enter(i, level, variant, levels, memory, weights, using)
        elif frame.dice > 0:
            done = take_throw(i, level, levels)
        elif frame.stage == PASSING:
            done = take_passing(i, level, levels)
        else:
            done = take_action(i, level, levels, memory, using)
        if not done and frame.dice == 0 and frame.stage == UNLISTED:
            done = list_actions(i, level, variant, levels, memory, using)
        if not done:
            if frame.dice > 0:
                descend_by_throw(i, level, variant, levels, weights)
            elif frame.stage == PASSING:
                descend_by_passing(i, level, variant, levels, weights)
            else:
                descend_by_action(i, level, variant, levels, weights, using)
            level += 1
            entering = True
        elif level > 0:
            level -= 1
            entering = False
        elif end_iteration(i, depth, levels, memory, using):
            return
        else:
            entering = True
    progress.level, progress.entering = level, entering


@loop
def search_rows(
    low: int, high: int, row_mask: Any, fresh: bool, depth: int, budget: int, arrays: Arrays, levels: Levels,
    memory: Memory, weights: Any, switches: Any,
) -> int:  # fmt: skip
    """Searches every chosen row (bool (N,)) to ``depth``, or goes on with that where the last call stopped (not
    ``fresh``), for ``budget`` nodes each at the most. Returns how many rows are not done yet.

    ``weights``: what `leaf` works with. ``switches``: one record of `search_arrays.SWITCHES`.
    """
    waiting = 0
    for i in range(low, high):
        if not row_mask[i]:
            continue
        progress = memory.progress[i]
        if fresh:
            progress.started = False
            progress.running = True
        if progress.running:
            if not progress.started:
                progress.started = True
                begin_row(i, arrays, levels, memory, weights, switches[0])
            search_row(i, depth, budget, arrays, levels, memory, weights, switches[0])
        if progress.running:
            waiting += 1
    return waiting


@loop
def write_variation(i: int, arrays: Arrays, levels: Levels, memory: Memory, switches: Any, found: Any) -> None:
    """Writes into ``found`` (int32 (L,), NONE everywhere) the principal variation of row i after its search: what was
    chosen, and from there on what the table knows, up to a throw, an end, or a position it does not know."""
    variant = arrays.variants[i]
    set_root(i, arrays, levels, memory)
    action, level = memory.progress[i].action, 0
    while action != NONE and level < LEVELS - 1:
        found[level] = action
        copy_state(i, level, levels)
        level += 1
        after = levels.states[i, level]
        ply.open_ply(after, variant, action, levels.rewards[i])
        if after.end == RUNNING and rules.dice_due(after, variant) > 0:
            return
        levels.frames[i, level].floor = FAR
        close_ply(i, level, variant, levels, memory, switches[0])
        place = transpositions.find(i, key_of(i, level, levels, memory, switches[0]), memory)
        action = memory.entries[i, place].action if after.end == RUNNING and place != NONE else NONE
