"""Tree search round any network, over many games at once, each thread searching its own rows.

The trees are those of `parlour.engine.trees`, and so are the formulas by which edges are chosen; here they meet a
game's rules.

A search goes in rounds: `grow_rows` sends simulations down the trees until each has its leaves, whose observations and
masks it writes; the caller has them all evaluated in one call; the next round takes the answers in and passes the
values up before it goes down again. All values are sums of rewards to come, one a seat.

Throws are chance nodes: each time a simulation passes an action that is followed by throws it makes them afresh, with
their exact probabilities, from the row's stream for players (never from that of its dice); what a throw leads to is
found again by its state and rewards.

In games of two seats without dice wins are proved (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, CG
2008): an edge to a won end is won by its winner, and so is a node where its seat to act has a winning edge, or no edge
that does not lose. A root that is proved is searched no further.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from parlour.engine.trees.nodes import (
    NONE,
    OVER,
    READY,
    WAITING,
    Trees,
    add_node,
    bring_forward,
    clear_tree,
    find_position,
    keep_subtree,
)
from parlour.engine.trees.policies import (
    OPEN,
    Roots,
    Settings,
    gumbel_edge,
    gumbel_result,
    gumbel_root_edge,
    puct_edge,
    puct_result,
    root_value,
)
from parlour.engine.trees.prefetch import prefetch
from parlour.engine.trees.updates import (
    FINISHED,
    PAUSED,
    Games,
    Leaves,
    Scratch,
    absorb_leaves,
    back_up,
    begin_search,
    take_back,
)
from parlour.rulebook.hashing import NO_WORDS, add_word, hash_words
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.protocol import RUNNING, Rules

rules: Rules
ply: Any
kernel: Callable[[Any], Any]
loop: Callable[[Any], Any]

WORK = 50_000
"""Nodes that one call goes through at most, a thread, before it returns: a fraction of a second, so that Ctrl-C is
heard."""


# --- roots ---


@loop
def plant_rows(
    low: int, high: int, chosen: Any, keep: bool, max_kept: int, settings: Settings, games: Games, trees: Trees,
    roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """Makes the present position of every chosen row (bool (N,)), none of them over, the root of its tree. What is
    below it is kept if ``keep`` and the tree has the position with at most ``max_kept`` nodes; otherwise the tree
    begins anew, and its root waits for evaluation. Begins at row ``scratch.progress[low]``."""
    work = 0
    for i in range(max(low, scratch.progress[low]), high):
        if not chosen[i]:
            continue
        if work > WORK:
            scratch.progress[low] = i
            return PAUSED
        work += trees.sizes[i, 0] + 1
        repeats = NO_WORDS
        for k in range(games.states[i].seen if games.variants[i].repetition else 0):
            repeats = add_word(repeats, games.history[i, k])
        if not (keep and keep_position(i, low, max_kept, repeats, games, trees, scratch)):
            clear_tree(i, trees)
            state = games.states[i]
            trees.states[i, 0] = state
            add_node(i, NONE, NONE, WAITING, state.to_act, trees)
            trees.nodes[i, 0].repeats = repeats
            leaves.nodes[i * settings.leaves] = 0
            leaves.counts[i] = 1
            show_leaf(i, 0, i * settings.leaves, games, trees, leaves)
        roots.started[i] = 0
        roots.winner[i] = NONE
        if trees.nodes[i, 0].status == READY:
            begin_search(i, settings, games, trees, roots)
    scratch.progress[low] = high
    return FINISHED


@kernel
def keep_position(i: int, low: int, max_kept: int, repeats: Any, games: Games, trees: Trees, scratch: Scratch) -> bool:
    """Makes row i's position the root of its tree with all that is below it, if the tree has it."""
    if trees.sizes[i, 0] == 0:
        return False
    n = find_position(i, games.words[i], repeats, trees)
    if n > 0:
        numbers = scratch.numbers[low]
        keep_subtree(i, n, numbers[0], numbers[1], numbers[2], trees)
    return n != NONE and trees.sizes[i, 0] <= max_kept


@kernel
def show_leaf(i: int, n: int, row: int, games: Games, trees: Trees, leaves: Leaves) -> None:
    """Writes what the seat to act at node n sees, and its mask, into a row of the leaves."""
    state, variant = trees.states[i, n], games.variants[i]
    rules.legal(state, variant, leaves.masks[row], leaves.words[row])
    leaves.legal_counts[row] = pack_legal(leaves.words[row], leaves.legal_bits[row])
    rules.observe(state, variant, state.to_act, leaves.observations[row])
    first = leaves.observations.shape[1] - leaves.plane_size * leaves.variant_planes.shape[1]
    for e in range(leaves.variant_planes.shape[1]):
        for cell in range(leaves.plane_size):
            leaves.observations[row, first + e * leaves.plane_size + cell] = leaves.variant_planes[i, e]


