"""Self-play for temporal-difference learning: each turn is played to the end with the highest value, and the targets of
these positions are computed from what followed.

A position is one at the end of a turn, before any throw (or, in a turn with too many positions, where
`parlour.engine.kernels.turn_choice` chooses again). Its target is the λ-return (Sutton, *Learning to Predict by
the Methods of Temporal Differences*, Machine Learning 3, 1988): the rewards until the next position, plus the value of
that position with weight 1 − λ and its own target with weight λ.

Against fixed players (`parlour.learn.against`) only the turns of the learner are played here, and the positions at
their ends recorded: rows stop where another seat is to act.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays, LookaheadArrays, TurnTree
from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, repeats, step
from parlour.engine.kernels.network_value import paid_to, value_to, write_numbers
from parlour.engine.kernels.turn_choice import best_end, path_to
from parlour.engine.solving_arrays import PositionValues
from parlour.engine.value_arrays import FILLED, GAMES, LATEST, OPENING, PLIES, Experience, NetworkEvaluation
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.protocol import RUNNING

DONE, NO_HISTORY = 0, 1
"""Why a call returns: the positions are complete; or a game has too many earlier positions for the present room, and
`play_rows` must be called again."""
NOT_LEARNT = -1
"""In place of a head: a view of a position that is not learnt from."""


@kernel
def begin_game(rules: GameFunctions, i: int, openings: int, arrays: Arrays, found: Experience, faces: Any) -> None:
    """A new game in row i, of a drawn variant, which begins with 0 to ``openings`` random plies."""
    step.choose_variant(i, arrays)
    arrays.rewards[i, :] = 0
    step.begin_row(rules, i, arrays, faces)
    found.progress[i, LATEST] = -1
    found.progress[i, OPENING] = below(arrays.player_rng[i], openings + 1)


@kernel
def collect_pay(i: int, arrays: Arrays, found: Experience, returns: Any) -> None:
    """Adds the rewards of row i to the latest position of its game, and to ``returns`` (float64 (N, P))."""
    q = found.progress[i, LATEST]
    for seat in range(arrays.rewards.shape[1]):
        returns[i, seat] += arrays.rewards[i, seat]
        if q >= 0:
            found.paid[i, q, seat] += paid_to(seat, arrays.rewards, i)
    arrays.rewards[i, :] = 0


@kernel
def note_position(
    rules: GameFunctions, i: int, head: int, learner: int, arrays: Arrays, evaluation: NetworkEvaluation,
    found: Experience,
) -> None:  # fmt: skip
    """Records row i as the next position. ``learner``: the seat of the learner among more than two, which alone learns
    from it; −1: all do."""
    q = found.progress[i, FILLED]
    found.progress[i, FILLED] += 1
    found.progress[i, LATEST] = q
    found.is_last[i, q] = False
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    seats = found.values.shape[2]
    lookers = found.heads.shape[1] // found.values.shape[1]
    for seat in range(seats):
        found.paid[i, q, seat] = 0
        found.values[i, q, seat] = value_to(rules, i, head, seat, state, variant, evaluation)
    for k in range(lookers):
        looker = state.to_act if lookers == 1 else k
        s = q * lookers + k
        found.seats[i, s] = looker
        found.heads[i, s] = head + looker if lookers == 1 or learner < 0 or looker == learner else NOT_LEARNT
        write_numbers(
            rules, state, variant, looker, evaluation.network.before_throw, found.numbers[i, s], found.words[i, s]
        )


@kernel
def close_ply(rules: GameFunctions, i: int, arrays: Arrays) -> None:
    """The part of a ply in row i after its throws."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    ply.close_ply(rules, state, variant, arrays.history[i], arrays.rewards[i])
    if ply.forbids_repeats(variant):
        repeats.close(rules, state, variant, arrays.history[i], arrays.rewards[i])


