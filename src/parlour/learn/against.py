"""Learning against fixed players: who plays which seat of which game, and what the learner has won against each.

To the learner, the plies of a fixed player are part of the environment, like throws of dice. It learns a best response
to that player, which may be bad play against any other.

With several players, one is drawn for each game in proportion to p (1 − p), p being the learner's win rate against it,
as `parlour.wrappers.OpponentPool` does by default. `SELF` among them stands for the learner.

Axis letters: N rows, B players, P seats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import ASKING, HALTED, OUTSIDE
from parlour.engine.game import Game
from parlour.engine.games import Games
from parlour.engine.player import max_rows_of
from parlour.engine.view import GamesView
from parlour.learn.learner import check_array
from parlour.players import CheckedPlayer, checked_player, parse_player
from parlour.rulebook.protocol import MAX_PLIES, REPETITION, RUNNING
from parlour.support.typed_json import MAX_COUNT
from parlour.wrappers.matchmaker import game_score
from parlour.wrappers.opponent_pool import win_rate

SELF = "self"
"""The name of the learner among the players."""
ALL_SEATS = -1
"""In place of the learner's seat: the learner plays all seats."""
SAVED = ("learners", "numbers", "returns", "met")
"""The arrays of `Opponents` that a checkpoint keeps."""


def check_against(names: Sequence[str], game: Game) -> None:
    """ValueError unless they are a list of different players of the game, with more than `SELF`."""
    if isinstance(names, str):
        raise ValueError(f"against must be a list of names, such as [{names!r}], not {names!r}")
    for k, name in enumerate(names):
        if name in names[:k]:
            raise ValueError(f"player {name!r} is given twice")
        if name != SELF:
            parse_player(name, game)
    if list(names) == [SELF]:
        raise ValueError(f"{SELF!r} alone is learning without other players; name one, or leave it out")


def row_limit(names: Sequence[str], game: Game, rows: int) -> int:
    """How many games to play side by side: ``rows``, or fewer if the players' memory allows only that."""
    players = [parse_player(name, game) for name in names if name != SELF]
    return min([rows, *map(max_rows_of, players)])


def weights_of(met: NDArray[np.int64]) -> NDArray[np.float64]:
    """The probability of drawing each player (B,). ``met``: int64 (B, 2), games against each, and the learner's half
    points."""
    won = win_rate(0.5 * met[:, 1], met[:, 0])
    return won * (1 - won) / (won * (1 - won)).sum()


