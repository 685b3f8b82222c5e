"""Monte Carlo tree search over many games at once, each thread searching its own rows.

The search is UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006) with a value for each seat, on
the trees of `parlour.engine.trees`: at each node the seat to act takes every action once, in random order, and then the
one of the highest upper confidence bound of its own value. A simulation ends with an ``outcome``: `played_outcome`, of
a roll-out to the end of the game, or `network_outcome`, what a small network says. A value is the sum of the rewards
from the ply on, intermediate ones and all.

An edge that is taken for the first time ends the simulation and leads to no node yet; nodes get their edges when the
first of these is taken. So most of what was visited once takes no memory.

In games of two seats without dice, wins are proved as in `parlour.engine.kernels.network_search`: a seat with an action
that wins by force takes it, and none that loses by force while it has another.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.trees.nodes import NONE, READY, WAITING, Tree, Trees, add_edges, tree_of
from parlour.engine.trees.policies import forced_winner, uct_edge, uct_result
from parlour.engine.trees.updates import EDGES_FULL, FINISHED, PAUSED, GameArrays, Scratch, count_visit
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Rules

rules: Rules
throws: Any
ply: Any
roll_out: Any
outcome: Any
tree_plies: Any
kernel: Callable[[Any], Any]

DONE, LEAF_NODE, LEAF_EDGE, WINNER = 0, 1, 2, 3
MAX_EFFORT = roll_out.MAX_EFFORT
"""The most work of one call, in random plies."""
MAX_ROLL_OUT = 1 << 16
"""Plies after which a roll-out is cut, as if `max_plies` had ended the game."""
DESCENT = 16
"""The work of a ply within a tree, in random plies."""


class Simulations(NamedTuple):
    """What simulations need besides the trees. A thread that works on rows ``low`` to ``high`` uses row ``low`` of each
    array; but `progress` has a row for each game, since a call may leave a simulation unfinished."""

    progress: Any
    """int64 (N, 4): how many simulations are done (`DONE`), −1 before the tree is planted; the node and the edge in
    which the unfinished one left the tree (`LEAF_NODE`, `LEAF_EDGE`), NONE if there is none; and the seat that has won
    with that edge's ply (`WINNER`)"""
    variants: Any
    """(N,) records: the variant as roll-outs play it, without repetition"""
    after: Any
    """(N, 1) records of the game's ``STATE``"""
    masks: Any
    """int8 (N, A₈)"""
    words: Any
    """uint64 (N, A₈ / 8): the same bytes"""
    legal_bits: Any
    """uint64 (N, A₆₄ / 64)"""
    tried: Any
    """float64 (N, P)"""


@kernel
def search_rows(
    low: int, high: int, row_mask: Any, simulations: int, greedy: bool, exploration: float, max_plies: int,
    max_effort: int, max_kept: int, games: GameArrays, trees: Trees, scratch: Scratch, work: Simulations, weights: Any,
    rolled: Any,
) -> int:  # fmt: skip
    """Adds simulations to the tree of every chosen row (bool (N,)), until ``work.progress`` says that ``simulations``
    are done, or the call has done so much that it should be interruptible, at most ``max_effort``: then it returns
    PAUSED, or EDGES_FULL if there must be room for edges first. A simulation that comes to ``max_plies`` plies beyond
    the root is cut in its roll-out, as if that had ended the game. Chance and choices come from the rows'
    ``player_rng``. A tree that is full grows no more. ``rolled``: int64 (N,), counts plies of roll-outs."""
    effort = 0
    for i in range(low, high):
        if not row_mask[i]:
            continue
        tree, progress = tree_of(i, trees), work.progress[i]
        if progress[DONE] < 0:
            if effort >= max_effort or not tree_plies.plant(i, True, max_kept, games, tree, scratch):
                return PAUSED
            effort += tree.sizes[0]
            progress[DONE], progress[LEAF_EDGE] = 0, NONE
        last_ply = np.int64(games.states[i].plies) + max_plies
        while progress[DONE] < simulations:
            if effort >= max_effort:
                return PAUSED
            if progress[LEAF_EDGE] == NONE:
                if tree.sizes[0] + outcome.MAX_NEW >= tree.nodes.shape[0]:
                    progress[DONE] = simulations
                    break
                if tree.sizes[1] + (outcome.MAX_NEW + 1) * work.masks.shape[1] > tree.edges.shape[0]:
                    return EDGES_FULL
                effort += DESCENT * descend(i, low, exploration, games, tree, scratch, work)
            state = tree.states[tree.sizes[0]]
            before = state.plies
            effort += finish(i, low, greedy, last_ply, max_effort, games, tree, scratch, work, weights)
            rolled[i] += state.plies - before
            if state.end == RUNNING and state.plies < last_ply and not outcome.IS_VALUE:
                return PAUSED
            back_up(i, low, tree, scratch, work)
            progress[LEAF_EDGE] = NONE
            progress[DONE] += 1
    return FINISHED


