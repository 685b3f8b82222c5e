"""Shared by the commands that play many games: options for workers, openings and the folder, plans from files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from parlour.arena.reporting.games import GAMES_PAGE, write_games
from parlour.arena.runs.journal import CONFIG, read_config
from parlour.arena.runs.playing import LOCAL, Cluster, Threads, Workers
from parlour.arena.setting.openings import AUTO
from parlour.arena.setting.plans import EDITION
from parlour.arena.study.plans import SavedStudy
from parlour.cli.common import Function, a_path, complete_players, thread_count, warn
from parlour.engine.game import Game
from parlour.support.jobs import RunJobs, run_here
from parlour.support.typed_json import read_json

MAX_FOLDERS = 1000
NOT_PLAYED = ("source", "trust", "out", "threads", "ray")
"""The parameters that do not define what is played."""

openings_option = click.option(
    "--openings", default=AUTO, metavar="OPENINGS",
    help="How games begin: none, random:PLIES, a file of positions or games (drawn by the seed), FILE.pdn:PLIES for "
    "positions after so many plies of its games, or auto (between deterministic players random:8, or fewer plies where "
    "games are short).",
)  # fmt: skip
exact_option = click.option(
    "--exact", type=a_path, metavar="FOLDER",
    help="A table of 'parlour solve': tells how much of the exact value players give away; {variant} in it stands for "
    "the variant's name. By default that of a player exact:FOLDER.",
)  # fmt: skip
judge_option = click.option(
    "--judge", metavar="NAME", shell_complete=complete_players,
    help="In a game with dice: the player whose values tell luck from skill, for a result adjusted for luck; by "
    "default the champion, if it knows the variant. none: only the raw result.",
)  # fmt: skip
judge_if_wanted = click.option(
    "--judge", metavar="NAME", shell_complete=complete_players,
    help="In a game with dice: the player that values throws, such as champion; results between two players are then "
    "also given adjusted for luck. See parlour match.",
)  # fmt: skip
out_option = click.option(
    "--out", type=a_path, help="Folder to save every game in; rerun to resume, also with more games.",
)  # fmt: skip
trust_option = click.option(
    "--trust", is_flag=True,
    help="Trust the file of --from: players in it may be code (python:…), and files may lie outside its folder.",
)  # fmt: skip
ray_option = click.option(
    "--ray", is_flag=False, flag_value=LOCAL, metavar="[ADDRESS]",
    help="Play on a Ray cluster (a local one by default); results do not change.",
)  # fmt: skip


def report_options(name: str) -> Callable[[Function], Function]:
    """``--out``, ``--from`` and ``--trust`` of the command ``name``, which writes a report to a folder: see
    `report_folder`."""
    out = click.option("--out", type=a_path, help=f"Folder of the report, {name}-GAME by default; rerun to resume.")
    source = click.option(
        "--from", "source", type=a_path,
        help="A run's config.json: repeats that run, or resumes it if the file is in the run's folder.",
    )  # fmt: skip

    def both(command: Function) -> Function:
        return out(source(trust_option(command)))

    return both


def report_folder(name: str, game: Game, config: Mapping[str, Any], out: Path | None, source: Path | None) -> Path:
    """The folder for the report of the command ``name``: ``out`` if it was given; else the folder of ``source``, if
    that is a ``config.json``; else in the working directory ``NAME-GAME``, with a number if need be: the first that is
    new, empty, or of this ``config``. ValueError if there is none."""
    if out is not None:
        return out
    if source is not None and source.name == CONFIG:
        return source.parent
    stem = f"{name}-{game.name}"
    for number in range(1, MAX_FOLDERS):
        folder = Path(stem if number == 1 else f"{stem}-{number}")
        if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
            return folder
        if (folder / CONFIG).is_file() and read_config(folder / CONFIG) == config:
            return folder
    raise ValueError(f"{stem} to {stem}-{MAX_FOLDERS - 1} are all taken; give another folder with --out")


def list_option(*names: str, default: str | None = None, **settings: Any) -> Callable[[Function], Function]:
    """An option whose elements are separated by commas. Given several times, it has the elements of all."""

    def joined(context: click.Context, option: click.Parameter, texts: Sequence[str]) -> str | None:
        return ",".join(texts) if texts else default

    return click.option(*names, multiple=True, callback=joined, show_default=default or False, **settings)


def worker_options(command: Function) -> Function:
    """``--threads`` and ``--ray``: see `workers_of`."""
    threads = click.option("--threads", type=thread_count, help="One per core by default. Results do not change.")
    return threads(ray_option(command))


def workers_of(threads: int | None, ray: str | None) -> Workers:
    """The workers. ValueError if both are given, or for a cluster that does not answer."""
    if threads is not None and ray is not None:
        raise ValueError("--threads and --ray can't be given together")
    return Threads(threads) if ray is None else Cluster(ray)


def jobs_on(ray: str | None) -> RunJobs:
    """The function that does jobs, here or on a cluster. ValueError for a cluster that does not answer."""
    return run_here if ray is None else Cluster(ray)


def games_to_look_at(out: Path | None) -> list[str]:
    """Writes the page of games to look at into a run's folder, and says where; nothing if there are none."""
    return [f"games to look at: {out / GAMES_PAGE}"] if out is not None and write_games(out) else []


def plan_in(source: Path | None, trust: bool, kind: type[SavedStudy], *others: str) -> Any:
    """The plan that a run's config file has, of this ``kind``; None without ``--from``. A warning is printed if another
    version of Parlour or of the rules wrote it. UsageError for ``--trust`` alone, and as `refuse_besides`."""
    refuse_trust(trust, source)
    if source is None:
        return None
    refuse_besides(*others)
    saved: Any = read_json(source, kind)
    plan = saved.plan(str(source), trust)
    current = plan.as_config()
    if any(getattr(saved, name) != current[name] for name in EDITION):
        warn(
            f"{source} was written by Parlour {saved.parlour} with rules {saved.rules}; this is {current['parlour']} "
            f"with {current['rules']}: games may differ"
        )
    return plan


def refuse_trust(trust: bool, source: Path | None) -> None:
    """UsageError for --trust without a file to trust."""
    if trust and source is None:
        raise click.UsageError(
            "--trust says something of the file of --from; give that too", click.get_current_context()
        )


def refuse_besides(*others: str) -> None:
    """UsageError if --from is given with a parameter that defines what is played: any but `NOT_PLAYED` and others."""
    context = click.get_current_context()
    for parameter in context.command.params:
        given = context.get_parameter_source(str(parameter.name)) == click.core.ParameterSource.COMMANDLINE
        if given and parameter.name not in (*NOT_PLAYED, *others):
            flag = parameter.opts[-1] if isinstance(parameter, click.Option) else str(parameter.name).upper()
            raise click.UsageError(f"--from defines everything that is played; {flag} can't be given with it", context)
