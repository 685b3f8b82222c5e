"""``match``: two players against each other."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.contests import plan_contest, play_contest
from parlour.arena.statistics import Estimate
from parlour.arena.tally import Score
from parlour.cli.common import console, game_argument, parse_values, seed_option, values_option
from parlour.cli.running import openings_option, out_option, watched, worker_options, workers_of
from parlour.engine.game import Game

MAX_GAMES = 10_000_000


@click.command()
@game_argument
@click.argument("first")
@click.argument("second")
@click.option("--variant", help="A variant's name; the game's first by default.")
@values_option
@click.option("--games", type=click.IntRange(2, MAX_GAMES), default=100, show_default=True, help="Games, in pairs.")
@seed_option
@worker_options
@openings_option
@out_option
def match(
    game: Game,
    first: str,
    second: str,
    variant: str | None,
    overrides: Sequence[str],
    games: int,
    seed: int,
    openings: str,
    threads: int | None,
    ray: str | None,
    out: Path | None,
) -> None:
    """Plays FIRST against SECOND, in pairs of games with the same dice and the seats exchanged."""
    if first == second:
        raise ValueError(f"a match takes two players, not {first!r} against itself")
    players = {first: first, second: second}
    plan = plan_contest(game, players, [], games, variant, seed, parse_values(game, overrides), openings)
    with watched(plan.games, out) as on_played:
        (made,) = play_contest(plan, workers_of(threads, ray), on_played, out)
    screen = console()
    heading = f"{game.title}, {plan.config['variant']}: {made.games} games from {made.openings}, seed {seed}"
    screen.print(heading, soft_wrap=True)
    for line in lines(made, game):
        screen.print(line, soft_wrap=True)


def lines(made: Score, game: Game) -> list[str]:
    """A score in words."""
    cut = f" ({made.truncated} truncated)" if made.truncated else ""
    first, second = made.seated
    return [
        f"{made.first} won {made.wins}, drew {made.draws}{cut}, lost {made.losses} against {made.second}",
        f"score {interval(made.score)}, Elo {points(made.elo)}",
        f"in the seat of {game.seat_name(0)} {interval(first)}, of {game.seat_name(1)} {interval(second)}",
        *made.notes,
    ]


def interval(estimate: Estimate) -> str:
    """A share with its 95 % interval."""
    return f"{estimate.value:.3f} (95 %: {estimate.low:.3f} to {estimate.high:.3f})"


def points(estimate: Estimate) -> str:
    """A difference in Elo points with its 95 % interval."""
    return f"{estimate.value:+.0f} (95 %: {estimate.low:+.0f} to {estimate.high:+.0f})"