class Opponents:
    """The players of N rows.

    Each object makes new players, so that nothing that they remember of earlier games changes later ones: a run that
    resumes from a checkpoint is the same as one without a break.

    Attributes:
        learners: int64 (N,), the learner's seat in each row; `ALL_SEATS` where it plays all.
        numbers: int64 (N,), the player in the other seats.
        returns: float64 (N, P), every seat's rewards in the present game.
        met: int64 (N, B, 2), games of each row against each player that have ended, and the learner's half points.
    """

    def __init__(self, names: Sequence[str], games: Games) -> None:
        self.names, self._games, self._view = tuple(names), games, GamesView(games)
        n, seats = games.num_games, games.layout.seats
        self.learners, self.numbers = np.full(n, ALL_SEATS, np.int64), np.zeros(n, np.int64)
        self.returns, self.met = np.zeros((n, seats)), np.zeros((n, len(self.names), 2), np.int64)
        self._players: list[CheckedPlayer | None] = []
        self.make_players()
        self._play = games.self_play(np.zeros(n, np.int8), np.full(n, OUTSIDE, np.int8))

    def make_players(self) -> None:
        """Replaces all players by new ones."""
        self._players = [
            None if name == SELF else checked_player(name, f"player {name!r}", self._games.game) for name in self.names
        ]

    def draw(self, row_ids: NDArray[np.int64], weights: NDArray[np.float64]) -> None:
        """Draws the learner's seat and its opponent for the next games of ``row_ids`` (M,), from the rows' own streams,
        by ``weights`` (B,)."""
        fractions = self._games.player_fractions
        seats = (fractions(row_ids) * self._games.layout.seats).astype(np.int64)
        drawn = np.searchsorted(np.cumsum(weights[:-1]), fractions(row_ids), side="right")
        everywhere = np.array([name == SELF for name in self.names])
        self.numbers[row_ids] = drawn
        self.learners[row_ids] = np.where(everywhere[drawn], ALL_SEATS, seats)
        self.returns[row_ids] = 0

    def record(self, row_ids: NDArray[np.int64]) -> None:
        """Counts the games of ``row_ids`` (M,), which have ended; a truncated game is a draw."""
        truncated = self._games.states["end"] == MAX_PLIES
        for row in row_ids[self.learners[row_ids] != ALL_SEATS].tolist():
            score = 0.5 if truncated[row] else game_score(self.returns[row], self.learners[row])
            self.met[row, self.numbers[row]] += 1, int(2 * score)

    def waiting(self, row_mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The rows of ``row_mask`` (bool (N,); running games) in which a fixed player is to act."""
        return row_mask & (self.learners != ALL_SEATS) & (self._games.states["to_act"] != self.learners)

    def choose(self, row_mask: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes the fixed players' ``actions`` (N,) for the rows of ``row_mask`` (bool (N,)), in which they are to
        act."""
        for number in np.unique(self.numbers[row_mask]).tolist():
            player = self._players[number]
            assert player is not None
            player.choose(self._view, row_mask & (self.numbers == number), actions)

    def play_until_learner(self, row_ids: NDArray[np.int64]) -> NDArray[np.float64]:
        """Plays the rows ``row_ids`` (M,), none of which is over, on until the learner is to act, or the game is over,
        or the learner is out of it, which also counts as the end. Returns the rewards on the way: (M, P)."""
        games, play, states = self._games, self._play, self._games.states
        play.totals[row_ids] = 0
        play.learners[:] = self.learners
        open_ids = row_ids[self.learners[row_ids] != ALL_SEATS]
        games.observe(open_ids)
        while len(open_ids):
            play.row_ids[: len(open_ids)] = open_ids
            games.advance(play, len(open_ids))
            waits = play.waits[: len(open_ids)]
            asked = np.zeros(games.num_games, np.bool_)
            asked[open_ids[waits == ASKING]] = True
            self.choose(asked, play.actions)
            open_ids = open_ids[waits != HALTED]
        out = self.waiting(states["end"] == RUNNING)[row_ids]
        states["end"][row_ids[out]] = REPETITION  # any ending will do, since these rows are not played on
        self.returns[row_ids] += play.totals[row_ids]
        return play.totals[row_ids]

    # --- checkpoints ---

    def running(self) -> dict[str, NDArray[Any]]:
        """A copy of the arrays `SAVED`."""
        return {name: getattr(self, name).copy() for name in SAVED}

    def checked(self, running: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
        """Checks arrays of `running` from an untrusted checkpoint. ValueError unless `restore` can take them."""
        ranges = {
            "learners": (ALL_SEATS, self.returns.shape[1] - 1), "numbers": (0, len(self.names) - 1),
            "returns": (-np.inf, np.inf), "met": (0, MAX_COUNT),
        }  # fmt: skip
        arrays = {
            name: check_array(running, name, getattr(self, name).dtype, getattr(self, name).shape, *ranges[name])
            for name in SAVED
        }
        fixed = np.array([name != SELF for name in self.names])
        if (fixed[arrays["numbers"]] != (arrays["learners"] != ALL_SEATS)).any():
            raise ValueError("'learners' does not fit 'numbers': a fixed player and the learner have no seats for both")
        return arrays

    def restore(self, running: Mapping[str, NDArray[Any]]) -> None:
        """Continues with the arrays of `running` or `checked`, and with new players."""
        for name in SAVED:
            getattr(self, name)[...] = running[name]
        self.make_players()
