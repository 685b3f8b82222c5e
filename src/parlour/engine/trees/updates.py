"""Expansion and backup: the evaluation of a leaf gives it edges with priors, and values that are backed up to the root.

Axis letters: N games, L leaves per tree that wait for evaluation at the same time, M leaves, C planes, H × W board, A
actions, P seats.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle
from parlour.engine.calls import state_at
from parlour.engine.trees.nodes import MIN_PRIOR, NONE, OVER, READY, Tree, add_edges, bring_forward
from parlour.engine.trees.policies import Roots, TreeSettings, forced_winner
from parlour.engine.trees.root_noise import gamma, gumbel, word_of
from parlour.rulebook.chance import draw
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS
from parlour.rulebook.protocol import MAX_PLIES

FINISHED, PAUSED, EDGES_FULL, NOT_FINITE = 0, 1, 2, 3
"""Results of a call: all rows are done; call again for the rest; make room for edges and call again; an evaluation was
refused (`REFUSED`)."""
REFUSED = -2
"""In `Leaves.nodes`: a leaf whose evaluation is not finite, or gives no legal action a probability."""


@bundle
class GameArrays(NamedTuple):
    """The games whose positions are searched: one row per game."""

    states: Any
    """(N,) records"""
    words: Any
    """uint64 (N, state size / 8): the same bytes"""
    variants: Any
    """(N,) records"""
    player_rng: Any
    """(N,) `chance.STREAM` records"""
    history: Any
    """uint64 (N, K): keys of earlier positions"""


@bundle
class Leaves(NamedTuple):
    """The leaves that wait for evaluation, at most L per tree. Leaf j of tree i is in row i · L + j."""

    nodes: Any
    """int32 (N · L,): the node, NONE if no leaf waits in this row"""
    counts: Any
    """int64 (N,): how many rows of a tree are in use"""
    rounds: Any
    """int64 (N,): the round in which the tree last took in evaluations"""
    blocked: Any
    """bool (N,): whether the tree's latest simulation reached a leaf that already waits; then no more can start"""
    observations: Any
    """int8 (N · L, C · H · W)"""
    masks: Any
    """int8 (N · L, A₈)"""
    words: Any
    """uint64 (N · L, A₈ / 8): the same bytes"""
    legal_bits: Any
    """uint64 (N · L, A₆₄ / 64): the same with one bit per action. The search uses these bits, since an evaluator may
    overwrite the masks."""
    legal_counts: Any
    """int64 (N · L,): how many actions are legal"""
    variant_planes: Any
    """int8 (N, E): the numbers in the E planes that show the variant"""
    plane_size: int
    """H · W"""


@bundle
class Scratch(NamedTuple):
    """Scratch arrays. A thread that works on rows ``low`` to ``high`` uses row ``low`` of each array."""

    progress: Any
    """int64 (N,): the row to continue with"""
    history: Any
    """uint64 (N, K): keys of the positions before a node"""
    weights: Any
    """float64 (N, A)"""
    returns: Any
    """float64 (N, P)"""
    faces: Any
    """int8 (N, dice)"""
    forced_dice: Any
    """int8 (0, dice + 1): no forced throws"""
    numbers: Any
    """int32 (N, 3, R), by game: see `nodes.keep_subtree`"""
    moving: Any
    """int64 (N, 4), by game: see `nodes.keep_subtree`; the first number is NONE if its tree is not being moved"""


# --- roots ---


@kernel
def begin_search(i: int, settings: TreeSettings, games: GameArrays, tree: Tree, roots: Roots) -> None:
    """Prepares a root whose evaluation is known: noise, earlier visits of its edges, and a proved winner."""
    root = tree.nodes[0]
    scale = settings.gumbel_scale if settings.gumbel else settings.dirichlet_fraction
    base = draw(games.player_rng[i]) if scale > 0 else NO_WORDS
    total = 0.0
    for k in range(root.count):
        edge = tree.edges[root.first + k]
        roots.before[i, k] = edge.visits
        noise = 0.0
        if settings.gumbel:
            if scale > 0:
                noise = scale * gumbel(word_of(base, edge.action))
            roots.noise[i, k] = noise + math.log(edge.prior)
        else:
            if scale > 0:
                noise = gamma(word_of(base, edge.action), settings.dirichlet_alpha)
            roots.noise[i, k] = noise
            total += noise
    if not settings.gumbel:
        fraction = scale if total > 0 else 0.0  # with a tiny alpha, all gamma numbers may be 0
        for k in range(root.count):
            noise = fraction * roots.noise[i, k] / max(total, MIN_PRIOR)
            roots.noise[i, k] = (1 - fraction) * tree.edges[root.first + k].prior + noise
    if settings.prove:
        roots.winner[i] = forced_winner(0, tree)


# --- leaves ---