@kernel
def descend(
    i: int, low: int, exploration: float, games: GameArrays, tree: Tree, scratch: Scratch, work: Simulations
) -> int:
    """A simulation's way from the root to where it leaves the tree, which ``work.progress`` tells. The state and the
    rewards after the last ply stand where the next new node would be. Returns how many edges it took."""
    n, new, length, progress = 0, 0, 0, work.progress[i]
    while True:
        if tree.nodes[n].status == WAITING:
            expand(i, low, n, games, tree, scratch, work)
        e = uct_edge(n, exploration, tree, games.player_rng[i])
        edge = tree.edges[e]
        length += 1
        if edge.visits == 0:
            new += 1
        elif edge.child != NONE and not edge.chance:
            n = edge.child
            continue
        if play_edge(i, low, n, e, new, games, tree, scratch):
            progress[LEAF_NODE], progress[LEAF_EDGE], progress[WINNER] = n, e, NONE
            state, rewards = tree.states[tree.sizes[0]], tree.nodes[tree.sizes[0]].rewards
            if throws.DICE == 0 and rewards.shape[0] == 2 and state.end > MAX_PLIES and rewards[0] != rewards[1]:
                progress[WINNER] = 0 if rewards[0] > rewards[1] else 1
            return length
        n = tree_plies.link(i, n, e, low, games, tree, scratch)


@kernel
def expand(i: int, low: int, n: int, games: GameArrays, tree: Tree, scratch: Scratch, work: Simulations) -> None:
    """Gives node n its edges."""
    tree_plies.legal(i, n, low, games, tree, scratch, work.masks[low], work.words[low])
    add_edges(n, work.legal_bits, low, pack_legal(work.words[low], work.legal_bits[low]), tree)
    tree.nodes[n].status = READY


@kernel
def play_edge(i: int, low: int, n: int, e: int, new: int, games: GameArrays, tree: Tree, scratch: Scratch) -> bool:
    """Plays edge e of node n, where the simulation has taken ``new`` new edges, this one included. Returns whether it
    leaves the tree there. A network is taught positions before any throw: then none is made."""
    end, edge, variant = tree.sizes[0], tree.edges[e], games.variants[i]
    tree.states[end] = tree.states[n]
    state, rewards = tree.states[end], tree.nodes[end].rewards
    rewards[:] = 0
    ply.open_ply(state, variant, edge.action, rewards)
    if ply.throws_due(state, variant) > 0:
        edge.chance = 1
        if outcome.IS_VALUE and new > 0:
            return True
        ply.make_throws(state, variant, games.player_rng[i], scratch.forced_dice, scratch.faces[low], rewards)
    tree_plies.close_ply(i, n, state, low, games, tree, scratch, rewards)
    if state.end != RUNNING:
        return True
    return new > 0 and (not outcome.IS_VALUE or state.turn_over != 0 or new == outcome.MAX_NEW)


@kernel
def finish(
    i: int, low: int, greedy: bool, last_ply: int, max_effort: int, games: GameArrays, tree: Tree, scratch: Scratch,
    work: Simulations, weights: Any,
) -> int:  # fmt: skip
    """Plays or values the position in which a simulation has left the tree. Returns the amount of work."""
    end = tree.sizes[0]
    work.variants[low] = games.variants[i]
    work.variants[low].repetition = 0
    return outcome.finish(
        i, tree.states[end], work.variants[low], greedy, games.player_rng[i], work.masks[low], work.words[low],
        work.legal_bits[low], scratch.forced_dice, scratch.faces[low], scratch.history[low],
        work.after[low], work.tried[low], tree.nodes[end].rewards, weights, last_ply, max_effort,
    )  # fmt: skip


@kernel
def back_up(i: int, low: int, tree: Tree, scratch: Scratch, work: Simulations) -> None:
    """Adds the returns of a simulation to all edges that it took, and proves forced wins on its way."""
    n, e, winner = work.progress[i, LEAF_NODE], work.progress[i, LEAF_EDGE], work.progress[i, WINNER]
    returns, last = scratch.returns, tree.sizes[0]
    returns[low, :] = 0
    while True:
        count_visit(tree.edges[e], tree.nodes[last].rewards, winner, returns, low)
        if winner != NONE:
            winner = forced_winner(n, tree)
        if n == 0:
            return
        last, e, n = n, tree.nodes[n].edge, tree.nodes[n].parent


@kernel
def result_rows(low: int, high: int, row_mask: Any, trees: Trees, actions: Any) -> None:
    """Writes the action to play into ``actions`` (int64 (N,)) of every chosen row."""
    for i in range(low, high):
        if row_mask[i]:
            actions[i] = uct_result(tree_of(i, trees))