@kernel
def play_turn(
    rules: GameFunctions, i: int, path: Any, length: int, learner: int, returns: Any, arrays: Arrays,
    evaluation: NetworkEvaluation, found: Experience, faces: Any,
) -> None:  # fmt: skip
    """Plays the plies of a turn (``path``: int64 (T,), the last first), records the position at its end unless it is in
    the random opening, and makes the throws that follow."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    opening = found.progress[i, OPENING] > 0
    for k in range(length - 1, -1, -1):
        ply.open_ply(rules, state, variant, path[k], arrays.rewards[i])
        found.progress[i, PLIES] += 1
        is_due = ply.throws_due(rules, state, variant) > 0
        if not is_due:
            close_ply(rules, i, arrays)
        if k == 0 and not opening:
            collect_pay(i, arrays, found, returns)
            if state.end == RUNNING:
                note_position(rules, i, evaluation.network.row_heads[i], learner, arrays, evaluation, found)
        if is_due:
            ply.make_throws(rules, state, variant, arrays.dice_rng[i], arrays.forced_dice, faces, arrays.rewards[i])
            close_ply(rules, i, arrays)
    collect_pay(i, arrays, found, returns)
    if opening:
        found.progress[i, OPENING] -= 1
    if state.end != RUNNING:
        found.progress[i, GAMES] += 1
        if found.progress[i, LATEST] >= 0:
            found.is_last[i, found.progress[i, LATEST]] = True


@loop
def play_rows(
    low: int, high: int, rules: GameFunctions, noise: float, openings: int, heads: Any, arrays: Arrays,
    lookahead: LookaheadArrays, trees: TurnTree, values: PositionValues, found: Experience, alone: bool,
    learners: Any, returns: Any,
) -> int:  # fmt: skip
    """Plays on in every row until its positions are filled. Returns `DONE` or `NO_HISTORY`.

    ``alone``: whether nobody else plays; else a row also stops at the end of its game. ``learners``: int64 (N,), the
    learner's seat, −1 for every seat; a row stops where another seat is to act. ``returns``: see `collect_pay`.

    ``noise``: see `best_end`. ``openings``: see `begin_game`. ``heads``: int64 (K,), the head of seat 0 in
    each variant. ``trees``: a tree for each row; each array has a further first axis (N,).
    """
    faces = np.empty(max(rules.dice, 1), np.int8)
    words = np.zeros(arrays.words.shape[1], np.uint64)
    mask = words.view(np.int8)
    bits, evaluation = np.zeros(arrays.legal_bits.shape[1], np.uint64), values.network
    path = np.zeros(trees.words.shape[1], np.int64)
    for i in range(low, high):
        tree = TurnTree(
            trees.states[i], trees.words[i], trees.rewards[i], trees.row_ids[i], trees.parents[i], trees.actions[i],
            trees.lengths[i], trees.due[i], trees.places[i],
        )  # fmt: skip
        while found.progress[i, FILLED] < found.is_last.shape[1]:
            state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
            if state.end != RUNNING:
                if not alone:
                    break
                begin_game(rules, i, openings, arrays, found, faces)
                evaluation.network.row_heads[i] = heads[arrays.variant_index[i]]
                continue
            if learners[i] >= 0 and learners[i] != state.to_act:
                break
            if not ply.has_room(state, variant, arrays.history[i]):
                return NO_HISTORY
            step.find_legal(rules, i, arrays)
            if found.progress[i, OPENING] > 0:
                path[0] = random_legal(arrays.words[i], count_legal(arrays.words[i]), arrays.player_rng[i])
                length = 1
            else:
                n = best_end(rules, i, noise, arrays.player_rng[i], lookahead, tree, mask, words, bits, values)
                length = path_to(n, tree, path)
            play_turn(rules, i, path, length, learners[i], returns, arrays, evaluation, found, faces)
    return DONE


@loop
def write_targets(low: int, high: int, lambda_: float, scale: float, found: Experience) -> None:
    """Writes the targets of every row; λ is ``lambda_``. The target of a row's last position, if its game goes on,
    is its own value."""
    positions, seats = found.values.shape[1], found.values.shape[2]
    lookers = found.heads.shape[1] // positions
    for i in range(low, high):
        for seat in range(seats):
            target = found.values[i, positions - 1, seat]
            for q in range(positions - 1, -1, -1):
                if found.is_last[i, q]:
                    target = found.paid[i, q, seat]
                elif q + 1 < positions:
                    after = (1 - lambda_) * found.values[i, q + 1, seat] + lambda_ * target
                    target = found.paid[i, q, seat] + after
                for k in range(q * lookers, (q + 1) * lookers):
                    if found.seats[i, k] == seat:
                        share = 0.5 + 0.5 * target / scale
                        found.targets[i, k] = min(max(share, 0.0), 1.0)
