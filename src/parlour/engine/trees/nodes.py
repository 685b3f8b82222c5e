"""Search trees of many games in flat arrays, as `network_search` and `mcts` of `parlour.engine.kernels` grow them.

A *node* is a position, an *edge* an action from it. A node has one edge for each legal action (the trees are sparse);
its edges are adjacent in the array of edges. An edge leads to one node. If dice are thrown after the action, it leads
to one node for each throw that has occurred so far; these nodes form a linked list. A node and its edges are always
added after its parent's, so children have higher numbers, and the edges lie in the order of their nodes.

Axis letters: N games, R nodes per tree, E edges per tree, P seats.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from parlour.engine.bundles import bundle, bundled
from parlour.engine.calls import copy_row
from parlour.rulebook.bits import lowest, without_lowest
from parlour.rulebook.compiling import kernel

NONE = -1
MIN_PRIOR = 1e-30
WAITING, READY, OVER = 0, 1, 2
"""The status of a node: not evaluated yet; evaluated; the game is over there."""


def node_dtype(seats: int) -> np.dtype[Any]:
    """The record of a node, in a game of P = ``seats``. With two seats it has 64 bytes, one cache line."""
    return np.dtype(
        [
            ("rewards", np.float64, (seats,)),  # each seat's reward for the ply that led here and the throws after it
            ("key", np.uint64),  #       with dice: a hash of the state, differs between throws; else: the position key
            ("repeats", np.uint64),  #   if repetition counts: a hash of all positions that could occur again
            ("values", np.float32, (seats,)),  # by the network: what each seat can expect from here on
            ("parent", np.int32),  #     the parent node, NONE at the root
            ("edge", np.int32),  #       the parent's edge that leads here
            ("sibling", np.int32),  #    the next node that the same edge leads to, or NONE
            ("first", np.int32),  #      its first edge; edges are added when it is evaluated
            ("count", np.int16),  #      its number of edges
            ("tried", np.int16),  #     how many edges simulations have taken: the first ones (in UCT at the root, too)
            ("status", np.int8),  #      WAITING, READY or OVER
            ("to_act", np.int8),  #      the seat to act
        ],
        align=True,
    )


def edge_dtype(seats: int) -> np.dtype[Any]:
    """The record of an edge, in a game of P = ``seats``."""
    return np.dtype(
        [
            ("q_values", np.float32, (seats,)),  # the mean return of each seat over its visits
            ("prior", np.float32),  #   the network's probability of the action, at least `MIN_PRIOR`
            ("child", np.int32),  #     the node it leads to, the newest one of several; NONE before the first visit
            ("visits", np.int32),  #    simulations through it that are backed up
            ("pending", np.int16),  #   simulations through it that still wait for an evaluation
            ("action", np.int16),
            ("winner", np.int8),  #     the seat that wins by force after it; NONE if none is proved
            ("chance", np.int8),  #     1 if dice are thrown after it
        ],
        align=True,
    )


@bundle
class Trees(NamedTuple):
    """The trees of N games."""

    nodes: Any
    """(N, R) records of `node_dtype`; the root is node 0"""
    edges: Any
    """(N, E) records of `edge_dtype`"""
    states: Any
    """(N, R) states: the nodes' positions, see `parlour.engine.calls.state_at`"""
    words: Any
    """uint64 (N, R, state size / 8): the same bytes"""
    sizes: Any
    """int64 (N, 2): the numbers of nodes and edges in use"""


@bundle
class Tree(NamedTuple):
    """One of these trees: views of one row of `Trees`."""

    nodes: Any
    """(R,)"""
    edges: Any
    """(E,)"""
    states: Any
    """(R,)"""
    words: Any
    """uint64 (R, state size / 8)"""
    sizes: Any
    """int64 (2,)"""


@kernel
def tree_of(i: int, trees: Trees) -> Tree:
    """Tree i, as views."""
    return bundled(Tree(trees.nodes[i], trees.edges[i], trees.states[i], trees.words[i], trees.sizes[i]))


@kernel
def clear_tree(tree: Tree) -> None:
    """Makes a tree empty."""
    tree.sizes[0] = 0
    tree.sizes[1] = 0


@kernel
def add_node(parent: int, edge: int, status: int, to_act: int, tree: Tree) -> int:
    """Adds a node without edges and returns its number. The caller sets its state, rewards and hashes."""
    n = tree.sizes[0]
    tree.sizes[0] += 1
    node = tree.nodes[n]
    node.parent, node.edge, node.status, node.to_act = parent, edge, status, to_act
    node.sibling, node.first, node.count, node.tried = NONE, 0, 0, 0
    if edge != NONE:
        node.sibling = tree.edges[edge].child
        tree.edges[edge].child = n
    return n


