"""Who sits where: seats whose replies come from the caller, players by name, frozen text policies."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

from parlour.engine.game import Game
from parlour.engine.player import Player
from parlour.players.checked import CheckedPlayer
from parlour.players.names import checked_player
from parlour.support.arguments import is_whole, shown
from parlour.support.errors import listing

Conversation: TypeAlias = "list[dict[str, str]]"
"""Messages to a seat (``{"role": "user", "content": …}``) and its replies (``{"role": "assistant", …}``), in turn."""
TextPolicy: TypeAlias = Callable[[Conversation], str]
"""From a seat's conversation so far to its next reply."""
Opponent: TypeAlias = "str | Player | TextPolicy"
CALLER = -1
ALL, RANDOM = "all", "random"


class Seating:
    """Who may sit at the seats of a game.

    Attributes:
        opponents: checked players and text policies.
        all_callers: whether the caller replies for every seat.
    """

    def __init__(self, game: Game, seats: int, seat: object, opponent: Opponent | Sequence[Opponent]) -> None:
        """ValueError for a seat or an opponent that is not valid, or for another number of opponents."""
        given: list[Any] = list(opponent) if isinstance(opponent, (list, tuple)) else [opponent]
        if len(given) not in (1, seats - 1):
            raise ValueError(f"{len(given)} opponents were given; give one for all other seats, or {seats - 1}")
        self._seats, self._seat, self.all_callers = seats, _read_seat(game, seats, seat), seat == ALL
        self.opponents = [_read_opponent(game, one) for one in given]

    def seated(self, fraction: float) -> list[int]:
        """Who sits at each seat: an opponent's number, or `CALLER`. ``fraction``, 0 to 1, draws the caller's seat."""
        if self.all_callers:
            return [CALLER] * self._seats
        seat = int(fraction * self._seats) if self._seat is None else self._seat
        others = [(place - seat) % self._seats - 1 for place in range(self._seats)]
        return [CALLER if k == CALLER else k % len(self.opponents) for k in others]


def _read_seat(game: Game, seats: int, seat: object) -> int | None:
    """A seat by its number, agent or name in this game; None for `ALL` and `RANDOM`."""
    if isinstance(seat, str) and seat in (ALL, RANDOM):
        return None
    names = [game.seat_name(k) for k in range(seats)]
    for k, name in enumerate(names):
        if (is_whole(seat) and seat == k) or (isinstance(seat, str) and seat in (f"player_{k}", name)):
            return k
    raise ValueError(
        f"seat={shown(seat)} is not valid; valid: 0 to {seats - 1}, {listing(names)}, 'random', or 'all' for every seat"
    )


def _read_opponent(game: Game, opponent: Any) -> CheckedPlayer | TextPolicy:
    if callable(opponent) and not hasattr(opponent, "choose"):
        return cast(TextPolicy, opponent)
    return checked_player(opponent, f"opponent {shown(opponent)}", game)
