"""What a shell completes when the tab key is pressed: games, variants, players. In bash:

eval "$(_PARLOUR_COMPLETE=bash_source parlour)"
"""

from __future__ import annotations

import click

from parlour.engine.game import Game
from parlour.players.names import FORMS, PLAYERS
from parlour.registry import find, games


def complete_games(text: str) -> list[str]:
    """The games' names that begin with the text, without the version."""
    return [name for name in (game.rpartition("-")[0] for game in games()) if name.startswith(text)]


def complete_variants(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The variants' names that begin with the text, of the game before it."""
    game = _game(context)
    return [variant.name for variant in game.variants if variant.name.startswith(text)] if game else []


def complete_players(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The players' names that begin with the text, after the last comma."""
    before, comma, last = text.rpartition(",")
    game = _game(context)
    own = list(game.own_players) if game else []
    names = [*PLAYERS, *own, *dict.fromkeys(form.partition(":")[0] + ":" for form in FORMS)]
    return [before + comma + name for name in names if name.startswith(last)]


def _game(context: click.Context) -> Game | None:
    """The game that was named already. While an option still lacks its value, click leaves arguments unread."""
    for named in (context.params.get("game"), *context.args):
        if isinstance(named, Game):
            return named
        try:
            return find(named)
        except ValueError:
            continue
    return None
