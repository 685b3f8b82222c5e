"""``players``."""

from __future__ import annotations

import click

from parlour.cli.common import GameName, console, grid_of
from parlour.engine.game import Game
from parlour.players.champion import how_to_make
from parlour.players.names import NAMES


@click.command()
@click.argument("game", type=GameName(), required=False)
def players(game: Game | None) -> None:
    """Lists the players by the names that can be typed wherever a player is asked for; with GAME also its own.

    FILE and FOLDER are paths; PLAYER is another player's name.
    """
    grid = grid_of("player", "")
    of_game = {} if game is None else dict.fromkeys(game.own_players, f"the best ply by a score of {game.title}")
    for name, meaning in {**NAMES, **of_game}.items():
        grid.add_row(name, meaning)
    console().print(grid)
    if game is not None and game.champion is None:
        console().print(f"\n{game.title} has no champion: {how_to_make(game)}.")
