"""The command line ``parlour``, one file per command. Errors are one line and exit status 2."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Sequence
from functools import partial
from textwrap import shorten
from typing import Any

import click

import parlour
from parlour.cli.common import Commands, import_games, place_in_own_game, warn

GREETING = """Parlour: historical board and dice games, to play, to compare, to learn.

{games}

  play a game, with hints        parlour play checkers
  compare variants of the rules  parlour compare swords_and_shields --games 20
  train a player                 parlour train acey_ducey
  write a game of your own       parlour new-game my_game

All commands: parlour --help. In the browser, with parlour[web]: parlour serve"""
"""What ``parlour`` alone prints: the games, and what one can do, each with a command that runs as it stands."""
COMMANDS = {
    "Games": ("games", "variants", "rules", "players"),
    "Play": ("play", "serve", "replay", "openenv"),
    "Train and rate": ("train", "dataset", "rate", "ladder"),
    "Compare": ("compare", "explore", "atlas", "match", "tournament", "simulate", "solve"),
    "Games of your own": ("new-game", "check"),
}
GONE = {
    "exploit": "parlour train GAME --against PLAYER learns what beats a player, and parlour match measures it",
    "openenv --illegal": "-o illegal=… says it",
    "openenv --view": "-o view=… says it",
    "openenv --legal-moves": "-o legal_moves=true says it, the default",
    "openenv --no-legal-moves": "-o legal_moves=false says it",
    "openenv --seat": "-o seat=… says it",
    "replay --pause": "step through a game with the Enter key, or write a page with --out",
    "simulate --thoughts": "parlour.records.record_game(…, thoughts=True) records what players think",
    "tournament --field": "in Python parlour.arena.tournament(…, field=…) plays against a field",
}
"""Commands, and options of commands, of version 0.3.0: what to use instead, which they say until 0.5."""


@click.group(
    cls=Commands,
    sections=COMMANDS,
    gone=GONE,
    context_settings={"help_option_names": ["-h", "--help"], "show_default": True},
    invoke_without_command=True,
)
@click.version_option(parlour.__version__, prog_name="parlour")
@click.option(
    "--import", "modules", multiple=True, metavar="MODULE",
    help="Import this module first: a game's package, or a module that registers games.",
)  # fmt: skip
@click.pass_context
def commands(context: click.Context, modules: Sequence[str]) -> None:
    """Historical board and dice games as reinforcement-learning environments."""
    for module in modules:
        import_games(module)
    if context.invoked_subcommand is None:
        first = {name.rpartition("-")[0]: line.partition(":")[0] for name, line in parlour.games().items()}
        lines = (f"  {name:20}{shorten(line, 58, placeholder='…')}" for name, line in first.items())
        click.echo(GREETING.format(games="\n".join(lines)))


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line. Exit status: 0; 2 after an error, which is printed as one line; 130 after Ctrl-C. Warnings
    are lines, too."""
    with warnings.catch_warnings():
        warnings.showwarning = partial(_show_warning, warnings.showwarning)
        _run(arguments)


def _show_warning(otherwise: Any, message: Warning | str, category: type[Warning], *where: Any) -> None:
    """Prints a warning to the user as one line; ``otherwise`` shows those to programmers."""
    if issubclass(category, UserWarning):
        warn(message)
    else:
        otherwise(message, category, *where)


def _run(arguments: Sequence[str] | None) -> None:
    try:
        commands.main(args=arguments, prog_name="parlour", standalone_mode=False)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.UsageError as error:
        path = error.ctx.command_path if error.ctx else "parlour"
        fail(f"{error.format_message().rstrip('.')}; see {path} --help")
    except click.ClickException as error:
        fail(error.format_message())
    except (click.exceptions.Abort, KeyboardInterrupt) as stop:
        warn(str(stop.__cause__ or stop) or "interrupted")  # click wraps the cause
        sys.exit(130)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(1)
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except Exception as error:  # also whatever the files of a game of the user's own raise
        where = place_in_own_game(error)
        if not where and not isinstance(error, ValueError):
            raise
        fail(where or str(error))


def fail(message: str) -> None:
    """Prints an error as one line and exits with status 2."""
    warn(message)
    sys.exit(2)
