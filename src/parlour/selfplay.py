"""Whole games between players, many side by side, and what came of them.

Each game has a seed of its own and is the same whatever else is played beside it: on any number of rows and threads.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from parlour.game import Game
from parlour.kernels.chance import row_seeds
from parlour.kernels.protocol import DISABLED
from parlour.menu import single
from parlour.options import Value
from parlour.players import Player
from parlour.table import Table, seed_words

MOST_ROWS = 512
"""Games played side by side: enough to be quick, few enough to stay in a processor's cache."""


@dataclass
class Results:
    """What came of M games.

    Attributes:
        returns: float64 (M, P), each seat's sum of rewards.
        truncated: bool (M,), cut by `max_plies`.
        plies: int64 (M,).
        choices: int64 (M,), legal actions summed over the plies.
    """

    returns: NDArray[np.float64]
    truncated: NDArray[np.bool_]
    plies: NDArray[np.int64]
    choices: NDArray[np.int64]

    @property
    def winners(self) -> NDArray[np.int64]:
        """Who won each game, (M,): the seat with the highest return, −1 where seats share it or the game was
        truncated."""
        best = self.returns.max(axis=1, keepdims=True)
        alone = ((self.returns == best).sum(axis=1) == 1) & ~self.truncated
        return np.where(alone, self.returns.argmax(axis=1), -1)


def play_games(
    game: Game,
    values: Mapping[str, Value],
    players: Sequence[Player],
    seeds: Sequence[int],
    threads: int = 1,
    on_finished: Callable[[int], None] = lambda count: None,
) -> Results:
    """Plays one game a seed, ``players[p]`` in seat p.

    ``on_finished`` is told, now and then, how many more games have finished.
    """
    count = len(seeds)
    words = seed_words(seeds)
    seats = game.layout(values).seats
    results = Results(
        np.zeros((count, seats)), np.zeros(count, np.bool_), np.zeros(count, np.int64), np.zeros(count, np.int64)
    )
    if not count:
        return results
    most = min(getattr(player, "most_rows", MOST_ROWS) for player in players)
    table = Table(game, single(game, values), min(count, MOST_ROWS, max(most, threads)), threads)
    playing = np.arange(table.num_games)  # which game each row plays; −1: none is left for it
    upcoming = table.num_games
    table.begin(words[: table.num_games])
    actions = np.full(table.num_games, -1, np.int64)
    while (playing >= 0).any():
        busy = playing >= 0
        rows = np.flatnonzero(busy)
        results.choices[playing[rows]] += table.counts[rows]
        for player in dict.fromkeys(players):
            seated = [p for p in range(seats) if players[p] is player]
            mine = busy & np.isin(table.to_act, seated)
            if mine.any():
                player.choose(table, mine, actions)
        table.step(actions, DISABLED)
        results.returns[playing[rows]] += table.rewards[rows]
        over = busy & (table.terminated | table.truncated)
        if not over.any():
            continue
        ended = np.flatnonzero(over)
        results.plies[playing[ended]] = table.states["plies"][ended]
        results.truncated[playing[ended]] = table.truncated[ended]
        fresh = ended[: max(count - upcoming, 0)]
        playing[ended] = -1
        playing[fresh] = np.arange(upcoming, upcoming + len(fresh))
        upcoming += len(fresh)
        again = np.zeros(table.num_games, np.bool_)
        again[fresh] = True
        table.begin(words[np.maximum(playing, 0)], again)
        on_finished(len(ended))
    return results


def game_seeds(seed: int, count: int) -> list[int]:
    """The seeds of ``count`` games of one run."""
    return row_seeds(seed, count).tolist()
