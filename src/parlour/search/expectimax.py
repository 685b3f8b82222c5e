"""The player `Expectimax`: search to a fixed depth for every game, through its rule kernels.

It chooses for all its rows of a table in one compiled call, each thread searching its own rows.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Table
from parlour.rulebook.state_records import records

MOST_DEPTH = 20
ENTRIES = 1 << 14
"""Positions that a search to a fixed depth keeps, a row."""


class Expectimax:
    """Search to a fixed depth in plies on the game's potential: see `parlour.engine.kernels.expectimax`."""

    max_rows = 64
    deterministic = True  # but for ties

    def __init__(self, depth: int) -> None:
        """``depth``: from 1 to 20."""
        if not 1 <= depth <= MOST_DEPTH:
            raise ValueError(f"expectimax takes a depth from 1 to {MOST_DEPTH}, not {depth}")
        self.depth = depth
        self.name = f"expectimax:{depth}"
        self._ladder: _Ladder | None = None

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `parlour.players.Player`."""
        if self._ladder is None or self._ladder.table is not table:
            self._ladder = _Ladder(table, self.depth)
        ladder = self._ladder
        ladder.widen()
        ladder.calls += 1
        table.run(
            table.game.compiled.expectimax.search_rows, rows, self.depth, ladder.calls, table.columns, ladder.levels,
            actions,
        )  # fmt: skip


def parse_expectimax(depth: str) -> Expectimax:
    """The player ``expectimax:3``. ValueError for any other."""
    try:
        if not (depth.isascii() and depth.isdecimal()):
            raise ValueError("a depth is missing")
        return Expectimax(int(depth))
    except ValueError as error:
        form = "expectimax:3 (plies)"
        raise ValueError(f"there is no player 'expectimax:{depth}' ({error}); valid: {form}") from None


class _Ladder:
    """What the threads of a table work with."""

    def __init__(self, table: Table, depth: int) -> None:
        self.table, self.calls = table, 0
        kernels, rules = table.game.compiled.expectimax, table.game.rules
        n, seats, actions = table.num_games, table.layout.seats, table.layout.actions
        throws = kernels.MOST_THROWS if rules.DICE else 0
        levels = depth * (1 + throws) + throws + 2
        states = records(n * levels, rules.STATE)
        masks = np.zeros_like(table.masks)
        self.levels = kernels.Levels(
            states=states.reshape(n, levels),
            words=states.view(np.uint64, np.ndarray).reshape(n, levels, -1),
            frames=records(n * levels, kernels.LEVEL).reshape(n, levels),
            rewards=np.zeros((n, levels, seats)),
            values=np.zeros((n, levels, seats)),
            history=np.zeros((n, levels, 1), np.uint64),
            actions=np.zeros((n, levels, actions), np.int32),
            scores=np.zeros((n, actions)),
            faces=np.zeros((n, levels, max(rules.DICE, 1)), np.int8),
            masks=masks,
            mask_words=masks.view(np.uint64),
            entries=records(n * ENTRIES, kernels.ENTRY).reshape(n, ENTRIES),
        )

    def widen(self) -> None:
        """Makes room for positions that a search passes beyond those of the game."""
        width, levels = self.table.history.shape[1], self.levels
        room = width + levels.states.shape[1] if width > 1 else 1
        if levels.history.shape[2] < room:
            self.levels = levels._replace(history=np.zeros((*levels.states.shape, 2 * room), np.uint64))
