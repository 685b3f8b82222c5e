"""Monte Carlo tree search over many games at once, each thread searching its own rows.

The search is UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006) with a value for each seat, on
the trees of `parlour.engine.trees`: at each node the seat to act takes every action once, in random order, and then the
one with the highest upper confidence bound of its own value. A simulation ends with a roll-out to the end of the game,
or with a small network's value. A value is the sum of all rewards from the ply on.

An edge that is taken for the first time ends the simulation and leads to no node yet; a node gets its edges when the
first of them is taken. So most positions that were visited once take no memory.

In games of two seats without dice, wins are proved as in `parlour.engine.kernels.network_search`: a seat takes an
action that wins by force, and avoids one that loses by force while it has another.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle
from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import tree_plies
from parlour.engine.kernels.network_value import value_to
from parlour.engine.kernels.roll_out import play_out
from parlour.engine.trees.nodes import NONE, READY, WAITING, Tree, Trees, add_edges, tree_of
from parlour.engine.trees.policies import forced_winner, uct_edge, uct_result
from parlour.engine.trees.updates import EDGES_FULL, FINISHED, PAUSED, GameArrays, Scratch, count_visit
from parlour.engine.value_arrays import NetworkEvaluation, has_network
from parlour.rulebook.compiling import inner_loop, kernel
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record

DONE, LEAF_NODE, LEAF_EDGE, WINNER = 0, 1, 2, 3
MAX_ROLL_OUT = 1 << 16
"""Plies after which a roll-out is cut, as if `max_plies` had ended the game."""
DESCENT, VALUATION = 16, 8
"""The work of a ply within a tree, and of a network's evaluation, in random plies."""
NEW_EDGES, NEW_IN_TURN = 1, 6
"""The most new edges that a simulation takes, and nodes that it adds: with roll-outs, and with a network. Networks are
trained on positions at the ends of turns, so with one a simulation continues to the end of the turn in which it leaves
the tree."""


@bundle
class Simulations(NamedTuple):
    """What simulations need besides the trees. A thread that works on rows ``low`` to ``high`` uses row ``low`` of each
    array; but `progress` has a row for each game, since a call may leave a simulation unfinished."""

    progress: Any
    """int64 (N, 4): how many simulations are done (`DONE`), −1 before the tree has its root; the node and the edge in
    which the unfinished one left the tree (`LEAF_NODE`, `LEAF_EDGE`), NONE if there is none; and the seat that has won
    with that edge's ply (`WINNER`)"""
    variants: Any
    """(N,) option values: the variant as roll-outs play it, without repetition"""
    after: Any
    """(N,) states"""
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
    low: int, high: int, rules: GameFunctions, row_mask: Any, simulations: int, greedy: bool, exploration: float,
    max_plies: int, max_effort: int, max_kept: int, games: GameArrays, trees: Trees, scratch: Scratch,
    work: Simulations, network: NetworkEvaluation, rolled: Any,
) -> int:  # fmt: skip
    """Adds simulations to the tree of every chosen row (bool (N,)), until ``simulations`` are done (``work.progress``),
    and returns FINISHED. Returns earlier with PAUSED after work of ``max_effort``, so that Ctrl-C works, or with
    EDGES_FULL if edges need room. A simulation that comes to ``max_plies`` plies beyond the root is cut in its
    roll-out, as if that had ended the game. Chance and choices come from the rows' ``player_rng``. A tree that is full
    grows no more. ``network``: its values replace roll-outs, unless it is `NO_NETWORK`. ``rolled``: int64 (N,), counts
    plies of roll-outs."""
    effort, by_value = 0, has_network(network)
    max_new = NEW_IN_TURN if by_value else NEW_EDGES
    for i in range(low, high):
        if not row_mask[i]:
            continue
        tree, progress = tree_of(i, trees), work.progress[i]
        if progress[DONE] < 0:
            if effort >= max_effort or not tree_plies.set_root(i, True, max_kept, games, tree, scratch):
                return PAUSED
            effort += tree.sizes[0]
            progress[DONE], progress[LEAF_EDGE] = 0, NONE
        last_ply = np.int64(state_at(games.states, i).plies) + max_plies
        while progress[DONE] < simulations:
            if effort >= max_effort:
                return PAUSED
            if progress[LEAF_EDGE] == NONE:
                if tree.sizes[0] + max_new >= tree.nodes.shape[0]:
                    progress[DONE] = simulations
                    break
                if tree.sizes[1] + (max_new + 1) * work.masks.shape[1] > tree.edges.shape[0]:
                    return EDGES_FULL
                effort += DESCENT * descend(rules, i, low, exploration, by_value, games, tree, scratch, work)
            state = state_at(tree.states, tree.sizes[0])
            before = state.plies
            effort += finish(rules, i, low, greedy, last_ply, max_effort, games, tree, scratch, work, network)
            rolled[i] += state.plies - before
            if state.end == RUNNING and state.plies < last_ply and not by_value:
                return PAUSED
            back_up(i, low, tree, scratch, work)
            progress[LEAF_EDGE] = NONE
            progress[DONE] += 1
    return FINISHED


