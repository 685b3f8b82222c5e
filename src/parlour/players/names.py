"""Players by name: the texts that ``--players`` and functions accept."""

from __future__ import annotations

from typing import Any

from parlour.engine.game import Game
from parlour.errors import listing, near_miss
from parlour.players.built_in import Greedy, OnePly, Random
from parlour.players.onnx import parse_onnx_player
from parlour.players.protocol import Player, PlayerLike
from parlour.players.python import parse_python_player
from parlour.search import parse_expectimax, parse_mcts

PLAYERS: dict[str, Any] = {Random.name: Random, Greedy.name: Greedy}
FORMS = (
    "mcts:BUDGET", "expectimax:BUDGET", "policy:FILE", "az:FILE:BUDGET", "value:FILE", "value:FILE:BUDGET",
    "champion", "champion:BUDGET", "python:MODULE:NAME",
)  # fmt: skip
"""Names of players that have arguments after a colon."""


def parse_player(text: str, game: Game | None = None) -> Player:
    """The player that a text names: ``random``, ``greedy``, ``mcts:200`` and other searches (`parlour.search`),
    ``policy:FILE`` (see `parlour.players.onnx`), ``az:FILE:400`` (`parlour.search.network_player`), ``value:FILE``
    (`parlour.value.players`), ``champion`` (`parlour.value.champion`), ``python:module:name``
    (`parlour.players.python`), or one that only ``game`` has. ValueError for any other."""
    own = list(game.own_players) if game is not None else []
    if text in own:
        return OnePly(text, text)
    kind, colon, rest = text.partition(":")
    if colon and kind == "mcts":
        return parse_mcts(rest, game)
    if colon and kind == "expectimax":
        return parse_expectimax(rest)
    if colon and kind == "policy":
        return parse_onnx_player(rest, game)
    if colon and kind == "az":
        from parlour.search.network_player import parse_network_player  # it imports players itself

        return parse_network_player(rest, game)
    if colon and kind == "value":
        from parlour.value.players import parse_value_player

        return parse_value_player(rest, game)
    if kind == "champion":
        from parlour.value.champion import parse_champion

        return parse_champion(rest if colon else None, game)
    if colon and kind == "python":
        return parse_python_player(rest)
    if text not in PLAYERS:
        near = near_miss(text, [*PLAYERS, *own])
        raise ValueError(f"there is no player {text!r}; players: {listing([*PLAYERS, *own, *FORMS])}{near}")
    return PLAYERS[text]()


def parse_players(text: str, seats: int, game: Game | None = None) -> list[Player]:
    """One player per seat from names separated by commas; a single name is for all seats. ValueError for another
    number."""
    players = [parse_player(name, game) for name in text.split(",")]
    if len(players) not in (1, seats):
        raise ValueError(f"{text!r} names {len(players)} players; give one for all seats, or {seats}, one per seat")
    return players * seats if len(players) == 1 else players


def name_of(player: PlayerLike) -> str:
    """What to call a player in results and messages."""
    if isinstance(player, str):
        return player
    return str(getattr(player, "name", getattr(player, "__name__", repr(player))))
