"""The player `Mcts`: Monte Carlo tree search for every game, through its rule kernels.

It chooses for all its rows in one compiled call, each thread searching its own rows. All chance comes from
the rows' own streams for players, so the same seed gives the same play on any number of threads and beside any
other games.
"""

from __future__ import annotations

import math
import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.value_arrays import NO_WEIGHTS
from parlour.engine.view import GamesView, games_of
from parlour.errors import listing
from parlour.rulebook.state_records import records
from parlour.value.evaluator import Evaluator
from parlour.value.files import load_for_player
from parlour.value.network import ValueNetwork

MAX_SIMULATIONS = 10_000_000
ROLL_OUTS, VALUE = ("random", "greedy"), "value"
FORM = (
    "mcts:200 (simulations a ply), mcts:0.5s (seconds a ply), mcts:200:greedy (greedy roll-outs), mcts:200:value:FILE "
    "(no roll-outs, but the values of a network)"
)
TREE_ROOM = 1 << 17
"""Nodes that a search with a time budget may fill, a row."""
MAX_NODES = 1 << 22
"""Nodes of all rows together, beyond which fewer games are played side by side."""
ROOM_A_TURN = 6
"""Nodes that a simulation may add with a network: see `network_outcome.MAX_NEW`."""
CHUNK = 16
"""Simulations between two looks at the clock."""