@kernel
def descend(
    rules: GameFunctions, i: int, low: int, exploration: float, by_value: bool, games: GameArrays, tree: Tree,
    scratch: Scratch, work: Simulations,
) -> int:  # fmt: skip
    """The path of a simulation from the root to where it leaves the tree, which is written to ``work.progress``. The
    state and the rewards after the last ply are in the place of the next new node. Returns how many edges it took."""
    n, new, length, progress = 0, 0, 0, work.progress[i]
    while True:
        if tree.nodes[n].status == WAITING:
            expand(rules, i, low, n, games, tree, scratch, work)
        e = uct_edge(n, exploration, tree, games.player_rng[i])
        edge = tree.edges[e]
        length += 1
        if edge.visits == 0:
            new += 1
        elif edge.child != NONE and not edge.chance:
            n = edge.child
            continue
        if play_edge(rules, i, low, n, e, new, by_value, games, tree, scratch):
            progress[LEAF_NODE], progress[LEAF_EDGE], progress[WINNER] = n, e, NONE
            state, rewards = state_at(tree.states, tree.sizes[0]), tree.nodes[tree.sizes[0]].rewards
            if rules.dice == 0 and rewards.shape[0] == 2 and state.end > MAX_PLIES and rewards[0] != rewards[1]:
                progress[WINNER] = 0 if rewards[0] > rewards[1] else 1
            return length
        n = tree_plies.link(rules, i, n, e, low, games, tree, scratch)


@kernel
def expand(
    rules: GameFunctions, i: int, low: int, n: int, games: GameArrays, tree: Tree, scratch: Scratch, work: Simulations
) -> None:
    """Gives node n its edges."""
    tree_plies.legal(rules, i, n, low, games, tree, scratch, work.masks[low], work.words[low])
    add_edges(n, work.legal_bits, low, pack_legal(work.words[low], work.legal_bits[low]), tree)
    tree.nodes[n].status = READY


@kernel
def play_edge(
    rules: GameFunctions, i: int, low: int, n: int, e: int, new: int, by_value: bool, games: GameArrays, tree: Tree,
    scratch: Scratch,
) -> bool:  # fmt: skip
    """Plays edge e of node n, where the simulation has taken ``new`` new edges, this one included. Returns whether it
    leaves the tree there. With a network no throw is made there, since networks are trained on positions before
    throws."""
    due = tree_plies.open_edge(rules, i, n, e, games, tree)
    if due > 0 and by_value and new > 0:
        return True
    tree_plies.close_edge(rules, i, n, due, low, games, tree, scratch)
    state = state_at(tree.states, tree.sizes[0])
    if state.end != RUNNING:
        return True
    return new > 0 and (not by_value or state.turn_over != 0 or new == NEW_IN_TURN)


@kernel
def finish(
    rules: GameFunctions, i: int, low: int, greedy: bool, last_ply: int, max_effort: int, games: GameArrays, tree: Tree,
    scratch: Scratch, work: Simulations, network: NetworkEvaluation,
) -> int:  # fmt: skip
    """Plays out or evaluates the position at which a simulation has left the tree. Returns the amount of work."""
    end = tree.sizes[0]
    state, variant, rewards = state_at(tree.states, end), variant_at(work.variants, low), tree.nodes[end].rewards
    copy_row(games.variants, i, work.variants, low)
    variant.repetition = 0
    if has_network(network):
        if state.end == RUNNING:
            add_values(rules, i, state, variant, network, rewards)
        return VALUATION
    return play_out(
        rules, state, variant, greedy, games.player_rng[i], work.masks[low], work.words[low], work.legal_bits[low],
        scratch.forced_dice, scratch.faces[low], scratch.history[low], work.after, low, work.tried[low], rewards,
        last_ply, max_effort,
    )  # fmt: skip


@inner_loop
def add_values(
    rules: GameFunctions, i: int, state: Record, variant: Record, network: NetworkEvaluation, rewards: Any
) -> None:
    """Adds the value for each seat to ``rewards`` (P,)."""
    for seat in range(rewards.shape[0]):
        rewards[seat] += value_to(rules, i, network.network.row_heads[i], seat, state, variant, network)


@kernel
def back_up(i: int, low: int, tree: Tree, scratch: Scratch, work: Simulations) -> None:
    """Adds the returns of a simulation to all edges that it took, and proves forced wins along its path."""
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
