"""The order in which a search tries actions, on which most of alpha-beta's savings depend.



First comes the table's action, then sharp ones, killers, the countermove, and the rest by history (see
`search_arrays.HEURISTICS`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.search_arrays import NONE, Levels, Memory
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.chance import mix
from parlour.rulebook.protocol import Evaluation, Record, Rules

rules: Rules
evaluation: Evaluation
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

FROM_TABLE, SHARP, KILLER, COUNTERMOVE = 1 << 30, 1 << 28, 1 << 27, 1 << 26
MAX_HISTORY = 1 << 20
"""The history of an action stays between −MAX_HISTORY and MAX_HISTORY; all other scores are above that."""
NOISE = np.uint64(255)

HAS_FORCING = hasattr(evaluation, "is_forcing")
"""Whether the game marks actions as forcing."""

if HAS_FORCING:
    is_forcing = evaluation.is_forcing
else:

    @kernel
    def is_forcing(state: Record, variant: Record, action: int) -> bool:
        """See `protocol.Evaluation.is_forcing`."""
        return False


is_sharp = evaluation.is_sharp if hasattr(evaluation, "is_sharp") else is_forcing


if hasattr(rules, "moves"):

    @kernel
    def list_actions(i: int, level: int, variant: Record, levels: Levels) -> int:
        """Lists the legal actions of a level. Returns how many."""
        return rules.moves(levels.states[i, level], variant, levels.actions[i, level])

else:

    @kernel
    def list_actions(i: int, level: int, variant: Record, levels: Levels) -> int:
        """Lists the legal actions of a level from the mask. Returns how many."""
        actions, words = levels.actions[i, level], levels.mask_words[i]
        rules.legal(levels.states[i, level], variant, levels.masks[i], words)
        count = 0
        for k in range(words.shape[0]):
            word = words[k]
            while word:
                actions[count] = 8 * k + (lowest(word) >> 3)
                word = without_lowest(word)
                count += 1
        return count


@kernel
def keep_forcing(i: int, level: int, count: int, variant: Record, levels: Levels) -> int:
    """Brings the forcing ones of the ``count`` actions of a level to the front. Returns how many they are."""
    actions, forcing = levels.actions[i, level], 0
    for k in range(count):
        if is_forcing(levels.states[i, level], variant, actions[k]):
            actions[k], actions[forcing] = actions[forcing], actions[k]
            forcing += 1
    return forcing


@kernel
def score_actions(
    i: int, level: int, count: int, hint: int, variant: Record, levels: Levels, memory: Memory, using: Record
) -> None:
    """Scores the actions of a level. ``hint``: the table's, or NONE."""
    state = levels.states[i, level]
    seat = state.to_act
    reply = NONE
    if using.countermoves and state.last_action >= 0:
        reply = memory.countermoves[i, seat, state.last_action]
    noise = memory.progress[i].noise
    for k in range(count):
        action = levels.actions[i, level, k]
        score = memory.history[i, seat, action] if using.history else 0
        if using.sharp_first and is_sharp(state, variant, action):
            score += SHARP
        elif using.killers and action == levels.killers[i, level, 0]:
            score = KILLER + 1
        elif using.killers and action == levels.killers[i, level, 1]:
            score = KILLER
        elif action == reply:
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
def change_history(i: int, seat: int, action: int, bonus: int, memory: Memory) -> None:
    """Moves the history of an action towards the limit, by less the nearer it is."""
    value = memory.history[i, seat, action]
    memory.history[i, seat, action] = value + bonus - value * abs(bonus) // MAX_HISTORY


@kernel
def learn_refutation(i: int, level: int, left: int, cursor: int, levels: Levels, memory: Memory) -> None:
    """The action at ``cursor`` has refuted the position of a level; those tried before it have not."""
    state, action = levels.states[i, level], levels.actions[i, level, cursor]
    seat = state.to_act
    if SHARP - MAX_HISTORY <= levels.scores[i, level, cursor] < FROM_TABLE:
        return
    if levels.killers[i, level, 0] != action:
        levels.killers[i, level, 1] = levels.killers[i, level, 0]
        levels.killers[i, level, 0] = action
    if state.last_action >= 0:
        memory.countermoves[i, seat, state.last_action] = action
    bonus = min(64 * left * left, MAX_HISTORY // 8)
    change_history(i, seat, action, bonus, memory)
    for k in range(cursor):
        if is_quiet(levels.scores[i, level, k]):
            change_history(i, seat, levels.actions[i, level, k], -bonus, memory)
