"""Throws in a search between two seats: every outcome with its probability, and pruning by what the outcomes that
have not been looked at yet can add at the most and at the least (Star1 and Star2, see `search_arrays.HEURISTICS`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from parlour.engine.search_arrays import PROBING, WHOLE, Levels
from parlour.rulebook.protocol import RUNNING, Record, Rules

rules: Rules
throws: Any
leaf: Any
search_path: Any
search_values: Any
kernel: Callable[[Any], Any]

PROBING_LEAST = 2
"""Star2: with fewer plies left, one action after each outcome costs as much as it can save."""


@kernel
def begin_throws(i: int, level: int, variant: Record, levels: Levels, weights: Any, using: Record) -> None:
    """Begins with a level at which a throw is due."""
    frame = levels.frames[i, level]
    throws.first_throw(levels.faces[i, level], frame.dice)
    frame.cursor = 0
    frame.total, frame.worst, frame.top = 0.0, -math.inf, math.inf
    if using.star1:
        frame.worst, frame.top = leaf.bounds(i, level, frame.seat, frame.left, variant, levels, weights)
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
def descend_by_throw(i: int, level: int, variant: Record, levels: Levels) -> None:
    """Makes the throw at hand, and gives what follows a window: with any value outside it, and all outcomes to come at
    their bounds, the mean would be outside the frame's own (Star1)."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    search_path.go_down(i, level, levels)
    after, faces = levels.states[i, level + 1], levels.faces[i, level]
    for seat in range(2):
        levels.rewards[i, seat] = 0
    rules.throw(after, variant, faces, levels.rewards[i])
    below.reward = search_values.lead(levels.rewards, i, frame.seat)
    below.throws = frame.throws + 1
    below.dice = rules.dice_due(after, variant) if after.end == RUNNING else 0
    below.seat = frame.seat if below.dice > 0 or after.end != RUNNING else after.to_act
    below.left = frame.left
    below.probe = frame.stage == PROBING and below.dice == 0
    chance = throws.chance_of(faces, frame.dice)
    worst, top = others_bounds(i, level, chance, levels)
    search_values.open_window(frame, below, (frame.alpha - top) / chance, (frame.beta - worst) / chance, False)


@kernel
def take_throw(i: int, level: int, levels: Levels) -> bool:
    """Takes the value after the throw at hand; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value, chance = search_values.value_from(frame, below, False), throws.chance_of(levels.faces[i, level], frame.dice)
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
        search_path.keep_floor(frame, below, level)
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
