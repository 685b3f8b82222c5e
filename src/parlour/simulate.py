"""Whole games between players, many side by side, and what came of them.

Each game has a seed of its own and is the same whatever else is played beside it: on any number of rows and threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import DISABLED
from parlour.engine.game import Game
from parlour.engine.games import Table
from parlour.engine.seeds import seed_words
from parlour.engine.variant_mix import single
from parlour.players import Player
from parlour.rulebook.chance import row_seeds
from parlour.rulebook.options import Value
from parlour.rulebook.state_records import records

MAX_ROWS = 512
"""Games played side by side: enough to be quick, few enough to stay in a processor's cache."""


@dataclass
class Results:
    """What came of M games.

    Attributes:
        returns: float64 (M, P), each seat's sum of rewards.
        truncated: bool (M,), cut by `max_plies`.
        plies: int64 (M,).
        choices: int64 (M,), legal actions summed over the plies.
        forced: int64 (M,), plies with a single legal action.
        ends: int8 (M,), how each ended, numbered as in the game's ``rules.ENDS``.
        lead_changes: int64 (M,), how often another seat than the last one came to lead: to have a higher potential than
            any other after a ply. Zeros unless they were asked for.
        events: int64 (M, E), how often each of the game's ``evaluation.EVENTS`` happened. Zeros unless asked for.
    """

    returns: NDArray[np.float64]
    truncated: NDArray[np.bool_]
    plies: NDArray[np.int64]
    choices: NDArray[np.int64]
    forced: NDArray[np.int64]
    ends: NDArray[np.int8]
    lead_changes: NDArray[np.int64]
    events: NDArray[np.int64]

    @classmethod
    def empty(cls, games: int, seats: int, events: int) -> Results:
        """For M games of P seats and E events, none of them played yet."""
        counts = [np.zeros(games, np.int64) for _ in range(4)]
        plies, choices, forced, lead_changes = counts
        return cls(
            np.zeros((games, seats)), np.zeros(games, np.bool_), plies, choices, forced, np.zeros(games, np.int8),
            lead_changes, np.zeros((games, events), np.int64),
        )  # fmt: skip

    @property
    def winners(self) -> NDArray[np.int64]:
        """Who won each game, (M,): the seat with the highest return, −1 where seats share it or the game was
        truncated."""
        return np.where(self.truncated, -1, ahead(self.returns))


def ahead(values: NDArray[Any]) -> NDArray[np.int64]:
    """The seat with the highest of its row's ``values`` (M, P), −1 where several have it: (M,)."""
    highest = values == values.max(axis=1, keepdims=True)
    return np.where(highest.sum(axis=1) == 1, highest.argmax(axis=1), -1)


def play_games(
    game: Game,
    values: Mapping[str, Value],
    players: Sequence[Player],
    seeds: Sequence[int],
    threads: int = 1,
    on_finished: Callable[[Results, NDArray[np.int64]], None] = lambda results, games: None,
    judged: bool = False,
) -> Results:
    """Plays one game a seed, ``players[p]`` in seat p.

    ``on_finished`` is told of every game as it ends: the results so far, and the numbers of the games that have just
    ended. ``judged``: lead changes and events are counted, which takes longer than most plies of random play.
    """
    count = len(seeds)
    words = seed_words(seeds)
    seats = game.layout(values).seats
    results = Results.empty(count, seats, len(game.evaluation.EVENTS))
    if not count:
        return results
    most = min(getattr(player, "max_rows", MAX_ROWS) for player in players)
    table = Table(game, single(game, values), min(count, MAX_ROWS, max(most, threads)), threads)
    judge = _Judge(table) if judged else None
    playing = np.arange(table.num_games)  # which game each row plays; −1: none is left for it
    upcoming = table.num_games
    table.begin(words[: table.num_games])
    actions = np.full(table.num_games, -1, np.int64)
    seats_of = [(player, np.array([other == player for other in players])) for player in dict.fromkeys(players)]
    while (playing >= 0).any():
        busy = playing >= 0
        rows = np.flatnonzero(busy)
        results.choices[playing[rows]] += table.counts[rows]
        results.forced[playing[rows]] += table.counts[rows] == 1
        for player, seated in seats_of:
            mine = busy & seated[table.to_act]
            if mine.any():
                player.choose(table, mine, actions)
        if judge:
            judge.remember()
        table.step(actions, DISABLED)
        if judge:
            judge.note(rows, playing[rows], results)
        results.returns[playing[rows]] += table.rewards[rows]
        over = busy & (table.terminated | table.truncated)
        if not over.any():
            continue
        ended = np.flatnonzero(over)
        finished = playing[ended]
        results.plies[finished] = table.states["plies"][ended]
        results.truncated[finished] = table.truncated[ended]
        results.ends[finished] = table.states["end"][ended]
        fresh = ended[: max(count - upcoming, 0)]
        playing[ended] = -1
        playing[fresh] = np.arange(upcoming, upcoming + len(fresh))
        upcoming += len(fresh)
        again = np.zeros(table.num_games, np.bool_)
        again[fresh] = True
        table.begin(words[np.maximum(playing, 0)], again)
        if judge:
            judge.leaders[again] = -1
        on_finished(results, finished)
    return results


class _Judge:
    """Follows the lead and the events of every row of a table."""

    def __init__(self, table: Table) -> None:
        self.table = table
        n, seats = table.num_games, table.layout.seats
        self.leaders = np.full(n, -1)  # who led last in each row's game; −1: nobody has yet
        self._before = records(n, table.game.rules.STATE)
        self._potentials = np.zeros((n, seats), np.float32)
        self._events = np.zeros((n, len(table.game.evaluation.EVENTS)), np.int64)

    def remember(self) -> None:
        """Keeps the states before a step."""
        self._before.view(np.uint8)[:] = self.table.states.view(np.uint8)  # NumPy copies records field by field

    def note(self, rows: NDArray[np.int64], games: NDArray[np.int64], results: Results) -> None:
        """Counts what happened in the step in ``rows`` (K,), which play ``games`` (K,)."""
        self.table.events(self._before, self._events)
        results.events[games] += self._events[rows]
        self.table.potentials(self._potentials)
        leaders, before = ahead(self._potentials[rows]), self.leaders[rows]
        results.lead_changes[games] += (leaders >= 0) & (before >= 0) & (leaders != before)
        self.leaders[rows] = np.where(leaders >= 0, leaders, before)


def game_seeds(seed: int, count: int) -> list[int]:
    """The seeds of ``count`` games of one run."""
    return row_seeds(seed, count).tolist()
