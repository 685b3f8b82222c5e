"""``mcp``: games in words as tools of the Model Context Protocol."""

from __future__ import annotations

from pathlib import Path

import click

from parlour.interfaces.registry import find


@click.command()
def mcp() -> None:
    """Offers all games to a client of the Model Context Protocol, over standard input and output.

    Clients choose opponents as in the browser: no files of this machine, and no more than ten seconds a ply.
    """
    try:
        from parlour.text.adapters.mcp import make_server
    except ImportError as error:
        raise click.ClickException(f"parlour mcp needs {error.name}: python -m pip install 'parlour[mcp]'") from None
    from parlour.serve.opponents import parse_opponent
    from parlour.serve.settings import Settings

    settings = Settings(Path())
    make_server(lambda game, player: parse_opponent(player, find(game), settings)).run()
