"""Self-play for temporal-difference learning: each turn is played to the end position with the highest value, and the
targets of these positions are computed from what follows them.

Positions are those at the ends of turns, before any throw (or, in a turn with too many positions, those where
`parlour.engine.kernels.turn_choice` chooses again). The target of a position is the λ-return (Sutton, *Learning to
Predict by the Methods of Temporal Differences*, Machine Learning 3, 1988): the rewards until the next position, plus
the value of that position with weight 1 − λ and its own target with weight λ.

Against fixed players (`parlour.learn.against`) only the turns of the learner are played here, and the positions at
their ends recorded: rows stop where another seat is to act.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from parlour.engine.arrays import Arrays, LookaheadArrays, TurnTree
from parlour.engine.bundles import bundled
from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, repeats, step
from parlour.engine.kernels.network_value import LESS, MORE, WON, paid_to, share_of, write_numbers, write_parts
from parlour.engine.kernels.turn_choice import best_end, path_to
from parlour.engine.own_arrays import bytes_of, zeros
from parlour.engine.solving_arrays import PositionValues
from parlour.engine.value_arrays import FILLED, GAMES, LATEST, OPENING, PLIES, Experience, NetworkEvaluation
from parlour.rulebook.chance import below
from parlour.rulebook.compiling import kernel, loop
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.protocol import RUNNING

DONE, NO_HISTORY = 0, 1
"""Why a call returns: the positions are complete; or the history of a game is full, and `play_rows` must be called
again with more room."""
NOT_LEARNT = -1
"""In place of a head: this view of a position is not learnt from."""


@kernel
def begin_game(rules: GameFunctions, i: int, openings: int, arrays: Arrays, experience: Experience, faces: Any) -> None:
    """Begins a new game in row i, of a drawn variant, with 0 to ``openings`` random plies."""
    step.choose_variant(i, arrays)
    arrays.rewards[i, :] = 0
    step.begin_row(rules, i, arrays, faces)
    experience.progress[i, LATEST] = -1
    experience.progress[i, OPENING] = below(arrays.player_rng[i], openings + 1)


@kernel
def collect_rewards(i: int, arrays: Arrays, experience: Experience, returns: Any) -> None:
    """Adds the rewards of row i to the latest position of its game, and to ``returns`` (float64 (N, P))."""
    q = experience.progress[i, LATEST]
    for seat in range(arrays.rewards.shape[1]):
        returns[i, seat] += arrays.rewards[i, seat]
        if q >= 0:
            experience.paid[i, q, seat] += paid_to(seat, arrays.rewards, i)
    arrays.rewards[i, :] = 0


@kernel
def note_position(
    rules: GameFunctions, i: int, head: int, learner: int, arrays: Arrays, evaluation: NetworkEvaluation,
    experience: Experience,
) -> None:  # fmt: skip
    """Records row i as the next position. ``learner``: with more than two seats, the seat whose view alone is learnt
    from; −1: all views."""
    q = experience.progress[i, FILLED]
    experience.progress[i, FILLED] += 1
    experience.progress[i, LATEST] = q
    experience.is_last[i, q] = False
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    seats = experience.values.shape[2]
    viewers = experience.heads.shape[1] // experience.values.shape[1]
    for seat in range(seats):
        experience.paid[i, q, seat] = 0
        write_parts(rules, i, head, seat, state, variant, evaluation, experience.values[i, q, seat])
    for k in range(viewers):
        viewer = state.to_act if viewers == 1 else k
        s = q * viewers + k
        experience.seats[i, s] = viewer
        experience.heads[i, s] = head + viewer if viewers == 1 or learner < 0 or viewer == learner else NOT_LEARNT
        before_throw = evaluation.network.before_throw
        write_numbers(rules, state, variant, viewer, before_throw, experience.numbers[i, s], experience.words[i, s])


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
    evaluation: NetworkEvaluation, experience: Experience, faces: Any,
) -> None:  # fmt: skip
    """Plays the plies of a turn (``path``: int64 (T,), the last first), records the position at its end unless it is in
    the random opening, and makes the throws that follow."""
    state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
    opening = experience.progress[i, OPENING] > 0
    for k in range(length - 1, -1, -1):
        ply.open_ply(rules, state, variant, path[k], arrays.rewards[i])
        experience.progress[i, PLIES] += 1
        is_due = ply.throws_due(rules, state, variant) > 0
        if not is_due:
            close_ply(rules, i, arrays)
        if k == 0 and not opening:
            collect_rewards(i, arrays, experience, returns)
            if state.end == RUNNING:
                note_position(rules, i, evaluation.network.row_heads[i], learner, arrays, evaluation, experience)
        if is_due:
            ply.make_throws(rules, state, variant, arrays.dice_rng[i], arrays.forced_dice, faces, arrays.rewards[i])
            close_ply(rules, i, arrays)
    collect_rewards(i, arrays, experience, returns)
    if opening:
        experience.progress[i, OPENING] -= 1
    if state.end != RUNNING:
        experience.progress[i, GAMES] += 1
        if experience.progress[i, LATEST] >= 0:
            experience.is_last[i, experience.progress[i, LATEST]] = True


@loop
def play_rows(
    low: int, high: int, rules: GameFunctions, temperature: float, openings: int, heads: Any, arrays: Arrays,
    lookahead: LookaheadArrays, trees: TurnTree, values: PositionValues, experience: Experience, alone: bool,
    learners: Any, returns: Any,
) -> int:  # fmt: skip
    """Plays on in every row until its positions are filled. Returns `DONE` or `NO_HISTORY`.

    ``alone``: whether there are no fixed players. If there are, a row also stops at the end of its game. ``learners``:
    int64 (N,), the learner's seat, −1 for every seat; a row stops where another seat is to act. ``returns``: see
    `collect_rewards`.

    ``temperature``: see `best_end`. ``openings``: see `begin_game`. ``heads``: int64 (K,), the head of seat 0 in each
    variant. ``trees``: a tree for each row; each array has a further first axis (N,).
    """
    faces = zeros(max(rules.dice, 1), np.int8)
    words = zeros(arrays.words.shape[1], np.uint64)
    mask = bytes_of(words)
    bits, evaluation = zeros(arrays.legal_bits.shape[1], np.uint64), values.network
    path = zeros(trees.words.shape[1], np.int64)
    for i in range(low, high):
        tree = bundled(TurnTree(
            trees.states[i], trees.words[i], trees.rewards[i], trees.row_ids[i], trees.parents[i], trees.actions[i],
            trees.lengths[i], trees.due[i], trees.places[i],
        ))  # fmt: skip
        while experience.progress[i, FILLED] < experience.is_last.shape[1]:
            state, variant = state_at(arrays.states, i), variant_at(arrays.variants, i)
            if state.end != RUNNING:
                if not alone:
                    break
                begin_game(rules, i, openings, arrays, experience, faces)
                evaluation.network.row_heads[i] = heads[arrays.variant_index[i]]
                continue
            if learners[i] >= 0 and learners[i] != state.to_act:
                break
            if not ply.has_room(state, variant, arrays.history[i]):
                return NO_HISTORY
            step.find_legal(rules, i, arrays)
            if experience.progress[i, OPENING] > 0:
                path[0] = random_legal(arrays.words[i], count_legal(arrays.words[i]), arrays.player_rng[i])
                length = 1
            else:
                n = best_end(rules, i, temperature, arrays.player_rng[i], lookahead, tree, mask, words, bits, values)
                length = path_to(n, tree, path)
            play_turn(rules, i, path, length, learners[i], returns, arrays, evaluation, experience, faces)
    return DONE


@kernel
def pay(amount: float, parts: Any) -> None:
    """Adds a payment to the parts of a value (float64 (O,)): of three, the first is at most 1, and the rest goes to
    what is won or lost beyond it."""
    parts[WON] += amount
    if parts.shape[0] > 1:
        beyond = parts[WON] - min(max(parts[WON], -1.0), 1.0)
        parts[WON] -= beyond
        parts[MORE if beyond > 0 else LESS] += beyond


@loop
def write_targets(low: int, high: int, lambda_: float, scale: float, experience: Experience) -> None:
    """Writes the targets of every row; λ is ``lambda_``. If the game goes on after a row's last position, the target of
    that position is its own value."""
    positions, seats, outputs = experience.values.shape[1:]
    viewers = experience.heads.shape[1] // positions
    target = zeros(outputs, np.float64)
    for i in range(low, high):
        for seat in range(seats):
            for q in range(positions - 1, -1, -1):
                is_last, later = experience.is_last[i, q], min(q + 1, positions - 1)
                weight = lambda_ if later > q else 0.0
                for output in range(outputs):
                    value = (1 - weight) * experience.values[i, later, seat, output] + weight * target[output]
                    target[output] = 0.0 if is_last else value
                if is_last or later > q:
                    pay(experience.paid[i, q, seat], target)
                for k in range(q * viewers, (q + 1) * viewers):
                    if experience.seats[i, k] == seat:
                        for output in range(outputs):
                            share = share_of(output, outputs, target[output], scale)
                            experience.targets[i, k, output] = min(max(share, 0.0), 1.0)
