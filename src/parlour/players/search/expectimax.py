"""The player `Expectimax`: a search engine for every game, through its rule kernels.

It is alpha-beta with many enhancements (`parlour.engine.kernels.alpha_beta`). Throws are averaged with their exact
probabilities; among more than two seats, all others are expected to play against the one that searches. Each thread
searches its own rows.

Every compiled call returns after a limited number of nodes, so that Ctrl-C works and time limits are kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from copy import copy
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.arrays import DISABLED
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.kernels import alpha_beta
from parlour.engine.rows import copy_rows
from parlour.engine.search_arrays import (
    ENTRY,
    FRAME,
    HEURISTICS,
    INEXACT,
    LEVELS,
    MAX_DEPTH,
    NONE,
    PROGRESS,
    SWITCHES,
    TO_BEGIN,
    Levels,
    Memory,
)
from parlour.engine.seeds import seed_words
from parlour.engine.solving_arrays import NO_TABLE, PositionValues, unused
from parlour.engine.threads import pieces
from parlour.engine.value_arrays import NO_NETWORK
from parlour.engine.view import GamesView, games_of
from parlour.players.kind import Budget, NotInForm, PlayerKind, read_budget
from parlour.players.value.evaluator import Evaluator
from parlour.players.value.exact.solution import Solution
from parlour.players.value.network import ValueNetwork
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.protocol import RUNNING
from parlour.rulebook.state_records import records
from parlour.support.paths import Paths

TABLE_MIB = 4
MAX_TABLE_MIB = 1 << 14
ONE_PLY_MIB = 1 / 512
"""The size of the table of a search one ply deep, which stores only the position that it begins from: so many games can
be searched side by side."""
NOTED_SHARE = 16
"""A table notes which places were taken first, up to the number of all divided by this. If no more are taken, these are
emptied one by one."""
MAX_MIB = 256
"""The limit of all tables of a player together; above it fewer games are played side by side."""
CALL_SECONDS = 0.2
"""About how long a compiled call may take."""
FIRST_NODES = 500 if COMPILED else 20
"""Nodes of the first call, which measures how many can be searched per second."""
LEAST_NODES = FIRST_NODES // 4
"""Nodes of a call at least, where the first one was slow, since it compiled."""
MEASURED_NODES = LEAST_NODES // 2
"""So many nodes measure the speed again: what `LEAST_NODES` come to, shared among rows and rounded down."""
LAST_SHARE = 0.02
"""A search with a time ends when less than this share of it is left."""
COPIES = 64
"""Positions after single actions that are searched side by side."""
SMALL_TABLE_MIB = 1 / 16
"""The size of their tables, which are emptied each time."""
EXACT = "exact"


@dataclass(frozen=True)
class Heuristics:
    """Which heuristics a search uses: see `parlour.engine.search_arrays.HEURISTICS` for each."""

    null_window: bool = True
    aspiration: bool = True
    table_move: bool = True
    sharp_first: bool = True
    killers: bool = True
    countermoves: bool = True
    history: bool = True
    any_path: bool = True
    deeper_values: bool = True
    proofs: bool = True
    early_draws: bool = True
    reductions: bool = True
    internal_reduction: bool = True
    quiescence: bool = True
    wins_at_once: bool = True
    quick_leaves: bool = True
    star1: bool = True

    def switches(self) -> Any:
        """As the compiled search takes them: one record of `SWITCHES`."""
        record = records(1, SWITCHES)
        for name, used in asdict(self).items():
            record[name] = used
        return record


assert [field.name for field in fields(Heuristics)] == list(HEURISTICS)
ALL_HEURISTICS = Heuristics()
EXACT_HEURISTICS = replace(ALL_HEURISTICS, **dict.fromkeys(INEXACT, False))
"""The heuristics that find the same value at a depth, only sooner."""


class Expectimax(PlayerKind):
    """Searches to a fixed depth, or for a fixed time per ply. Leaves are valued by the game's heuristic or a network.

    What has been searched is kept for the plies that are then played. At a depth the same seed gives the same play, on
    any number of threads and beside any other games; with a time, play is not reproducible.
    """

    deterministic = True
    """Except for ties, which are broken at random, and for the depth that a time allows."""
    solution: Solution | None = None
    max_seconds: float | None = None
    """After this time a search to a depth ends too, if it is set (then play may not be reproducible)."""
    KIND, NAMES = "expectimax", {
        "expectimax:6": "alpha-beta search six plies deep, the mean over throws; with more than two seats all "
        "others are expected to play against it",
        "expectimax:0.1s": "the same, as deep as it comes in 0.1 seconds a ply",
        "expectimax:4:exact": "the same without heuristics that could change a value",
        "expectimax:8:exact:FOLDER": "the same, which looks positions up in a table of parlour solve",
    }  # fmt: skip

    def __init__(
        self,
        depth: int | None = None,
        seconds: float | None = None,
        heuristics: Heuristics = ALL_HEURISTICS,
        table_mib: int = TABLE_MIB,
        clock: Callable[[], float] = time.perf_counter,
        network: ValueNetwork | None = None,
        table: str | None = None,
        game: Game | None = None,
    ) -> None:
        """
        Args:
            depth: plies, from 1 to 60; or
            seconds: how long for each ply, above 0.
            heuristics: which ones are used. `EXACT_HEURISTICS` finds the value of looking at everything to the depth.
            table_mib: the size of the transposition table of each game, in MiB, from 1 up.
            clock: a function that gives the time in seconds; `time.thread_time`, on one thread, ignores other work.
            network: what values positions at full depth (`parlour.players.value`), outside the table if there is
                one; None: the game's potential. Searching games for which it is not made raises ValueError.
            table: the folder of a table of exact values (`parlour.solve`), which values the positions that it has,
                for the game ``game`` if that is known.

        Raises:
            ValueError: for a budget out of range, and as `Solution.load` does.
        """
        budget = Budget(depth, seconds).checked(self.KIND, "plies", MAX_DEPTH)
        if not 1 <= table_mib <= MAX_TABLE_MIB:
            raise ValueError(f"a table takes 1 to {MAX_TABLE_MIB} MiB, not {table_mib}")
        self.depth, self.seconds, self.heuristics = depth, seconds, heuristics
        self.table_mib: float = table_mib
        self.clock, self.network = clock, network
        if table is not None:
            self.solution = Solution.load(table, game)
            self.identity = self.solution.identity
        self.name = f"{self.KIND}:{budget}" + (f":{EXACT}" if heuristics == EXACT_HEURISTICS else "")
        self.name += "" if table is None else f":{EXACT}:{table}"
        self._search: _Search | None = None
        self._copies: Games | None = None
        self._copy_search: Expectimax | None = None

    @classmethod
    def parse(cls, text: str | None, game: Game | None, paths: Paths) -> Expectimax:
        """``6`` plies or ``0.1s`` a ply; ``:exact`` looks at everything, ``:exact:FOLDER`` values leaves by a table."""
        amount, colon, rest = (text or "").partition(":")
        exact, has_table, folder = rest.partition(":")
        if colon and (exact != EXACT or (has_table and not folder)):
            raise NotInForm(f"{rest!r} is unknown")
        budget = read_budget(amount)
        if has_table:
            return cls(budget.count, budget.seconds, table=paths(folder), game=game)
        return cls(budget.count, budget.seconds, EXACT_HEURISTICS if colon else ALL_HEURISTICS)

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, for memory's sake."""
        return max(int(MAX_MIB // self._needed_mib), 1)

    @property
    def _limit(self) -> float | None:
        return self.max_seconds if self.seconds is None else self.seconds

    @property
    def _needed_mib(self) -> float:
        """The size of the table that its own depth needs."""
        return ONE_PLY_MIB if self.depth == 1 else self.table_mib

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        games = games_of(view)
        search = self._searching(games)
        search.run(row_mask & (games.counts > 1), self.depth, self._limit)
        search.run(row_mask & (games.counts == 1), 1, None)
        actions[row_mask] = search.memory.progress["action"][row_mask]

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """float64 (N, P): what the latest search of each row has found its position to be worth to each seat; 0.9 is
        the highest potential, or what a network values highest. (Of a row with a single legal action it went but one
        ply deep.)"""
        games = games_of(view)
        return games.within_reach(np.arange(games.num_games), self._searching(games).memory.values)

    def action_values(self, view: GamesView, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """What each legal action is worth to the seat to act in the rows ``row_ids`` (M,), all different: float64
        (M, A), NaN for illegal ones. Each is played on a copy and searched a ply less deep than the whole, but one ply
        at least, from an empty table: so the values depend on the position alone.

        ValueError for a game with dice, where one throw would stand for all, and for a search with a time.
        """
        games = games_of(view)
        if games.game.rules.DICE or self.depth is None:
            raise ValueError(f"{self.name} values single actions in games without dice and at a depth alone")
        values = np.full((len(row_ids), games.layout.actions), np.nan)
        places, actions = np.nonzero(games.legal_in(row_ids))
        if self._copies is None or self._copies.variant_mix is not games.variant_mix:
            self._copies = self._copy_search = None
            search = copy(self)  # with all that it values positions by
            search.depth, search.table_mib = max(self.depth - 1, 1), SMALL_TABLE_MIB
            self._copies, self._copy_search = Games(games.game, games.variant_mix, COPIES), search
            self._copies.begin(seed_words([0] * COPIES))
        for low in range(0, len(actions), COPIES):
            part = slice(low, low + COPIES)
            values[places[part], actions[part]] = self._values_after(games, row_ids[places[part]], actions[part])
        return values

    def _values_after(
        self, games: Games, from_rows: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> NDArray[np.float64]:
        """What ``actions`` (K,) in ``from_rows`` (K,) are worth to the seats that play them: (K,)."""
        copies, search = self._copies, self._copy_search
        assert copies is not None
        assert search is not None
        rows, used = np.arange(len(actions)), np.zeros(copies.num_games, np.bool_)
        copy_rows(games, from_rows, copies, rows, streams=False)
        played = np.full(copies.num_games, -1)
        played[rows] = actions
        copies.states["end"][len(rows) :] = 1  # rows that are not needed are over, so that they take no action
        copies.step(played, DISABLED)
        copies.player_rng["counter"] = 0  # ties are broken as in every other call
        used[rows] = copies.states["end"][rows] == RUNNING
        seats, searching = games.states["to_act"][from_rows], search._searching(copies)
        searchers = np.zeros(copies.num_games, np.int64)
        searchers[rows] = seats
        searching.forget(used)
        searching.run(used, search.depth, None, searchers)
        later = np.where(used[rows], searching.memory.values[rows, seats], 0.0)
        paid: NDArray[np.float64] = copies.rewards[rows, seats] + later
        return paid

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """What the search finds; of values, 0.9 is the highest potential. See `parlour.players.Considering`."""
        row_mask, games = only(view, row), games_of(view)
        search = self._searching(games)
        search.run(row_mask, self.depth, self._limit)
        progress = search.memory.progress[row]
        probabilities = np.zeros(games.layout.actions)
        probabilities[int(progress["action"])] = 1.0
        return Analysis(
            probabilities=probabilities,
            principal_variation=search.principal_variation(row),
            values=games.within_reach(np.array([row]), search.memory.values[[row]])[0],
            depth=int(progress["finished"]),
            nodes=int(progress["nodes"]),
        )

    def _searching(self, games: Games) -> _Search:
        if self._search is None or self._search.games is not games:
            self._search = _Search(games, self)
        return self._search


class _Search:
    """The memory of the rows of ``games``, and what its threads work with."""

    def __init__(self, games: Games, player: Expectimax) -> None:
        """ValueError if the player's network or table is not for the game and its variants."""
        self.games, self._clock = games, player.clock
        rules, n, seats, actions = games.game.rules, games.num_games, games.layout.seats, games.layout.actions
        self._table = NO_TABLE
        if player.solution is not None:
            player.solution.check_games(games)
            self._table = player.solution.search_values
        self._switches = player.heuristics.switches()
        self._switches["wins_at_once"] &= seats == 2  # beaten by one seat of many is not all lost
        self._evaluator = None if player.network is None else Evaluator(player.network, games)
        self._nodes_a_second = FIRST_NODES / CALL_SECONDS
        states = records(n * LEVELS, rules.STATE)
        words = states.view(np.uint64, np.ndarray).reshape(n, LEVELS, -1)
        masks = np.zeros_like(games.masks)
        self.levels = Levels(
            states=words if COMPILED else states.reshape(n, LEVELS),
            words=words,
            frames=records(n * LEVELS, FRAME).reshape(n, LEVELS),
            rewards=np.zeros((n, seats)),
            actions=np.zeros((n, LEVELS, actions), np.int32),
            scores=np.zeros((n, LEVELS, actions), np.int32),
            killers=np.zeros((n, LEVELS, 2), np.int32),
            faces=np.zeros((n, LEVELS, max(len(rules.DICE), 1)), np.int8),
            keys=np.zeros((n, 1), np.uint64),
            key_levels=np.zeros((n, 1), np.int32),
            searchers=np.zeros(n, np.int64),
            bounds=np.zeros((n, 3)),
            masks=masks,
            mask_words=masks.view(np.uint64),
        )
        places = 1 << int(math.log2(int(player._needed_mib * 2**20) // ENTRY.itemsize))
        self.memory = Memory(
            progress=records(n, PROGRESS),
            entries=records(n * places, ENTRY).reshape(n, places),
            taken_places=np.zeros((n, -(-places // NOTED_SHARE)), np.int32),
            history=np.zeros((n, 2, actions), np.int32),
            countermoves=np.full((n, 2, actions), NONE, np.int32),
            values=np.full((n, seats), np.nan),
        )

    def run(
        self, row_mask: NDArray[np.bool_], depth: int | None, seconds: float | None,
        searchers: NDArray[np.int64] | None = None,
    ) -> None:  # fmt: skip
        """Searches ``row_mask`` (bool (N,)) to a depth, or each for a time, or to what ends first: among more than two
        seats for the seats ``searchers`` (N,), or those to act."""
        if not row_mask.any():
            return
        self.begin(row_mask, searchers)
        if seconds is None:
            assert depth is not None
            rows = -(-int(row_mask.sum()) // self.games.threads)  # a thread
            while self.go_on(row_mask, depth, max(self._nodes(CALL_SECONDS) // rows, 1)):
                pass
            return
        for one_each in self._one_a_thread(row_mask):
            self._run_for(one_each, depth or MAX_DEPTH, seconds)

    def begin(self, row_mask: NDArray[np.bool_], searchers: NDArray[np.int64] | None = None) -> None:
        """The next call searches these rows (bool (N,)) as they stand, for ``searchers`` as in `run`."""
        self._widen()
        self.levels.searchers[:] = self.games.states["to_act"] if searchers is None else searchers
        self.memory.progress["status"][row_mask] = TO_BEGIN
        self.memory.progress["nodes"][row_mask] = 0

    def forget(self, row_mask: NDArray[np.bool_]) -> None:
        """Drops what these rows (bool (N,)) have searched: a search of a position that is no later one begins anew."""
        self.memory.progress["plies"][row_mask] = np.iinfo(np.int32).max

    def go_on(self, row_mask: NDArray[np.bool_], depth: int, nodes: int) -> bool:
        """One compiled call, for ``nodes`` nodes a row. Returns whether any row is not done yet."""
        games, searched = self.games, -int(self.memory.progress["nodes"][row_mask].sum())
        began = self._clock()
        waiting = games.run_rules(
            alpha_beta.search_rows, row_mask, depth, nodes, games.arrays, self.levels, self.memory, self._values,
            self._switches, without=unused(self._evaluator is not None, len(self._table.first) > 0),
        )  # fmt: skip
        took = self._clock() - began
        searched += int(self.memory.progress["nodes"][row_mask].sum())
        if searched >= MEASURED_NODES and took > 0:
            self._nodes_a_second = searched / took / games.threads
        return sum(waiting) > 0

    @property
    def _values(self) -> PositionValues:
        """What values leaves."""
        return PositionValues(NO_NETWORK if self._evaluator is None else self._evaluator.refresh(), self._table)

    def principal_variation(self, row: int) -> tuple[int, ...]:
        """What the table knows to be best from a row's position on, after the action that was found."""
        variation = np.full(LEVELS, NONE, np.int32)
        rules = self.games.functions_for(alpha_beta.write_variation)
        alpha_beta.write_variation(rules, row, self.games.arrays, self.levels, self.memory, self._switches, variation)
        return tuple(variation[variation != NONE].tolist())

    def _run_for(self, row_mask: NDArray[np.bool_], depth: int, seconds: float) -> None:
        """Searches the rows of ``row_mask``, one row a thread at most, to a depth or for a time; to depth 1 at
        least."""
        end = self._clock() + seconds
        while True:
            left = max(end - self._clock(), 0.0)
            going = self.go_on(row_mask, depth, self._nodes(min(CALL_SECONDS, 0.5 * left)))
            finished = (self.memory.progress["finished"][row_mask] > 0).all()
            if not going or (finished and end - self._clock() < LAST_SHARE * seconds):
                return

    def _nodes(self, seconds: float) -> int:
        """About how many nodes a thread looks at in a time."""
        return max(int(seconds * self._nodes_a_second), LEAST_NODES)

    def _one_a_thread(self, row_mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """``row_mask`` in parts, none of which has two rows of the same thread."""
        rows = [np.flatnonzero(row_mask[low:high]) + low for low, high in pieces(0, len(row_mask), self.games.threads)]
        parts = []
        for k in range(max(len(share) for share in rows)):
            part = np.zeros_like(row_mask)
            part[[share[k] for share in rows if k < len(share)]] = True
            parts.append(part)
        return parts

    def _widen(self) -> None:
        """Makes room for positions that a search passes beyond those of the game."""
        width, n = self.games.history.shape[1], self.games.num_games
        if self.levels.keys.shape[1] < width + LEVELS:
            room = 2 * (width + LEVELS)
            self.levels = self.levels._replace(
                keys=np.zeros((n, room), np.uint64), key_levels=np.zeros((n, room), np.int32)
            )
