"""The path from the root of a search to a level of its tree: the states on it, which positions on it repeat, and
their keys in the transposition table; and the values that are passed up on it.

Values are for the side of a level. With two seats they are half of the difference between its return and the other
seat's. With more they are the return of the seat that searches, negated for the side of the others. The part of a value
beyond any potential shrinks with each ply, so that the earlier of two wins is played (`search_arrays.DISCOUNT`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.calls import copy_state, state_at, state_in, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import repeats
from parlour.engine.kernels.ply import count_ply, end_by_plies
from parlour.engine.repetition import FILTER_WORDS
from parlour.engine.search_arrays import DISCOUNT, LEAF, LEVELS, MAX_EXTRA, NO_FLOOR, Levels, Memory
from parlour.rulebook.chance import GOLDEN, mix
from parlour.rulebook.compiling import kernel
from parlour.rulebook.options import DRAW, FORBIDDEN, LOSES
from parlour.rulebook.protocol import REPETITION, RUNNING, Record

ZERO = np.uint64(0)


@kernel
def set_root(i: int, arrays: Arrays, levels: Levels, memory: Memory) -> None:
    """Sets level 0 to the present position of row i."""
    progress, variant, frame = memory.progress[i], variant_at(arrays.variants, i), levels.frames[i, 0]
    copy_state(state_at(arrays.states, i), levels.states[i], 0)
    state = state_in(levels.states, i, 0)
    frame.first_key, frame.last_key, frame.path = 0, 0, ZERO
    if variant.repetition:
        frame.last_key = state.seen
        for k in range(state.seen):
            levels.keys[i, k] = arrays.history[i, FILTER_WORDS + k]
            levels.key_levels[i, k] = 0
            frame.path += mix(arrays.history[i, FILTER_WORDS + k])
    progress.known_keys = frame.last_key
    if frame.last_key > 0 and state.turn_over:
        progress.known_keys -= 1  # the last one is the root, which counts as part of the path
    progress.salt = mix(np.uint64(arrays.variant_index[i]) + GOLDEN)
    progress.counts_plies = 0 < variant.max_plies <= state.plies + LEVELS
    if levels.rewards.shape[1] > 2:
        progress.salt = mix(progress.salt ^ np.uint64(levels.searchers[i]))
    frame.dice, frame.throws, frame.side = 0, 0, side_of(i, state.to_act, levels)


@kernel
def play_down(rules: GameFunctions, i: int, level: int, variant: Record, action: int, levels: Levels) -> None:
    """Plays an action of this level, up to the throws after it; the next level gets the state and the dice due."""
    go_down(i, level, levels)
    below = levels.frames[i, level + 1]
    levels.rewards[i] = 0
    below.dice = rules.play_on(
        levels.words[i, level], levels.words[i, level + 1], state_in(levels.states, i, level + 1), variant, action,
        levels.rewards[i],
    )  # fmt: skip


@kernel
def go_down(i: int, level: int, levels: Levels) -> None:
    """Begins the next level's frame."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    below.first_key, below.last_key, below.path = frame.first_key, frame.last_key, frame.path
    below.dice, below.throws = 0, 0


@kernel
def close_ply(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory, enabled: Record
) -> None:
    """Like `ply.close_ply`, with the positions of the path, which begin with the game's own."""
    frame, state = levels.frames[i, level], state_in(levels.states, i, level)
    count_ply(state)
    if variant.repetition and state.irreversible:
        frame.first_key = frame.last_key
        frame.path = ZERO
    if variant.repetition and state.turn_over and not (enabled.quick_leaves and frame.left <= 0):
        key = rules.position_key(state)
        occurrences, known = 1, memory.progress[i].known_keys
        for k in range(frame.first_key, frame.last_key):
            if levels.keys[i, k] == key:
                occurrences += 1
                if k >= known and frame.floor == NO_FLOOR:
                    frame.floor = levels.key_levels[i, k]
        levels.keys[i, frame.last_key] = key
        levels.key_levels[i, frame.last_key] = level
        frame.last_key += 1
        if not enabled.any_path:
            frame.path += mix(key)
        returned = enabled.early_draws and frame.floor < NO_FLOOR and variant.repeats == DRAW
        if state.end == RUNNING and variant.repeats != FORBIDDEN and (returned or occurrences >= variant.repetition):
            state.end = REPETITION
            if variant.repeats == LOSES:  # ``reward`` is for the side of the level above
                frame.reward += 1 if levels.frames[i, level - 1].side == rules.seat_of_turn(state) else -1
    end_by_plies(state, variant)


