"""``match``: two players against each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from parlour.arena.matches.contests import plan_match, play_match
from parlour.arena.matches.tally import Score, elo_text, regret_lines
from parlour.arena.statistics import Estimate
from parlour.arena.statistics.engine_testing import Sprt
from parlour.cli.common import MAX_GAMES, complete_players, parse_values, ruleset_options, say, seed_option
from parlour.cli.running import (
    exact_option,
    games_to_look_at,
    judge_option,
    openings_option,
    out_option,
    worker_options,
    workers_of,
)
from parlour.engine.game import Game


@click.command()
@ruleset_options
@click.argument("first", shell_complete=complete_players)
@click.argument("second", shell_complete=complete_players)
@click.option(
    "--games", type=click.IntRange(2, MAX_GAMES),
    help="Number of games, played in pairs; 100 by default. With --sprt: the maximum; 100000 by default.",
)  # fmt: skip
@seed_option
@openings_option
@click.option("--sprt", metavar="ELO0,ELO1", help="Stop by a sequential test between two Elo differences, as in 0,10.")
@click.option("--alpha", type=float, default=0.05, help="Error probability of accepting ELO1, for --sprt.")
@click.option("--beta", type=float, default=0.05, help="Error probability of accepting ELO0, for --sprt.")
@click.option("--normalised", is_flag=True, help="The differences of --sprt are in normalised Elo, as in fishtest.")
@click.option(
    "--confirm", type=click.IntRange(2, MAX_GAMES), help="Further games after --sprt, for an unbiased estimate."
)
@exact_option
@judge_option
@worker_options
@out_option
def match(
    game: Game, first: str, second: str, overrides: Sequence[str], seed: int, sprt: str | None, alpha: float,
    beta: float, normalised: bool, confirm: int | None, threads: int | None, ray: str | None, out: Path | None,
    **settings: Any,
) -> None:  # fmt: skip
    """Plays FIRST against SECOND, in pairs of games with the same dice and the seats exchanged."""
    if first == second:
        raise ValueError(f"a match takes two players, not {first!r} against itself")
    test = _test(sprt, alpha, beta, normalised) if sprt is not None else None
    players, values = {first: first, second: second}, parse_values(game, overrides)
    plan = plan_match(game, players, seed=seed, overrides=values, test=test, confirm=confirm or 0, **settings)
    score = play_match(plan, test, workers_of(threads, ray), out)
    heading = f"{game.title}, {plan.config['variant']}: {score.games} games from {score.openings}, seed {seed}"
    say(heading, *lines(score, game), *games_to_look_at(out))


def _test(sprt: str, alpha: float, beta: float, normalised: bool) -> Sprt:
    try:
        low, high = (float(part) for part in sprt.split(","))
    except ValueError:
        raise ValueError(f"--sprt {sprt!r} is not of the form ELO0,ELO1, such as 0,10") from None
    return Sprt(low, high, alpha, beta, normalised)


def lines(score: Score, game: Game) -> list[str]:
    """A score in words, line by line."""
    truncated = f" ({score.truncated} truncated)" if score.truncated else ""
    first, second = score.seated
    text = [
        f"{score.first} won {score.wins}, drew {score.draws}{truncated}, lost {score.losses} against {score.second}",
        f"score {interval(score.score)}, Elo {elo_text(score.elo)}",
        *score.without_luck,
        f"pairs with 0, ½, 1, 1½, 2 points: {', '.join(map(str, score.pentanomial))}",
        f"normalised Elo {elo_text(score.normalised_elo)}, likelihood of superiority {100 * score.superiority:.1f} %",
        *(f"in the seat of {game.seat_name(seat)} {interval(share)}" for seat, share in enumerate((first, second))),
    ]
    if score.sequential is not None:
        test_lines = str(replace(score.sequential, confirmation=None)).splitlines()
        text += test_lines[: 1 if score.sequential.confirmation else 2]
        if score.sequential.confirmation is not None:
            text += ["", "Further games, a number fixed beforehand:", *lines(score.sequential.confirmation, game)]
    return [*text, *regret_lines(score.regrets), *score.notes]


def interval(estimate: Estimate) -> str:
    """A share with its 95 % interval."""
    return f"{estimate.value:.3f} (95 %: {estimate.low:.3f} to {estimate.high:.3f})"
