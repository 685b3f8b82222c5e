"""What several commands share: arguments that name a game, option values, completion, and the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from traceback import walk_tb
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem
from rich.console import Console
from rich.table import Table as Grid

from parlour.engine.game import Game
from parlour.interfaces.registry import find, games, register, register_from
from parlour.rulebook.options import Option, parse_setting
from parlour.support.errors import listing, near_miss
from parlour.support.jobs import MAX_THREADS

MAX_SEED, MAX_GAMES = 2**63 - 1, 10_000_000
thread_count = click.IntRange(1, MAX_THREADS)

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")


class GameName(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A game's id or name, or the package of a game of one's own."""

    name = "GAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """The game. A package is registered first."""
        if isinstance(value, Game):
            return value
        try:
            game = find(value)
        except ValueError:
            if _is_package(value):
                return import_game(value)
            raise
        require_one_game(value, game)
        return game

    def shell_complete(self, ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
        """The games whose names, without the version, begin with the text."""
        names = (game.rpartition("-")[0] for game in games())
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _is_package(name: str) -> bool:
    """Whether a text that names no game may be the name of a game's package: one in this folder, or one with dots that
    Python finds."""
    parts = name.split(".")
    if not all(part.isidentifier() for part in parts):
        return False
    if len(parts) == 1:
        return Path(name, "rules.py").is_file()
    return Path(parts[0]).is_dir() or find_spec(parts[0]) is not None


def require_one_game(name: str, game: Game) -> None:
    """ValueError if the name of a known game is also the name of another game's folder here."""
    if name.isidentifier() and _is_package(name) and not Path(name).samefile(game.folder):
        raise ValueError(
            f"{name} is the game in {game.folder}, and the folder {name} here has another one: rename the folder to "
            f"use its game, or write {game.id} for the first"
        )


def import_games(module: str) -> None:
    """Registers the games of a module (see `registry.register_from`). ValueError as in `_import_external`."""
    _import_external(register_from, module, f"--import {module}")


def import_game(package: str) -> Game:
    """Registers the game in a package and returns it. ValueError as in `_import_external`."""
    return _import_external(register, package, f"the package {package!r}")


def _import_external(load: Callable[[str], Result], module: str, what: str) -> Result:
    """Imports a user's module from the working directory or Python's path. Its exceptions become ValueErrors."""
    if "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` does
    try:
        return load(module)
    except Exception as error:
        hint = _import_hint(error, module)
        raise ValueError(f"{what}: {type(error).__name__}: {error}{hint}") from error


def _import_hint(error: Exception, module: str) -> str:
    """What to do about a module that Python has not found; empty for any other error."""
    if not all(part.isidentifier() for part in module.split(".")):
        return " (give the package's name with dots, such as my.package, not a path)"
    if isinstance(error, ModuleNotFoundError) and f"{module}.".startswith(f"{error.name}."):
        return " (run this in the folder that contains the package, or install the package)"
    return ""


def place_in_own_game(error: Exception) -> str:
    """The line that an error comes from in the files of a game that is not one of parlour's, and what is wrong there.
    Of an index outside an array in its compiled rules how to find the line; of an error in other code while such a game
    is played, Parlour's line. Empty for any other error."""
    # only here, since it imports the compiler
    from parlour.interfaces.mistakes import mistake_in, outside_array, outside_files

    own_games = [game for game in map(find, games()) if not game.package.startswith("parlour.envs.")]
    for game in own_games:
        if mistake := mistake_in(game, error):
            return f"{mistake}; parlour check {game.package} finds such mistakes"
    running = [value for frame, _ in walk_tb(error.__traceback__) for value in frame.f_locals.values()]
    played = [game for game in own_games if any(value is game for value in running)]
    return next((outside_array(error, game.package) or outside_files(game, error) for game in reversed(played)), "")


# --- completion with the tab key: eval "$(_PARLOUR_COMPLETE=bash_source parlour)" in bash ---


