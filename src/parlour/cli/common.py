"""What several commands share: arguments that name a game, options on top of a variant, and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from rich.console import Console

from parlour.engine.game import Game
from parlour.errors import listing
from parlour.registry import find

Function = TypeVar("Function", bound=Callable[..., Any])


class GameName(click.ParamType):  # type: ignore[type-arg]  # generic in some versions of click only
    """A game's id or name."""

    name = "GAME"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Game:
        """The game."""
        return value if isinstance(value, Game) else find(value)


game_argument = click.argument("game", type=GameName())
seed_option = click.option(
    "--seed", type=click.IntRange(0), default=0, show_default=True, help="What all randomness comes from."
)
values_option = click.option(
    "-o", "--option", "given", multiple=True, metavar="NAME=VALUE", help="An option on top of the variant; repeatable."
)


def parse_values(game: Game, given: Iterable[str]) -> dict[str, object]:
    """``NAME=VALUE`` texts as option values. ValueError for an unknown name or a missing ``=``."""
    known = {option.name: option for option in game.options}
    values: dict[str, object] = {}
    for text in given:
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
