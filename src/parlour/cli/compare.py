"""``compare``: plays the variants of a game and reports how they differ, with intervals and tests."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click
from rich.box import SIMPLE_HEAD
from rich.table import Table as Grid

from parlour.arena.comparison import EDITION, Comparison, read_comparison
from parlour.arena.fixtures import Played
from parlour.arena.journal import CONFIG, Folder, read_config
from parlour.arena.measures import Kind
from parlour.arena.playing import Workers, play_plan
from parlour.arena.report import REPORT, Outcome, evaluate, write_report
from parlour.arena.statistics import Estimate
from parlour.cli.common import GameName, console, parse_values, seed_option, values_option
from parlour.cli.running import openings_option, watched, worker_options, workers_of
from parlour.engine.game import Game
from parlour.registry import find

COLUMNS = {
    "undecided": "undecided\n%",
    "first_seat": "{first}\nscore, %",
    "plies": "plies",
    "branching": "legal\nactions",
    "lead_changes": "lead\nchanges",
    "skill": "strong\nscore, %",
}
"""The measures of the table in the terminal, with short headings."""
MAX_SENTENCES = 6
MAX_FOLDERS = 1000


@click.command()
@click.argument("game", type=GameName(), required=False)
@click.option(
    "--variants",
    default="all",
    show_default=True,
    help="Names separated by commas, or all. With options: classic:touch_move=true+repetition=3.",
)
@values_option
@click.option("--players", default="mcts:5", show_default=True, help="Player in all seats.")
@click.option(
    "--skill",
    default="mcts:2,mcts:20",
    show_default=True,
    metavar="WEAK,STRONG",
    help="Two players, to measure how much skill decides.",
)
@click.option(
    "--games", type=int, default=30, show_default=True, help="Games per variant of each of the two kinds; even."
)
@seed_option
@openings_option
@worker_options
@click.option(
    "--out", type=click.Path(path_type=Path), help="Folder of the report, compare-GAME by default; rerun to resume."
)
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path),
    help="A run's config.json: repeats that run, or resumes it in its own folder.",
)
@click.pass_context
def compare(
    context: click.Context,
    game: Game | None,
    variants: str,
    overrides: Sequence[str],
    players: str,
    skill: str,
    games: int,
    seed: int,
    openings: str,
    threads: int | None,
    ray: str | None,
    out: Path | None,
    source: Path | None,
) -> None:
    """Compares the variants of GAME: who wins, how games go and end, what skill and chance decide.

    Games, figures and a report in HTML are kept in a folder. Rerun the command to resume a run that was stopped.
    """
    if source is not None:
        _refuse_besides(context)
        plan = _read(source)
        folder = out or (source.parent if source.name == CONFIG else free_folder(plan))
    elif game is not None:
        names = [variant.name for variant in game.variants] if variants == "all" else variants.split(",")
        weaker, stronger = _two_players(skill)
        plan = Comparison(
            game.id, tuple(names), parse_values(game, overrides), players, weaker, stronger, games, seed, openings
        )
        plan.check()
        folder = out or free_folder(plan)
    else:
        raise click.UsageError("give a GAME, or --from FILE", context)
    outcome = _run(plan, folder, workers_of(threads, ray))
    screen = console()
    screen.print(summary(outcome))
    findings = outcome.findings
    for note in outcome.notes:
        screen.print(note)
    for sentence in findings[:MAX_SENTENCES]:
        screen.print(f"* {sentence}")
    if len(findings) > MAX_SENTENCES:
        screen.print(f"* The report has {len(findings) - MAX_SENTENCES} more.")
    screen.print(f"\nwrote {folder / REPORT}", soft_wrap=True)


def free_folder(plan: Comparison) -> Path:
    """``compare-GAME`` in the working directory, with a number at the end if that holds something else: the first one
    that holds this run, or nothing."""
    stem = f"compare-{find(plan.game).name}"
    config = plan.as_config()
    for number in range(1, MAX_FOLDERS):
        folder = Path(stem if number == 1 else f"{stem}-{number}")
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return folder
        if (folder / CONFIG).is_file() and read_config(folder / CONFIG).value == config:
            return folder
    raise ValueError(f"{stem} to {stem}-{MAX_FOLDERS - 1} are all taken; give another folder with --out")


def _two_players(skill: str) -> tuple[str, str]:
    weaker, comma, stronger = skill.partition(",")
    if not comma or "," in stronger:
        raise ValueError(f"--skill {skill!r} is not of the form WEAK,STRONG, such as mcts:10,mcts:100")
    return weaker, stronger


def _refuse_besides(context: click.Context) -> None:
    """With --from, nothing else that says what is played may be given."""
    flags = {"game": "GAME", "overrides": "--option"}
    for name in ("game", "variants", "overrides", "players", "skill", "games", "seed", "openings"):
        if context.get_parameter_source(name) == click.core.ParameterSource.COMMANDLINE:
            flag = flags.get(name, f"--{name}")
            raise click.UsageError(f"--from says all that is played; {flag} can't be given with it", context)


def _read(source: Path) -> Comparison:
    """The plan in a config file, with a warning where it is of another edition of Parlour."""
    config = read_config(source)
    plan = read_comparison(config)
    stated, present = config.value, plan.as_config()
    if any(stated[name] != present[name] for name in EDITION):
        print(
            f"parlour: {source} is by Parlour {stated['parlour']} with rules {stated['rules']}, and this is "
            f"{present['parlour']} with {present['rules']}: games may go another way",
            file=sys.stderr,
        )
    return plan


def _run(plan: Comparison, folder: Path, workers: Workers) -> Outcome:
    """Plays what the folder does not hold yet, and writes the report."""
    games, played = plan.plan(), list[Played]()
    with Folder(folder, games) as run:
        with watched(games.games, folder) as on_played:

            def note(finished: list[Played]) -> None:
                played.extend(finished)
                on_played(finished)

            play_plan(games, workers, note, run)
        outcome = evaluate(plan, played)
        write_report(folder, outcome)
    return outcome


def summary(outcome: Outcome) -> Grid:
    """Estimates, and their intervals in the line below."""
    plan = outcome.plan
    title = (
        f"{find(plan.game).title}, seed {plan.seed}; a variant: {plan.games} games of {plan.player}, "
        f"{plan.games} of {plan.stronger} against {plan.weaker}; 95 % intervals"
    )
    grid = Grid(
        title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, show_edge=False, padding=(0, 1, 0, 0)
    )
    grid.add_column("variant", no_wrap=True)
    measures = {measure.key: measure for measure in outcome.measures}
    for heading in COLUMNS.values():
        grid.add_column(heading.format(first=find(plan.game).seat_name(0)), justify="right", overflow="fold")
    for variant, estimates in outcome.figures.items():
        grid.add_row(variant, *(_cell(measures[key].kind, estimates[key]) for key in COLUMNS))
    return grid


def _cell(kind: Kind, found: Estimate) -> str:
    return f"{kind.show(found.value)}\n{kind.show(found.low, 2)}–{kind.show(found.high, 2)}"
