"""The matches of self-play: in each game the learner's seat and its opponent, drawn from the game's own seed.

Axis letters: N rows, one game at a time in each, P seats, A actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.arrays import FUNCTION, GREEDY, OUTSIDE, RANDOM
from parlour.engine.game import Game
from parlour.engine.seeds import seed_words
from parlour.players import CheckedPlayer, Greedy, PlayerLike, Random, checked_player, name_of
from parlour.rulebook.chance import FOR_MATCHES, fractions, start
from parlour.support.arguments import is_whole, shown
from parlour.support.errors import listing
from parlour.wrappers.opponent_pool import OpponentPool

SEAT_RULES = ("random", "alternate")
INSIDE: dict[type, int] = {Random: RANDOM, Greedy: GREEDY}
"""The players that run inside compiled code."""
MAX_BEGINNINGS = 100
"""At most this many games in a row may be over before the learner can act."""


class Matchmaker:
    """The matches of N rows.

    Attributes:
        learners: int8 (N,), the learner's seat.
        kinds: int8 (N,), how `parlour.engine.games.Games.advance` plays the opponent.
        at_first: the opponents that there were to begin with; a pool may get others.
    """

    def __init__(self, game: Game, seats: int, rows: int, opponent: PlayerLike | OpponentPool, seat: str | int) -> None:
        """``seats``: P. ValueError for an opponent or a seat that is not valid."""
        self.game, self.seats = game, seats
        self.pool = opponent if isinstance(opponent, OpponentPool) else None
        self._rule = _seat_rule(seat, seats)
        self.learners = np.zeros(rows, np.int8)
        self.kinds = np.zeros(rows, np.int8)
        self._counters = np.zeros(rows, np.uint64)
        self._begun = np.zeros(rows, np.bool_)  # whether a game has been drawn since the latest seed
        self._numbers = np.zeros(rows, np.int64)  # the opponent of each row: a key of `_met`
        self._met: dict[int, CheckedPlayer] = {}
        players = opponent.players if isinstance(opponent, OpponentPool) else {name_of(opponent): opponent}
        self.at_first = [self._checked(name, policy) for name, policy in players.items()]
        if self.pool is None:
            self._met[0] = self.at_first[0]
            self.kinds[:] = kind_of(self._met[0])

    def seed(self, row_ids: NDArray[np.int64], seeds: Sequence[int]) -> None:
        """Starts the streams of ``row_ids`` (M,) again; ``seeds``: M."""
        self._counters[row_ids] = start(seed_words(seeds), FOR_MATCHES)
        self._begun[row_ids] = False

    def draw(self, row_ids: NDArray[np.int64]) -> None:
        """Draws the learner's seat and its opponent for the next games of ``row_ids`` (M,)."""
        drawn = (fractions(self._counters, row_ids) * self.seats).astype(np.int8)
        if isinstance(self._rule, int):
            self.learners[row_ids] = self._rule
        elif self._rule == "random":
            self.learners[row_ids] = drawn
        else:
            following = (self.learners[row_ids] + 1) % self.seats
            self.learners[row_ids] = np.where(self._begun[row_ids], following, drawn)
        self._begun[row_ids] = True
        if self.pool is not None:
            self._draw_opponents(self.pool, row_ids)

    def _draw_opponents(self, pool: OpponentPool, row_ids: NDArray[np.int64]) -> None:
        for row, entry in zip(row_ids.tolist(), pool.draw(fractions(self._counters, row_ids))):
            if entry.number not in self._met:
                playing = set(self._numbers.tolist())
                self._met = {number: met for number, met in self._met.items() if number in playing}
                self._met[entry.number] = self._checked(entry.name, pool.policy_of(entry))
            self._numbers[row] = entry.number
            self.kinds[row] = kind_of(self._met[entry.number])

    def _checked(self, name: str, policy: PlayerLike) -> CheckedPlayer:
        return checked_player(policy, f"opponent {name!r}", self.game)

    def opponent_of(self, row: int) -> CheckedPlayer:
        """The opponent in a row."""
        return self._met[int(self._numbers[row])]

    def opponents_of(self, row_ids: NDArray[np.int64]) -> list[tuple[CheckedPlayer, NDArray[np.int64]]]:
        """Each opponent in the rows ``row_ids`` (M,), with its rows."""
        if self.pool is None:
            return [(self._met[0], row_ids)] if len(row_ids) else []
        numbers = self._numbers[row_ids]
        return [(self._met[number], row_ids[numbers == number]) for number in np.unique(numbers).tolist()]

    def record(self, row_ids: NDArray[np.int64], returns: NDArray[np.float64], truncated: NDArray[np.bool_]) -> None:
        """Reports to the pool how the games of ``row_ids`` (M,) have ended: ``returns`` (N, P), every seat's sum of
        rewards, and ``truncated`` (N,); a truncated game is a draw."""
        if self.pool is None:
            return
        for row in row_ids.tolist():
            score = 0.5 if truncated[row] else game_score(returns[row], self.learners[row])
            self.pool.record(int(self._numbers[row]), score)


def game_score(returns: NDArray[np.float64], learner: int) -> float:
    """The score of the learner's seat by the ``returns`` (P,): 1 if no other seat has as much, ½ if the best has."""
    others = returns.tolist()
    mine = others.pop(learner)
    return 0.5 + 0.5 * float(np.sign(mine - max(others)))


def kind_of(opponent: CheckedPlayer) -> int:
    """How `parlour.engine.games.Games.advance` plays an opponent."""
    return FUNCTION if opponent.player is None else INSIDE.get(type(opponent.player), OUTSIDE)


def check_not_from(options: dict[str, Any] | None) -> None:
    """ValueError if a game that began from a requested position is over before the learner can act."""
    if options and options.get("position") is not None:
        raise ValueError(f"from {options['position']!r} the game is over before the learner can act")


def never_to_act() -> ValueError:
    """The error for games that keep ending before the learner can act."""
    return ValueError(f"{MAX_BEGINNINGS} games in a row were over before the learner could act")


def _seat_rule(seat: object, seats: int) -> str | int:
    if isinstance(seat, str) and seat in SEAT_RULES:
        return seat
    if is_whole(seat) and 0 <= seat < seats:
        return int(seat)
    raise ValueError(
        f"seat {shown(seat)} is not valid; valid: {listing(SEAT_RULES)}, or a number from 0 to {seats - 1}"
    )
