"""Tree search with any network, over many games at once, each thread searching its own rows.

The trees, and the formulas by which edges are chosen, are in `parlour.engine.trees`; this module adds a game's rules.

A search works in rounds. `simulate_rows` runs simulations until each tree has its leaves, and writes their observations
and masks. The caller evaluates all leaves in one call. The next round expands these leaves and backs their values up
before it runs simulations again. A value is the sum of future rewards, one per seat.

In games of two seats without dice, wins are proved (Winands, Björnsson and Saito, *Monte-Carlo Tree Search Solver*, CG
2008). An edge to a decided end is won by the winner. A node is won by its seat to act if one of its edges is, and by
the other seat if all its edges are. A root that is proved is not searched further.
"""

from __future__ import annotations

from typing import Any

from parlour.engine.calls import state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import tree_plies
from parlour.engine.kernels.tree_plies import WORK
from parlour.engine.prefetch import prefetch
from parlour.engine.trees import policies, updates
from parlour.engine.trees.nodes import NONE, OVER, READY, WAITING, Tree, Trees, bring_forward, tree_of
from parlour.engine.trees.policies import OPEN, Roots, TreeSettings
from parlour.engine.trees.updates import FINISHED, PAUSED, GameArrays, Leaves, Scratch
from parlour.rulebook.compiling import kernel
from parlour.rulebook.masks import pack_legal
from parlour.rulebook.planes import fill

# --- roots ---


