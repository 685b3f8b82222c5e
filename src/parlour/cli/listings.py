"""Lists: ``games``, ``variants``, ``players``, ``rules``."""

from __future__ import annotations

import click
from rich.markdown import Markdown
from rich.table import Table as Grid

import parlour
from parlour.cli.boards import coloured, legend
from parlour.cli.common import GameName, console, game_argument
from parlour.cli.completion import complete_variants
from parlour.engine.game import Game
from parlour.players.champion import how_to_make
from parlour.players.names import NAMES
from parlour.players.people.board import for_people
from parlour.players.people.rule_texts import goal, lessons
from parlour.players.people.rule_texts import rules as all_rules


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
    for name, line in parlour.options(game.id).items():
        grid.add_row(name, line)
    console().print()
    console().print(grid)


@click.command()
@click.argument("game", type=GameName(), required=False)
def players(game: Game | None) -> None:
    """Lists the players by the names that can be typed wherever a player is asked for; with GAME also its own.

    FILE and FOLDER are paths; PLAYER is another player's name.
    """
    grid = _grid("player", "")
    own = {} if game is None else dict.fromkeys(game.own_players, f"the best ply by a score of {game.title}")
    for name, meaning in {**NAMES, **own}.items():
        grid.add_row(name, meaning)
    console().print(grid)
    if game is not None and game.champion is None:
        console().print(f"\n{game.title} has no champion: {how_to_make(game)}.")


@click.command()
@game_argument
@click.option("--variant", shell_complete=complete_variants, help="A variant's name; the game's first by default.")
@click.option("--sources", is_flag=True, help="The README instead: each rule with its source and ruling.")
def rules(game: Game, variant: str | None, sources: bool) -> None:
    """Says how GAME is played, with a few boards, and all rules of a variant."""
    screen = console()
    if sources:
        screen.print(Markdown(game.readme))
        return
    named, values = game.resolve(variant, {})
    screen.print(f"{game.title}, {named.name}: {goal(game, values) or game.summary}")
    for line in legend(game.guide.LEGEND):
        screen.print(line)
    for number, (text, env) in enumerate(lessons(game, named.name), 1):
        screen.print(f"\n{number}. {text}\n")
        screen.print(coloured(for_people(env.ansi()), game.guide.LEGEND))
    screen.print("\nRules:")
    for clause in all_rules(game, values):
        screen.print(f"- {clause.title}: {clause.text}" if clause.title else f"- {clause.text}")
    others = ", ".join(each.name for each in game.variants if each.name != named.name)
    screen.print(f"\nVariants (--variant): {others}. The printed rules, with sources: --sources.")
