"""Built-in players, for every game, through its rule kernels: each chooses for all its rows of a table in one call."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias, cast

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.games import Table
from parlour.errors import IllegalMove, listing
from parlour.policies import parse_policy
from parlour.search import parse_expectimax, parse_mcts


class Player(Protocol):
    """Whoever chooses actions."""

    @property
    def name(self) -> str:
        """As `parse_player` reads it."""

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action into ``actions`` (N,) for each of ``rows`` (bool (N,)), none of them over. Chance comes
        from the rows' own streams, so that a game goes the same way in whatever table it is played."""


Function: TypeAlias = Callable[[Any, NDArray[np.int8]], Any]
"""``(observation, action_mask) -> actions``: arrays of the M rows that wait, such as int8 (M, C, H, W) and int8 (M, A),
to whole numbers (M,)."""
Policy: TypeAlias = "str | Player | Function"
"""A name as `parse_player` reads it, a player, or a function."""


class Random:
    """Every legal action as likely."""

    name = "random"

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `Player`."""
        table.sample(actions, rows)


class Greedy:
    """An action of the highest merit one ply deep, ties broken at random: merit is the game's ``evaluation.py``."""

    name = "greedy"

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `Player`."""
        table.greedy(actions, rows)


class OnePly:
    """A player of one game alone, from its ``evaluation.PLAYERS``: as `Greedy`, by another merit."""

    def __init__(self, name: str) -> None:
        """``name``: one of `Game.own_players`."""
        self.name = name

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """See `Player`."""
        table.greedy(actions, rows, self.name)


PLAYERS: dict[str, Any] = {Random.name: Random, Greedy.name: Greedy}
SEARCHERS: dict[str, Any] = {"mcts": parse_mcts, "expectimax": parse_expectimax}
"""Players with a budget after a colon: ``mcts:200``."""


def parse_player(text: str, game: Game | None = None) -> Player:
    """The player that a text names: ``random``, ``greedy``, ``mcts:200`` and the like (see `parlour.search`),
    ``policy:FILE`` (see `parlour.policies`), or one that ``game`` alone has. ValueError for any other."""
    own = list(game.own_players) if game is not None else []
    if text in own:
        return OnePly(text)
    kind, colon, rest = text.partition(":")
    if colon and kind in SEARCHERS:
        return SEARCHERS[kind](rest)
    if colon and kind == "policy":
        return parse_policy(rest, game)
    if text not in PLAYERS:
        searchers = [f"{name}:BUDGET" for name in SEARCHERS]
        raise ValueError(
            f"there is no player {text!r}; players: {listing([*PLAYERS, *own, *searchers, 'policy:FILE'])}"
        )
    return PLAYERS[text]()


def parse_players(text: str, seats: int, game: Game | None = None) -> list[Player]:
    """One player a seat from names with commas between; a single name is for all seats. ValueError for another
    number."""
    players = [parse_player(name, game) for name in text.split(",")]
    if len(players) not in (1, seats):
        raise ValueError(f"{text!r} names {len(players)} players; give one for all seats, or {seats}, one a seat")
    return players * seats if len(players) == 1 else players


@dataclass(frozen=True)
class Guest:
    """A player from outside, whose every action is checked.

    Attributes:
        name: for messages.
        player: a player, or None.
        function: a function of observations and masks, where it is no player.
    """

    name: str
    player: Player | None
    function: Function | None

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


def read_guest(policy: Policy, name: str, game: Game) -> Guest:
    """Who plays by ``policy``, called ``name`` in messages. ValueError if it is no policy for ``game``."""
    if isinstance(policy, str):
        return Guest(name, parse_player(policy, game), None)
    if hasattr(policy, "choose"):
        return Guest(name, cast(Player, policy), None)
    if callable(policy):
        return Guest(name, None, policy)
    raise ValueError(
        f"{name}: {policy!r} is not valid; valid: a player's name, a player, or a function (observation, action_mask) "
        "-> actions"
    )


def name_of(policy: Policy) -> str:
    """What to call it."""
    if isinstance(policy, str):
        return policy
    return str(getattr(policy, "name", getattr(policy, "__name__", repr(policy))))