@kernel
def add_edges(n: int, bits: Any, row: int, count: int, tree: Tree) -> None:
    """Adds an edge to node n for each of its ``count`` legal actions, whose bits are set in row ``row`` of ``bits``
    (uint64 (M, A₆₄ / 64))."""
    e = tree.sizes[1]
    tree.sizes[1] += count
    node = tree.nodes[n]
    node.first, node.count = e, count
    for w in range(bits.shape[1]):
        word = bits[row, w]
        while word:
            edge = tree.edges[e]
            edge.action = 64 * w + lowest(word)
            edge.child, edge.visits, edge.pending, edge.winner, edge.chance = NONE, 0, 0, NONE, 0
            edge.q_values[:] = 0
            word = without_lowest(word)
            e += 1


# --- which edge of a node is tried next ---


@kernel
def bring_forward(n: int, tree: Tree) -> None:
    """Moves the untried edge of node n with the highest prior to the first place after the tried edges. If several
    have this prior, it is the edge of the lowest action."""
    node = tree.nodes[n]
    head, end = node.first + node.tried, node.first + node.count
    best = head
    for e in range(head, end):
        edge, leader = tree.edges[e], tree.edges[best]
        if edge.prior > leader.prior or (edge.prior == leader.prior and edge.action < leader.action):
            best = e
    if best != head:
        edge, leader = tree.edges[head], tree.edges[best]
        edge.prior, leader.prior = leader.prior, edge.prior
        edge.action, leader.action = leader.action, edge.action


# --- keeping a part of a tree ---


@kernel
def same_state(n: int, words: Any, tree: Tree) -> bool:
    """Whether the state of node n equals ``words``: uint64 (state size / 8,)."""
    same = True
    for k in range(words.shape[0]):
        same = same and tree.words[n, k] == words[k]
    return same


@kernel
def find_position(words: Any, repeats: Any, tree: Tree) -> int:
    """The evaluated node with this state and these earlier positions; NONE if there is none."""
    for n in range(tree.sizes[0]):
        node = tree.nodes[n]
        if node.status == READY and node.repeats == repeats and same_state(n, words, tree):
            return n
    return NONE


@kernel
def keep_subtree(limit: int, moving: Any, old_first: Any, new_first: Any, new_number: Any, tree: Tree) -> bool:
    """Keeps one node, which becomes node 0, and the subtree below it; drops all other nodes. The kept nodes move to the
    front, in the same order. One call looks at no more than ``limit`` nodes; call it again until it returns True.

    ``moving``: int64 (4,): the node to keep, the next node to look at, and how many nodes and edges have been moved;
    `begin_moving` sets it up. The other arrays are scratch: int32 (R,).
    """
    root, nodes, edges = moving[0], moving[2], moving[3]
    end = min(moving[1] + limit, tree.sizes[0])
    for n in range(moving[1], end):
        node = tree.nodes[n]
        parent = node.parent
        new_number[n] = NONE
        if n != root and (n < root or new_number[parent] == NONE):
            continue
        old_first[n], new_first[n] = node.first, edges
        for k in range(node.count):
            tree.edges[edges + k] = tree.edges[node.first + k]
            tree.edges[edges + k].child = NONE  # linked again when the child is moved
        if n == root:
            node.parent, node.edge, node.sibling = NONE, NONE, NONE
        else:
            above = new_first[parent] + node.edge - old_first[parent]
            node.parent, node.edge, node.sibling = new_number[parent], above, tree.edges[above].child
            tree.edges[above].child = nodes
        node.first = edges
        tree.nodes[nodes] = node
        copy_row(tree.states, n, tree.states, nodes)
        new_number[n] = nodes
        edges += tree.nodes[nodes].count
        nodes += 1
    moving[1], moving[2], moving[3] = end, nodes, edges
    if end < tree.sizes[0]:
        return False
    moving[0] = NONE
    tree.sizes[0] = nodes
    tree.sizes[1] = edges
    return True


@kernel
def begin_moving(root: int, moving: Any) -> None:
    """Sets up ``moving`` for `keep_subtree`: node ``root`` is to be kept."""
    moving[0], moving[1], moving[2], moving[3] = root, 0, 0, 0
