"""``tournament``: several players against each other, with ratings."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from parlour.arena.matches.contests import plan_contest, play_contest, standings
from parlour.arena.reporting.terminal import standings_tables
from parlour.arena.runs.playing import run_progress
from parlour.arena.setting.ladder import rungs_among
from parlour.arena.setting.plans import with_judge
from parlour.cli.common import MAX_GAMES, console, parse_values, ruleset_options, say, seed_option
from parlour.cli.running import (
    games_to_look_at,
    judge_if_wanted,
    openings_option,
    out_option,
    worker_options,
    workers_of,
)
from parlour.engine.game import Game


@click.command()
@ruleset_options
@click.argument("players", nargs=-1, required=True)
@click.option("--games", type=click.IntRange(2, MAX_GAMES), default=100, help="Games per pairing.")
@seed_option
@worker_options
@openings_option
@judge_if_wanted
@out_option
def tournament(
    game: Game, players: Sequence[str], overrides: Sequence[str], seed: int, judge: str | None, threads: int | None,
    ray: str | None, out: Path | None, **settings: Any,
) -> None:  # fmt: skip
    """Plays all PLAYERS against each other, and rates them.

    Every pairing is played in pairs of games with the same dice and the seats exchanged.
    """
    twice = [name for name in players if players.count(name) > 1]
    if twice:
        raise ValueError(f"{twice[0]!r} is named twice")
    named = {name: name for name in players}
    plan = plan_contest(game, named, (), seed=seed, overrides=parse_values(game, overrides), **settings)
    plan = with_judge(plan, judge) if judge else plan
    with run_progress(plan.games, out) as bar:
        scores = play_contest(plan, workers_of(threads, ray), bar, out)
    starts = "; ".join(dict.fromkeys(score.openings for score in scores))
    say(f"{game.title}, {plan.config['variant']}: {plan.config['games']} games a pairing from {starts}, seed {seed}")
    screen = console()
    for grid in standings_tables(standings(scores, rungs_among(plan)), screen.width):
        screen.print(grid)
    notes = ((score, note) for score in scores for note in (*score.without_luck, *score.notes))
    say(*(f"{score.first} against {score.second}: {note}" for score, note in notes), *games_to_look_at(out))
