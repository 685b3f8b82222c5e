"""What tells a player from another one of the same name, and whether a player always plays the same.

A run that is resumed must be resumed by the same players. Built-in players follow from their names and from the version
of Parlour. A player that a file stands for is told by the file's SHA-256; one written in Python by its name, its module
and the ``version`` that it states.
"""

from __future__ import annotations

from parlour.engine.game import Game
from parlour.players.names import parse_player
from parlour.players.protocol import PlayerLike
from parlour.players.python import python_identity


def identity_of(player: PlayerLike, game: Game) -> dict[str, str]:
    """What tells a player from others of the same name; empty for one that its name tells entirely.

    A player may have an attribute ``identity``, a mapping of texts, such as the SHA-256 of a file. Python functions and
    objects are told by where they are defined, and by an attribute ``version``. ValueError if a name is no player's.
    """
    if isinstance(player, str):
        return dict(getattr(parse_player(player, game), "identity", {}))
    return python_identity(player)


def is_deterministic(player: PlayerLike, game: Game) -> bool:
    """Whether a player always gives the same answer to a position, except for ties that it may break at random.

    A player's attribute ``deterministic`` tells; one that has none is taken to be: then games that come out identical
    are not mistaken for independent ones.
    """
    asked = parse_player(player, game) if isinstance(player, str) else player
    return bool(getattr(asked, "deterministic", True))
