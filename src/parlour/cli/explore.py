"""``explore``: searches for the option values that come closest to stated goals, and estimates effects of options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.exploring.explore import play_exploration
from parlour.arena.exploring.plan import (
    DEFAULT_FINAL,
    DEFAULT_FINALISTS,
    DEFAULT_GAMES,
    DEFAULT_PLAYER,
    DEFAULT_SKILL,
    ExplorationPlan,
    plan_exploration,
    read_exploration,
)
from parlour.arena.exploring.space import parse_options
from parlour.arena.journal import read_config
from parlour.arena.reporting.report import REPORT
from parlour.arena.reporting.terminal import exploration_tables
from parlour.arena.statistics.power import half_width
from parlour.cli.common import GameName, console, parse_values, seed_option, values_option
from parlour.cli.running import (
    openings_option,
    refuse_besides,
    report_folder,
    report_options,
    worker_options,
    workers_of,
)
from parlour.engine.game import Game

MAX_SENTENCES = 8
PLAYED = (
    "game", "explored", "goals", "variant", "overrides", "player", "skill", "games", "finalists", "final", "seed",
    "openings",
)  # fmt: skip
"""The parameters that define what is played."""


@click.command()
@click.argument("game", type=GameName(), required=False)
@click.option(
    "--options",
    "explored",
    metavar="NAMES",
    help="Options that vary, separated by commas, optionally with values, as in geometry,repetition=0/3.",
)
@click.option(
    "--goal",
    "goals",
    metavar="GOALS",
    help="Goals for measures, separated by commas, as in undecided:min,skill:max,plies:100..200.",
)
@click.option("--variant", help="Variant from which all other option values are taken; the game's first by default.")
@values_option
@click.option("--player", default=DEFAULT_PLAYER, show_default=True, help="The player in all seats.")
@click.option(
    "--skill",
    default=",".join(DEFAULT_SKILL),
    show_default=True,
    metavar="WEAK,STRONG",
    help="Two players, for goals about skill.",
)
@click.option(
    "--games",
    type=int,
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games of each combination in the first round; even.",
)
@click.option(
    "--finalists", type=int, default=DEFAULT_FINALISTS, show_default=True, help="Combinations in the final round."
)
@click.option("--final", type=int, default=DEFAULT_FINAL, show_default=True, help="New games of each finalist; even.")
@seed_option
@openings_option
@worker_options
@report_options("explore")
@click.pass_context
def explore(
    context: click.Context,
    game: Game | None,
    explored: str | None,
    goals: str | None,
    variant: str | None,
    overrides: Sequence[str],
    player: str,
    skill: str,
    games: int,
    finalists: int,
    final: int,
    seed: int,
    openings: str,
    threads: int | None,
    ray: str | None,
    out: Path | None,
    source: Path | None,
) -> None:
    """Searches for option values of GAME that meet goals, and estimates the effect of each option.

    Every allowed combination of the option values plays some games, the better half plays more games, and so on. In the
    end a few finalists play new games. Games, tables and a report in HTML are saved in a folder; rerun to resume.
    """
    if source is not None:
        refuse_besides(context, PLAYED, {"game": "GAME", "explored": "--options", "goals": "--goal"})
        plan = read_exploration(read_config(source))
    elif game is not None and explored is not None and goals is not None:
        plan = plan_exploration(
            game,
            parse_options(game, explored),
            goals.split(","),
            variant,
            parse_values(game, overrides),
            player,
            skill.split(","),
            games,
            finalists,
            final,
            seed,
            openings,
        )
    else:
        raise click.UsageError("give a GAME with --options and --goal, or --from FILE", context)
    folder = report_folder("explore", plan.game, plan.as_config(), out, source)
    screen = console()
    for sentence in opening(plan):
        screen.print(sentence)
    result = play_exploration(plan, workers_of(threads, ray), folder)
    for grid in exploration_tables(result, screen.width):
        screen.print(grid)
    for one in result.front:
        screen.print(
            f"{one.number}: {one.ruleset.label.replace('+', ', ')}" + (f" ({one.variant})" if one.variant else "")
        )
    for sentence in result.findings[:MAX_SENTENCES]:
        screen.print(f"* {sentence}")
    if len(result.findings) > MAX_SENTENCES:
        screen.print(f"* {len(result.findings) - MAX_SENTENCES} more are in the report.")
    screen.print(f"\nwrote {folder / REPORT}", soft_wrap=True)


def opening(plan: ExplorationPlan) -> list[str]:
    """Sentences about what will be played."""
    rounds = ", ".join(f"{one.candidates} × {one.high - one.low}" for one in plan.rounds)
    lines = [f"{plan.total} games; rounds of combinations × games: {rounds}."]
    points = 100 * half_width(plan.final)
    lines.append(f"With {plan.final} games, a share near one half is known to ±{points:.0f} points (95 %).")
    count = sum(plan.space.left_out.values())
    if count:
        lines.append(f"{count} combinations with contradictory options are left out.")
    return lines
