"""Plies in a search tree of `parlour.engine.trees`: the node to which each leads, and the root.

Throws are chance nodes. Each time a simulation passes an action with throws after it, they are drawn again, with their
exact probabilities, from the row's stream for players (never from that of its dice). The node of a position after a
throw is recognised by its state and rewards.
"""

from __future__ import annotations

from typing import Any

from parlour.engine.calls import copy_row, state_at, variant_at
from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import ply, repeats
from parlour.engine.repetition import FILTER_WORDS, copy_keys, let_all_through
from parlour.engine.trees.nodes import (
    NONE,
    OVER,
    WAITING,
    Tree,
    add_node,
    begin_moving,
    clear_tree,
    find_position,
    keep_subtree,
)
from parlour.engine.trees.updates import GameArrays, Scratch
from parlour.rulebook.compiling import kernel
from parlour.rulebook.hashing import NO_WORDS, add_word, hash_words
from parlour.rulebook.protocol import RUNNING

WORK = 50_000
"""The most nodes that one call visits per thread: a fraction of a second, so that Ctrl-C works."""


# --- the root ---


@kernel
def set_root(i: int, keep: bool, max_kept: int, games: GameArrays, tree: Tree, scratch: Scratch) -> bool:
    """Makes row i's position the root of its tree. The subtree below it is kept if ``keep`` and the tree has the
    position, with at most ``max_kept`` nodes; otherwise the tree begins anew, with a root that is WAITING. Returns
    False if the work exceeds the limit of one call: then call it again."""
    state, repeats = state_at(games.states, i), NO_WORDS
    for k in range(state.seen if variant_at(games.variants, i).repetition else 0):
        repeats = add_word(repeats, games.history[i, FILTER_WORDS + k])
    if keep and not keep_position(i, repeats, games, tree, scratch):
        return False
    if not keep or tree.sizes[0] > max_kept:
        clear_tree(tree)
    if tree.sizes[0] == 0:
        copy_row(games.states, i, tree.states, 0)
        add_node(NONE, NONE, WAITING, state.to_act, tree)
        tree.nodes[0].repeats = repeats
    return True


@kernel
def keep_position(i: int, repeats: Any, games: GameArrays, tree: Tree, scratch: Scratch) -> bool:
    """Makes row i's position the root of its tree with all that is below it; clears a tree that does not have it.
    Returns False if the work exceeds the limit of one call: then call it again."""
    moving, numbers = scratch.moving[i], scratch.numbers[i]
    if moving[0] == NONE:
        n = find_position(games.words[i], repeats, tree)
        if n == NONE:
            clear_tree(tree)
        if n <= 0:
            return True
        begin_moving(n, moving)
    return keep_subtree(WORK, moving, numbers[0], numbers[1], numbers[2], tree)


# --- plies ---


@kernel
def open_edge(rules: GameFunctions, i: int, n: int, e: int, games: GameArrays, tree: Tree) -> int:
    """Plays edge e of node n, up to the throws after it, in the place of the next new node. Returns how many dice are
    due."""
    new, edge, variant = tree.sizes[0], tree.edges[e], variant_at(games.variants, i)
    copy_row(tree.states, n, tree.states, new)
    state, rewards = state_at(tree.states, new), tree.nodes[new].rewards
    rewards[:] = 0
    ply.open_ply(rules, state, variant, edge.action, rewards)
    due = ply.throws_due(rules, state, variant)
    if due > 0:
        edge.chance = 1
    return due


@kernel
def close_edge(
    rules: GameFunctions, i: int, n: int, due: int, low: int, games: GameArrays, tree: Tree, scratch: Scratch
) -> None:
    """The rest of that ply: the throws, if dice are ``due``, and `ply.close_ply`. If the position counts for
    repetition, row ``low`` of ``scratch.history`` then has the keys of all positions that could occur again."""
    new, variant = tree.sizes[0], variant_at(games.variants, i)
    state, rewards = state_at(tree.states, new), tree.nodes[new].rewards
    if due > 0:
        rules.make_throws(state, variant, games.player_rng[i], scratch.forced_dice, scratch.faces[low], rewards)
    if variant.repetition != 0 and state.turn_over != 0 and not state.irreversible:
        recall_positions(i, n, low, games, tree, scratch)
    ply.close_ply(rules, state, variant, scratch.history[low], rewards)
    if ply.forbids_repeats(variant):
        repeats.close(rules, state, variant, scratch.history[low], rewards)


@kernel
def legal(
    rules: GameFunctions, i: int, n: int, low: int, games: GameArrays, tree: Tree, scratch: Scratch, mask: Any,
    words: Any,
) -> None:  # fmt: skip
    """The mask of node n."""
    state, variant = state_at(tree.states, n), variant_at(games.variants, i)
    rules.legal(state, variant, mask, words)
    if ply.forbids_repeats(variant):
        recall_positions(i, n, low, games, tree, scratch)
        repeats.forbid_seen(rules, state, variant, scratch.history[low], mask, words)


@kernel
def link(
    rules: GameFunctions, i: int, n: int, e: int, low: int, games: GameArrays, tree: Tree, scratch: Scratch
) -> int:
    """The node to which edge e of node n leads, which is added if it is new. Its state and rewards, after `close_edge`,
    are in the place of the next new node."""
    new, edge = tree.sizes[0], tree.edges[e]
    node, state = tree.nodes[new], state_at(tree.states, new)
    if rules.dice > 0:
        node.key = hash_words(tree.words[new])
        old = find_child(edge.child, new, tree)
        if old != NONE:
            return old
    node.repeats = NO_WORDS if state.irreversible else tree.nodes[n].repeats
    if variant_at(games.variants, i).repetition != 0 and state.turn_over != 0:
        node.key = scratch.history[low, FILTER_WORDS + state.seen - 1]
        node.repeats = add_word(node.repeats, node.key)
    return add_node(n, e, WAITING if state.end == RUNNING else OVER, state.to_act, tree)


@kernel
def find_child(child: int, new: int, tree: Tree) -> int:
    """The node with the state and rewards of node ``new`` among ``child`` and its siblings; NONE if there is none."""
    while child != NONE:
        if tree.nodes[child].key == tree.nodes[new].key:
            same = True
            for seat in range(tree.nodes[new].rewards.shape[0]):
                same = same and tree.nodes[child].rewards[seat] == tree.nodes[new].rewards[seat]
            if same:
                return child
        child = tree.nodes[child].sibling
    return NONE


@kernel
def recall_positions(i: int, n: int, low: int, games: GameArrays, tree: Tree, scratch: Scratch) -> None:
    """Writes the keys of all positions up to node n that could occur again into row ``low`` of ``scratch.history``: the
    tree's own from n upwards, then those of the game."""
    missing = state_at(tree.states, n).seen
    while n > 0 and missing > 0:
        state = state_at(tree.states, n)
        if state.turn_over:
            missing = state.seen - 1
            scratch.history[low, FILTER_WORDS + missing] = tree.nodes[n].key
        n = tree.nodes[n].parent
    copy_keys(games.history[i], missing, scratch.history[low])
    let_all_through(scratch.history[low])
