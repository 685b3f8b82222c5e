"""The trees that `NetworkSearch` grows for the rows of `Games`, and the compiled calls that grow them.

Axis letters: N games, M leaves, L leaves a tree that wait together, C planes, H × W board, A actions, P seats.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.engine.kernels.network_search import result_rows, root_rows, simulate_rows
from parlour.engine.trees.nodes import NONE, Trees, edge_dtype, node_dtype
from parlour.engine.trees.policies import Roots, TreeSettings
from parlour.engine.trees.updates import EDGES_FULL, NOT_FINITE, PAUSED, REFUSED, GameArrays, Leaves, Scratch
from parlour.players.search.tree_methods import sequential_halving
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.masks import bit_words
from parlour.rulebook.state_records import as_bytes, records

CACHE_LINE = 64
"""Bytes."""
FIRST_EDGES = 8
"""Initial room for edges, per node."""


@dataclass(frozen=True)
class SearchResult:
    """The result of a search of N games, in arrays of its own.

    Attributes:
        actions: int64 (N,): what to play; −1 for a game that is over or was not searched, as `Batch.step` expects it.
        policies: float32 (N, A): probabilities to learn from, of legal actions alone; zeros where there is no action.
        values: float64 (N, P): the sum of rewards that each seat, by its number, can expect from the position on.
        visits: int64 (N, A): how many simulations took each action, those kept from earlier searches included.
        winners: int8 (N,): the seat that is proved to win by force, −1 if none is. (Such a game is not searched any
            further, so it can have fewer visits.)
    """

    actions: NDArray[np.int64]
    policies: NDArray[np.float32]
    values: NDArray[np.float64]
    visits: NDArray[np.int64]
    winners: NDArray[np.int8]


class Forest:
    """The trees of the rows of ``games``, what waits for evaluation, and what threads work with."""

    def __init__(self, games: Games, settings: TreeSettings, max_kept: int) -> None:
        """``max_kept``: how many nodes of a tree may be kept from one search to the next."""
        self.games, self.settings, self.max_kept = games, settings, max_kept
        n, actions = games.num_games, games.layout.actions
        room, slots = max_kept + settings.simulations + 1, n * settings.leaves
        self.trees = new_trees(games, room, FIRST_EDGES * (settings.simulations + 1))
        self.roots = Roots(
            noise=np.zeros((n, actions)),
            before=np.zeros((n, actions), np.int32),
            started=np.zeros(n, np.int64),
            winner=np.zeros(n, np.int8),
        )
        masks = np.zeros((slots, games.masks.shape[1]), np.int8)
        self.leaves = Leaves(
            nodes=np.full(slots, NONE, np.int32),
            counts=np.zeros(n, np.int64),
            rounds=np.zeros(n, np.int64),
            blocked=np.zeros(n, np.bool_),
            observations=np.zeros((slots, games.planes.shape[1]), np.int8),
            masks=masks,
            words=masks.view(np.uint64),
            legal_bits=np.zeros((slots, bit_words(masks.shape[1])), np.uint64),
            legal_counts=np.zeros(slots, np.int64),
            variant_planes=np.zeros((n, games.variant_planes.shape[1]), np.int8),
            plane_size=games.layout.height * games.layout.width,
        )
        self.scratch = new_scratch(games, room)
        considered = min(settings.max_num_considered_actions, actions)
        self.settings = settings._replace(max_num_considered_actions=considered)
        self.schedule = np.array(
            [sequential_halving(count, settings.simulations) for count in range(considered + 1)], np.int32
        )
        self.ranks = np.zeros(slots, np.int64)
        self.rounds = 0
        self.variants = games.variants.copy()
        self.arrays = game_arrays(games)

    # --- the steps of a search ---

    def set_root(self, row_mask: NDArray[np.bool_], keep: bool) -> None:
        """Prepares the trees of ``row_mask`` for a search of the present positions."""
        games = self.games
        self.arrays, self.scratch = game_arrays(games), with_history(games, self.trees, self.scratch)
        others = (as_bytes(self.variants) != as_bytes(games.variants)).any(axis=1)
        self.trees.sizes[others] = 0
        as_bytes(self.variants)[:] = as_bytes(games.variants)
        self.leaves.variant_planes[:] = games.variant_planes[games.variant_index]
        self._call(root_rows, row_mask, keep, self.max_kept)

    def seen(self, waiting: NDArray[np.int64]) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
        """Observations (M, C, H, W) and masks (M, A) of the leaves in the rows ``waiting`` (M,)."""
        layout, observations, masks = self.games.layout, self.leaves.observations, self.leaves.masks
        if len(waiting) < len(masks):
            observations, masks = observations[waiting], masks[waiting]
        return observations.reshape(-1, *layout.shape), masks[:, : layout.actions]

    def grow(
        self,
        row_mask: NDArray[np.bool_],
        waiting: NDArray[np.int64],
        logits: NDArray[np.float32],
        values: NDArray[np.float32],
    ) -> None:
        """A round: takes in the answers for the leaves in the rows ``waiting`` (M,), and goes on to new leaves."""
        self.rounds += 1
        self.ranks[waiting] = np.arange(len(waiting))
        self._call(simulate_rows, row_mask, self.rounds, self.ranks, logits, values, self.schedule)

    def result(self, row_mask: NDArray[np.bool_]) -> SearchResult:
        """The result of the search of ``row_mask``."""
        n, actions, seats = self.games.num_games, self.games.layout.actions, self.games.layout.seats
        played, policies = np.full(n, -1), np.zeros((n, actions))
        values, visits = np.zeros((n, seats)), np.zeros((n, actions), np.int64)
        self.games.run(
            result_rows, row_mask, self.settings, self.arrays, self.trees, self.roots, played, policies,
            values, visits,
        )  # fmt: skip
        winners = np.where(row_mask, self.roots.winner, np.int8(NONE))
        return SearchResult(played, policies.astype(np.float32), values, visits, winners)

    # --- compiled calls ---

    def _call(self, kernel: Callable[..., int], *arguments: Any) -> None:
        """Calls a kernel again and again until it is done with all rows; each call is short."""
        self.scratch.progress[:] = 0
        while True:
            codes = self.games.run_rules(
                kernel, *arguments, self.settings, self.arrays, self.trees, self.roots, self.leaves, self.scratch
            )
            if NOT_FINITE in codes:
                self._refuse()
            if EDGES_FULL in codes:
                self.trees = with_more_edges(self.trees)
            elif PAUSED not in codes:
                return

    def _refuse(self) -> None:
        """Raises ValueError for a leaf without legal actions or finite numbers."""
        row = int(np.flatnonzero(self.leaves.nodes == REFUSED)[0])
        i = row // self.settings.leaves
        if not self.leaves.legal_counts[row]:
            raise ValueError(f"game {i} has no legal action; reset() needs to be called before a search")
        raise ValueError(
            f"evaluate gave a value or a legal action's logit that is no finite number, in the search of "
            f"{self.games.position(i)!r} (game {i})"
        )


def game_arrays(games: Games) -> GameArrays:
    """The arrays of ``games`` as searches take them."""
    arrays, words = games.arrays, games.states.view(np.uint64, np.ndarray).reshape(games.num_games, -1)
    return GameArrays(arrays.states, words, arrays.variants, games.player_rng, games.history)


def new_trees(games: Games, room: int, edges: int) -> Trees:
    """Empty trees for the rows of ``games``, each with room for so many nodes and edges."""
    n, seats = games.num_games, games.layout.seats
    states = line_records(n * room, games.game.rules.STATE)
    words = states.view(np.uint64, np.ndarray).reshape(n, room, -1)
    return Trees(
        nodes=line_records(n * room, node_dtype(seats)).reshape(n, room),
        edges=records(n * edges, edge_dtype(seats)).reshape(n, edges),
        states=words if COMPILED else states.reshape(n, room),
        words=words,
        sizes=np.zeros((n, 2), np.int64),
    )


def new_scratch(games: Games, room: int) -> Scratch:
    """What searches with trees of so many nodes need besides."""
    n, dice = games.num_games, len(games.game.rules.DICE)
    return Scratch(
        progress=np.zeros(n, np.int64),
        history=np.zeros((n, 1), np.uint64),
        weights=np.zeros((n, games.layout.actions)),
        returns=np.zeros((n, games.layout.seats)),
        faces=np.zeros((n, max(dice, 1)), np.int8),
        forced_dice=np.zeros((0, dice + 1), np.int8),
        numbers=np.zeros((n, 3, room), np.int32),
        moving=np.full((n, 4), NONE, np.int64),
    )


def with_history(games: Games, trees: Trees, scratch: Scratch) -> Scratch:
    """``scratch`` with room for the positions that a search passes beyond those of the game."""
    width = games.history.shape[1] + trees.nodes.shape[1]
    if games.history.shape[1] == 1 or scratch.history.shape[1] >= width:
        return scratch
    return scratch._replace(history=np.zeros((games.num_games, width), np.uint64))


def with_more_edges(trees: Trees) -> Trees:
    """``trees`` with room for twice as many edges."""
    n, room = trees.edges.shape
    edges = records(2 * n * room, trees.edges.dtype).reshape(n, 2 * room)
    for i, used in enumerate(trees.sizes[:, 1].tolist()):
        edges[i, :used] = trees.edges[i, :used]
    return trees._replace(edges=edges)


def line_records(count: int, dtype: np.dtype[Any]) -> Any:
    """`records` that begin with a line of the processor's cache, so that those of 64 bytes lie in one each."""
    raw = np.zeros(count * dtype.itemsize + CACHE_LINE, np.uint8)
    start = -raw.ctypes.data % CACHE_LINE
    array = raw[start : start + count * dtype.itemsize].view(dtype)
    return array if COMPILED else array.view(np.recarray)
