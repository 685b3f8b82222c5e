"""How players of the same name are told apart, and whether a player always plays the same.

A run that is resumed must be resumed by the same players. Built-in players are defined by their names and the version
of Parlour. A player from a file is identified by the file's SHA-256, one written in Python by its name, its module and
its ``version``.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.engine.game import Game
from parlour.engine.player import PlayerLike
from parlour.engine.variant_mix import Entry
from parlour.players.names import innermost, parse_player
from parlour.players.python import python_identity
from parlour.players.simulate import MoveRecorder, Results, play_games
from parlour.players.value.inputs import play_digest
from parlour.players.value.network import ValueNetwork
from parlour.rulebook.options import Value

NOT_SETTINGS = ("file", "network", "clock", "solution", "rolled")
"""Attributes of players that are no settings, or that say again what ``identity`` says."""

CONDUCT_GAMES, CONDUCT_PLIES = 4, 16
"""Games, and plies of each, by which it is seen whether a player plays as before."""


def identity_of(player: PlayerLike, game: Game) -> dict[str, str]:
    """What distinguishes a player from others of the same name; empty if its name is enough.

    A player may have an attribute ``identity``, a mapping of texts, such as the SHA-256 of a file. Python functions and
    objects are identified by where they are defined, and by an attribute ``version``. ValueError for an unknown name.
    """
    if isinstance(player, str):
        return dict(getattr(parse_player(player, game), "identity", {}))
    return python_identity(player)


def is_deterministic(player: PlayerLike, game: Game) -> bool:
    """Whether a player always gives the same answer to a position, except for ties that it may break at random.

    A player's attribute ``deterministic`` says so. Without the attribute the answer is yes, so that identical games are
    not mistaken for independent ones.
    """
    return bool(getattr(_as_object(player, game), "deterministic", True))


def is_timed(name: str, game: Game) -> bool:
    """Whether a named player, or one that plays within it, thinks for a time, so that its strength depends on the
    machine. ValueError if there is no such player."""
    return getattr(innermost(parse_player(name, game)), "seconds", None) is not None


def network_of(player: PlayerLike, game: Game) -> ValueNetwork | None:
    """The value network by which a player plays, or the player that it weakens; None for one without."""
    network = getattr(innermost(_as_object(player, game)), "network", None)
    return network if isinstance(network, ValueNetwork) else None


def _as_object(player: PlayerLike, game: Game) -> Any:
    return parse_player(player, game) if isinstance(player, str) else player


def play_pin(game: Game, values: Mapping[str, Value]) -> str:
    """Sixteen hex digits that stay the same as long as the game plays alike under these option values."""
    return play_digest(game, [Entry("", "", dict(values))])


def player_pin(name: str, game: Game) -> str:
    """Sixteen hex digits that stay the same as long as the network and the settings of the search of a named player do.
    ValueError if there is no such player."""
    text = json.dumps(_settings(parse_player(name, game)), sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def conduct_pin(name: str, game: Game, values: Mapping[str, Value]) -> str:
    """Sixteen hex digits of how a named player plays: of its moves in the first `CONDUCT_PLIES` plies of some games
    against itself, under these option values. They stay the same as long as it plays alike, whatever its code, or that
    of the engine, looks like. ValueError if there is no such player."""
    player, recorder, digest = parse_player(name, game), MoveRecorder(), hashlib.sha256()
    shortened = {**values, "max_plies": CONDUCT_PLIES}

    def note(results: Results, finished: NDArray[np.int64]) -> None:
        for number in sorted(finished.tolist()):
            digest.update(recorder.moves_of(number).tobytes())

    seats = game.layout(values).seats
    play_games(game, shortened, [player] * seats, range(CONDUCT_GAMES), 1, note, observers=[recorder])
    return digest.hexdigest()[:16]


def _settings(value: Any) -> Any:
    """A player as JSON: its kind, and its public settings of plain values. Files and networks do not count, but what
    they hold, which the setting ``identity`` says. What is not set does not count, so that a new option of a search
    alters no pin."""
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return dataclasses.asdict(value)
    if isinstance(value, Mapping):
        return {str(name): _settings(each) for name, each in value.items()}
    inner = {"searches by": value._player} if hasattr(value, "_player") else {}
    used = {name: each for name, each in (vars(value) | inner).items() if name not in NOT_SETTINGS and each is not None}
    shown = {name: _settings(each) for name, each in sorted(used.items()) if not name.startswith("_")}
    return {"kind": type(value).__name__} | shown
