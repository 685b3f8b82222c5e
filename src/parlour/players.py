"""Built-in players, for every game, through its rule kernels: each chooses for all its rows of a table in one call."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from parlour.errors import listing
from parlour.game import Game
from parlour.policies import parse_policy
from parlour.search import parse_expectimax, parse_mcts
from parlour.table import Table


class Player(Protocol):
    """Whoever chooses actions."""

    name: str
    """As `parse_player` reads it."""

    def choose(self, table: Table, rows: NDArray[np.bool_], actions: NDArray[np.int64]) -> None:
        """Writes a legal action into ``actions`` (N,) for each of ``rows`` (bool (N,)), none of them over. Chance comes
        from the rows' own streams, so that a game goes the same way in whatever table it is played."""


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