@kernel
def root_rows(
    low: int, high: int, rules: GameFunctions, row_mask: Any, keep: bool, max_kept: int, settings: TreeSettings,
    games: GameArrays, trees: Trees, roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """Makes the present position of every chosen row (bool (N,)), none of them over, the root of its tree. The subtree
    below it is kept if ``keep`` and the tree has the position, with at most ``max_kept`` nodes; otherwise the tree
    begins anew, and its root waits for evaluation. Begins at row ``scratch.progress[low]``."""
    work = 0
    for i in range(max(low, scratch.progress[low]), high):
        if not row_mask[i]:
            continue
        if work > WORK:
            scratch.progress[low] = i
            return PAUSED
        tree = tree_of(i, trees)
        work += tree.sizes[0] + 1
        if not tree_plies.set_root(i, keep, max_kept, games, tree, scratch):
            scratch.progress[low] = i
            return PAUSED
        if tree.nodes[0].status == WAITING:
            leaves.nodes[i * settings.leaves] = 0
            leaves.counts[i] = 1
            observe_leaf(rules, i, 0, i * settings.leaves, low, games, tree, leaves, scratch)
        roots.started[i] = 0
        roots.winner[i] = NONE
        if tree.nodes[0].status == READY:
            updates.begin_search(i, settings, games, tree, roots)
    scratch.progress[low] = high
    return FINISHED


@kernel
def observe_leaf(
    rules: GameFunctions, i: int, n: int, row: int, low: int, games: GameArrays, tree: Tree, leaves: Leaves,
    scratch: Scratch,
) -> None:  # fmt: skip
    """Writes what the seat to act at node n sees, and its mask, into a row of the leaves."""
    state, variant = state_at(tree.states, n), variant_at(games.variants, i)
    tree_plies.legal(rules, i, n, low, games, tree, scratch, leaves.masks[row], leaves.words[row])
    leaves.legal_counts[row] = pack_legal(leaves.words[row], leaves.legal_bits[row])
    rules.observe(state, variant, state.to_act, leaves.observations[row])
    first = leaves.observations.shape[1] // leaves.plane_size - leaves.variant_planes.shape[1]
    for e in range(leaves.variant_planes.shape[1]):
        fill(leaves.observations[row], first + e, leaves.plane_size, leaves.variant_planes[i, e])


# --- down ---


@kernel
def simulate_rows(
    low: int, high: int, rules: GameFunctions, row_mask: Any, number: int, ranks: Any, logits: Any, values: Any,
    schedule: Any, settings: TreeSettings, games: GameArrays, trees: Trees, roots: Roots, leaves: Leaves,
    scratch: Scratch,
) -> int:  # fmt: skip
    """A round of every chosen row, all of a tree's work at once, while its memory is in the cache: backs up the
    evaluations of the leaves that wait, and runs simulations until the tree has its leaves again, has begun all its
    simulations, or is proved. Begins at row ``scratch.progress[low]``.

    ``number``: the number of the round; ``ranks``: int64 (N · L,), the row of a leaf's evaluation in ``logits``
    (float32 (M, A)) and ``values`` (float32 (M, P), the seat to act first, then those after it); ``schedule``: int32
    (considered + 1, simulations), see `parlour.players.search.tree_methods.sequential_halving`.
    """
    work = 0
    for i in range(max(low, scratch.progress[low]), high):
        if not row_mask[i]:
            continue
        if i + 3 < high:
            prefetch_path(i + 3, 0, settings, trees, leaves)
            prefetch_path(i + 2, 1, settings, trees, leaves)
            prefetch_path(i + 1, 2, settings, trees, leaves)
        tree = tree_of(i, trees)
        if leaves.rounds[i] != number:
            code = updates.expand_leaves(i, low, ranks, logits, values, settings, games, tree, roots, leaves, scratch)
            if code != FINISHED:
                scratch.progress[low] = i
                return code
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
            work += descend(rules, i, low, schedule, settings, games, tree, roots, leaves, scratch)
    scratch.progress[low] = high
    return FINISHED


@kernel
def prefetch_path(i: int, up: int, settings: TreeSettings, trees: Trees, leaves: Leaves) -> None:
    """Prefetches the memory of tree i that is needed first: its root, its first waiting leaf, and the place of that
    leaf's edges; or, with ``up`` above 0, the node ``up`` steps above that leaf."""
    n = leaves.nodes[i * settings.leaves]
    if up == 0:
        end = trees.sizes[i, 1]
        for k in range(0, 8, 2):  # a cache line holds about two edges
            prefetch(trees.edges, i, k)
            prefetch(trees.edges, i, end + k)
        prefetch(trees.nodes, i, 0)
        prefetch(trees.nodes, i, max(n, 0))
        return
    for _ in range(up - 1):
        if n > 0:
            n = trees.nodes[i, n].parent
    if n > 0:
        prefetch(trees.nodes, i, trees.nodes[i, n].parent)
        prefetch(trees.edges, i, trees.nodes[i, n].edge)


@kernel
def descend(
    rules: GameFunctions, i: int, low: int, schedule: Any, settings: TreeSettings, games: GameArrays, tree: Tree,
    roots: Roots, leaves: Leaves, scratch: Scratch,
) -> int:  # fmt: skip
    """One simulation, from the root to a new node, which then waits for its evaluation, or to the end of a game, which
    is backed up at once. A simulation that reaches a node that already waits is taken back, with its throws: they come
    again in the next round, else frequent throws would come too seldom. Returns how many nodes it went through."""
    n, length, stream = 0, 0, games.player_rng[i].counter
    while tree.nodes[n].status == READY:
        e = choose_edge(i, n, low, schedule, settings, tree, roots, scratch)
        tree.edges[e].pending += 1
        known = tree.sizes[0]
        edge = tree.edges[e]
        above, n = n, edge.child
        if n == NONE or edge.chance:
            n = play_edge(rules, i, above, e, low, games, tree, scratch)
        length += 1
        if n == known and tree.nodes[n].status == WAITING:
            row = i * settings.leaves + leaves.counts[i]
            leaves.nodes[row] = n
            leaves.counts[i] += 1
            observe_leaf(rules, i, n, row, low, games, tree, leaves, scratch)
            roots.started[i] += 1
            return length
    if tree.nodes[n].status == OVER:
        roots.started[i] += 1
        updates.back_up(i, n, low, settings, tree, roots, scratch)
    else:
        leaves.blocked[i] = True
        games.player_rng[i].counter = stream
        updates.take_back(n, tree)
    return length


@kernel
def choose_edge(
    i: int, n: int, low: int, schedule: Any, settings: TreeSettings, tree: Tree, roots: Roots, scratch: Scratch
) -> int:
    """The edge of node n that a simulation takes. Counts it as tried if it is new."""
    node = tree.nodes[n]
    if not settings.gumbel:
        e = policies.puct_edge(i, n, settings, tree, roots)
    elif n == 0:
        considered_visits = schedule[min(settings.max_num_considered_actions, node.count), roots.started[i]]
        e = policies.gumbel_root_edge(i, considered_visits, OPEN, settings, tree, roots)
    else:
        e = policies.gumbel_edge(n, settings, tree, scratch.weights, low)
    if n > 0 and e == node.first + node.tried:
        node.tried += 1
        if node.tried < node.count:
            bring_forward(n, tree)
    return e


@kernel
def play_edge(
    rules: GameFunctions, i: int, n: int, e: int, low: int, games: GameArrays, tree: Tree, scratch: Scratch
) -> int:
    """Plays edge e of node n, and its throws. Returns the node to which it leads, which is added if it is new."""
    due = tree_plies.open_edge(rules, i, n, e, games, tree)
    tree_plies.close_edge(rules, i, n, due, low, games, tree, scratch)
    return tree_plies.link(rules, i, n, e, low, games, tree, scratch)


# --- results ---


@kernel
def result_rows(
    low: int, high: int, row_mask: Any, settings: TreeSettings, games: GameArrays, trees: Trees, roots: Roots,
    actions: Any, policy: Any, values: Any, visits: Any,
) -> int:  # fmt: skip
    """Writes the result of the search of every chosen row: the action to play (int64 (N,)), the policy (float64 (N,
    A)), each seat's value (float64 (N, P)) and each action's visits (int64 (N, A)); all arrays begin as zeros."""
    for i in range(low, high):
        if not row_mask[i]:
            continue
        tree = tree_of(i, trees)
        if settings.gumbel:
            best = policies.gumbel_result(i, settings, tree, roots, policy)
        else:
            best = policies.puct_result(i, settings, tree, games.player_rng[i], policy)
        actions[i] = tree.edges[best].action
        root = tree.nodes[0]
        for e in range(root.first, root.first + root.count):
            visits[i, tree.edges[e].action] = tree.edges[e].visits
        for seat in range(values.shape[1]):
            values[i, seat] = policies.root_value(i, seat, settings, tree, policy)
    return FINISHED
