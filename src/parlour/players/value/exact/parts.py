"""Where the turns from a tier's positions lead, part by part, with what is known of ends in earlier tiers."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game_functions import GameFunctions
from parlour.engine.kernels import solving
from parlour.engine.rules_table import rules_table
from parlour.engine.solving_arrays import MOST_POSITIONS, OVER, PROBLEMS, Graph, empty_graph, walk_of
from parlour.players.value.exact.tables import Table
from parlour.rulebook.state_records import as_words, records
from parlour.support.jobs import RunJobs

PART = 1 << 15
"""Positions of a part, if there is room for their edges."""
EDGES = 1 << 19
AHEAD = 16
"""Ranges of positions that workers get together."""


class OutsideTable(ValueError):
    """A position that a table does not have."""


class Part(NamedTuple):
    """Positions of a tier that follow one another."""

    first: int
    graph: Graph
    """Without ``out``, which has no rows"""
    out: NDArray[Any]
    """What is known of the edges that lead out: with dice float64 (M, 2), lower and upper bounds; without, int16 (M,)
    codes; both to the seat that moves"""

    @property
    def size(self) -> int:
        """Bytes in memory."""
        return sum(array.nbytes for array in (self.graph.kinds, self.graph.starts, self.graph.edges, self.out))


class Expander:
    """Plays the turns of a table's game, by its rules.

    Attributes:
        chances: of the distinct throws of the game proper, float64 (K,).
        room: where the kernel writes edges; larger after a position that had more than there was room for.
    """

    def __init__(self, table: Table) -> None:
        game, values = table.game, table.info.values
        layout = game.layout(values)
        if layout.seats != 2:
            raise ValueError(f"{game.id} can't be solved: it has {layout.seats} seats, not two")
        self.table, self.game = table, game
        self.variants = records(1, game.variant_dtype)
        game.fill_variant(self.variants[0], values)
        self.dice = game.dice_thrown(self.variants[0])
        self.chances = np.array([chance for _, chance in game.outcomes(self.dice)])
        self._rules = rules_table(game, layout)
        self.walk = walk_of(game, layout.seats, layout.actions)
        self.room = empty_graph(PART, EDGES)

    def functions_for(self, kernel: Any) -> GameFunctions:
        """The game's functions for a kernel."""
        return self._rules.ready_for(kernel)

    def parts(self, tier: int, low: int, high: int) -> Iterator[Part]:
        """The positions ``low`` to ``high`` − 1 of a tier, in parts. ValueError if the game's endings are wrong, or an
        earlier tier's values are missing."""
        size = self.table.info.tiers[tier].size
        if size > MOST_POSITIONS:
            raise ValueError(f"tier {tier} has {size:,} positions; at most {MOST_POSITIONS:,} can be solved together")
        while low < high:
            end, out = self.expand(tier, low, min(high, low + PART))
            room, count = self.room, end - low
            starts = room.starts[: count + 1].astype(np.int32)
            graph = Graph(room.kinds[:count].copy(), starts, room.edges[: starts[-1]].copy(), room.out[:0])
            yield Part(low, graph, self.known(room.out[:out]))
            low = end

    def expand(self, tier: int, low: int, high: int) -> tuple[int, int]:
        """Writes the edges of positions into `room`, as far as there is room, but for one at least. Returns the next
        position, and how many edges lead out. ValueError if the game's endings are wrong."""
        size, rules = self.table.info.tiers[tier].size, self.functions_for(solving.expand)
        while True:
            end, out = solving.expand(
                rules, tier, size, low, high, self.dice, as_words(self.variants), self.walk, self.room
            )
            if end < 0:
                raise ValueError(f"{self.game.endings.__name__}: {PROBLEMS[end]} (tier {tier}, number {out})")
            if end > low or low == high:
                return end, out
            self.room = empty_graph(PART, 2 * len(self.room.edges))

    def known(self, out: Any) -> NDArray[Any]:
        """What is known of edges out (M,): see `Part.out`. OutsideTable for a position that is."""
        tiers, same, paid = np.asarray(out["tier"]), np.asarray(out["same"]) == 1, np.asarray(out["paid"])
        over = tiers == OVER
        if self.dice == 0 and np.any(~np.isin(paid, (-1, 0, 1))):
            raise ValueError(f"{self.game.id} can't be solved: it pays other rewards than 1 for a win, −1 for a loss")
        if np.any(~over & ((tiers < 0) | (tiers >= len(self.table.info.tiers)))):
            raise OutsideTable(f"outside the table ({self.table.label})")
        bounds, codes = np.stack([paid, paid], axis=1), np.where(paid > 0, 1, np.where(paid < 0, -2, 0))
        for tier in np.unique(tiers[~over]).tolist():
            at = np.flatnonzero(tiers == tier)
            values, index, same_side = self.table[tier], np.asarray(out["index"])[at], same[at]
            if self.dice:
                low, high = values.bounds(index)
                bounds[at, 0], bounds[at, 1] = np.where(same_side, low, -high), np.where(same_side, high, -low)
            else:
                codes[at] = later(values.codes(index).astype(np.int64), same_side)
        return bounds if self.dice else codes.astype(np.int16)


_kept = threading.local()


def expand_range(table: Table, tier: int, low: int, high: int) -> list[Part]:
    """The parts of a range of a tier's positions: a job. Each thread, and each process of a cluster, keeps its
    `Expander` for the next one. ValueError as for `Expander.parts`."""
    expander = getattr(_kept, "expander", None)
    if expander is None or (expander.table.path(0), expander.table.info) != (table.path(0), table.info):
        expander = _kept.expander = Expander(table)
    return list(expander.parts(tier, low, high))


def parts_of(table: Table, tier: int, run: RunJobs) -> Iterator[Part]:
    """All parts of a tier in their order, `AHEAD` ranges at a time. ValueError as for `Expander.parts`."""
    size = table.info.tiers[tier].size
    jobs = [partial(expand_range, table, tier, low, min(low + PART, size)) for low in range(0, size, PART)]
    for at in range(0, len(jobs), AHEAD):
        for parts in run(jobs[at : at + AHEAD]):
            yield from parts


def later(codes: NDArray[np.int64], same: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Codes of positions from which one turn leads to these: the kernel ``solving.later`` for arrays."""
    turns = turns_of(codes)
    return np.where(codes == 0, 0, np.where((codes > 0) == same, turns + 1, -turns - 2))


def turns_of(codes: Any) -> Any:
    """The numbers of turns of codes, 0 for a draw."""
    return np.where(codes < 0, -codes - 1, codes)
