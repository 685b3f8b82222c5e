"""Who plays whom in self-play: in each game the learner's seat and its opponent, drawn from the game's own seed.

Axis letters: N rows, one game at a time in each, P seats, A actions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from parlour.wrappers.opponent_pool import Function, OpponentPool, Policy

from parlour.errors import IllegalMove, listing
from parlour.game import Game
from parlour.kernels.chance import FOR_MATCHES, fractions, start
from parlour.kernels.protocol import GREEDY, OUTSIDE, RANDOM
from parlour.players import Greedy, Player, Random, parse_player
from parlour.table import Table, seed_words

SEAT_RULES = ("random", "alternate")
INSIDE = {Random: RANDOM, Greedy: GREEDY}
"""The players that play within compiled code."""
MOST_BEGINNINGS = 100
"""So many games in a row may be over before the learner is to act."""


@dataclass(frozen=True)
class Opponent:
    """Whoever plays all seats but the learner's.

    Attributes:
        name: for messages.
        player: a player, or None.
        function: a function of observations and masks, where it is no player.
    """

    name: str
    player: Player | None
    function: Function | None

    @property
    def kind(self) -> int:
        """How `parlour.table.Table.advance` plays it."""
        return INSIDE.get(type(self.player), OUTSIDE)

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action into ``actions`` (N,) for each of ``rows`` (bool (N,)), which must be shown as they
        are. Raises what `answer` does."""
        chosen = rows.nonzero()[0]
        if self.player is not None:
            self.player.choose(table, rows, actions)
            self._check(actions[chosen], table.action_mask[chosen], table, chosen)
        else:
            actions[chosen] = self.answer(table.observation[chosen], table.action_mask[chosen], table, chosen)

    def answer(
        self, observation: Any, mask: NDArray[np.int8], table: Table, rows: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """What the function gives for observations and masks (int8 (M, A)), which are seen in ``rows`` (M,) of
        ``table``: int64 (M,). ValueError unless it is M whole numbers, `parlour.IllegalMove` if one is not legal."""
        assert self.function is not None
        actions = np.asarray(self.function(observation, mask))
        if actions.shape != rows.shape or actions.dtype.kind not in "iu":
            raise ValueError(
                f"{self.name} must give whole numbers of shape {rows.shape}, not {actions.dtype} of shape "
                f"{actions.shape}"
            )
        self._check(actions, mask, table, rows)
        return actions.astype(np.int64)

    def _check(self, actions: NDArray[Any], mask: NDArray[np.int8], table: Table, rows: NDArray[np.int64]) -> None:
        within = (actions >= 0) & (actions < mask.shape[1])
        legal = within & (mask[np.arange(len(rows)), np.where(within, actions, 0)] == 1)
        if legal.all():
            return
        action, row = int(actions[legal.argmin()]), int(rows[legal.argmin()])
        raise IllegalMove(
            f"{self.name} can't play action {action} as player_{table.states['to_act'][row]}", action, None,
            table.position(row), table.legal(row),
        )  # fmt: skip


class Matches:
    """The matches of N rows.

    Attributes:
        learners: int8 (N,), the learner's seat.
        kinds: int8 (N,), how `parlour.table.Table.advance` plays the opponent.
    """

    def __init__(
        self, game: Game, seats: int, rows: int, opponent: Policy | OpponentPool, seat: str | int = "random"
    ) -> None:
        """``seats``: P. ValueError for an opponent or a seat that is not valid."""
        self.game, self.seats = game, seats
        self.pool = opponent if isinstance(opponent, OpponentPool) else None
        self._rule = _seat_rule(seat, seats)
        self.learners = np.zeros(rows, np.int8)
        self.kinds = np.zeros(rows, np.int8)
        self._counters = np.zeros(rows, np.uint64)
        self._begun = np.zeros(rows, np.bool_)  # whether a game has been drawn since the latest seed
        self._numbers = np.zeros(rows, np.int64)  # the opponent of each row: a key of `_met`
        self._met: dict[int, Opponent] = {}
        if isinstance(opponent, OpponentPool):
            for name, policy in opponent.players.items():
                read_opponent(policy, name, game)
        else:
            self._met[0] = read_opponent(opponent, _name_of(opponent), game)
            self.kinds[:] = self._met[0].kind

    def seed(self, seeds: Sequence[int]) -> None:
        """Starts the streams of all rows anew; ``seeds``: N."""
        self._counters = start(seed_words(seeds), FOR_MATCHES)
        self._begun[:] = False

    def draw(self, rows: NDArray[np.int64]) -> None:
        """Draws the learner's seat and its opponent for the next games of ``rows`` (M,)."""
        drawn = (fractions(self._counters, rows) * self.seats).astype(np.int8)
        if isinstance(self._rule, int):
            self.learners[rows] = self._rule
        elif self._rule == "random":
            self.learners[rows] = drawn
        else:
            following = (self.learners[rows] + 1) % self.seats
            self.learners[rows] = np.where(self._begun[rows], following, drawn)
        self._begun[rows] = True
        if self.pool is not None:
            self._draw_opponents(self.pool, rows)

    def _draw_opponents(self, pool: OpponentPool, rows: NDArray[np.int64]) -> None:
        for row, entry in zip(rows.tolist(), pool.draw(fractions(self._counters, rows))):
            if entry.number not in self._met:
                playing = set(self._numbers.tolist())
                self._met = {number: met for number, met in self._met.items() if number in playing}
                self._met[entry.number] = read_opponent(pool.policy_of(entry), entry.name, self.game)
            self._numbers[row] = entry.number
            self.kinds[row] = self._met[entry.number].kind

    def opponent_of(self, row: int) -> Opponent:
        """The opponent in a row."""
        return self._met[int(self._numbers[row])]

    def opponents_of(self, rows: NDArray[np.bool_]) -> list[tuple[Opponent, NDArray[np.bool_]]]:
        """Every opponent that plays in some of ``rows`` (bool (N,)), with those of them in which it does."""
        return [
            (self._met[number], rows & (self._numbers == number)) for number in np.unique(self._numbers[rows]).tolist()
        ]

    def record(self, rows: NDArray[np.int64], returns: NDArray[np.float64], truncated: NDArray[np.bool_]) -> None:
        """Tells the pool how the games of ``rows`` (M,) have ended: ``returns`` (N, P), every seat's sum of rewards,
        and ``truncated`` (N,). Won is what no other seat has as much of; a truncated game is drawn."""
        if self.pool is None:
            return
        for row in rows.tolist():
            others = returns[row].tolist()
            own = others.pop(self.learners[row])
            drawn = truncated[row] or own == max(others)
            self.pool.record(int(self._numbers[row]), 0.5 if drawn else float(own > max(others)))


def read_opponent(policy: Policy, name: str, game: Game) -> Opponent:
    """The opponent that plays by ``policy``. ValueError if it is no policy for ``game``."""
    if isinstance(policy, str):
        return Opponent(f"opponent {name!r}", parse_player(policy, game), None)
    if hasattr(policy, "choose"):
        return Opponent(f"opponent {name!r}", cast(Player, policy), None)
    if callable(policy):
        return Opponent(f"opponent {name!r}", None, policy)
    raise ValueError(
        f"opponent {policy!r} is not valid; valid: a player's name, a player, a function (observation, action_mask) -> "
        "actions, or an OpponentPool"
    )


def check_not_from(options: dict[str, Any] | None) -> None:
    """ValueError if the game that was over before the learner was to act began from a position that was asked for."""
    if options and options.get("position") is not None:
        raise ValueError(f"from {options['position']!r} the game is over before the learner is to act")


def never_to_act() -> ValueError:
    """The error for a learner in whose place the game ends again and again."""
    return ValueError(f"{MOST_BEGINNINGS} games in a row were over before the learner was to act")


def _name_of(policy: Policy) -> str:
    return policy if isinstance(policy, str) else getattr(policy, "name", getattr(policy, "__name__", repr(policy)))


def _seat_rule(seat: object, seats: int) -> str | int:
    if isinstance(seat, str) and seat in SEAT_RULES:
        return seat
    if isinstance(seat, (int, np.integer)) and not isinstance(seat, bool) and 0 <= seat < seats:
        return int(seat)
    raise ValueError(f"seat {seat!r} is not valid; valid: {listing(SEAT_RULES)}, or a number from 0 to {seats - 1}")
