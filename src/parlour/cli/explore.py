"""``explore``: searches for the option values that come closest to stated goals, and estimates effects of options."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

from parlour.arena.reporting.report import REPORT
from parlour.arena.statistics import half_width
from parlour.arena.studies import play_exploration
from parlour.arena.study import plans as defaults
from parlour.arena.study.plans import ExplorationPlan, SavedExploration, plan_exploration
from parlour.arena.study.search_space import parse_options
from parlour.cli import running
from parlour.cli.common import GameName, console, parse_values, say, seed_option, values_option, warn
from parlour.engine.game import Game
from parlour.rulebook.options import Choice, Flag


@click.command()
@click.argument("game", type=GameName(), required=False)
@running.list_option(
    "--options",
    "explored",
    metavar="NAMES",
    help="Options that vary, separated by commas, optionally with values, as in geometry,repetition=0/3.",
)
@running.list_option(
    "--goal",
    "goals",
    metavar="GOALS",
    help="Goals for measures, each in its unit, separated by commas, as in undecided:min,first_seat:45..55.",
)
@click.option("--each", is_flag=True, help="Change each option alone, not all combinations: one round of --games.")
@click.option("--variant", help="Variant from which all other option values are taken; the game's first by default.")
@values_option
@click.option("--player", default=defaults.WITHOUT_CHAMPION, help="The player in all seats.")
@click.option(
    "--skill", default=",".join(defaults.DEFAULT_SKILL), metavar="WEAK,STRONG",
    help="Two players, for goals about skill.",
)  # fmt: skip
@click.option(
    "--games", type=int, default=defaults.DEFAULT_FIRST_GAMES,
    help="Games of each combination in the first round; even.",
)  # fmt: skip
@click.option("--finalists", type=int, default=defaults.DEFAULT_FINALISTS, help="Combinations in the final round.")
@click.option("--final", type=int, default=defaults.DEFAULT_FINAL, help="New games of each finalist; even.")
@seed_option
@running.openings_option
@running.judge_if_wanted
@running.worker_options
@running.report_options("explore")
def explore(
    game: Game | None, explored: str | None, goals: str | None, overrides: Sequence[str], skill: str,
    threads: int | None, ray: str | None, out: Path | None, source: Path | None, trust: bool, **settings: Any,
) -> None:  # fmt: skip
    """Searches for option values of GAME that meet goals, and estimates the effect of each option.

    Every allowed combination of the option values plays some games, the better half plays more games, and so on. In the
    end a few finalists play new games. With --each every option is changed alone, and nothing is chosen. Games, tables
    and a report in HTML are saved in a folder; rerun to resume.
    """
    plan = running.plan_in(source, trust, SavedExploration)
    if plan is None and game is not None and explored is not None and goals is not None:
        plan = plan_exploration(
            game,
            parse_options(game, explored),
            goals.split(","),
            options=parse_values(game, overrides),
            skill=skill.split(","),
            **settings,
        )
    if plan is None:
        raise click.UsageError(_what_is_missing(game), click.get_current_context())
    folder = running.report_folder("explore", plan.game, plan.as_config(), out, source)
    for sentence in plan.space.warnings:
        warn(sentence)
    for sentence in _announcement(plan):
        console().print(sentence)
    result = play_exploration(plan, running.workers_of(threads, ray), folder)
    click.echo(result)
    say(f"wrote {folder / REPORT}")


def _what_is_missing(game: Game | None) -> str:
    """What to give, with a command that runs for the game."""
    usual = "give a GAME with --options and --goal, or --from FILE"
    if game is None:
        return usual
    known = ", ".join(option.name for option in game.options)
    first = next((option.name for option in game.options if isinstance(option, (Choice, Flag))), None)
    example = f"; for example: parlour explore {game.name} --options {first} --goal undecided:min" if first else ""
    return f"{usual}{example}. The options of {game.name} are {known}"


def _announcement(plan: ExplorationPlan) -> list[str]:
    """What will be played, in sentences."""
    rounds = ", ".join(f"{each.candidates} × {each.games}" for each in plan.rounds)
    goals = ", ".join(f"{goal.measure.title} {goal.phrase}" for goal in plan.goals)
    lines = [f"{plan.total} games; rounds of combinations × games: {rounds}.", f"Goals: {goals}."]
    points = 100 * half_width(plan.rounds[-1].games)
    lines.append(f"With {plan.rounds[-1].games} games, percentages may be off by {points:.0f} points (95 %).")
    if plan.space.same:
        lines.append(f"Played once, as one combination: {'; '.join(plan.space.same)}.")
    if count := sum(plan.space.left_out.values()):
        lines.append(f"{count} combinations with contradictory options are left out.")
    return lines
