"""What commands share that play in words: options, and a maker of games."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, TypeVar

import click

from parlour.cli.common import parse_values, values_option
from parlour.cli.completion import complete_players, complete_variants
from parlour.engine.game import Game
from parlour.text import TextGame

Function = TypeVar("Function", bound=Callable[..., Any])
OPTIONS = (
    click.option("--variant", shell_complete=complete_variants, help="A variant's name; the game's first by default."),
    values_option,
    click.option(
        "--illegal", default="retry:2", help="What an illegal reply brings: retry:K, penalty:X, forfeit, or random."
    ),
    click.option("--view", default="board", help="How messages show the position: board, list or text."),
    click.option("--legal-moves/--no-legal-moves", default=True, help="List the legal moves."),
)
opponent_option = click.option(
    "--opponent", default="greedy", shell_complete=complete_players, help="The other seats' player."
)


def text_options(command: Function) -> Function:
    """The options of games in words."""
    for option in reversed(OPTIONS):
        command = option(command)
    return command


def game_maker(game: Game, overrides: Sequence[str], **settings: object) -> Callable[[], TextGame]:
    """Makes games in words. One is begun at once, which compiles, and raises ValueError for invalid settings."""
    make = partial(TextGame, game.id, **settings, **parse_values(game, overrides))
    first = make()
    first.reset(seed=0)
    first.step(first.legal_moves()[0])
    return make
