"""Plies in a search tree of `parlour.engine.trees`: what each leads to, and which position is the root.

Throws are chance nodes: each time a simulation passes an action that is followed by throws, they are made afresh, with
their exact probabilities, from the row's stream for players (never from that of its dice); what a throw leads to is
found again by its state and rewards.
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
from parlour.rulebook.protocol import RUNNING, Record

WORK = 50_000
"""Nodes that one call goes through at most, a thread, before it returns: a fraction of a second, so that Ctrl-C is
heard."""


# --- the root ---


@kernel
def plant(i: int, keep: bool, max_kept: int, games: GameArrays, tree: Tree, scratch: Scratch) -> bool:
    """Makes row i's position the root of its tree. What is below it is kept if ``keep`` and the tree has the position
    with at most ``max_kept`` nodes; otherwise the tree begins again, with a root that is WAITING. False if there is
    more to be done than one call should do: then it is to be called again."""
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
    """Makes row i's position the root of its tree with all that is below it; clears a tree that does not have it. False
    if there is more to be done than one call should do: then it is to be called again."""
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
def close_ply(
    rules: GameFunctions,
    i: int,
    n: int,
    state: Record,
    low: int,
    games: GameArrays,
    tree: Tree,
    scratch: Scratch,
    rewards: Any,
) -> None:
    """The part of a ply from node n after the throws: see `ply.close_ply`. Row ``low`` of ``scratch.history`` then has
    the keys of all positions that could come again, if the position counts."""
    variant = variant_at(games.variants, i)
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
    """The node to which edge e of node n leads: its state and its rewards stand where the next new node would be, and
    `close_ply` came last. It is made if it is new."""
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
    """Of the nodes linked from ``child`` on, the one with the state and rewards of node ``new``; NONE if there is
    none."""
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
    """Writes the keys of all positions up to node n that could come again into row ``low`` of ``scratch.history``: the
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
