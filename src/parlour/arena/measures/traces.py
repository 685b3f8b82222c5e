"""Traces: what happened in every ply of a game, recorded while it is played, for the measures.

Axis letters: T plies, P seats, E events, H × W board.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import Traces
from parlour.engine.games import Games
from parlour.engine.kernels.tracing import begin_traces, trace_plies
from parlour.players.simulate import Observer, Results
from parlour.rulebook.state_records import as_words, records

FIRST_CAPACITY = 64
"""The length of the arrays at first: one more than the number of plies that fit."""
PER_PLY = ("seats", "actions", "legal", "changed", "distance", "potentials", "leads", "keys", "events")
"""The arrays of `parlour.engine.arrays.Traces` that have an element for every ply."""


@dataclass(frozen=True, eq=False)
class Trace:
    """What happened in every ply of a game.

    Attributes:
        seats: int8 (T,), the seat that acted.
        actions: int32 (T,).
        legal: int32 (T,), the number of legal actions.
        potentials: float32 (T + 1, P), the potential of each seat before the first ply and after every ply, by the
            game's evaluation: from −1 to 1, and 0 after an end by the rules.
        leads: float32 (T + 1, P), the potential of each seat minus the highest potential of the other seats.
        lead_changes: how often the lead passed to another seat: see `parlour.players.simulate.Results`.
        keys: uint64 (T + 1,), a hash of what the board shows: equal for equal boards.
        changed: int32 (T,), how many cells of the board the ply changed.
        distance: int32 (T,), the greatest distance between two of these cells, in king's moves.
        used: how many cells changed at any time in the game.
        cells: the number of cells, H · W.
        irreversible: after how many of its plies, but the last, no earlier position could come again.
        events: int32 (T, E), how often each of the game's events happened.
        event_names: (E,).
    """

    seats: NDArray[np.int8]
    actions: NDArray[np.int32]
    legal: NDArray[np.int32]
    potentials: NDArray[np.float32]
    leads: NDArray[np.float32]
    lead_changes: int
    keys: NDArray[np.uint64]
    changed: NDArray[np.int32]
    distance: NDArray[np.int32]
    used: int
    cells: int
    events: NDArray[np.int32]
    event_names: tuple[str, ...]
    irreversible: int

    @cached_property
    def gains(self) -> NDArray[np.float32]:
        """By how much each ply raises the lead of the seat that acts, float32 (T,)."""
        acting = np.arange(len(self.seats)), self.seats
        return self.leads[1:][acting] - self.leads[:-1][acting]

    @cached_property
    def boards(self) -> int:
        """How many different boards the game showed."""
        return len(set(self.keys.tolist()))


class TraceRecorder(Observer):
    """Records a trace of every game while it is played."""

    def __init__(self) -> None:
        self._traces: Traces | None = None
        self._actions = np.zeros(0, np.int64)
        self._longest = 0  # an upper bound of the plies of the longest game
        self._row_of: dict[int, int] = {}

    def begin(self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64]) -> None:
        """See `parlour.players.simulate.Observer`."""
        if self._traces is None:
            self._traces = _empty(games)
            self._event_names = tuple(games.game.evaluation.EVENTS)
            self._irreversible = np.zeros(games.num_games, np.int64)
        self._irreversible[row_ids] = 0
        self._row_of.update(zip(game_numbers.tolist(), row_ids.tolist()))
        rules, arrays = games.functions_for(begin_traces), games.arrays
        begin_traces(rules, row_ids, arrays.states, arrays.variants, games.counts, self._traces)

    def before_step(
        self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64], actions: NDArray[np.int64]
    ) -> None:
        """See `parlour.players.simulate.Observer`."""
        self._actions = actions
        before = games.states[row_ids]
        self._irreversible[row_ids] += (before["irreversible"] == 1) & (before["plies"] > 0)

    def after_step(
        self, games: Games, row_ids: NDArray[np.int64], game_numbers: NDArray[np.int64], results: Results
    ) -> None:
        """See `parlour.players.simulate.Observer`."""
        traces = self._traces_with_room()
        rules, arrays = games.functions_for(trace_plies), games.arrays
        trace_plies(
            rules, row_ids, self._actions, games.layout.width, arrays.states, arrays.variants, games.counts, traces
        )

    def _traces_with_room(self) -> Traces:
        """The traces, enlarged if needed so that one more ply of every game fits."""
        assert self._traces is not None
        self._longest += 1
        if self._longest >= self._traces.actions.shape[1]:
            self._longest = int(self._traces.lengths.max()) + 1
            if self._longest >= self._traces.actions.shape[1]:
                doubled = {
                    name: np.concatenate([array, np.zeros_like(array)], axis=1)
                    for name, array in self._traces._asdict().items()
                    if name in PER_PLY
                }
                self._traces = self._traces._replace(**doubled)
        return self._traces

    def trace_of(self, game: int) -> Trace:
        """The trace of a game that has just ended. The next game in its row overwrites all of it but the actions."""
        traces, row = self._traces, self._row_of[game]
        assert traces is not None
        plies = int(traces.lengths[row])
        return Trace(
            read_only(traces.seats[row, :plies]), read_only(traces.actions[row, :plies].copy()),
            read_only(traces.legal[row, :plies]), read_only(traces.potentials[row, : plies + 1]),
            read_only(traces.leads[row, : plies + 1]), int(traces.lead_changes[row]),
            read_only(traces.keys[row, : plies + 1]), read_only(traces.changed[row, :plies]),
            read_only(traces.distance[row, :plies]), int(np.count_nonzero(traces.latest[row])),
            traces.latest.shape[1], read_only(traces.events[row, :plies]), self._event_names,
            int(self._irreversible[row]),
        )  # fmt: skip


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """A view of the array that can't be made writable again. Measures get it, and the journal is made of it."""
    array.setflags(write=False)
    return array[:]  # NumPy can make the array itself writable again, but not a view of a read-only array


def _empty(games: Games) -> Traces:
    n, seats, size = games.num_games, games.layout.seats, games.layout.height * games.layout.width
    planes = len(games.game.layout(games.variant_mix.entries[0].values).planes)
    events = len(games.game.evaluation.EVENTS)
    pictures = np.zeros((n, 2, -(-planes * size // 8)), np.uint64)

    def per_ply(kind: type[np.generic], *shape: int) -> NDArray[Any]:
        return np.zeros((n, FIRST_CAPACITY, *shape), kind)

    return Traces(
        lengths=np.zeros(n, np.int64), seats=per_ply(np.int8), actions=per_ply(np.int32), legal=per_ply(np.int32),
        changed=per_ply(np.int32), distance=per_ply(np.int32), potentials=per_ply(np.float32, seats),
        leads=per_ply(np.float32, seats), keys=per_ply(np.uint64), events=per_ply(np.int32, events),
        pictures=pictures.view(np.int8), words=pictures, latest=np.zeros((n, size), np.int32),
        before=as_words(records(n, games.game.rules.STATE)), leaders=np.zeros(n, np.int64),
        lead_changes=np.zeros(n, np.int64),
    )  # fmt: skip
