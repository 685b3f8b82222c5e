"""Shell completion of games, variants and players with the tab key. In bash:

eval "$(_PARLOUR_COMPLETE=bash_source parlour)"
"""

from __future__ import annotations

import click

from parlour.engine.game import Game
from parlour.interfaces.registry import find


def complete_variants(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The names of variants that begin with the text. The game is the one named earlier on the command line."""
    game = _game(context)
    return [variant.name for variant in game.variants if variant.name.startswith(text)] if game else []


def complete_players(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The names of players that begin with the text after the last comma."""
    from parlour.players.names import KINDS, PLAYERS  # only here: it takes longer than some commands

    before, comma, last = text.rpartition(",")
    game = _game(context)
    of_game = list(game.own_players) if game else []
    names = [*PLAYERS, *of_game, *(f"{kind}:" for kind in KINDS if kind not in PLAYERS)]
    return [before + comma + name for name in names if name.startswith(last)]


def complete_opponents(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The names of the six opponents for people, and of players, that begin with the text."""
    from parlour.arena.setting.ladder import NAMES  # only here, too

    return [name for name in NAMES if name.startswith(text)] + complete_players(context, parameter, text)


def _game(context: click.Context) -> Game | None:
    """The game that was named already. While an option has no value yet, click has not parsed the arguments."""
    for named in (context.params.get("game"), *context.args):
        if isinstance(named, Game):
            return named
        try:
            return find(named)
        except ValueError:
            continue
    return None