# --- down ---


@loop
def grow_rows(
    low: int, high: int, chosen: Any, number: int, ranks: Any, logits: Any, values: Any, schedule: Any,
    settings: Settings, games: Games, trees: Trees, roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """A round of every chosen row, all of a tree's work at once since its memory is at hand then: takes in the
    evaluations of the leaves that wait, and sends simulations down until the tree has its leaves again, has begun all
    its simulations, or is proved. Begins at row ``scratch.progress[low]``.

    ``number``: of the round; ``ranks``: int64 (N · L,), where a leaf's evaluation stands in ``logits`` (float32 (M, A))
    and ``values`` (float32 (M, P), the seat to act first, then those after it); ``schedule``: int32 (considered + 1,
    simulations), see `parlour.search.tree_methods.sequential_halving`.
    """
    nothing_given = np.zeros((0, rules.DICE + 1), np.int8)
    faces = np.empty(max(rules.DICE, 1), np.int8)
    work = 0
    for i in range(max(low, scratch.progress[low]), high):
        if not chosen[i]:
            continue
        if i + 3 < high:
            ask_for_path(i + 3, 0, settings, trees, leaves)
            ask_for_path(i + 2, 1, settings, trees, leaves)
            ask_for_path(i + 1, 2, settings, trees, leaves)
        if leaves.rounds[i] != number:
            told = absorb_leaves(i, low, ranks, logits, values, settings, games, trees, roots, leaves, scratch)
            if told != FINISHED:
                scratch.progress[low] = i
                return told
            leaves.rounds[i] = number
        while (
            leaves.counts[i] < settings.leaves
            and not leaves.blocked[i]
            and roots.started[i] < settings.simulations
            and roots.winner[i] == NONE
        ):
            if work > WORK:
                scratch.progress[low] = i
                return PAUSED
            work += descend(
                i, low, schedule, settings, games, trees, roots, leaves, scratch, nothing_given, faces
            )  # fmt: skip
    scratch.progress[low] = high
    return FINISHED


@kernel
def ask_for_path(i: int, up: int, settings: Settings, trees: Trees, leaves: Leaves) -> None:
    """Asks for the memory of the first leaf of tree i that waits, or of the node so many steps ``up`` from it."""
    n = leaves.nodes[i * settings.leaves]
    if up == 0:
        prefetch(trees.nodes, i, 0)
        prefetch(trees.edges, i, 0)
        prefetch(trees.edges, i, 2)
        prefetch(trees.edges, i, 4)
        prefetch(trees.edges, i, 6)
        if n > 0:
            prefetch(trees.nodes, i, n)
        prefetch(leaves.masks, i * settings.leaves, 0)
        prefetch(leaves.masks, i * settings.leaves, 64)
        prefetch(trees.edges, i, trees.sizes[i, 1])
        prefetch(trees.edges, i, trees.sizes[i, 1] + 2)
        prefetch(trees.edges, i, trees.sizes[i, 1] + 4)
        prefetch(trees.edges, i, trees.sizes[i, 1] + 6)
        return
    for _ in range(up - 1):
        if n > 0:
            n = trees.nodes[i, n].parent
    if n > 0:
        node = trees.nodes[i, n]
        prefetch(trees.nodes, i, node.parent)
        prefetch(trees.edges, i, node.edge)


@kernel
def descend(
    i: int, low: int, schedule: Any, settings: Settings, games: Games, trees: Trees, roots: Roots, leaves: Leaves,
    scratch: Scratch, nothing_given: Any, faces: Any,
) -> int:  # fmt: skip
    """One simulation: from the root to a new node, which waits for its evaluation, or to an end, whose value is passed
    up at once; it is taken back if it comes to a node that waits already. Returns how many nodes it went through."""
    n, length = 0, 0
    while trees.nodes[i, n].status == READY:
        e = choose_edge(i, n, low, schedule, settings, trees, roots, scratch)
        trees.edges[i, e].pending += 1
        known = trees.sizes[i, 0]
        edge = trees.edges[i, e]
        above, n = n, edge.child
        if n == NONE or edge.chance:
            n = play_edge(i, above, e, low, games, trees, scratch, nothing_given, faces)
        length += 1
        if n == known and trees.nodes[i, n].status == WAITING:
            row = i * settings.leaves + leaves.counts[i]
            leaves.nodes[row] = n
            leaves.counts[i] += 1
            show_leaf(i, n, row, games, trees, leaves)
            roots.started[i] += 1
            return length
    if trees.nodes[i, n].status == OVER:
        roots.started[i] += 1
        back_up(i, n, low, settings, trees, roots, scratch)
    else:
        leaves.blocked[i] = True
        take_back(i, n, trees)
    return length


@kernel
def choose_edge(
    i: int, n: int, low: int, schedule: Any, settings: Settings, trees: Trees, roots: Roots, scratch: Scratch
) -> int:
    """The edge of node n that a simulation takes, which is opened if it had not been taken before."""
    node = trees.nodes[i, n]
    if not settings.gumbel:
        e = puct_edge(i, n, settings, trees, roots)
    elif n == 0:
        wanted = schedule[min(settings.considered, node.count), roots.started[i]]
        e = gumbel_root_edge(i, wanted, OPEN, settings, trees, roots)
    else:
        e = gumbel_edge(i, n, settings, trees, scratch.weights, low)
    if n > 0 and e == node.first + node.opened:
        node.opened += 1
        if node.opened < node.count:
            bring_forward(i, n, trees)
    return e


@kernel
def play_edge(
    i: int, n: int, e: int, low: int, games: Games, trees: Trees, scratch: Scratch, nothing_given: Any, faces: Any
) -> int:
    """Plays edge e of node n, throws and all. Returns the node that it leads to, which is made if it is new."""
    edge = trees.edges[i, e]
    new, variant = trees.sizes[i, 0], games.variants[i]
    trees.states[i, new] = trees.states[i, n]
    node, state = trees.nodes[i, new], trees.states[i, new]
    gains = node.gains
    gains[:] = 0
    ply.open_ply(state, variant, edge.action, gains)
    if rules.DICE > 0 and state.end == RUNNING and rules.dice_due(state, variant) > 0:
        edge.chance = 1
        ply.make_throws(state, variant, games.player_rng[i], nothing_given, faces, gains)
    counting = variant.repetition != 0 and state.turn_over != 0
    if counting and not state.irreversible:
        recall_positions(i, n, low, games, trees, scratch)
    ply.close_ply(state, variant, scratch.history[low])
    if rules.DICE > 0:
        node.key = hash_words(trees.words[i, new])
        old = find_child(i, edge.child, new, trees)
        if old != NONE:
            return old
    node.repeats = NO_WORDS if state.irreversible else trees.nodes[i, n].repeats
    if counting:
        node.key = scratch.history[low, state.seen - 1]
        node.repeats = add_word(node.repeats, node.key)
    status = WAITING if state.end == RUNNING else OVER
    return add_node(i, n, e, status, state.to_act, trees)


@kernel
def find_child(i: int, child: int, new: int, trees: Trees) -> int:
    """Of the nodes linked from ``child`` on, the one with the state and gains of node ``new``; NONE if there is
    none."""
    while child != NONE:
        if trees.nodes[i, child].key == trees.nodes[i, new].key:
            same = True
            for seat in range(trees.nodes[i, new].gains.shape[0]):
                same = same and trees.nodes[i, child].gains[seat] == trees.nodes[i, new].gains[seat]
            if same:
                return child
        child = trees.nodes[i, child].sibling
    return NONE


@kernel
def recall_positions(i: int, n: int, low: int, games: Games, trees: Trees, scratch: Scratch) -> None:
    """Writes the keys of all positions up to node n that could come again into row ``low`` of ``scratch.history``: the
    tree's own from n upwards, then those of the game."""
    missing = trees.states[i, n].seen
    while n > 0 and missing > 0:
        state = trees.states[i, n]
        if state.turn_over:
            missing = state.seen - 1
            scratch.history[low, missing] = trees.nodes[i, n].key
        n = trees.nodes[i, n].parent
    for k in range(missing):
        scratch.history[low, k] = games.history[i, k]


# --- results ---


@loop
def result_rows(
    low: int, high: int, chosen: Any, settings: Settings, games: Games, trees: Trees, roots: Roots, actions: Any,
    policies: Any, values: Any, visits: Any,
) -> int:  # fmt: skip
    """Writes what every chosen row's search has come to: the action to play (int64 (N,)), the policy (float64 (N, A)),
    each seat's value (float64 (N, P)) and each action's visits (int64 (N, A)); all arrays begin as zeros."""
    for i in range(low, high):
        if not chosen[i]:
            continue
        if settings.gumbel:
            best = gumbel_result(i, settings, trees, roots, policies)
        else:
            best = puct_result(i, settings, trees, games.player_rng[i], policies)
        actions[i] = trees.edges[i, best].action
        root = trees.nodes[i, 0]
        for e in range(root.first, root.first + root.count):
            visits[i, trees.edges[i, e].action] = trees.edges[i, e].visits
        for seat in range(values.shape[1]):
            values[i, seat] = root_value(i, seat, settings, trees, policies)
    return FINISHED