@kernel
def forbid_repeats(rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory) -> None:
    """Clears from the mask of row i the plies that `repeats` does not allow at this level."""
    frame, known, state = levels.frames[i, level], memory.progress[i].known_keys, state_in(levels.states, i, level)
    first = repeats.forbid(
        rules, state, variant, levels.keys[i], frame.first_key, known, frame.last_key, levels.masks[i],
        levels.mask_words[i],
    )  # fmt: skip
    if first < frame.last_key:
        frame.floor = min(frame.floor, levels.key_levels[i, first])


@kernel
def play_turn_out(i: int, level: int, levels: Levels) -> None:
    """Gives a level at full depth in the middle of a turn one more ply, up to `MAX_EXTRA` times."""
    frame = levels.frames[i, level]
    if level > 0 and frame.left <= 0 and not state_in(levels.states, i, level).turn_over:
        extra = levels.frames[i, level - 1].extra
        if extra < MAX_EXTRA:
            frame.extra = extra + 1
            frame.left = 1


@kernel
def key_of(rules: GameFunctions, i: int, level: int, levels: Levels, memory: Memory, enabled: Record) -> Any:
    """The key of a level's position in the table of row i."""
    progress = memory.progress[i]
    salt = progress.salt
    if not enabled.any_path:
        salt = mix(salt ^ levels.frames[i, level].path)
    if progress.counts_plies:
        salt = mix(salt ^ np.uint64(state_in(levels.states, i, level).plies))
    return rules.state_key(levels.words[i, level], salt)


@kernel
def keep_floor(frame: Record, below: Record, level: int) -> None:
    """Updates ``floor`` of a frame by that of the frame below: its value depends on the same repetitions, except those
    of positions below it."""
    if below.floor <= level:
        frame.floor = min(frame.floor, below.floor)


# --- sides ---


@kernel
def side_of(i: int, seat: int, levels: Levels) -> int:
    """The side that a seat is on: of two seats its own number; of more, 0 is the seat that searches, 1 all others."""
    return seat if levels.rewards.shape[1] == 2 else int(seat != levels.searchers[i])


@kernel
def seat_of(i: int, side: int, levels: Levels) -> tuple[int, float]:
    """The seat whose values count for a side, and their sign for it."""
    if levels.rewards.shape[1] == 2:
        return side, 1.0
    return levels.searchers[i], 1.0 if side == 0 else -1.0


@kernel
def set_side(i: int, level: int, levels: Levels) -> None:
    """Sets the side of a level whose state and dice are set: the side to act; at a throw or an end, the side of the
    level above."""
    frame, state = levels.frames[i, level], state_in(levels.states, i, level)
    if frame.dice > 0 or state.end != RUNNING:
        frame.side = levels.frames[i, level - 1].side
    else:
        frame.side = side_of(i, state.to_act, levels)


# --- values ---


@kernel
def later(value: float) -> float:
    """A value as seen one ply earlier: see `search_arrays.DISCOUNT`."""
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
def gain(i: int, side: int, levels: Levels) -> float:
    """What a side gains by the latest rewards: with two seats, half of the difference between them."""
    rewards = levels.rewards[i]
    if rewards.shape[0] == 2:
        return 0.5 * (rewards[side] - rewards[1 - side])
    seat, sign = seat_of(i, side, levels)
    return sign * rewards[seat]


@kernel
def open_window(frame: Record, below: Record, alpha: float, beta: float, is_ply: bool) -> None:
    """Sets the window of the frame below, which is ``alpha`` to ``beta`` from the frame's own view, after the rewards
    on the way."""
    alpha, beta = alpha - below.reward, beta - below.reward
    if is_ply:
        alpha, beta = sooner(alpha), sooner(beta)
    if below.side == frame.side:
        below.alpha, below.beta = alpha, beta
    else:
        below.alpha, below.beta = -beta, -alpha


@kernel
def value_from(frame: Record, below: Record, is_ply: bool) -> float:
    """The value of the frame below from the view of the frame, with the rewards on the way."""
    value = below.value if below.side == frame.side else -below.value
    return below.reward + (later(value) if is_ply else value)
