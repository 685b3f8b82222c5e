"""Options that the commands which play many games share: workers, openings, the folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from parlour.arena.cluster import LOCAL, Cluster
from parlour.arena.openings import AUTO
from parlour.arena.playing import Threads, Workers
from parlour.cli.common import thread_count

Function = TypeVar("Function", bound=Callable[..., Any])


openings_option = click.option(
    "--openings",
    default=AUTO,
    show_default=True,
    metavar="OPENINGS",
    help="How games begin: none, random:PLIES, a file of positions, or auto: random:8 between players without chance.",
)
out_option = click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder that keeps every game; rerun to resume, also with more games.",
)


def worker_options(command: Function) -> Function:
    """``--threads`` and ``--ray``: see `workers_of`."""
    threads = click.option("--threads", type=thread_count, help="One per core by default. Results do not change.")
    ray = click.option(
        "--ray",
        is_flag=False,
        flag_value=LOCAL,
        metavar="[ADDRESS]",
        help="Play on a Ray cluster (a local one by default).",
    )
    return threads(ray(command))


def workers_of(threads: int | None, ray: str | None) -> Workers:
    """The workers. ValueError for both at once, or for a cluster that does not answer."""
    if threads is not None and ray is not None:
        raise ValueError("--threads and --ray can't be given together")
    return Threads(threads) if ray is None else Cluster(ray)
