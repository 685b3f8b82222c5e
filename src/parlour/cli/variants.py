"""``variants``."""

from __future__ import annotations

import click

import parlour
from parlour.cli.common import console, game_argument, grid_of
from parlour.engine.game import Game


@click.command()
@game_argument
def variants(game: Game) -> None:
    """Lists the variants and options of GAME."""
    grid = grid_of("variant", "", "options that differ")
    for variant in game.variants:
        differing = ", ".join(f"{name}={value}" for name, value in variant.values.items())
        grid.add_row(variant.name, variant.meaning, differing or "(the default)")
    console().print(grid)
    grid = grid_of("option", "")
    for name, line in parlour.options(game.id).items():
        grid.add_row(name, line)
    console().print()
    console().print(grid)
