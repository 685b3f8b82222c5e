"""``serve``: play, watch and replay in a browser."""

from __future__ import annotations

import sqlite3
import webbrowser
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from platformdirs import user_data_path

from parlour.arena.replays import is_run
from parlour.cli.common import console

GAMES_FILE = "games.sqlite3"
RECORDS = (".jsonl", ".json", ".pdn")


@click.command()
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Address to listen on; any other than this machine's own lets others play.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8765, show_default=True, help="Port to listen on.")
@click.option(
    "--policies",
    "policy_folders",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="Folder of networks (.onnx, .value) that may be chosen as players; repeatable.",
)
@click.option(
    "--records",
    "record_paths",
    multiple=True,
    type=click.Path(path_type=Path, exists=True),
    help="File of games, or a folder of such files or of a run, to step through; repeatable. By default the runs of "
    "match, tournament and compare in the working directory.",
)
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder that keeps the games; your own data folder by default.",
)
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the page in your browser.")
def serve(
    host: str, port: int, policy_folders: Sequence[Path], record_paths: Sequence[Path], data: Path | None, opens: bool
) -> None:
    """Play in the browser: choose a game, seats for people and players, and click.

    Games are kept, so that a restart or a closed tab loses none. Only this machine can reach the page unless --host
    says otherwise.
    """
    try:
        import uvicorn

        from parlour.serve.app import make_app
    except ImportError as error:
        raise click.ClickException(
            f"parlour serve needs {error.name}; python -m pip install 'parlour[web]' installs it"
        ) from None
    from parlour.serve.library import runs_in
    from parlour.serve.settings import Settings

    folder = data or user_data_path("parlour")
    policies, values = (
        {path.stem: path for chosen in policy_folders for path in sorted(chosen.glob(files))}
        for files in ("*.onnx", "*.value")
    )
    records = {path.name: path for chosen in record_paths for path in _records_in(chosen)}
    settings = Settings(folder / GAMES_FILE, host, port, policies, values, records)
    if settings.is_local and not record_paths:
        settings = replace(settings, records=runs_in(Path()))
    try:
        app = make_app(settings)
    except sqlite3.Error as error:
        raise click.ClickException(f"{settings.database}: games can't be kept there: {error}") from None
    screen, address = console(), f"http://{f'[{host}]' if ':' in host else host}:{port}/"
    if not settings.is_local:
        screen.print(
            f"Warning: {host} can be reached by other machines. Whoever finds the page can play, see and delete all "
            "games, and keep this machine's processor busy.",
            soft_wrap=True,
        )
    screen.print(f"{address}  (games are kept in {settings.database}; Ctrl-C ends it)", soft_wrap=True)
    if opens:
        webbrowser.open(address)
    uvicorn.run(app, host=host, port=port, log_level="warning", server_header=False, timeout_graceful_shutdown=1)


def _records_in(path: Path) -> list[Path]:
    """The path itself if it is a file or a run's folder; otherwise the files of records and the runs in the folder."""
    if path.is_file() or is_run(path):
        return [path]
    return [found for found in sorted(path.iterdir()) if found.suffix.lower() in RECORDS or is_run(found)]
