"""Monte Carlo tree search over many games at once, each thread searching its own rows.

The search is UCT (Kocsis and Szepesvári, *Bandit Based Monte-Carlo Planning*, ECML 2006) with a value for each seat:
at each node the seat to act takes every action once, in random order, and then the one of the highest upper confidence
bound of its own value. Chance is thrown afresh in each simulation; different throws after one action lead to different
nodes. A simulation ends with an ``outcome``: `played_outcome`, of a roll-out to the end of the game, or
`network_outcome`, what a small network says. A value is the sum of the rewards from the ply on, intermediate ones and
all.

In games of two seats without dice, wins are proved as well (Winands, Björnsson and Saito, *Monte-Carlo Tree Search
Solver*, CG 2008): a seat with an action that wins by force takes it, and none that loses by force while it has another.

A tree's nodes and edges lie in arrays, a row a game (see `Trees`): each simulation adds one edge and one node at most
(with a network, those of one turn).
Both hang together by linked lists: a node's edges, and an edge's nodes, one for each throw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from parlour.engine.arrays import Arrays
from parlour.engine.repetition import copy_keys
from parlour.rulebook.hashing import hash_words
from parlour.rulebook.masks import count_legal, random_legal
from parlour.rulebook.protocol import MAX_PLIES, RUNNING, Record, Rules

rules: Rules
ply: Any
roll_out: Any
outcome: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

ZERO = np.uint64(0)
NONE = -1
DONE, DEPTH, MOVED = 0, 1, 2
MAX_EFFORT = roll_out.MAX_EFFORT
"""The most work of one call, in random plies."""
DESCENT = 16
"""The work of a ply within a tree, in random plies."""
NODES_A_UNIT = 16
"""This many nodes that are examined count as one ply."""

NODE = np.dtype(
    [
        ("key", np.uint64),  #        tells the state, all of it, from others under the same edge
        ("first_edge", np.int32),  #  the edge tried last, NONE before the first
        ("sibling", np.int32),  #     another node under the same edge, or NONE
        ("visits", np.int32),
    ],
    align=True,
)
EDGE = np.dtype(
    [
        ("action", np.int32),
        ("next", np.int32),  #         another edge of the same node, or NONE
        ("first_child", np.int32),  #  a node that it leads to, or NONE where the game is over
        ("visits", np.int32),
        ("winner", np.int8),  #        the seat that wins by force after it, NONE while that is not proved
    ],
    align=True,
)


class Trees(NamedTuple):
    """The trees of N games, with room for M nodes and as many edges each."""

    nodes: Any
    """(N, M) records of `NODE`; the root is node 0"""
    edges: Any
    """(N, M) records of `EDGE`"""
    values: Any
    """float64 (N, M, P): for each edge and seat, the sum of the returns of its visits"""
    sizes: Any
    """int64 (N, 2): how many nodes and edges there are"""


class Scratch(NamedTuple):
    """The memory of a thread, at row ``low`` of each array; ``states``, ``words`` and the last five at the row of the
    game, since a call may leave a simulation, or the move to another root, unfinished."""

    states: Any
    """(N, 2) records: the state that is played on, and one to try plies on"""
    words: Any
    """uint64 (N, 2, state size / 8): the same bytes"""
    variants: Any
    """(N,) records: the variant as roll-outs play it, without repetition"""
    history: Any
    """uint64 (N, K)"""
    masks: Any
    """int8 (N, A₈)"""
    mask_words: Any
    """uint64 (N, A₈ / 8): the same bytes"""
    spare: Trees
    """room for another tree"""
    rewards: Any
    """float64 (N, P), of the simulation"""
    paths: Any
    """int64 (N, M): its edges"""
    before: Any
    """float64 (N, M, P): its rewards before each of them"""
    progress: Any
    """int64 (N, 3): how many simulations are done (`DONE`), −1 before the tree is planted; how many edges the
    unfinished one has (`DEPTH`), −1 for none; and how many nodes and edges have been moved (`MOVED`) while a tree gets
    another root, −1 otherwise"""


# --- the tree ---


@kernel
def new_node(i: int, key: Any, trees: Trees) -> int:
    """A node without edges."""
    n = trees.sizes[i, 0]
    trees.sizes[i, 0] += 1
    node = trees.nodes[i, n]
    node.key = key
    node.first_edge = NONE
    node.sibling = NONE
    node.visits = 0
    return n


@kernel
def new_edge(i: int, n: int, action: int, trees: Trees) -> int:
    """An edge of node n that has not been visited."""
    e = trees.sizes[i, 1]
    trees.sizes[i, 1] += 1
    edge = trees.edges[i, e]
    edge.action = action
    edge.next = trees.nodes[i, n].first_edge
    edge.first_child = NONE
    edge.visits = 0
    edge.winner = NONE
    trees.values[i, e, :] = 0
    trees.nodes[i, n].first_edge = e
    return e


@kernel
def child(i: int, e: int, key: Any, trees: Trees) -> int:
    """The node to which edge e leads where the state has this key."""
    n = trees.edges[i, e].first_child
    while n != NONE and trees.nodes[i, n].key != key:
        n = trees.nodes[i, n].sibling
    if n == NONE:
        n = new_node(i, key, trees)
        trees.nodes[i, n].sibling = trees.edges[i, e].first_child
        trees.edges[i, e].first_child = n
    return n


@loop
def plant(i: int, key: Any, trees: Trees, scratch: Scratch) -> int:
    """Makes the node with this key, if the tree has it, the root, keeping what is under it; else begins a new tree, as
    it does if more than half of the room would be kept. Large trees take several calls: ``scratch.progress`` says when
    it is done. Returns the amount of work, as `MAX_EFFORT` counts it."""
    effort, progress = 0, scratch.progress[i]
    if progress[MOVED] == NONE:
        root = NONE
        for n in range(trees.sizes[i, 0]):
            if trees.nodes[i, n].key == key:
                root = n
                break
        effort += trees.sizes[i, 0] // NODES_A_UNIT
        if root == NONE:
            trees.sizes[i, 0] = 0
        elif root > 0:
            begin_transplant(i, root, trees, scratch)
    if progress[MOVED] != NONE:
        effort += transplant(i, trees, scratch)
    if progress[MOVED] == NONE:
        if trees.sizes[i, 0] == 0 or trees.sizes[i, 1] > trees.nodes.shape[1] // 2:
            trees.sizes[i, 0] = 0
            trees.sizes[i, 1] = 0
            new_node(i, key, trees)
        progress[DONE], progress[DEPTH] = 0, NONE
    return effort


@kernel
def begin_transplant(i: int, root: int, trees: Trees, scratch: Scratch) -> None:
    """Begins to drop everything that is not under node ``root``."""
    scratch.progress[i, MOVED] = 0
    scratch.paths[i, 0] = root
    scratch.spare.nodes[i, 0] = trees.nodes[i, root]
    scratch.spare.nodes[i, 0].sibling = NONE
    scratch.spare.sizes[i, 0] = 1
    scratch.spare.sizes[i, 1] = 0


@kernel
def transplant(i: int, trees: Trees, scratch: Scratch) -> int:
    """Copies what is kept to ``scratch.spare``, in order of breadth, then back: ``scratch.progress`` counts the nodes
    of the first and the edges of the second. ``scratch.paths`` has the old number of each node. Stops when it has done
    as much as a call may do. Returns how much that was."""
    spare, progress, order, effort = scratch.spare, scratch.progress[i], scratch.paths[i], 0
    while progress[MOVED] < spare.sizes[i, 0] and effort < MAX_EFFORT:
        effort += 1 + copy_children(i, progress[MOVED], order, trees, spare)
        progress[MOVED] += 1
    nodes, edges = spare.sizes[i, 0], spare.sizes[i, 1]
    while nodes <= progress[MOVED] < nodes + edges and effort < MAX_EFFORT:
        e = progress[MOVED] - nodes
        trees.edges[i, e] = spare.edges[i, e]
        for seat in range(trees.values.shape[2]):
            trees.values[i, e, seat] = spare.values[i, e, seat]
        effort += 1
        progress[MOVED] += 1
    if progress[MOVED] == nodes + edges and effort < MAX_EFFORT:
        for n in range(nodes):
            trees.nodes[i, n] = spare.nodes[i, n]
        trees.sizes[i, 0], trees.sizes[i, 1] = nodes, edges
        progress[MOVED] = NONE
    return effort


@kernel
def copy_children(i: int, n: int, order: Any, trees: Trees, spare: Trees) -> int:
    """Copies the edges of node n of ``spare``, which was node ``order[n]``, and the nodes they lead to. Returns how
    many edges."""
    first = spare.sizes[i, 1]
    old = trees.nodes[i, order[n]].first_edge
    spare.nodes[i, n].first_edge = NONE
    while old != NONE:
        e = spare.sizes[i, 1]
        spare.sizes[i, 1] += 1
        spare.edges[i, e] = trees.edges[i, old]
        spare.edges[i, e].next = spare.nodes[i, n].first_edge
        spare.edges[i, e].first_child = NONE
        for seat in range(trees.values.shape[2]):
            spare.values[i, e, seat] = trees.values[i, old, seat]
        spare.nodes[i, n].first_edge = e
        m = trees.edges[i, old].first_child
        while m != NONE:
            k = spare.sizes[i, 0]
            spare.sizes[i, 0] += 1
            order[k] = m
            spare.nodes[i, k] = trees.nodes[i, m]
            spare.nodes[i, k].sibling = spare.edges[i, e].first_child
            spare.edges[i, e].first_child = k
            m = trees.nodes[i, m].sibling
        old = trees.edges[i, old].next
    return spare.sizes[i, 1] - first


# --- a simulation ---


@kernel
def untried(i: int, n: int, mask: Any, words: Any, player_rng: Record, trees: Trees) -> int:
    """A legal action that node n has no edge for, uniformly at random; NONE when all have been tried. ``mask`` is left
    with the untried ones alone."""
    e = trees.nodes[i, n].first_edge
    while e != NONE:
        mask[trees.edges[i, e].action] = 0
        e = trees.edges[i, e].next
    return random_legal(words, count_legal(words), player_rng)


@kernel
def preference(edge: Record, seat: int) -> int:
    """1 for an edge after which ``seat`` wins by force, −1 where the other seat does, else 0."""
    if edge.winner == NONE:
        return 0
    return 1 if edge.winner == seat else -1


@kernel
def best_edge(i: int, n: int, seat: int, exploration: float, trees: Trees) -> int:
    """The edge of node n that ``seat`` prefers, of several the one with the highest upper confidence bound of its
    value (UCB1)."""
    log = math.log(trees.nodes[i, n].visits)
    best, liked, highest = NONE, -2, -math.inf
    e = trees.nodes[i, n].first_edge
    while e != NONE:
        edge = trees.edges[i, e]
        like = preference(edge, seat)
        bound = trees.values[i, e, seat] / edge.visits + exploration * math.sqrt(log / edge.visits)
        if like > liked or (like == liked and bound > highest):
            best, liked, highest = e, like, bound
        e = edge.next
    return best


@kernel
def forced_winner(i: int, n: int, seat: int, complete: bool, trees: Trees) -> int:
    """The seat that wins by force from node n, where ``seat`` is to act: itself by any winning edge, the other if every
    action has an edge (``complete``) and none but losing ones; NONE while neither is proved."""
    loses = complete
    e = trees.nodes[i, n].first_edge
    while e != NONE:
        like = preference(trees.edges[i, e], seat)
        if like > 0:
            return seat
        loses = loses and like < 0
        e = trees.edges[i, e].next
    return 1 - seat if loses else NONE


@loop
def search_rows(
    low: int,
    high: int,
    row_mask: Any,
    simulations: int,
    greedy: bool,
    exploration: float,
    arrays: Arrays,
    trees: Trees,
    scratch: Scratch,
    weights: Any,
) -> int:
    """Adds simulations to the tree of every chosen row (bool (N,)), until ``scratch.progress`` says that
    ``simulations`` are done, or the call has done so much that it should be interruptible. Chance and choices come from
    the rows' ``player_rng``, never from the streams of their dice. A tree that is full grows no more. Returns twice the
    number of plies of roll-outs that were played, plus 1 if it must be called again."""
    seats, room = arrays.rewards.shape[1], trees.nodes.shape[1]
    variant = scratch.variants[low]
    mask, mask_words, seen = scratch.masks[low], scratch.mask_words[low], scratch.history[low]
    faces = np.empty(max(rules.DICE, 1), np.int8)
    no_forced_dice = np.zeros((0, rules.DICE + 1), np.int8)
    bits = np.empty(arrays.legal_bits.shape[1], np.uint64)
    tried, nodes = np.zeros(seats), np.empty(room, np.int64)  # zeros would be written: far more than is ever used
    movers, complete = np.empty(room, np.int64), np.empty(room, np.bool_)
    solving = rules.DICE == 0 and seats == 2
    rolled, effort, unfinished = 0, 0, 0
    for i in range(low, high):
        if not row_mask[i]:
            continue
        player_rng = arrays.player_rng[i]
        state, after, words = scratch.states[i, 0], scratch.states[i, 1:], scratch.words[i, 0]
        rewards, path, before = scratch.rewards[i], scratch.paths[i], scratch.before[i]
        scratch.variants[low] = arrays.variants[i]
        variant.repetition = 0
        if scratch.progress[i, DONE] < 0 and effort < MAX_EFFORT:
            scratch.states[i, 0] = arrays.states[i]
            effort += plant(i, hash_words(words), trees, scratch)
        if scratch.progress[i, DONE] < 0:
            unfinished = 1
            break
        while scratch.progress[i, DONE] < simulations:
            if effort >= MAX_EFFORT:
                unfinished = 1
                break
            depth = scratch.progress[i, DEPTH]
            if depth < 0 and max(trees.sizes[i, 0], trees.sizes[i, 1]) + outcome.MAX_NEW > room:
                scratch.progress[i, DONE] = simulations
                break
            if depth < 0:
                scratch.states[i, 0] = arrays.states[i]
                copy_keys(arrays.history[i], arrays.states[i].seen, seen)
                rewards[:] = 0
                n, depth, new, expanded = 0, 0, 0, False
                while state.end == RUNNING and not expanded and ply.has_room(state, arrays.variants[i], seen):
                    rules.legal(state, arrays.variants[i], mask, mask_words)
                    action = untried(i, n, mask, mask_words, player_rng, trees)
                    is_new = action != NONE
                    e = new_edge(i, n, action, trees) if is_new else best_edge(i, n, state.to_act, exploration, trees)
                    trees.nodes[i, n].visits += 1
                    path[depth], nodes[depth], movers[depth], complete[depth] = e, n, state.to_act, not is_new
                    for seat in range(seats):
                        before[depth, seat] = rewards[seat]
                    depth += 1
                    action = trees.edges[i, e].action
                    new += is_new
                    expanded = outcome.play_edge(
                        state, arrays.variants[i], action, new, player_rng, no_forced_dice, faces, seen, rewards
                    )
                    if state.end == RUNNING and not expanded:  # so that no more nodes than edges are made
                        n = child(i, e, hash_words(words), trees)
                if solving and state.end > MAX_PLIES and rewards[0] != rewards[1]:
                    trees.edges[i, path[depth - 1]].winner = 0 if rewards[0] > rewards[1] else 1
                    for d in range(depth - 1, 0, -1):
                        winner = forced_winner(i, nodes[d], movers[d], complete[d], trees)
                        if winner == NONE:
                            break
                        trees.edges[i, path[d - 1]].winner = winner
                effort += DESCENT * depth
                scratch.progress[i, DEPTH] = depth
            before_rolling = state.plies
            effort += outcome.finish(
                i, state, variant, greedy, player_rng, mask, mask_words, bits, no_forced_dice, faces, seen, after,
                tried, rewards, weights,
            )  # fmt: skip
            rolled += state.plies - before_rolling
            if state.end == RUNNING and not outcome.IS_VALUE:
                unfinished = 1
                break
            scratch.progress[i, DEPTH] = -1
            scratch.progress[i, DONE] += 1
            for d in range(depth):
                trees.edges[i, path[d]].visits += 1
                for seat in range(seats):
                    trees.values[i, path[d], seat] += rewards[seat] - before[d, seat]
    return 2 * rolled + unfinished


@kernel
def most_visited(low: int, high: int, row_mask: Any, trees: Trees, states: Any, actions: Any) -> None:
    """Writes into ``actions`` (int64 (N,)) of every chosen row, of the actions that the seat to act prefers, the one
    that was visited most, of several that of the highest value."""
    for i in range(low, high):
        if not row_mask[i]:
            continue
        seat, liked, most, highest = states[i].to_act, -2, 0, -math.inf
        e = trees.nodes[i, 0].first_edge
        while e != NONE:
            edge = trees.edges[i, e]
            value = trees.values[i, e, seat] / edge.visits
            like = preference(edge, seat)
            if (like, edge.visits, value) > (liked, most, highest):
                liked, most, highest = like, edge.visits, value
                actions[i] = edge.action
            e = edge.next
