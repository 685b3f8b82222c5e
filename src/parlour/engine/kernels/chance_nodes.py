"""Throws in a search between two seats: every outcome with its probability, and pruning by what the outcomes that
have not been looked at yet can add at most and at least (Star1, see `search_arrays.HEURISTICS`)."""

from __future__ import annotations

import math
from typing import Any

from parlour.engine.calls import state_in
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import search_path, search_values
from parlour.engine.kernels.leaf import leaf_bounds
from parlour.engine.kernels.ply import throws_due
from parlour.engine.search_arrays import Levels
from parlour.rulebook.compiling import kernel
from parlour.rulebook.protocol import RUNNING, Record


@kernel
def begin_throws(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, weights: Any, using: Record
) -> None:
    """Begins with a level at which a throw is due."""
    frame = levels.frames[i, level]
    frame.cursor = 0
    rules.set_throw(levels.faces[i, level], frame.dice, 0)
    frame.total, frame.rest, frame.worst, frame.top = 0.0, 1.0, -math.inf, math.inf
    if using.star1:
        frame.worst, frame.top = leaf_bounds(rules, i, level, frame.seat, frame.left, variant, levels, weights)


@kernel
def mean_bounds(frame: Record, chance: float) -> tuple[float, float]:
    """The least and the most that the mean of all outcomes can be, without the current outcome, which has this
    probability."""
    if frame.top == math.inf:
        return -math.inf, math.inf
    others = frame.rest - chance
    return frame.total + others * frame.worst, frame.total + others * frame.top


@kernel
def descend_by_throw(rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels) -> None:
    """Makes the current throw and sets the window for what follows: with any value outside it, and all later outcomes
    at their bounds, the mean would be outside the frame's own window (Star1)."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    search_path.go_down(i, level, levels)
    after, faces = state_in(levels.states, i, level + 1), levels.faces[i, level]
    for seat in range(2):
        levels.rewards[i, seat] = 0
    rules.throw(after, variant, faces, levels.rewards[i])
    below.reward = search_values.lead(levels.rewards, i, frame.seat)
    below.throws = frame.throws + 1
    below.dice = throws_due(rules, after, variant)
    below.seat = frame.seat if below.dice > 0 or after.end != RUNNING else after.to_act
    below.left = frame.left
    chance = rules.chance_of(frame.dice, frame.cursor)
    least, most = mean_bounds(frame, chance)
    search_values.open_window(frame, below, (frame.alpha - most) / chance, (frame.beta - least) / chance, False)


@kernel
def take_throw(rules: GameFunctions, i: int, level: int, levels: Levels) -> bool:
    """Takes the value after the current throw; True if the level is done."""
    frame, below = levels.frames[i, level], levels.frames[i, level + 1]
    value, chance = search_values.value_from(frame, below, False), rules.chance_of(frame.dice, frame.cursor)
    frame.proved &= below.proved
    search_path.keep_floor(frame, below, level)
    frame.total += chance * value
    frame.rest -= chance
    frame.cursor += 1
    if frame.cursor == rules.count_of(frame.dice):
        frame.value = frame.total
        return True
    rules.set_throw(levels.faces[i, level], frame.dice, frame.cursor)
    least, most = mean_bounds(frame, 0.0)
    if frame.alpha < most and least < frame.beta:
        return False
    frame.value = least if least >= frame.beta else most
    frame.proved = False  # the bounds are those of a search to this depth
    return True
