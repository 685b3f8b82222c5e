"""Whole games as measures see them: what happened in every ply, kept while a game is played.

Axis letters: T plies, P seats, E events, H × W board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.games import Games
from parlour.rulebook.state_records import records
from parlour.simulate import Results, ahead

FIRST_ROOM = 64
"""Plies for which there is room at first."""


@dataclass(frozen=True, eq=False)
class Trace:
    """What happened in every ply of a game.

    Attributes:
        seats: int8 (T,), the seat that acted.
        actions: int32 (T,).
        legal: int32 (T,), how many actions were legal.
        potentials: float32 (T + 1, P), how the position stood for each seat before the first ply and after every ply,
            by the game's evaluation: within −1 to 1, and 0 after an end by the rules.
        keys: uint64 (T + 1,), a hash of what the board shows: equal for equal boards.
        changed: int32 (T,), cells of the board that the ply changed.
        distance: int32 (T,), the greatest distance between two of these, in king's steps.
        used: how many cells changed at any time in the game.
        cells: H · W.
        events: int32 (T, E), how often each of the game's events happened.
        event_names: (E,).
    """

    seats: NDArray[np.int8]
    actions: NDArray[np.int32]
    legal: NDArray[np.int32]
    potentials: NDArray[np.float32]
    keys: NDArray[np.uint64]
    changed: NDArray[np.int32]
    distance: NDArray[np.int32]
    used: int
    cells: int
    events: NDArray[np.int32]
    event_names: tuple[str, ...]

    @cached_property
    def leads(self) -> NDArray[np.float32]:
        """The potential of each seat minus the highest of the others', (T + 1, P)."""
        ordered = np.sort(self.potentials, axis=1)
        best, second = ordered[:, -1:], ordered[:, -2:-1]
        return np.where(self.potentials == best, self.potentials - second, self.potentials - best)

    @property
    def lead_changes(self) -> int:
        """How often the lead passed to another seat: see `parlour.simulate.Results`."""
        leaders = ahead(self.potentials[1:])
        leaders = leaders[leaders >= 0]
        return int(np.count_nonzero(np.diff(leaders)))


class TraceRecorder:
    """Keeps a trace of every game while it is played: an `Observer` of `parlour.simulate`."""

    def __init__(self) -> None:
        """Nothing has been played yet."""
        self._ready = False
        self._row_of: dict[int, int] = {}

    def _prepare(self, games: Games) -> None:
        """Makes room for all rows of ``games``."""
        n, seats, size = games.num_games, games.layout.seats, games.layout.height * games.layout.width
        own = size * len(games.game.layout(games.variant_mix.entries[0].values).planes)
        self._width, self._cells = games.layout.width, size
        self._lengths = np.zeros(n, np.int64)
        self._seats, self._actions = np.zeros((n, FIRST_ROOM), np.int8), np.zeros((n, FIRST_ROOM), np.int32)
        self._legal, self._changed = np.zeros((n, FIRST_ROOM), np.int32), np.zeros((n, FIRST_ROOM), np.int32)
        self._distance = np.zeros((n, FIRST_ROOM), np.int32)
        self._potentials = np.zeros((n, FIRST_ROOM, seats), np.float32)
        self._keys = np.zeros((n, FIRST_ROOM), np.uint64)
        self._events = np.zeros((n, FIRST_ROOM, len(games.game.evaluation.EVENTS)), np.int32)
        self._pictures, self._next = np.zeros((n, own), np.int8), np.zeros((n, own), np.int8)
        self._used = np.zeros((n, size), np.uint8)
        self._key, self._count, self._reach = np.zeros(n, np.uint64), np.zeros(n, np.int64), np.zeros(n, np.int64)
        self._standing = np.zeros((n, seats), np.float32)
        self._before = records(n, games.game.rules.STATE)
        self._happened = np.zeros((n, self._events.shape[2]), np.int64)
        self._event_names = tuple(games.game.evaluation.EVENTS)
        self._ready = True

    def begin(self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64]) -> None:
        """See `parlour.simulate.Observer`."""
        if not self._ready:
            self._prepare(games)
        self._row_of.update(zip(game_numbers.tolist(), row_ids.tolist()))
        self._lengths[row_ids] = 0
        self._used[row_ids] = 0
        row_mask = np.zeros(games.num_games, np.bool_)
        row_mask[row_ids] = True
        games.run(games.game.compiled.tracing.picture_rows, row_mask, games.arrays, self._pictures, self._key)
        games.potentials(self._standing)
        self._keys[row_ids, 0], self._potentials[row_ids, 0] = self._key[row_ids], self._standing[row_ids]

    def before_step(
        self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> None:
        """See `parlour.simulate.Observer`."""
        if self._lengths.max() + 2 > self._actions.shape[1]:
            self._widen()
        plies = self._lengths[row_ids]
        self._seats[row_ids, plies] = games.to_act[row_ids]
        self._actions[row_ids, plies] = actions[row_ids]
        self._legal[row_ids, plies] = games.counts[row_ids]
        self._before.view(np.uint8)[:] = games.states.view(np.uint8)

    def after_step(
        self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64], results: Results
    ) -> None:
        """See `parlour.simulate.Observer`."""
        row_mask = np.zeros(games.num_games, np.bool_)
        row_mask[row_ids] = True
        games.run(
            games.game.compiled.tracing.change_rows, row_mask, games.arrays, self._width, self._pictures, self._next,
            self._key, self._used, self._count, self._reach,
        )  # fmt: skip
        self._pictures, self._next = self._next, self._pictures
        games.potentials(self._standing)
        games.events(self._before, self._happened)
        plies = self._lengths[row_ids]
        self._changed[row_ids, plies], self._distance[row_ids, plies] = self._count[row_ids], self._reach[row_ids]
        self._events[row_ids, plies] = self._happened[row_ids]
        self._keys[row_ids, plies + 1], self._potentials[row_ids, plies + 1] = (
            self._key[row_ids],
            self._standing[row_ids],
        )
        self._lengths[row_ids] += 1

    def _widen(self) -> None:
        for name in ("_seats", "_actions", "_legal", "_changed", "_distance", "_potentials", "_keys", "_events"):
            array: NDArray[Any] = getattr(self, name)
            setattr(self, name, np.concatenate([array, np.zeros_like(array)], axis=1))

    def trace_of(self, game: int) -> Trace:
        """The trace of a game that has just ended."""
        row = self._row_of[game]
        plies = int(self._lengths[row])
        return Trace(
            self._seats[row, :plies].copy(),
            self._actions[row, :plies].copy(),
            self._legal[row, :plies].copy(),
            self._potentials[row, : plies + 1].copy(),
            self._keys[row, : plies + 1].copy(),
            self._changed[row, :plies].copy(),
            self._distance[row, :plies].copy(),
            int(self._used[row].sum()),
            self._cells,
            self._events[row, :plies].copy(),
            self._event_names,
        )
