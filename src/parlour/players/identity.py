"""How players of the same name are told apart, and whether a player always plays the same.

A run that is resumed must be resumed by the same players. Built-in players are defined by their names and the version
of Parlour. A player from a file is identified by the file's SHA-256, one written in Python by its name, its module and
its ``version``.
"""

from __future__ import annotations

from parlour.engine.game import Game
from parlour.players.names import parse_player
from parlour.players.protocol import PlayerLike
from parlour.players.python import python_identity


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
    asked = parse_player(player, game) if isinstance(player, str) else player
    return bool(getattr(asked, "deterministic", True))
