"""``compare``: plays the variants of a game and reports their differences, with intervals and tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.comparison import power
from parlour.arena.comparison.compare import play_comparison
from parlour.arena.comparison.defaults import DEFAULT_GAMES, DEFAULT_SKILL, WITHOUT_CHAMPION
from parlour.arena.comparison.findings import all_players
from parlour.arena.comparison.plan import DEFAULT_DOUBLINGS, EDITION, ComparisonPlan, plan_comparison, read_plan
from parlour.arena.comparison.result import Comparison
from parlour.arena.journal import read_config
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.report import REPORT
from parlour.arena.reporting.terminal import comparison_tables
from parlour.arena.rulesets import parse_rulesets
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

MAX_SENTENCES = 6
NO_SKILL = "none"
PLAYED = ("game", "variants", "overrides", "players", "skill", "trace", "games", "measures", "seed", "openings")
"""The parameters that define what is played."""


@click.command()
@click.argument("game", type=GameName(), required=False)
@click.option(
    "--variants",
    default="all",
    show_default=True,
    help="Names separated by commas, or all, or a TOML file. With options: classic:touch_move=true+repetition=3.",
)
@values_option
@click.option(
    "--players",
    show_default=f"the champion, or {WITHOUT_CHAMPION}",
    help="Players separated by commas, or none; each one plays games in all seats.",
)
@click.option(
    "--skill",
    default=",".join(DEFAULT_SKILL),
    show_default=True,
    metavar="WEAK,STRONG",
    help="Two players, to measure the influence of skill; or none.",
)
@click.option(
    "--trace",
    metavar="PLAYER,DOUBLINGS",
    help=f"Skill trace: what each doubling of the search gains, as in mcts:10,5; {DEFAULT_DOUBLINGS} by default.",
)
@click.option(
    "--games",
    type=int,
    default=DEFAULT_GAMES,
    show_default=True,
    help="Games per variant, for each player and each pair of players; even.",
)
@click.option("--measures", help="Measures or groups of measures, separated by commas; all by default.")
@seed_option
@openings_option
@worker_options
@report_options("compare")
@click.pass_context
def compare(
    context: click.Context,
    game: Game | None,
    variants: str,
    overrides: Sequence[str],
    players: str | None,
    skill: str,
    trace: str | None,
    games: int,
    measures: str | None,
    seed: int,
    openings: str,
    threads: int | None,
    ray: str | None,
    out: Path | None,
    source: Path | None,
) -> None:
    """Compares the variants of GAME: who wins, how long games last, how they end, the influence of skill and chance.

    Games, tables and a report in HTML are saved in a folder. Rerun the command to resume a run that was stopped, also
    with more games, players or variants.
    """
    if source is not None:
        refuse_besides(context, PLAYED, {"game": "GAME", "overrides": "--option"})
        plan = _read(source)
    elif game is not None:
        plan = plan_comparison(
            game,
            parse_rulesets(game, variants),
            None if players is None else [name for name in players.split(",") if name != NO_SKILL],
            _two_players(skill),
            games,
            seed,
            parse_values(game, overrides),
            openings,
            measures.split(",") if measures is not None else None,
            _doublings(trace) if trace is not None else None,
        )
    else:
        raise click.UsageError("give a GAME, or --from FILE", context)
    folder = report_folder("compare", plan.game, plan.as_config(), out, source)
    screen = console()

    def print_power() -> None:
        for sentence in power.sentences(plan):
            screen.print(sentence)

    result = play_comparison(plan, workers_of(threads, ray), folder, on_opened=print_power)
    for grid in comparison_tables(result, screen.width):
        screen.print(grid)
    print_findings(result)
    screen.print(f"\nwrote {folder / REPORT}", soft_wrap=True)
    if result.on_page:
        screen.print(f"games to look at: {folder / GAMES_PAGE}", soft_wrap=True)


def print_findings(result: Comparison) -> None:
    """Prints the notes, the conclusions of several players, and the findings."""
    screen = console()
    for note in result.notes:
        screen.print(note)
    by_status = {status: [one for one in result.conclusions if one.status == status] for status in ("all", "turns")}
    parts = [
        (f"Under {all_players(result.plan)}:", [f"{one.measure.title}: {one.claim}." for one in by_status["all"]]),
        (
            "Reversed from one player to another:",
            [f"{one.measure.title}: {one.claim} under {', '.join(one.holds)} only." for one in by_status["turns"]],
        ),
        (
            "Depends on who plays:",
            [f"{one.measure.title}, {one.claim}." for one in result.dependences],
        ),
        ("Player by player:" if any(by_status.values()) else "", result.findings),
    ]
    for heading, lines in parts:
        if heading and lines:
            screen.print(heading)
        for sentence in lines[:MAX_SENTENCES]:
            screen.print(f"* {sentence}")
        if len(lines) > MAX_SENTENCES:
            screen.print(f"* {len(lines) - MAX_SENTENCES} more are in the report.")


def _two_players(skill: str) -> tuple[str, str] | None:
    if skill == NO_SKILL:
        return None
    weaker, comma, stronger = skill.partition(",")
    if not comma or "," in stronger:
        raise ValueError(f"--skill {skill!r} is not of the form WEAK,STRONG, such as mcts:10,mcts:100")
    return weaker, stronger


def _doublings(trace: str) -> tuple[str, int]:
    player, comma, count = trace.partition(",")
    if not comma:
        return player, DEFAULT_DOUBLINGS
    if not (count.isascii() and count.isdecimal()):
        raise ValueError(f"--trace {trace!r} is not of the form PLAYER,DOUBLINGS, such as mcts:10,5")
    return player, int(count)


def _read(source: Path) -> ComparisonPlan:
    """The plan in a config file. Prints a warning if another version of Parlour or of the rules wrote it."""
    config = read_config(source)
    plan = read_plan(config)
    saved, current = config.value, plan.as_config()
    if any(saved[name] != current[name] for name in EDITION if name != "identities"):
        print(
            f"parlour: {source} was written by Parlour {saved['parlour']} with rules {saved['rules']}; this is "
            f"{current['parlour']} with {current['rules']}: games may differ",
            file=sys.stderr,
        )
    return plan
