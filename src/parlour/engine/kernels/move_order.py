"""The order in which a search tries actions, on which most of alpha-beta's savings depend.

First comes the table's action, then sharp ones, killers, the countermove, and the rest by history (see
`search_arrays.HEURISTICS`).
"""

from __future__ import annotations

import numpy as np

from parlour.engine.calls import state_in
from parlour.engine.game_functions import FORCING_SHIFT, GameFunctions
from parlour.engine.kernels.ply import forbids_repeats
from parlour.engine.kernels.search_path import forbid_repeats
from parlour.engine.search_arrays import NONE, Levels, Memory
from parlour.rulebook.chance import mix
from parlour.rulebook.compiling import kernel
from parlour.rulebook.masks import list_masked
from parlour.rulebook.protocol import Record

FROM_TABLE, SHARP, KILLER, COUNTERMOVE = 1 << 30, 1 << 28, 1 << 27, 1 << 26
"""The scores of the groups of actions, which are far apart."""
MAX_HISTORY = 1 << 20
"""The history of an action stays between −MAX_HISTORY and MAX_HISTORY; all other scores are above that."""
NOISE = np.uint64(255)
ALL_ACTIONS = (1 << FORCING_SHIFT) - 1
"""The bits of `GameFunctions.list_marked` that have the number of all actions."""


@kernel
def list_actions(
    rules: GameFunctions, i: int, level: int, variant: Record, levels: Levels, memory: Memory
) -> tuple[int, int]:
    """Lists the legal actions of a level, at full depth the forcing ones first, and marks sharp ones, in ``scores``.
    Returns how many there are, and how many forcing ones."""
    state, actions, words = state_in(levels.states, i, level), levels.actions[i, level], levels.mask_words[i]
    listed = -1
    if forbids_repeats(variant):
        rules.legal(state, variant, levels.masks[i], words)
        forbid_repeats(rules, i, level, variant, levels, memory)
        listed = list_masked(actions, words)
    numbers = rules.list_marked(
        state, variant, actions, levels.scores[i, level], levels.masks[i], words, listed,
        1 if levels.frames[i, level].left <= 0 else 0,
    )  # fmt: skip
    return numbers & ALL_ACTIONS, numbers >> FORCING_SHIFT


@kernel
def score_actions(
    rules: GameFunctions, i: int, level: int, count: int, hint: int, levels: Levels, memory: Memory, enabled: Record
) -> None:
    """Scores the actions of a level, which `list_actions` has marked. ``hint``: the table's, or NONE."""
    state, side = state_in(levels.states, i, level), levels.frames[i, level].side
    countermove = NONE
    if enabled.countermoves and state.last_action >= 0:
        countermove = memory.countermoves[i, side, state.last_action]
    noise = memory.progress[i].noise
    sharp_first = enabled.sharp_first and rules.has_sharp != 0
    for k in range(count):
        action = levels.actions[i, level, k]
        score = memory.history[i, side, action] if enabled.history else 0
        if sharp_first and levels.scores[i, level, k] != 0:
            score += SHARP
        elif enabled.killers and action == levels.killers[i, level, 0]:
            score = KILLER + 1
        elif enabled.killers and action == levels.killers[i, level, 1]:
            score = KILLER
        elif action == countermove:
            score = COUNTERMOVE
        if action == hint:
            score = FROM_TABLE
        if level == 0:  # ties are broken at random
            score += np.int64(mix(noise ^ np.uint64(action)) & NOISE)
        levels.scores[i, level, k] = score


@kernel
def pick(i: int, level: int, cursor: int, count: int, levels: Levels) -> int:
    """Moves the action with the highest score from ``cursor`` on to ``cursor``, and returns it."""
    actions, scores = levels.actions[i, level], levels.scores[i, level]
    best = cursor
    for k in range(cursor + 1, count):
        if scores[k] > scores[best]:
            best = k
    action, score = actions[best], scores[best]
    actions[best], scores[best] = actions[cursor], scores[cursor]
    actions[cursor], scores[cursor] = action, score
    return action


@kernel
def is_quiet(score: int) -> bool:
    """Whether a score is by history alone."""
    return score <= MAX_HISTORY + 255


@kernel
def change_history(i: int, side: int, action: int, bonus: int, memory: Memory) -> None:
    """Moves the history of an action towards ±`MAX_HISTORY`, in smaller steps the nearer it is."""
    value = memory.history[i, side, action]
    memory.history[i, side, action] = value + bonus - value * abs(bonus) // MAX_HISTORY


@kernel
def learn_refutation(i: int, level: int, left: int, cursor: int, levels: Levels, memory: Memory) -> None:
    """The action at ``cursor`` has refuted the position of a level; those tried before it have not."""
    state, action = state_in(levels.states, i, level), levels.actions[i, level, cursor]
    side = levels.frames[i, level].side
    if SHARP - MAX_HISTORY <= levels.scores[i, level, cursor] < FROM_TABLE:
        return  # sharp actions are tried early anyway
    if levels.killers[i, level, 0] != action:
        levels.killers[i, level, 1] = levels.killers[i, level, 0]
        levels.killers[i, level, 0] = action
    if state.last_action >= 0:
        memory.countermoves[i, side, state.last_action] = action
    bonus = min(64 * left * left, MAX_HISTORY // 8)
    change_history(i, side, action, bonus, memory)
    for k in range(cursor):
        if is_quiet(levels.scores[i, level, k]):
            change_history(i, side, levels.actions[i, level, k], -bonus, memory)
