"""The state of one game in words, and what a seat gets after its reply."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.analysis import Analysis
from parlour.text.seating import Conversation

NOBODY = -1


@dataclass(frozen=True)
class Reply:
    """What follows a reply.

    Attributes:
        text: the next message, for the seat that is to act now; after the end, how the game has ended.
        reward: what the seat that replied got: rewards of the game, penalties, and the shaping if it was asked for.
        done: whether the game is over.
        info: ``"seat"``, which replied; ``"to_act"``, the seat that ``text`` is for (None after the end); ``"move"``,
            the name of the move that was read in the reply, or the names of the plies of a turn (None if it was
            illegal or not clear); ``"asked"``, whether it could mean several moves, so that the seat is asked, which is
            no illegal reply; ``"illegal"``, illegal replies of that seat in this game so far; ``"retries"``, those of
            this ply; ``"ply"``, plies played; ``"rewards"`` of all seats in this step; ``"value_lost"``, how much less
            the seat can expect than after the judge's moves (None without a judge); ``"result"`` for the seat that
            replied: None while the game runs, then ``"won"``, ``"lost"``, ``"drawn"``, ``"unfinished"`` (stopped by
            `max_plies`), ``"forfeited"`` (by its illegal replies) or ``"opponent_forfeited"``.
    """

    text: str
    reward: float
    done: bool
    info: dict[str, Any]


@dataclass
class TextState:
    """One game in words. P seats.

    Attributes:
        who: who sits at each seat: see `parlour.text.seating.Seating.seated`.
        start: the text of the position in which it was to begin; None: the game's own.
        returns, rewards: float64 (P,), of this game, and since the latest reply of the caller's.
        illegal: int64 (P,), illegal replies of each seat; ``tries``: those in a row at this ply; ``asked``: how often
            the seat was asked at this ply which move it means.
        log_read: int64 (P,), how much of the log each seat knows; −1 if it has had no message yet.
        log: what has been played and thrown: seats and names of moves; throws have `NOBODY` for a seat.
        throws: tells whether there has been a throw since the latest in the log.
        forfeiter: the seat that has forfeited, or `NOBODY`.
        conversations: those of text policies, by their seats.
        legal, analysis: names of the legal actions, and what the judge thinks; of this position, once asked for.
    """

    who: list[int]
    start: str | None
    returns: NDArray[np.float64]
    rewards: NDArray[np.float64]
    illegal: NDArray[np.int64]
    log_read: NDArray[np.int64]
    plies: int = 0
    tries: int = 0
    asked: int = 0
    throws: int = 0
    forfeiter: int = NOBODY
    log: list[tuple[int, str]] = field(default_factory=list)
    conversations: dict[int, Conversation] = field(default_factory=dict)
    legal: dict[int, str] | None = None
    analysis: Analysis | None = None

    @classmethod
    def begun(cls, who: list[int], start: str | None) -> TextState:
        """A game that has just begun."""
        seats = len(who)
        return cls(who, start, np.zeros(seats), np.zeros(seats), np.zeros(seats, np.int64), np.full(seats, -1))

    def close_ply(self, rewards: NDArray[np.float64]) -> None:
        """A ply has been played, which paid ``rewards`` (P,): what was known of the position before is forgotten."""
        self.legal, self.analysis, self.tries, self.asked = None, None, 0, 0
        self.plies += 1
        self.rewards += rewards
        self.returns += rewards

    def forfeit(self, seat: int) -> None:
        """A seat forfeits the game: −1 for it, and 1 shared by the others."""
        self.forfeiter = seat
        change = np.full(len(self.who), 1 / max(1, len(self.who) - 1))
        change[seat] = -1
        self.rewards += change

    def value_for(self, seat: int) -> float:
        """What a seat can expect by the judge; 0 where it does not know."""
        values = None if self.analysis is None else self.analysis.values
        return 0.0 if values is None else float(values[seat])
