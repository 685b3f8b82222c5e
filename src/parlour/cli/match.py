"""``match``: two players against one another."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.contests import Score, plan
from parlour.arena.statistics import Estimate
from parlour.cli.common import console, game_argument, parse_values, seed_option, values_option
from parlour.cli.running import watched, worker_options, workers_of
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
@click.option(
    "--out", type=click.Path(path_type=Path), help="A folder that keeps every game; goes on where it was stopped."
)
def match(
    game: Game,
    first: str,
    second: str,
    variant: str | None,
    given: Sequence[str],
    games: int,
    seed: int,
    threads: int | None,
    ray: str | None,
    out: Path | None,
) -> None:
    """Plays FIRST against SECOND, each in both seats with the same dice."""
    if first == second:
        raise ValueError(f"a match takes two players, not {first!r} against itself")
    contest = plan(
        "match", game, {first: first, second: second}, [], games, variant, seed, parse_values(game, given)
    )  # fmt: skip
    with watched(len(contest.fixtures), out) as told:
        (made,) = contest.play(workers_of(threads, ray), told, out)
    screen = console()
    screen.print(f"{game.title}, {contest.config['variant']}: {made.games} games, seed {seed}", soft_wrap=True)
    for line in lines(made, game):
        screen.print(line, soft_wrap=True)


def lines(made: Score, game: Game) -> list[str]:
    """A score in words."""
    cut = f", {made.truncated} of them cut short" if made.truncated else ""
    first, second = made.seated
    return [
        f"{made.first} won {made.wins}, drew {made.draws}{cut}, lost {made.losses} against {made.second}",
        f"score {interval(made.score)}, Elo {points(made.elo)}",
        f"in the seat of {game.seat_name(0)} {interval(first)}, of {game.seat_name(1)} {interval(second)}",
    ]


def interval(estimate: Estimate) -> str:
    """A share with its 95 % interval."""
    return f"{estimate.value:.3f} (95 %: {estimate.low:.3f} to {estimate.high:.3f})"


def points(estimate: Estimate) -> str:
    """A difference in Elo points with its 95 % interval."""
    return f"{estimate.value:+.0f} (95 %: {estimate.low:+.0f} to {estimate.high:+.0f})"
