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
from parlour.engine.kernels import mcts
from parlour.engine.kernels.roll_out import MAX_EFFORT
from parlour.engine.trees.nodes import NONE
from parlour.engine.trees.updates import EDGES_FULL, FINISHED
from parlour.engine.value_arrays import NO_NETWORK
from parlour.engine.view import GamesView, games_of
from parlour.players.kind import Budget, NotInForm, PlayerKind, read_budget
from parlour.players.search.forest import game_arrays, new_scratch, new_trees, with_history, with_more_edges
from parlour.players.value.evaluator import Evaluator
from parlour.players.value.files import load_for_player
from parlour.players.value.network import ValueNetwork
from parlour.rulebook.state_records import as_words, records
from parlour.support.errors import listing
from parlour.support.paths import Paths

MAX_SIMULATIONS = 10_000_000
ROLL_OUTS, VALUE = ("random", "greedy"), "value"
TREE_ROOM = 1 << 15
"""Nodes that a search with a time budget may fill, a row: several times as many simulations."""
FIRST_EDGES = 8
"""Initial room for edges, in nodes of the most edges."""
MAX_NODES = 1 << 20
"""Nodes of all rows together, beyond which fewer games are played side by side."""
CHUNK = 16
"""Simulations between two looks at the clock."""
EFFORT_IN_TIME = 1 << 14
"""The most work between two looks at the clock, in random plies: some milliseconds."""


