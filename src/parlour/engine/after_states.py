"""After-states and turn ends: the positions that the seat to act in each row can reach, as arrays."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import LookaheadArrays, Outcomes, TurnTree
from parlour.engine.games import Games
from parlour.engine.kernels import after_states as kernels
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.state_records import records

FIRST_POSITIONS, MAX_POSITIONS = 1 << 12, 1 << 20
"""Initial room for positions within turns, and the limit for one turn."""
CHOICE_POSITIONS = 1 << 10
"""Room for the positions of a turn when its best end is chosen (`kernels.turn_choice`): a power of 2."""


class AfterStates(NamedTuple):
    """The position after each of K legal actions, right after it: before any throw that follows.

    The ply is counted. If no throw follows, the endings that all games share are checked, too. If a throw follows
    (``chance_due``), the game has not ended yet, and ``rewards`` lacks what the throw will bring.
    """

    row_ids: NDArray[np.int64]
    """(K,): the row"""
    actions: NDArray[np.int64]
    """(K,): the action"""
    observation: NDArray[np.int8]
    """(K, C, H, W): as the seat that acted sees it"""
    chance_due: NDArray[np.bool_]
    """(K,): whether a throw follows"""
    to_act: NDArray[np.int8]
    """(K,): the seat to act; if a throw follows, the seat that throws"""
    rewards: NDArray[np.float32]
    """(K, P): of this action"""
    terminated: NDArray[np.bool_]
    """(K,)"""
    truncated: NDArray[np.bool_]
    """(K,)"""


class TurnEnds(NamedTuple):
    """Every position at which the turn of a seat can end, K in all: as `AfterStates`, but after whole turns.

    A turn goes on while the same seat is to act, no throw is due and the rules don't say that it is over. A position
    that several sequences of plies reach is listed once, with the shortest; of several shortest, with the one of the
    lowest actions.
    """

    row_ids: NDArray[np.int64]
    """(K,): the row"""
    actions: NDArray[np.int64]
    """(K, T): the plies that lead there; −1 after the last"""
    lengths: NDArray[np.int64]
    """(K,): the number of these plies"""
    observation: NDArray[np.int8]
    """(K, C, H, W): as the seat that acted sees it"""
    chance_due: NDArray[np.bool_]
    """(K,): whether a throw follows"""
    to_act: NDArray[np.int8]
    """(K,): the seat to act; if a throw follows, the seat that throws"""
    rewards: NDArray[np.float32]
    """(K, P): of all its plies"""
    terminated: NDArray[np.bool_]
    """(K,)"""
    truncated: NDArray[np.bool_]
    """(K,)"""


def after_states(games: Games, row_ids: NDArray[np.int64]) -> AfterStates:
    """The after-states of ``row_ids`` (M,), all different, row by row in this order, by action in each. A row that is
    over has none."""
    counts = games.counts[row_ids]
    ends = counts.cumsum()
    count = int(ends[-1]) if len(ends) else 0
    offsets = np.full(games.num_games, -1)
    offsets[row_ids] = ends - counts
    from_rows, actions, out = np.empty(count, np.int64), np.empty(count, np.int64), _outcomes(games, count)
    games.run_rules(kernels.write_after_states, offsets, lookahead_arrays(games), from_rows, actions, out)
    return AfterStates(from_rows, actions, out.planes.reshape(count, *games.layout.shape), *out[1:])


def turn_ends(games: Games, row_ids: NDArray[np.int64]) -> TurnEnds:
    """The turn ends of ``row_ids`` (M,), all different, row by row in this order, nearest first in each.

    Raises ValueError for a row whose turn has more than `MAX_POSITIONS` positions.
    """
    arrays, rules = lookahead_arrays(games), games.functions_for(kernels.grow_turns)
    tree, scratch = turn_tree(games, FIRST_POSITIONS), np.zeros_like(games.words[0])
    parts: list[TurnEnds] = []
    first = 0
    while first < len(row_ids) or not parts:
        end, size = kernels.grow_turns(rules, row_ids, first, arrays, tree, scratch)
        if end == first < len(row_ids):  # not even one turn fits
            if len(tree.states) == MAX_POSITIONS:
                raise ValueError(f"a turn in game {row_ids[first]} has more than {MAX_POSITIONS} positions")
            tree = turn_tree(games, 4 * len(tree.states))
            continue
        count, longest = kernels.count_ends(size, tree)
        from_rows, lengths = np.empty(count, np.int64), np.empty(count, np.int64)
        actions, out = np.empty((count, longest), np.int64), _outcomes(games, count)
        write_rules = games.functions_for(kernels.write_turn_ends)
        kernels.write_turn_ends(write_rules, size, tree, arrays, from_rows, actions, lengths, out)
        planes = out.planes.reshape(count, *games.layout.shape)
        parts.append(TurnEnds(from_rows, actions, lengths, planes, *out[1:]))
        first = end
    return parts[0] if len(parts) == 1 else _joined(parts)


def lookahead_arrays(games: Games) -> LookaheadArrays:
    """The arrays for kernels that look ahead; makes room in the history for one more position."""
    games.make_room()
    arrays = games.arrays
    return LookaheadArrays(
        arrays.states, arrays.variants, games.history, games.legal_bits, games.variant_index, games.variant_planes,
        games.layout.height * games.layout.width,
    )  # fmt: skip


def _outcomes(games: Games, count: int) -> Outcomes:
    return Outcomes(
        np.empty((count, math.prod(games.layout.shape)), np.int8), np.empty(count, np.bool_), np.empty(count, np.int8),
        np.empty((count, games.layout.seats), np.float32), np.empty(count, np.bool_), np.empty(count, np.bool_),
    )  # fmt: skip


def turn_tree(games: Games, count: int) -> TurnTree:
    """Room for ``count`` positions (a power of 2)."""
    return TurnTree(*(arrays[0] for arrays in turn_trees(games, 1, count)))


def turn_trees(games: Games, rows: int, count: int) -> TurnTree:
    """A `turn_tree` for each of ``rows`` rows, which are the first axis of every array."""
    states = records(rows * count, games.game.rules.STATE)
    words = states.view(np.uint64, np.ndarray).reshape(rows, count, -1)
    row_ids, parents, actions, lengths = (np.empty((rows, count), np.int64) for _ in range(4))
    return TurnTree(
        words if COMPILED else states.reshape(rows, count), words,
        np.empty((rows, count, games.layout.seats)), row_ids, parents, actions, lengths,
        np.empty((rows, count), np.int8), np.empty((rows, 2 * count), np.int64),
    )  # fmt: skip


def _joined(parts: list[TurnEnds]) -> TurnEnds:
    """All parts one after another, with as many columns of plies as the longest turn needs."""
    columns = max(part.actions.shape[1] for part in parts)
    actions = np.full((sum(len(part.row_ids) for part in parts), columns), -1)
    first = 0
    for part in parts:
        count, plies = part.actions.shape
        actions[first : first + count, :plies] = part.actions
        first += count
    others = zip(*(part._replace(actions=part.lengths) for part in parts))
    return TurnEnds(*map(np.concatenate, others))._replace(actions=actions)
