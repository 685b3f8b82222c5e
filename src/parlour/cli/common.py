"""What several commands share: arguments that name a game, options on top of a variant, and the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from rich.console import Console

from parlour.engine.game import Game
from parlour.errors import listing
from parlour.registry import find, register, register_from

MAX_SEED = 2**63 - 1
MAX_THREADS = 512
"""More than any machine has cores. Each is a thread of the system, and takes memory of its own."""
thread_count = click.IntRange(1, MAX_THREADS)

Function = TypeVar("Function", bound=Callable[..., Any])
Result = TypeVar("Result")


class GameName(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A game's id or name."""

    name = "GAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """The game."""
        return value if isinstance(value, Game) else find(value)


def import_games(module: str) -> None:
    """Makes the games of a module known (see `parlour.registry.register_from`). ValueError as `_import_theirs`."""
    _import_theirs(register_from, module, f"--import {module}")


def import_game(package: str) -> Game:
    """The game in a package. ValueError as `_import_theirs`."""
    return _import_theirs(register, package, f"the package {package!r}")


def _import_theirs(load: Callable[[str], Result], module: str, what: str) -> Result:
    """Loads other people's code from the working directory or Python's path. ValueError with whatever it raises."""
    if "" not in sys.path:
        sys.path.insert(0, "")  # as `python -m` does
    try:
        return load(module)
    except Exception as error:
        raise ValueError(f"{what}: {type(error).__name__}: {error}") from error


game_argument = click.argument("game", type=GameName())
seed_option = click.option(
    "--seed", type=click.IntRange(0, MAX_SEED), default=0, show_default=True, help="Random seed."
)
values_option = click.option(
    "-o",
    "--option",
    "overrides",
    multiple=True,
    metavar="NAME=VALUE",
    help="An option on top of the variants; repeatable.",
)


def parse_values(game: Game, overrides: Iterable[str]) -> dict[str, object]:
    """``NAME=VALUE`` texts as option values. ValueError for an unknown name or a missing ``=``."""
    known = {option.name: option for option in game.options}
    values: dict[str, object] = {}
    for text in overrides:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option {text!r} is not of the form NAME=VALUE")
        if name not in known:
            raise ValueError(f"{game.id} has no option {name!r}; options: {listing(list(known))}")
        values[name] = known[name].parse(value)
    return values


def console() -> Console:
    """Where results go."""
    return Console(highlight=False, markup=False, emoji=False)