class Mcts(PlayerKind):
    """Monte Carlo tree search (UCT) with a number of simulations or a time for each ply.

    When the time is up, a simulation that is under way counts as if `max_plies` had ended its game.

    The algorithm: `parlour.engine.kernels.mcts`.

    What has been searched is kept for the plies that are then played.
    """

    deterministic = False
    max_seconds: float | None = None
    """After this time a number of simulations ends too, if it is set (then play may not be reproducible)."""
    KIND, NAMES = "mcts", {
        "mcts:200": "Monte Carlo tree search with random roll-outs, 200 simulations a ply",
        "mcts:0.5s": "the same for half a second a ply",
        "mcts:200:greedy": "the same with greedy roll-outs",
        "mcts:200:value:FILE": "the same with the values of a network in place of roll-outs",
    }  # fmt: skip

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
            network: a value network that ends simulations (`parlour.players.value`); None: roll-outs. Searching
                games for which it is not made raises ValueError.
        """
        budget = Budget(simulations, seconds).checked(self.KIND, "simulations", MAX_SIMULATIONS)
        if roll_outs not in ROLL_OUTS:
            raise NotInForm(f"roll-outs {roll_outs!r} are not valid; valid: {listing(ROLL_OUTS)}")
        self.simulations, self.seconds, self.roll_outs, self.exploration = simulations, seconds, roll_outs, exploration
        ending = roll_outs if network is None else VALUE
        self.name = f"{self.KIND}:{budget}" + ("" if ending == "random" else f":{ending}")
        self.network = network
        self.identity: dict[str, str] = {}
        self.rolled = 0
        """Plies of roll-outs so far."""
        self._forest: _Forest | None = None

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> Mcts:
        """``mcts:text``: ``200`` simulations or ``0.5s`` a ply, and ``:greedy`` for greedy roll-outs, or
        ``:value:FILE`` for a network (`parlour.players.value.files`; the path may contain colons). See
        `parlour.players.kind.PlayerKind`."""
        amount, _, ending = (text or "").partition(":")
        kind, colon, file = ending.partition(":")
        budget = read_budget(amount)
        if not (colon and kind == VALUE):
            return cls(budget.count, budget.seconds, ending or "random")
        file = paths(file)
        network, identity = load_for_player(file, game)
        player = cls(budget.count, budget.seconds, network=network)
        player.name += f":{file}"
        player.identity = identity
        return player

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, for memory's sake."""
        return max(MAX_NODES // self._room, 1)

    @property
    def _room(self) -> int:
        if self.simulations is None:
            return TREE_ROOM
        return 2 * self.simulations + 2 if self.network is None else mcts.NEW_IN_TURN * (self.simulations + 2)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        games = games_of(view)
        forest = self._forest_of(games)
        shares = math.ceil(np.count_nonzero(row_mask) / games.threads)
        seconds = self.max_seconds if self.seconds is None else self.seconds
        end = math.inf if seconds is None else time.perf_counter() + seconds * shares
        forest.begin(row_mask)
        self._search(forest, row_mask, self.simulations or CHUNK, end)
        while self.simulations is None and time.perf_counter() < end:
            forest.work.progress[row_mask, 0] = 0
            self._search(forest, row_mask, CHUNK, end)
        games.run(mcts.result_rows, row_mask, forest.trees, actions)

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """See `parlour.players.Considering`. The player takes the action of the most visits, except for proved wins."""
        row_mask, actions = only(view, row), np.zeros(view.num_games, np.int64)
        self.choose(view, row_mask, actions)
        return self._forest_of(games_of(view)).analysis(row, int(actions[row]))

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """See `parlour.players.Estimating`: the mean of the simulations."""
        forest = self._forest_of(games_of(view))
        return np.array([forest.values(row) for row in range(view.num_games)])

    def _forest_of(self, games: Games) -> _Forest:
        if self._forest is None or self._forest.games is not games:
            self._forest = _Forest(games, self._room, self.network)
        return self._forest

    def _search(self, forest: _Forest, row_mask: NDArray[np.bool_], simulations: int, end: float) -> None:
        """Adds simulations until ``end``, one a row at least, in calls between which it can be interrupted."""
        method = self.roll_outs == "greedy", self.exploration
        effort, before = MAX_EFFORT if end == math.inf else EFFORT_IN_TIME, forest.rolled.sum()
        while forest.call(row_mask, simulations, *method, mcts.MAX_ROLL_OUT, effort):
            if time.perf_counter() >= end:
                forest.finish_simulations(row_mask)
                while forest.call(row_mask, 1, *method, 0, effort):
                    pass
                break
        self.rolled += int(forest.rolled.sum() - before)


class _Forest:
    """The trees of the rows of ``games``, and what threads work with."""

    def __init__(self, games: Games, room: int, network: ValueNetwork | None) -> None:
        """``room``: nodes a tree."""
        self.games = games
        self._evaluator = None if network is None else Evaluator(network, games)
        n = games.num_games
        masks = np.zeros_like(games.masks)
        self.trees = new_trees(games, room, FIRST_EDGES * masks.shape[1])
        self.scratch = new_scratch(games, room)
        self.work = mcts.Simulations(
            progress=np.full((n, 4), NONE, np.int64),
            variants=as_words(records(n, games.game.variant_dtype)),
            after=as_words(records(n, games.game.rules.STATE)),
            masks=masks,
            words=masks.view(np.uint64),
            legal_bits=np.zeros_like(games.legal_bits),
            tried=np.zeros((n, games.layout.seats)),
        )
        self.rolled = np.zeros(n, np.int64)

    def begin(self, row_mask: NDArray[np.bool_]) -> None:
        """The next call gives the trees of ``row_mask`` new roots. One whose move was interrupted begins again."""
        moving = self.scratch.moving[:, 0] != NONE
        self.trees.sizes[moving] = 0
        self.scratch.moving[moving] = NONE
        self.work.progress[row_mask] = NONE
        self.scratch = with_history(self.games, self.trees, self.scratch)

    def call(
        self, row_mask: NDArray[np.bool_], simulations: int, greedy: bool, exploration: float, max_plies: int,
        max_effort: int,
    ) -> bool:  # fmt: skip
        """One call of the compiled search. Returns whether there is more to do."""
        network = NO_NETWORK if self._evaluator is None else self._evaluator.refresh()
        rolls = () if greedy else ("greedy_score",)
        unused = ("play_at_random", "greedy_score") if self._evaluator else ("write_numbers", *rolls)
        codes = self.games.run_rules(
            mcts.search_rows, row_mask, simulations, greedy, exploration, max_plies, max_effort,
            self.trees.nodes.shape[1] // 2, game_arrays(self.games), self.trees, self.scratch, self.work, network,
            self.rolled, without=unused,
        )  # fmt: skip
        if EDGES_FULL in codes:
            self.trees = with_more_edges(self.trees)
        return any(each != FINISHED for each in codes)

    def finish_simulations(self, row_mask: NDArray[np.bool_]) -> None:
        """Lets the next call do one simulation more in those rows where one is under way."""
        progress = self.work.progress
        progress[row_mask & (progress[:, mcts.LEAF_EDGE] != NONE), mcts.DONE] = 0

    def values(self, row: int) -> NDArray[np.float64]:
        """What the search of a row has found it to be worth to each seat: (P,); NaN before there is one."""
        if self.trees.sizes[row, 0] == 0:
            return np.full(self.games.layout.seats, np.nan)
        edges = self.edges_of(row, 0)
        means: NDArray[np.float64] = edges["visits"] @ edges["q_values"].astype(np.float64) / edges["visits"].sum()
        return self.games.within_reach(np.array([row]), means[None])[0]

    def analysis(self, row: int, action: int) -> Analysis:
        """The result of the search of a row, where ``action`` is played."""
        edges = self.edges_of(row, 0)
        actions, visits = edges["action"], edges["visits"]
        total, seats = int(visits.sum()), self.games.layout.seats
        probabilities = np.zeros(self.games.layout.actions)
        probabilities[actions] = visits / total
        action_values, tried = np.full((self.games.layout.actions, seats), np.nan), visits > 0
        action_values[actions[tried]] = edges["q_values"][tried]
        return Analysis(
            probabilities=probabilities,
            principal_variation=self._variation(row, edges[actions == action][0]),
            values=self.values(row),
            action_values=action_values,
            nodes=total,
        )

    def edges_of(self, row: int, node: int) -> Any:
        """The edges of a node: a view of their records."""
        first, count = (int(self.trees.nodes[name][row, node]) for name in ("first", "count"))
        return self.trees.edges[row, first : first + count]

    def _variation(self, row: int, edge: Any) -> tuple[int, ...]:
        """The action of an edge, and those most visited after it, up to a throw."""
        variation = [int(edge["action"])]
        while edge["child"] != NONE and not edge["chance"]:
            below = self.edges_of(row, int(edge["child"]))
            if not below["visits"].any():
                break
            edge = below[int(below["visits"].argmax())]
            variation.append(int(edge["action"]))
        return tuple(variation)
