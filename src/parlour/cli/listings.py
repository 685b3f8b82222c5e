"""Lists: ``games``, ``variants``, ``rules``."""

from __future__ import annotations

import click
from rich.markdown import Markdown
from rich.table import Table as Grid

import parlour
from parlour.cli.common import console, game_argument
from parlour.engine.game import Game
from parlour.rulebook.options import option_line


def _grid(*headings: str) -> Grid:
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        grid.add_column(heading, overflow="fold")
    return grid


@click.command()
def games() -> None:
    """Lists the games."""
    grid = _grid("game", "")
    for name, line in parlour.games().items():
        grid.add_row(name, line)
    console().print(grid)


@click.command()
@game_argument
def variants(game: Game) -> None:
    """Lists the variants and options of GAME."""
    grid = _grid("variant", "", "options that differ")
    for variant in game.variants:
        differing = ", ".join(f"{name}={value}" for name, value in variant.values.items())
        grid.add_row(variant.name, variant.meaning, differing or "(the default)")
    console().print(grid)
    grid = _grid("option", "")
    for option in game.options:
        grid.add_row(option.name, option_line(option))
    console().print()
    console().print(grid)


@click.command()
@game_argument
def rules(game: Game) -> None:
    """Shows the README of GAME: rules, sources, rulings."""
    console().print(Markdown(game.readme))
