"""``serve``: play, watch and replay in a browser."""

from __future__ import annotations

import sqlite3
import webbrowser
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from socket import socket

import click
from platformdirs import user_data_path

from parlour.arena.runs.journal import is_run
from parlour.cli.common import a_folder, console
from parlour.players.exact import tables_in
from parlour.records.files import endings

GAMES_FILE = "games.sqlite3"

host_option = click.option(
    "--host", default="127.0.0.1",
    help="Address to listen on; with any address but the default, other machines can connect.",
)  # fmt: skip


@click.command()
@host_option
@click.option("--port", type=click.IntRange(1, 65535), default=8765, help="Port to listen on.")
@click.option(
    "--policies", "policy_folders", multiple=True, type=a_folder,
    help="Folder of networks (.onnx, .value) that can be chosen as players; repeatable.",
)  # fmt: skip
@click.option(
    "--records", "record_paths", multiple=True, type=click.Path(path_type=Path, exists=True),
    help="Recorded games to show: a file, a folder of files, or a run's folder; repeatable. By default the runs of "
    "match, tournament and compare in the working directory.",
)  # fmt: skip
@click.option(
    "--data", type=click.Path(path_type=Path, file_okay=False),
    help="Folder to save games in; your user data folder by default.",
)  # fmt: skip
@click.option(
    "--exact", "table_folders", multiple=True, type=a_folder,
    help="Folder of a table of 'parlour solve', or of several: what positions and moves are worth is then shown where "
    "a table knows it, and exact:NAME can be chosen as a player; repeatable.",
)  # fmt: skip
@click.option(
    "--root-path", default="", metavar="PATH",
    help="The path before all pages, if a proxy adds one: /user/x/proxy/8765 on a JupyterHub.",
)  # fmt: skip
@click.option(
    "--allow-origin", "origins", multiple=True, metavar="URL",
    help="How browsers reach a proxy in front of the server, such as https://hub.example.org; repeatable. Requests for "
    "other names than these and this machine's are refused.",
)  # fmt: skip
@click.option("--open/--no-open", "opens", default=True, help="Open the page in your browser.")
def serve(
    host: str, port: int, policy_folders: Sequence[Path], record_paths: Sequence[Path], data: Path | None,
    table_folders: Sequence[Path], root_path: str, origins: Sequence[str], opens: bool,
) -> None:  # fmt: skip
    """Serves the games in the browser: choose a game, choose who plays in each seat, and click.

    Games are saved, so that none is lost by a restart or a closed tab. By default only this machine can open the page
    (see --host).
    """
    try:
        from parlour.serve.app import make_app
        from parlour.serve.running import run
    except ImportError as error:
        raise click.ClickException(f"parlour serve needs {error.name}: python -m pip install 'parlour[web]'") from None
    from parlour.serve.library import runs_in
    from parlour.serve.settings import Settings, read_origin, read_root_path

    root_path = given_as("--root-path", read_root_path, root_path)
    public = tuple(given_as("--allow-origin", read_origin, origin) for origin in origins)
    data_folder = data or user_data_path("parlour")
    policies, values = (
        {path.stem: path for folder in policy_folders for path in sorted(folder.glob(pattern))}
        for pattern in ("*.onnx", "*.value")
    )
    records = {path.name: path for given in record_paths for path in _records_in(given)}
    tables = {path.name: path for given in table_folders for path in tables_in(given)}
    settings = Settings(data_folder / GAMES_FILE, host, port, policies, values, tables, records, root_path, public)
    if settings.is_local and not record_paths:
        settings = replace(settings, records=runs_in(Path()))
    sockets = listening(host, port)
    try:
        app = make_app(settings)
    except (OSError, sqlite3.Error) as error:
        raise click.ClickException(f"{settings.database}: games can't be saved there: {error}") from None
    screen, address = console(), f"{address_of(host, port).rstrip('/')}{root_path}/"
    if not settings.is_local:
        screen.print(
            f"Warning: other machines can connect to {', '.join(public) or host}. Anyone who opens the page can play, "
            "see and delete all games, and use this machine's processor.",
            soft_wrap=True,
        )
    screen.print(f"{address}  (games are saved in {settings.database}; Ctrl-C stops the server)", soft_wrap=True)
    if opens:
        webbrowser.open(address)
    run(app, sockets)


def given_as(option: str, read: Callable[[str], str], text: str) -> str:
    """What ``read`` makes of the text that was given for an option. ValueError, which names the option."""
    try:
        return read(text)
    except ValueError as error:
        raise ValueError(f"{option} {error}") from None


def listening(host: str, port: int) -> list[socket]:
    """Sockets that listen there. ClickException if that can't be done."""
    from parlour.serve.running import listen

    try:
        return listen(host, port)
    except (OSError, UnicodeError) as error:
        raise click.ClickException(f"--host {host} --port {port}: the server can't listen there: {error}") from None


def address_of(host: str, port: int) -> str:
    """The address of a server's first page."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _records_in(path: Path) -> list[Path]:
    """The path itself if it is a file or a run's folder; otherwise the record files and runs' folders in it."""
    if path.is_file() or is_run(path):
        return [path]
    return [entry for entry in sorted(path.iterdir()) if entry.suffix.lower() in endings() or is_run(entry)]
