"""What the leaves' evaluations change in the trees: edges with priors, and values passed up to the root.

Axis letters: N games, L leaves a tree that wait together, M leaves, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.trees.nodes import MIN_PRIOR, NONE, OVER, READY, Tree, add_edges, bring_forward
from parlour.engine.trees.policies import Roots, Settings, forced_winner
from parlour.engine.trees.root_noise import gamma, gumbel, word_of
from parlour.rulebook.chance import draw
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS
from parlour.rulebook.protocol import MAX_PLIES

FINISHED, PAUSED, EDGES_FULL, NOT_FINITE = 0, 1, 2, 3
"""What a call returns: all rows are done; call again for the rest; make room for edges and call again; a leaf is
REFUSED."""
REFUSED = -2
"""In place of a leaf that has no legal action, or whose evaluation is no finite number."""


class GameArrays(NamedTuple):
    """The games whose positions are searched, a row each."""

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


class Leaves(NamedTuple):
    """What waits for evaluation: at most L leaves a tree; leaf j of tree i is in row i · L + j."""

    nodes: Any
    """int32 (N · L,): the node, NONE where none waits"""
    counts: Any
    """int64 (N,): how many of a tree's rows are taken"""
    rounds: Any
    """int64 (N,): the number of the round in which evaluations were last taken in"""
    blocked: Any
    """bool (N,): whether the tree's latest simulation met a leaf that waits, so that no more can start"""
    observations: Any
    """int8 (N · L, C · H · W)"""
    masks: Any
    """int8 (N · L, A₈)"""
    words: Any
    """uint64 (N · L, A₈ / 8): the same bytes"""
    legal_bits: Any
    """uint64 (N · L, A₆₄ / 64): the same with a bit an action. What is shown to the network it may write into; the
    search goes by these."""
    legal_counts: Any
    """int64 (N · L,): how many actions are legal"""
    variant_planes: Any
    """int8 (N, E): the numbers that fill the E planes which tell the variant"""
    plane_size: int
    """H · W"""


class Scratch(NamedTuple):
    """What a thread works with, at row ``low`` of each."""

    progress: Any
    """int64 (N,): the row to go on with"""
    history: Any
    """uint64 (N, K): keys of the positions before a node"""
    weights: Any
    """float64 (N, A)"""
    returns: Any
    """float64 (N, P)"""
    faces: Any
    """int8 (N, dice)"""
    forced_dice: Any
    """int8 (0, dice + 1): no throws are given from outside"""
    numbers: Any
    """int32 (N, 3, R): see `nodes.keep_subtree`"""
    moving: Any
    """int64 (N, 4): see `nodes.keep_subtree`; the first is NONE while no tree is being moved"""


# --- roots ---


@kernel
def begin_search(i: int, settings: Settings, games: GameArrays, tree: Tree, roots: Roots) -> None:
    """Prepares an evaluated root: its noise, the visits that its edges have, and whether it is proved."""
    root = tree.nodes[0]
    base = draw(games.player_rng[i]) if settings.noise > 0 else NO_WORDS
    total = 0.0
    for k in range(root.count):
        edge = tree.edges[root.first + k]
        roots.before[i, k] = edge.visits
        noise = 0.0
        if settings.gumbel:
            if settings.noise > 0:
                noise = settings.noise * gumbel(word_of(base, edge.action))
            roots.noise[i, k] = noise + math.log(edge.prior)
        else:
            if settings.noise > 0:
                noise = gamma(word_of(base, edge.action), settings.alpha)
            roots.noise[i, k] = noise
            total += noise
    if not settings.gumbel:
        share = settings.noise if total > 0 else 0.0  # with a tiny alpha all may be 0
        for k in range(root.count):
            noise = share * roots.noise[i, k] / max(total, MIN_PRIOR)
            roots.noise[i, k] = (1 - share) * tree.edges[root.first + k].prior + noise
    if settings.prove:
        roots.winner[i] = forced_winner(0, tree)


# --- leaves ---


@kernel
def absorb_leaves(
    i: int, low: int, ranks: Any, logits: Any, values: Any, settings: Settings, games: GameArrays, tree: Tree,
    roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """Takes in the evaluations of all leaves of tree i that wait. FINISHED, or what keeps it from that."""
    for row in range(i * settings.leaves, i * settings.leaves + leaves.counts[i]):
        if leaves.nodes[row] != NONE:
            told = absorb(i, low, row, ranks[row], logits, values, settings, games, tree, roots, leaves, scratch)
            if told != FINISHED:
                return told
    leaves.counts[i] = 0
    leaves.blocked[i] = False
    return FINISHED


@kernel
def absorb(
    i: int, low: int, row: int, rank: int, logits: Any, values: Any, settings: Settings, games: GameArrays, tree: Tree,
    roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """Gives a leaf its edges, priors and values, and passes the values up. FINISHED, or what keeps it from that."""
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
def back_up(i: int, leaf: int, low: int, settings: Settings, tree: Tree, roots: Roots, scratch: Scratch) -> None:
    """Adds what each seat gets from ``leaf`` on, and on the way there, to all edges that led there; and proves what can
    be proved."""
    node, returns, winner = tree.nodes[leaf], scratch.returns, NONE
    over, seats = node.status == OVER, returns.shape[1]
    for seat in range(seats):
        returns[low, seat] = 0.0 if over else node.values[seat]
    if settings.prove and over and tree.states[leaf].end > MAX_PLIES and node.gains[0] != node.gains[1]:
        winner = 0 if node.gains[0] > node.gains[1] else 1
    n = leaf
    while n > 0:
        node, edge = tree.nodes[n], tree.edges[tree.nodes[n].edge]
        edge.visits += 1
        edge.pending -= 1
        for seat in range(seats):
            returns[low, seat] += node.gains[seat]
        if edge.winner != NONE:  # proved while the leaf waited: its means are the result
            for seat in range(seats):
                returns[low, seat] = edge.means[seat]
        elif winner != NONE:
            edge.winner = winner
            for seat in range(seats):
                edge.means[seat] = returns[low, seat]
        else:
            for seat in range(seats):
                edge.means[seat] += (returns[low, seat] - edge.means[seat]) / edge.visits
        n = node.parent
        if winner != NONE:
            winner = forced_winner(n, tree)
    if winner != NONE:
        roots.winner[i] = winner


@kernel
def take_back(n: int, tree: Tree) -> None:
    """Forgets a simulation that has come to node n."""
    while n > 0:
        e = tree.nodes[n].edge
        n = tree.nodes[n].parent
        tree.edges[e].pending -= 1
