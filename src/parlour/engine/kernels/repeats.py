"""Legal plies where the option `repeats` forbids repeated positions (docs/common_rules.md). With repetition=2 this is
positional superko."""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.calls import copy_state, state_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply
from parlour.engine.kernels.ply import end_by_plies, forbids_repeats, pay_loser
from parlour.engine.own_arrays import bytes_of, new_states, zeros
from parlour.engine.repetition import FILTER_WORDS
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.masks import count_legal
from parlour.rulebook.protocol import RUNNING, Record


@loop
def forbid(
    rules: GameFunctions, state: Record, variant: Record, keys: Any, low: int, known: int, high: int, mask: Any,
    words: Any,
) -> int:  # fmt: skip
    """Removes from the mask of a running game the plies that would end a turn in a position whose key is already
    ``repetition`` − 1 times in ``keys[low:high]``. If nothing is left: at the start of a turn the seat must pass, in a
    game with passes; within a turn, all plies stay legal.

    Returns the first index from ``known`` on whose key has forbidden a ply; ``high`` if there is none."""
    if state.end != RUNNING or low == high:
        return high
    scratch, rewards = new_states(rules, 1), zeros(2, np.float64)
    after = state_at(scratch, 0)
    left, first = 0, high
    for action in range(mask.shape[0]):
        if mask[action] == 0:
            continue
        copy_state(state, scratch, 0)
        rules.apply(after, variant, action, rewards)
        count, place = 0, high
        if after.turn_over and not after.irreversible and action != rules.passing:
            key = rules.position_key(after)
            for k in range(low, high):
                if keys[k] == key:
                    count += 1
                    if k >= known:
                        place = min(place, k)
        if 0 < count >= variant.repetition - 1:
            mask[action] = 0
            first = min(first, place)
        else:
            left += 1
    if left == 0 and not state.turn_over:
        rules.legal(state, variant, mask, words)
    elif left == 0 and rules.passing >= 0:
        mask[rules.passing] = 1
    return first


@kernel
def forbid_seen(rules: GameFunctions, state: Record, variant: Record, seen: Any, mask: Any, words: Any) -> None:
    """`forbid` by all positions that the game has seen. ``seen``: its row of the history."""
    high = FILTER_WORDS + state.seen
    forbid(rules, state, variant, seen, FILTER_WORDS, high, high, mask, words)


@loop
def end_without_ply(rules: GameFunctions, state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """The seat to act loses if all its plies are forbidden and it can't pass. The last key of ``seen``, that of the
    position itself, is left out: no turn leads from a position to itself."""
    if rules.passing >= 0:
        return
    words = zeros((variant.actions + 7) // 8, np.uint64)
    mask = bytes_of(words)
    rules.legal(state, variant, mask, words)
    high = FILTER_WORDS + state.seen - 1
    forbid(rules, state, variant, seen, FILTER_WORDS, high, high, mask, words)
    if count_legal(words) == 0:
        state.end = rules.no_move
        pay_loser(state.to_act, rewards)


@kernel
def legal(rules: GameFunctions, state: Record, variant: Record, seen: Any, mask: Any, words: Any) -> None:
    """`Rules.legal`, without plies that are forbidden. ``seen``: the game's row of the history."""
    rules.legal(state, variant, mask, words)
    if forbids_repeats(variant):
        forbid_seen(rules, state, variant, seen, mask, words)


@kernel
def close_ply(rules: GameFunctions, state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """`ply.close_ply`, and the endings that it leaves out."""
    ply.close_ply(rules, state, variant, seen, rewards)
    if forbids_repeats(variant):
        close(rules, state, variant, seen, rewards)


@kernel
def close(rules: GameFunctions, state: Record, variant: Record, seen: Any, rewards: Any) -> None:
    """The endings after `ply.play`, which leaves them out if the variant forbids repeated positions."""
    if state.end == RUNNING and state.turn_over:
        end_without_ply(rules, state, variant, seen, rewards)
    end_by_plies(state, variant)