class Mcts:
    """Monte Carlo tree search (UCT) with a number of simulations or a time for each ply.

    The algorithm: `parlour.engine.kernels.mcts`.

    What has been searched is kept for the plies that are then played.
    """

    deterministic = False

    def __init__(
        self,
        simulations: int | None = None,
        seconds: float | None = None,
        roll_outs: str = "random",
        exploration: float = math.sqrt(2),
        network: ValueNetwork | None = None,
    ) -> None:
        """
        Args:
            simulations: how many for each ply, from 1 up; or
            seconds: how long for each ply, above 0 (then play is not reproducible).
            roll_outs: ``"random"`` or ``"greedy"``.
            exploration: the constant of UCB1; √2 suits rewards from −1 to 1 for a game.
            network: a value network that ends simulations (`parlour.value`); None: roll-outs. Searching games for
                which it is not made raises ValueError.
        """
        if (simulations is None) == (seconds is None):
            raise ValueError("mcts takes either a number of simulations or a time")
        if simulations is not None and not 1 <= simulations <= MAX_SIMULATIONS:
            raise ValueError(f"mcts takes 1 to {MAX_SIMULATIONS} simulations, not {simulations}")
        if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
            raise ValueError(f"mcts takes a time above 0 seconds, not {seconds}")
        if roll_outs not in ROLL_OUTS:
            raise ValueError(f"roll-outs {roll_outs!r} are not valid; valid: {listing(ROLL_OUTS)}")
        self.simulations, self.seconds, self.roll_outs, self.exploration = simulations, seconds, roll_outs, exploration
        budget = str(simulations) if seconds is None else f"{seconds:g}s"
        ending = roll_outs if network is None else VALUE
        self.name = f"mcts:{budget}" + ("" if ending == "random" else f":{ending}")
        self.network = network
        self.identity: dict[str, str] = {}
        self.rolled = 0
        """Plies of roll-outs so far."""
        self._forest: _Forest | None = None

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, for memory's sake."""
        return max(MAX_NODES // self._room, 1)

    @property
    def _room(self) -> int:
        if self.simulations is None:
            return TREE_ROOM
        return 2 * self.simulations + 2 if self.network is None else ROOM_A_TURN * (self.simulations + 2)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        games = games_of(view)
        forest = self._forest_of(games)
        if self.simulations is not None:
            self._search(forest, row_mask, self.simulations, True)
        else:
            self._search_for(forest, row_mask)
        games.run(forest.kernels.most_visited, row_mask, forest.trees, games.states, actions)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`. The player takes the action of the most visits, except for proved wins."""
        row_mask, actions = only(view, row), np.zeros(view.num_games, np.int64)
        self.choose(view, row_mask, actions)
        return self._forest_of(games_of(view)).analysis(row, int(actions[row]))

    def _forest_of(self, games: Games) -> _Forest:
        if self._forest is None or self._forest.games is not games:
            self._forest = _Forest(games, self._room, self.network)
        return self._forest

    def _search_for(self, forest: _Forest, row_mask: NDArray[np.bool_]) -> None:
        assert self.seconds is not None
        shares = math.ceil(np.count_nonzero(row_mask) / forest.games.threads)
        end = time.perf_counter() + self.seconds * shares
        self._search(forest, row_mask, CHUNK, True)
        while time.perf_counter() < end:
            self._search(forest, row_mask, CHUNK, False)

    def _search(self, forest: _Forest, row_mask: NDArray[np.bool_], simulations: int, fresh: bool) -> None:
        """In calls of some hundredths of a second, between which it can be interrupted. ``fresh``: the first
        simulations for these positions."""
        games = forest.games
        forest.widen()
        if fresh:
            forest.begin(row_mask)
        else:
            forest.scratch.progress[row_mask, 0] = 0
        unfinished = True
        while unfinished:
            found = games.run(
                forest.kernels.search_rows, row_mask, simulations, self.roll_outs == "greedy", self.exploration,
                games.arrays, forest.trees, forest.scratch, forest.weights(),
            )  # fmt: skip
            self.rolled += sum(plies >> 1 for plies in found)
            unfinished = any(plies & 1 for plies in found)


def parse_mcts(text: str, game: Game | None = None) -> Mcts:
    """The player ``mcts:text``: ``200`` simulations or ``0.5s`` a ply, and ``:greedy`` for greedy roll-outs, or
    ``:value:FILE`` for a network (`parlour.value.files`; the path may contain colons). ValueError for any other."""
    amount, _, ending = text.partition(":")
    number = amount.removesuffix("s")
    kind, colon, file = ending.partition(":")
    try:
        network, identity = load_for_player(file, game) if colon and kind == VALUE else (None, {})
        roll_outs = "random" if network is not None else ending or "random"
        if amount.endswith("s"):
            player = Mcts(seconds=float(number), roll_outs=roll_outs, network=network)
        elif number.isascii() and number.isdecimal():
            player = Mcts(int(number), roll_outs=roll_outs, network=network)
        else:
            raise ValueError("a budget is missing")
    except ValueError as error:
        raise ValueError(f"there is no player 'mcts:{text}' ({error}); valid: {FORM}") from None
    if network is not None:
        player.name += f":{file}"
        player.identity = identity
    return player


class _Forest:
    """The trees of the rows of ``games``, and what threads work with."""

    def __init__(self, games: Games, room: int, network: ValueNetwork | None) -> None:
        """``room``: nodes, and edges, a tree."""
        self.games = games
        compiled = games.game.compiled if network is None else games.game.compiled_with_network
        self.kernels = mcts = compiled.mcts
        self._evaluator = None if network is None else Evaluator(network, games)
        self._none: int = mcts.NONE
        self._moved: int = mcts.MOVED
        n, seats = games.num_games, games.layout.seats

        def trees() -> Any:
            nodes, edges = (records(n * room, dtype).reshape(n, room) for dtype in (mcts.NODE, mcts.EDGE))
            return mcts.Trees(nodes, edges, np.zeros((n, room, seats)), np.zeros((n, 2), np.int64))

        self.trees = trees()
        states = records(2 * n, games.game.rules.STATE)
        words = states.view(np.uint64, np.ndarray).reshape(n, 2, -1)
        masks = np.zeros_like(games.masks)
        self.scratch = mcts.Scratch(
            states.reshape(n, 2), words, records(n, games.game.variant_dtype), np.zeros((n, 1), np.uint64), masks,
            masks.view(np.uint64), trees(), np.zeros((n, seats)), np.zeros((n, room), np.int64),
            np.zeros((n, room, seats)), np.full((n, 3), -1),
        )  # fmt: skip

    def weights(self) -> Any:
        """What the compiled search is given for a network."""
        return NO_WEIGHTS if self._evaluator is None else self._evaluator.refresh()

    def analysis(self, row: int, action: int) -> Analysis:
        """The result of the search of a row, where ``action`` is played."""
        edges = self._edges_of(row, 0)
        actions, visits = self.trees.edges["action"][row, edges], self.trees.edges["visits"][row, edges]
        total = int(visits.sum())
        probabilities = np.zeros(self.games.layout.actions)
        probabilities[actions] = visits / total
        action_values, tried = np.full((self.games.layout.actions, self.games.layout.seats), np.nan), visits > 0
        action_values[actions[tried]] = self.trees.values[row, edges][tried] / visits[tried, None]
        return Analysis(
            probabilities=probabilities,
            principal_variation=self._variation(row, edges[int((actions == action).argmax())]),
            values=self.trees.values[row, edges].sum(axis=0) / total,
            action_values=action_values,
            nodes=total,
        )

    def _edges_of(self, row: int, node: int) -> list[int]:
        """The edges of a node."""
        found, edge = [], int(self.trees.nodes["first_edge"][row, node])
        while edge != self._none:
            found.append(edge)
            edge = int(self.trees.edges["next"][row, edge])
        return found

    def _variation(self, row: int, edge: int) -> tuple[int, ...]:
        """The action of an edge, and those most visited after it, up to a throw."""
        edges, found = self.trees.edges[row], []
        while edge != self._none:
            found.append(int(edges["action"][edge]))
            node = int(edges["first_child"][edge]) if self.games.game.rules.DICE == 0 else self._none
            below = self._edges_of(row, node) if node != self._none else []
            edge = max(below, key=lambda other: int(edges["visits"][other]), default=self._none)
        return tuple(found)

    def begin(self, row_mask: NDArray[np.bool_]) -> None:
        """Moves the trees of ``row_mask`` to their new roots. A tree whose move was interrupted begins again."""
        progress = self.scratch.progress
        self.trees.sizes[progress[:, self._moved] >= 0] = 0
        progress[row_mask] = -1

    def widen(self) -> None:
        """Makes room for positions that a simulation may pass beyond those of the game."""
        width = self.games.history.shape[1]
        if width > 1 and self.scratch.history.shape[1] < 2 * width:
            self.scratch = self.scratch._replace(history=np.zeros((self.games.num_games, 2 * width), np.uint64))
