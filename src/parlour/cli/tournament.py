"""``tournament``: several players against each other, or against a field, with ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.contests import plan_contest, play_contest, standings
from parlour.arena.progress import run_progress
from parlour.arena.reporting.games import GAMES_PAGE, write_games
from parlour.arena.reporting.terminal import standings_tables
from parlour.cli.common import console, game_argument, parse_values, seed_option, values_option
from parlour.cli.match import MAX_GAMES
from parlour.cli.running import openings_option, out_option, worker_options, workers_of
from parlour.engine.game import Game


@click.command()
@game_argument
@click.argument("players", nargs=-1, required=True)
@click.option("--field", multiple=True, metavar="PLAYER", help="Gauntlet opponent: every player meets it; repeatable.")
@click.option("--variant", help="A variant's name; the game's first by default.")
@values_option
@click.option("--games", type=click.IntRange(2, MAX_GAMES), default=100, show_default=True, help="Games per pairing.")
@seed_option
@worker_options
@openings_option
@out_option
def tournament(
    game: Game,
    players: Sequence[str],
    field: Sequence[str],
    variant: str | None,
    overrides: Sequence[str],
    games: int,
    seed: int,
    openings: str,
    threads: int | None,
    ray: str | None,
    out: Path | None,
) -> None:
    """Plays all PLAYERS against each other, or against a --field, and rates them.

    Every pairing is played in pairs of games with the same dice and the seats exchanged.
    """
    all_players = [*players, *field]
    twice = [name for name in all_players if all_players.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} is named twice")
    named = {name: name for name in all_players}
    plan = plan_contest(game, named, field, games, variant, seed, parse_values(game, overrides), openings)
    with run_progress(plan.games, out) as bar:
        scores = play_contest(plan, workers_of(threads, ray), bar, out)
    each = plan.config["games"]
    title = f"{game.title}, {plan.config['variant']}: {each} games a pairing, seed {seed}"
    screen = console()
    screen.print(title, soft_wrap=True)
    for grid in standings_tables(standings(scores), screen.width):
        screen.print(grid)
    for score in scores:
        for note in score.notes:
            screen.print(f"{score.first} against {score.second}: {note}", soft_wrap=True)
    if out is not None and write_games(out):
        screen.print(f"games to look at: {out / GAMES_PAGE}", soft_wrap=True)
