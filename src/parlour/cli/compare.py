"""``compare``: plays the variants of a game and reports their differences, with intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from time import monotonic
from typing import Any

import click

from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.report import REPORT
from parlour.arena.reporting.summary import SMALL_SHARE, power, tests_shares
from parlour.arena.runs.journal import count_saved
from parlour.arena.setting.rulesets import parse_rulesets
from parlour.arena.statistics import games_for
from parlour.arena.studies import play_comparison
from parlour.arena.study.findings import GOALS, USUAL, read_rank
from parlour.arena.study.plans import (
    DEFAULT_DOUBLINGS,
    DEFAULT_GAMES,
    DEFAULT_SKILL,
    WITHOUT_CHAMPION,
    SavedComparison,
    plan_comparison,
)
from parlour.cli import running
from parlour.cli.common import GameName, console, parse_values, say, seed_option, values_option
from parlour.engine.game import Game

NO_SKILL = "none"


@click.command()
@click.argument("game", type=GameName(), required=False)
@running.list_option(
    "--variants",
    default="all",
    help="Names separated by commas, or all, or a TOML file. With options: classic:touch_move=true+repetition=3.",
)
@values_option
@running.list_option(
    "--players",
    help="Players separated by commas, or none; each one plays games in all seats. By default the champion, or "
    f"{WITHOUT_CHAMPION}.",
)
@click.option(
    "--skill", default=",".join(DEFAULT_SKILL), metavar="WEAK,STRONG",
    help="Two players, to measure the influence of skill; or none.",
)  # fmt: skip
@click.option(
    "--trace", metavar="PLAYER,DOUBLINGS",
    help=f"Skill trace: what each doubling of the search gains, as in mcts:10,5; {DEFAULT_DOUBLINGS} by default.",
)  # fmt: skip
@click.option(
    "--games", type=int, default=DEFAULT_GAMES,
    help="Games per variant, for each player and each pair of players; even.",
)  # fmt: skip
@running.list_option("--measures", help="Measures or groups of measures, separated by commas; all by default.")
@running.list_option(
    "--rank",
    help=f"By what the summary ranks variants, separated by commas: {', '.join(GOALS)}; {','.join(USUAL)} by default.",
)
@running.exact_option
@running.judge_if_wanted
@seed_option
@running.openings_option
@click.option(
    "--paired", is_flag=True,
    help="Give game k the same dice and opening in every variant and for every player, and compare game by game.",
)  # fmt: skip
@running.worker_options
@running.report_options("compare")
def compare(
    game: Game | None, variants: str, overrides: Sequence[str], players: str | None, skill: str, trace: str | None,
    measures: str | None, rank: str | None, threads: int | None, ray: str | None, out: Path | None, source: Path | None,
    trust: bool, **settings: Any,
) -> None:  # fmt: skip
    """Compares the variants of GAME: who wins, how long games last, how they end, the influence of skill and chance.

    Games, tables and a report in HTML are saved in a folder. Rerun the command to resume a run that was stopped, also
    with more games, players or variants.
    """
    plan = running.plan_in(source, trust, SavedComparison, "rank")
    if plan is None and game is not None:
        plan = plan_comparison(
            game,
            parse_rulesets(game, variants),
            None if players is None else [name for name in players.split(",") if name != NO_SKILL],
            _two_players(skill),
            overrides=parse_values(game, overrides),
            measures=measures.split(",") if measures is not None else None,
            trace=_doublings(trace) if trace is not None else None,
            **settings,
        )
    if plan is None:
        raise click.UsageError("give a GAME, or --from FILE", click.get_current_context())
    ranked_by = read_rank(plan, rank.split(",") if rank else None)
    folder = running.report_folder("compare", plan.game, plan.as_config(), out, source)

    def print_power() -> None:
        for sentence in power(plan):
            console().print(sentence)

    resumed, ends = count_saved(folder), list[float]()
    result = play_comparison(
        plan, running.workers_of(threads, ray), folder, lambda games: ends.extend([monotonic()] * len(games)),
        on_opened=print_power, rank=ranked_by,
    )  # fmt: skip
    click.echo(result)
    say(f"wrote {folder / REPORT}", *([f"games to look at: {folder / GAMES_PAGE}"] if result.on_page else []))
    enough, new_ends = games_for(SMALL_SHARE, len(result.test_results)), ends[resumed:]  # saved games come first
    if tests_shares(plan) and enough > plan.games and len(new_ends) > 1:
        seconds = (new_ends[-1] - new_ends[0]) / (len(new_ends) - 1)  # a game, so that compiling does not count
        time = rough_time(plan.plan.games * (enough / plan.games - 1) * seconds)
        say(f"--games {enough}, to show smaller differences, would take about {time} more")


def rough_time(seconds: float) -> str:
    """In words: "7 min", or "3 hours" from two hours on."""
    minutes = math.ceil(seconds / 60)
    return f"{minutes} min" if minutes < 120 else f"{minutes / 60:.0f} hours"


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