@kernel
def expand_leaves(
    i: int, low: int, ranks: Any, logits: Any, values: Any, settings: TreeSettings, games: GameArrays, tree: Tree,
    roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """`expand` for all waiting leaves of tree i. Returns FINISHED, EDGES_FULL or NOT_FINITE."""
    for row in range(i * settings.leaves, i * settings.leaves + leaves.counts[i]):
        if leaves.nodes[row] != NONE:
            result = expand(i, low, row, ranks[row], logits, values, settings, games, tree, roots, leaves, scratch)
            if result != FINISHED:
                return result
    leaves.counts[i] = 0
    leaves.blocked[i] = False
    return FINISHED


@kernel
def expand(
    i: int, low: int, row: int, rank: int, logits: Any, values: Any, settings: TreeSettings, games: GameArrays,
    tree: Tree, roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """Gives an evaluated leaf its edges, priors and values, and backs the values up. Returns FINISHED, EDGES_FULL or
    NOT_FINITE. ``rank``: the row of the leaf in ``logits`` and ``values``."""
    n, count = leaves.nodes[row], leaves.legal_counts[row]
    if tree.sizes[1] + count > tree.edges.shape[0]:
        return EDGES_FULL
    add_edges(n, leaves.legal_bits, row, count, tree)
    node = tree.nodes[n]
    highest = -math.inf
    numbers = True
    for e in range(node.first, node.first + count):
        logit = logits[rank, tree.edges[e].action]
        highest = max(highest, logit)
        numbers = numbers and logit < math.inf  # false for NaN, too
    seats = values.shape[1]
    for k in range(seats):
        seat = (node.to_act + k) % seats
        node.values[seat] = values[rank, k]
        numbers = numbers and math.isfinite(values[rank, k])
    if not numbers or highest == -math.inf:
        leaves.nodes[row] = REFUSED
        return NOT_FINITE
    total = 0.0
    for k in range(count):
        weight = math.exp(np.float64(logits[rank, tree.edges[node.first + k].action]) - highest)
        scratch.weights[low, k] = weight
        total += weight
    for k in range(count):
        tree.edges[node.first + k].prior = max(scratch.weights[low, k] / total, MIN_PRIOR)
    node.status = READY
    leaves.nodes[row] = NONE
    if n == 0:
        begin_search(i, settings, games, tree, roots)
    else:
        bring_forward(n, tree)
        back_up(i, n, low, settings, tree, roots, scratch)
    return FINISHED


@kernel
def back_up(i: int, leaf: int, low: int, settings: TreeSettings, tree: Tree, roots: Roots, scratch: Scratch) -> None:
    """Adds the return of each seat, from the leaf's value and the rewards on the path, to all edges that led to
    ``leaf``. Proves forced wins on the path, if ``settings.prove``."""
    node, returns, winner = tree.nodes[leaf], scratch.returns, NONE
    over, seats = node.status == OVER, returns.shape[1]
    for seat in range(seats):
        returns[low, seat] = 0.0 if over else node.values[seat]
    if settings.prove and over and state_at(tree.states, leaf).end > MAX_PLIES and node.rewards[0] != node.rewards[1]:
        winner = 0 if node.rewards[0] > node.rewards[1] else 1
    n = leaf
    while n > 0:
        node, edge = tree.nodes[n], tree.edges[tree.nodes[n].edge]
        edge.pending -= 1
        count_visit(edge, node.rewards, winner, returns, low)
        n = node.parent
        if winner != NONE:
            winner = forced_winner(n, tree)
    if winner != NONE:
        roots.winner[i] = winner


@kernel
def count_visit(edge: Any, rewards: Any, winner: int, returns: Any, low: int) -> None:
    """Adds a visit to an edge. Row ``low`` of ``returns`` (float64 (M, P)) has each seat's return after the ply's own
    ``rewards`` (P,), which are added to it. ``winner``: the seat that wins by force after the edge, or NONE."""
    edge.visits += 1
    for seat in range(rewards.shape[0]):
        returns[low, seat] += rewards[seat]
    if edge.winner != NONE:  # proved before: the means are already the result
        for seat in range(rewards.shape[0]):
            returns[low, seat] = edge.q_values[seat]
    elif winner != NONE:
        edge.winner = winner
        for seat in range(rewards.shape[0]):
            edge.q_values[seat] = returns[low, seat]
    else:
        for seat in range(rewards.shape[0]):
            edge.q_values[seat] += (returns[low, seat] - edge.q_values[seat]) / edge.visits


@kernel
def take_back(n: int, tree: Tree) -> None:
    """Cancels a simulation that has reached node n: its pending visits are removed."""
    while n > 0:
        e = tree.nodes[n].edge
        n = tree.nodes[n].parent
        tree.edges[e].pending -= 1
