"""The player `Expectimax`: a search engine for every game, through its rule kernels.

With two seats it is alpha-beta with many enhancements (`parlour.engine.kernels.alpha_beta`), with more it is max^n
(`parlour.engine.kernels.max_n`); throws are averaged with their exact probabilities. Each thread searches its own rows.

Every compiled call returns after a limited number of nodes, so that Ctrl-C works and time limits are kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis, only
from parlour.engine.games import Games
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
from parlour.engine.threads import shares
from parlour.engine.value_arrays import NO_WEIGHTS
from parlour.engine.view import GamesView, games_of
from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.state_records import records
from parlour.value.evaluator import Evaluator
from parlour.value.network import ValueNetwork

TABLE_MIB = 4
MAX_TABLE_MIB = 1 << 14
MAX_MIB = 256
"""The limit of all tables of a player together; above it fewer games are played side by side."""
CALL_SECONDS = 0.2
"""About how long a compiled call may take."""
FIRST_NODES = 500 if COMPILED else 20
"""Nodes of the first call, which measures how many can be searched per second."""
LAST_SHARE = 0.02
"""A search with a time ends when less than this share of it is left."""
EXACT = ":exact"


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
    null_move: bool = True
    reductions: bool = True
    internal_reduction: bool = True
    single_reply: bool = True
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


class Expectimax:
    """Search to a depth in plies, or for a time a ply, on the game's potential.

    What has been searched is kept for the plies that are then played. At a depth the same seed gives the same play, on
    any number of threads and beside any other games; with a time, play is not reproducible.
    """

    deterministic = True
    """Except for ties, which are broken at random, and for the depth that a time allows."""

    def __init__(
        self,
        depth: int | None = None,
        seconds: float | None = None,
        heuristics: Heuristics = ALL_HEURISTICS,
        table_mib: int = TABLE_MIB,
        clock: Callable[[], float] = time.perf_counter,
        network: ValueNetwork | None = None,
    ) -> None:
        """
        Args:
            depth: plies, from 1 to 60; or
            seconds: how long for each ply, above 0.
            heuristics: which ones are used. `EXACT_HEURISTICS` finds the value of looking at everything to the depth.
            table_mib: the size of the transposition table of each game, in MiB, from 1 up.
            clock: a function that gives the time in seconds; `time.thread_time`, on one thread, ignores other work.
            network: what values positions at full depth (`parlour.value`); None: the game's potential. Searching
                games for which it is not made raises ValueError.
        """
        if (depth is None) == (seconds is None):
            raise ValueError("expectimax takes either a depth or a time")
        if depth is not None and not 1 <= depth <= MAX_DEPTH:
            raise ValueError(f"expectimax takes a depth from 1 to {MAX_DEPTH}, not {depth}")
        if seconds is not None and not (seconds > 0 and math.isfinite(seconds)):
            raise ValueError(f"expectimax takes a time above 0 seconds, not {seconds}")
        if not 1 <= table_mib <= MAX_TABLE_MIB:
            raise ValueError(f"a table takes 1 to {MAX_TABLE_MIB} MiB, not {table_mib}")
        self.depth, self.seconds, self.heuristics, self.table_mib = depth, seconds, heuristics, table_mib
        self.clock, self.network = clock, network
        budget = str(depth) if seconds is None else f"{seconds:g}s"
        self.name = f"expectimax:{budget}" + (EXACT if heuristics == EXACT_HEURISTICS else "")
        self._search: _Search | None = None

    @property
    def max_rows(self) -> int:
        """How many games to play side by side at most, for memory's sake."""
        return max(MAX_MIB // self.table_mib, 1)

    def choose(self, view: GamesView, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        games = games_of(view)
        search = self._searching(games)
        search.run(row_mask & (games.counts > 1), self.depth, self.seconds)
        search.run(row_mask & (games.counts == 1), 1, None)
        actions[row_mask] = search.memory.progress["action"][row_mask]

    def values(self, view: GamesView) -> NDArray[np.float64]:
        """float64 (N, P): what the latest search of each row has found its position to be worth to each seat; 0.9 is
        the highest potential, or what a network values highest. (Of a row with a single legal action it went but one
        ply deep.)"""
        return self._searching(games_of(view)).memory.values

    def consider(self, view: GamesView, row: int = 0) -> Analysis:
        """What the search finds; of values, 0.9 is the highest potential. See `parlour.players.Considering`."""
        row_mask, games = only(view, row), games_of(view)
        search = self._searching(games)
        search.run(row_mask, self.depth, self.seconds)
        progress = search.memory.progress[row]
        probabilities = np.zeros(games.layout.actions)
        probabilities[int(progress["action"])] = 1.0
        return Analysis(
            probabilities=probabilities,
            principal_variation=search.principal_variation(row),
            values=search.memory.values[row].copy(),
            depth=int(progress["finished"]),
            nodes=int(progress["nodes"]),
        )

    def _searching(self, games: Games) -> _Search:
        if self._search is None or self._search.games is not games:
            self._search = _Search(games, self.heuristics, self.table_mib, self.clock, self.network)
        return self._search


def parse_expectimax(budget: str) -> Expectimax:
    """The player ``expectimax:budget``: ``6`` plies or ``0.1s`` a ply, and ``:exact`` for the value of looking at
    everything. ValueError for any other."""
    amount, colon, rest = budget.partition(":")
    number = amount.removesuffix("s")
    try:
        if colon and rest != EXACT[1:]:
            raise ValueError(f"{rest!r} is unknown")
        heuristics = EXACT_HEURISTICS if colon else ALL_HEURISTICS
        if amount.endswith("s"):
            return Expectimax(seconds=float(number), heuristics=heuristics)
        if not (number.isascii() and number.isdecimal()):
            raise ValueError("a depth is missing")
        return Expectimax(int(number), heuristics=heuristics)
    except ValueError as error:
        form = "expectimax:6 (plies), expectimax:0.1s (seconds a ply), expectimax:4:exact (looks at everything)"
        raise ValueError(f"there is no player 'expectimax:{budget}' ({error}); valid: {form}") from None


class _Search:
    """The memory of the rows of ``games``, and what its threads work with."""

    def __init__(
        self, games: Games, heuristics: Heuristics, table_mib: int, clock: Callable[[], float],
        network: ValueNetwork | None,
    ) -> None:  # fmt: skip
        self.games, self._clock = games, clock
        rules, n, seats, actions = games.game.rules, games.num_games, games.layout.seats, games.layout.actions
        game = games.game
        compiled = game.compiled if network is None else game.compiled_with_network
        self.kernels = compiled.alpha_beta if seats == 2 else compiled.max_n
        self._switches = heuristics.switches()
        self._evaluator = None if network is None else Evaluator(network, games)
        self._nodes_a_second = FIRST_NODES / CALL_SECONDS
        states = records(n * LEVELS, rules.STATE)
        masks = np.zeros_like(games.masks)
        per_seat = 0 if seats == 2 else LEVELS
        self.levels = Levels(
            states=states.reshape(n, LEVELS),
            words=states.view(np.uint64, np.ndarray).reshape(n, LEVELS, -1),
            frames=records(n * LEVELS, FRAME).reshape(n, LEVELS),
            rewards=np.zeros((n, seats)),
            actions=np.zeros((n, LEVELS, actions), np.int32),
            scores=np.zeros((n, LEVELS, actions), np.int32),
            killers=np.zeros((n, LEVELS, 2), np.int32),
            faces=np.zeros((n, LEVELS, max(rules.DICE, 1)), np.int8),
            keys=np.zeros((n, 1), np.uint64),
            key_levels=np.zeros((n, 1), np.int32),
            values=np.zeros((n, per_seat, seats)),
            paid=np.zeros((n, per_seat, seats)),
            masks=masks,
            mask_words=masks.view(np.uint64),
        )
        places = 1 << int(math.log2((table_mib << 20) // ENTRY.itemsize)) if seats == 2 else 2
        self.memory = Memory(
            progress=records(n, PROGRESS),
            entries=records(n * places, ENTRY).reshape(n, places),
            history=np.zeros((n, 2, actions), np.int32),
            countermoves=np.full((n, 2, actions), NONE, np.int32),
            values=np.zeros((n, seats)),
        )

    def run(self, row_mask: NDArray[np.bool_], depth: int | None, seconds: float | None) -> None:
        """Searches ``row_mask`` (bool (N,)) to a depth, or each for a time."""
        if not row_mask.any():
            return
        self.begin(row_mask)
        if seconds is None:
            assert depth is not None
            while self.go_on(row_mask, depth, self._nodes(CALL_SECONDS) // self._rows_a_thread(row_mask)):
                pass
            return
        for one_each in self._one_a_thread(row_mask):
            self._run_for(one_each, seconds)

    def begin(self, row_mask: NDArray[np.bool_]) -> None:
        """The next call searches these rows (bool (N,)) as they stand."""
        self._widen()
        self.memory.progress["status"][row_mask] = TO_BEGIN
        self.memory.progress["nodes"][row_mask] = 0

    def go_on(self, row_mask: NDArray[np.bool_], depth: int, nodes: int) -> bool:
        """One compiled call, for ``nodes`` nodes a row. Returns whether any row is not done yet."""
        games, searched = self.games, -int(self.memory.progress["nodes"][row_mask].sum())
        began = self._clock()
        waiting = games.run(
            self.kernels.search_rows, row_mask, depth, nodes, games.arrays, self.levels, self.memory,
            NO_WEIGHTS if self._evaluator is None else self._evaluator.refresh(), self._switches,
        )  # fmt: skip
        took = self._clock() - began
        searched += int(self.memory.progress["nodes"][row_mask].sum())
        if searched >= FIRST_NODES and took > 0:
            self._nodes_a_second = searched / took / games.threads
        return sum(waiting) > 0

    def principal_variation(self, row: int) -> tuple[int, ...]:
        """What the table knows to be best from a row's position on, after the action that was found."""
        found = np.full(LEVELS, NONE, np.int32)
        if self.games.layout.seats != 2:
            return (int(self.memory.progress["action"][row]),)
        self.kernels.write_variation(row, self.games.arrays, self.levels, self.memory, self._switches, found)
        return tuple(found[found != NONE].tolist())

    def _run_for(self, row_mask: NDArray[np.bool_], seconds: float) -> None:
        """Searches the rows of ``row_mask``, one row a thread at most, for a time; but to depth 1 at least."""
        end = self._clock() + seconds
        while True:
            left = max(end - self._clock(), 0.0)
            going = self.go_on(row_mask, MAX_DEPTH, self._nodes(min(CALL_SECONDS, 0.5 * left)))
            found = (self.memory.progress["finished"][row_mask] > 0).all()
            if not going or (found and end - self._clock() < LAST_SHARE * seconds):
                return

    def _rows_a_thread(self, row_mask: NDArray[np.bool_]) -> int:
        return -(-int(row_mask.sum()) // self.games.threads)

    def _nodes(self, seconds: float) -> int:
        """About how many nodes a thread looks at in a time."""
        return max(int(seconds * self._nodes_a_second), FIRST_NODES // 4)

    def _one_a_thread(self, row_mask: NDArray[np.bool_]) -> list[NDArray[np.bool_]]:
        """``row_mask`` in parts, none of which has two rows of the same thread."""
        own = [np.flatnonzero(row_mask[low:high]) + low for low, high in shares(len(row_mask), self.games.threads)]
        parts = []
        for k in range(max(len(share) for share in own)):
            part = np.zeros_like(row_mask)
            part[[share[k] for share in own if k < len(share)]] = True
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
