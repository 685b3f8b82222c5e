"""``rules``."""

from __future__ import annotations

from textwrap import fill

import click
from rich.markdown import Markdown

from parlour.cli.boards import coloured, legend
from parlour.cli.common import console, game_argument, variant_option
from parlour.engine.game import Game
from parlour.players.people.board import for_people
from parlour.players.people.rule_texts import goal, lessons
from parlour.players.people.rule_texts import rules as all_rules


@click.command()
@game_argument
@variant_option
@click.option("--sources", is_flag=True, help="The README instead: each rule with its source and ruling.")
def rules(game: Game, variant: str | None, sources: bool) -> None:
    """Says how GAME is played, with a few boards, and all rules of a variant."""
    screen = console()
    if sources:
        screen.print(Markdown(game.readme))
        return
    named, values = game.resolve(variant, {})
    screen.print(f"{game.title}, {named.name}: {goal(game, values) or game.summary}\n")
    for line in legend(game.guide.LEGEND):
        screen.print(line)
    for number, (text, env) in enumerate(lessons(game, named.name), 1):
        screen.print(f"\n{fill(f'{number}. {text}', screen.width, subsequent_indent='   ')}\n")
        screen.print(coloured(for_people(env.ansi()), game.guide.LEGEND))
    screen.print("\nRules:")
    for clause in all_rules(game, values):
        text = f"- {clause.title}: {clause.text}" if clause.title else f"- {clause.text}"
        screen.print(fill(text, screen.width, subsequent_indent="  "))
    others = ", ".join(each.name for each in game.variants if each.name != named.name)
    screen.print(f"\nVariants (--variant): {others}. The printed rules, with sources: --sources.")
