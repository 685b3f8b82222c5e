"""``games``."""

from __future__ import annotations

import click

import parlour
from parlour.cli.common import console, grid_of


@click.command()
def games() -> None:
    """Lists the games."""
    grid = grid_of("game", "")
    for name, line in parlour.games().items():
        grid.add_row(name, line)
    console().print(grid)