def complete_variants(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The names of variants that begin with the text. The game is the one named earlier on the command line."""
    game = _named_game(context)
    return [variant.name for variant in game.variants if variant.name.startswith(text)] if game else []


def complete_players(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The names of players that begin with the text after the last comma."""
    from parlour.players.names import KINDS, PLAYERS  # only here: it takes longer than some commands

    before, comma, last = text.rpartition(",")
    game = _named_game(context)
    of_game = list(game.own_players) if game else []
    names = [*PLAYERS, *of_game, *(f"{kind}:" for kind in KINDS if kind not in PLAYERS)]
    return [before + comma + name for name in names if name.startswith(last)]


def complete_opponents(context: click.Context, parameter: click.Parameter, text: str) -> list[str]:
    """The names of the six opponents for people, and of players, that begin with the text."""
    from parlour.arena.setting.ladder import NAMES  # only here, for the same reason

    return [name for name in NAMES if name.startswith(text)] + complete_players(context, parameter, text)


def _named_game(context: click.Context) -> Game | None:
    """The game that was named already. While an option has no value yet, click has not parsed the arguments."""
    for named in (context.params.get("game"), *context.args):
        if isinstance(named, Game):
            return named
        try:
            return find(named)
        except ValueError:
            continue
    return None


# --- what several commands are given ---


def a_seed(value: Any) -> int:
    """The type of ``--seed``: a function, since the help of a range would show its nineteen digits in every command."""
    return int(click.IntRange(0, MAX_SEED).convert(value, None, None))


a_path = click.Path(path_type=Path)
a_folder = click.Path(path_type=Path, exists=True, file_okay=False)
game_argument = click.argument("game", type=GameName())
variant_option = click.option(
    "--variant", shell_complete=complete_variants, help="A variant's name; the game's first by default."
)
values_option = click.option(
    "-o", "--option", "overrides", multiple=True, metavar="NAME=VALUE",
    help="Option value that replaces that of the variant; repeatable.",
)  # fmt: skip
seed_option = click.option("--seed", type=a_seed, metavar="INTEGER", default=0, help="Random seed.")
threads_option = click.option("--threads", type=thread_count, default=1, help="Threads; results do not change.")


def ruleset_options(command: Function) -> Function:
    """GAME, ``--variant`` and ``-o``."""
    return game_argument(variant_option(values_option(command)))


def parse_values(game: Game, overrides: Iterable[str], more: Sequence[Option] = ()) -> dict[str, object]:
    """``NAME=VALUE`` texts as values of the game's options, or of ``more``; of several with one name the last.
    ValueError for an unknown name, or without ``=``."""
    values: dict[str, object] = {}
    for text in overrides:
        option, value = parse_setting(game.id, [*game.options, *more], text)
        if value is None:
            raise ValueError(f"--option {text!r} is not of the form NAME=VALUE")
        values[option.name] = option.parse(value)
    return values


def console() -> Console:
    """A console for results, on standard output, without markup."""
    return Console(highlight=False, markup=False, emoji=False)


def grid_of(*headings: str) -> Grid:
    """A table without lines, its columns folded where they are too long."""
    grid = Grid(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        grid.add_column(heading, overflow="fold")
    return grid


def say(*lines: object) -> None:
    """Prints lines for people, however long they are."""
    for line in lines:
        console().print(line, soft_wrap=True)


def warn(message: object) -> None:
    """Prints a warning or an error as one line, on standard error."""
    print("parlour: " + " ".join(str(message).split()), file=sys.stderr)


class Commands(click.Group):
    """A group of commands. Its help has each command's whole first sentence; an unknown name brings the nearest one.

    Each command has a module of its own, which is imported when the command is first asked for: so that one need not
    wait for what other commands import.
    """

    def __init__(
        self, *args: Any, sections: Mapping[str, Sequence[str]], gone: Mapping[str, str], **kwargs: Any
    ) -> None:
        """``sections``: of the help, each with the names of its commands. A command is in the module of `parlour.cli`
        that is called like it, with ``_`` for a hyphen in both. ``gone``: by a command, or a command and its option,
        what to use instead."""
        super().__init__(*args, **kwargs)
        self.sections, self.gone = sections, gone
        self.names = [name for names in sections.values() for name in names]

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of all commands, in their order."""
        return self.names

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command with a name; None if there is none."""
        if cmd_name not in self.names:
            return None
        name = cmd_name.replace("-", "_")
        command: click.Command = getattr(import_module(f"parlour.cli.{name}"), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Each command with its summary. Long summaries are wrapped; click would cut them."""
        width = max(map(len, self.names))
        for section, names in self.sections.items():
            known = ((name, self.get_command(ctx, name)) for name in names)
            with formatter.section(section):
                formatter.write_dl(
                    [(name.ljust(width), _first_sentence(command.help or "")) for name, command in known if command]
                )

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's own method, but UsageError with a suggestion for an unknown name, and for one that is gone."""
        given = [" ".join([*args[:1], text.partition("=")[0]]) for text in args[1:]]
        for name in self.gone.keys() & {*args[:1], *given}:
            raise click.UsageError(f"{name} is gone: {self.gone[name]}", ctx)
        if args and not args[0].startswith("-") and args[0] not in self.names:
            near = near_miss(args[0], self.names)
            raise click.UsageError(f"no such command {args[0]!r}; commands: {listing(self.names)}{near}", ctx)
        return super().resolve_command(ctx, args)


def _first_sentence(text: str) -> str:
    return " ".join(text.split("\n\n")[0].split()).partition(". ")[0].rstrip(".")
