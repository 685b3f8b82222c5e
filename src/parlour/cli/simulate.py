"""``simulate``: many games between players, counted by variant."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from rich.progress import Progress, TaskID

from parlour.arena.reporting.games import notable_seeds, write_notable
from parlour.arena.reporting.terminal import Column, tables
from parlour.arena.runs.playing import progress_bar
from parlour.arena.statistics import mean
from parlour.cli.common import (
    MAX_GAMES,
    a_path,
    complete_players,
    complete_variants,
    console,
    game_argument,
    parse_values,
    say,
    seed_option,
    threads_option,
    values_option,
)
from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.players import parse_players
from parlour.players.regrets import Regrets
from parlour.players.simulate import Results, game_seeds, play_games

GAMES_AT_A_TIME = 1 << 16
"""The largest number of games whose results are in memory at the same time."""
HEADINGS = ("draw", "trun-\ncated", "mean\nplies", "branch-\ning", "plies\na second")
"""The columns after those of the seats."""


@click.command()
@game_argument
@click.option("--variant", default="all", shell_complete=complete_variants, help="A variant's name, or all.")
@values_option
@click.option(
    "--players", default="random", shell_complete=complete_players, help="One name for all seats, or one per seat: a,b."
)
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=1000, help="Games per variant.")
@seed_option
@threads_option
@click.option(
    "--out", type=a_path,
    help="Folder for games of each variant: the first as record and animated GIF; an HTML page with the first, the "
    "shortest, one of typical length, the longest, and the one with most changes of the lead.",
)  # fmt: skip
@click.option(
    "--exact", type=a_path, metavar="FOLDER",
    help="A table of 'parlour solve' for the variant: tells how much of the exact value players give away.",
)  # fmt: skip
def simulate(
    game: Game, variant: str, overrides: Sequence[str], players: str, games: int, seed: int, threads: int,
    out: Path | None, exact: Path | None,
) -> None:  # fmt: skip
    """Plays many games of GAME and counts their results."""
    names = [choice.name for choice in game.variants] if variant == "all" else [variant]
    options = parse_values(game, overrides)
    envs = {name: GameEnv(game, name, options, None, "raise") for name in names}
    seats = len(next(iter(envs.values())).possible_agents)
    seated = parse_players(players, seats, game)
    files = {} if out is None else {name: _files(out, game, name) for name in names}
    if out is not None:
        _prepare(out, [path for paths in files.values() for path in paths])
    regrets = None if exact is None else Regrets(exact, game)
    notable: dict[str, dict[int, str]] = {}
    headings = [*(f"{game.seat_name(seat)}\nwin" for seat in range(seats)), *HEADINGS]
    rows = []
    with progress_bar() as progress:
        for name, env in envs.items():
            play_games(game, env.values, seated, game_seeds(seed, 1), threads)  # compiling is not timed
            task = progress.add_task(name, total=games)
            totals, began = np.zeros(seats + 3, np.int64), time.perf_counter()
            for low in range(0, games, GAMES_AT_A_TIME):
                seeds = game_seeds(seed, min(GAMES_AT_A_TIME, games - low), low)
                results = play_games(
                    game, env.values, seated, seeds, threads, partial(_advance, progress, task),
                    out is not None and game.has_potential, observers=[] if regrets is None else [regrets],
                )  # fmt: skip
                totals += results.totals
                notable[name] = notable.get(name) or notable_seeds(results, seeds)
            rows.append(cells(games, totals, time.perf_counter() - began))
    screen, columns = console(), list(map(Column, headings, zip(*rows)))
    title = f"{game.title}: {games} game{'' if games == 1 else 's'} a variant, {players}, seed {seed}"
    for grid in tables(title, [Column("variant", names)], columns, screen.width):
        screen.print(grid)
    say(*([] if regrets is None else regret_lines(regrets, game, seats)))
    for name, paths in files.items():
        write_notable(envs[name], seated, notable[name], paths)
        say(*(f"wrote {path}" for path in paths))


def regret_lines(regrets: Regrets, game: Game, seats: int) -> list[str]:
    """What each seat gives away, in words."""
    lines = []
    for seat in range(seats):
        lost = mean(regrets.means(seat), 0, 2)
        if lost.count:
            sure = "" if lost.constant else f" (95 %: {lost.low:.5f} to {lost.high:.5f})"
            name = game.seat_name(seat)
            lines.append(f"{name} gives away {lost.value:.5f} of the exact value a choice{sure}, in {lost.count} games")
    return lines or ["no choice was in the table"]


def _advance(progress: Progress, task: TaskID, results: Results, ended: NDArray[np.int64]) -> None:
    progress.advance(task, len(ended))


def cells(games: int, totals: NDArray[np.int64], seconds: float) -> list[str]:
    """The cells of a row: shares in per cent, means, and plies a second."""
    *wins, truncated, plies, choices = totals.tolist()
    shares = [f"{100 * count / games:.1f}%" for count in (*wins, games - sum(wins) - truncated, truncated)]
    means = f"{'≥' if truncated else ''}{plies / games:.1f}", f"{choices / plies:.1f}"
    return [*shares, *means, f"{plies / seconds:,.0f}"]


def _files(folder: Path, game: Game, variant: str) -> list[Path]:
    """The record of a variant's first game, the page of its notable games, and the animated picture of the first."""
    return [folder / f"{game.name}-{variant}{ending}" for ending in (".jsonl", ".html", ".gif")]


def _prepare(folder: Path, files: Sequence[Path]) -> None:
    """Makes the output folder before anything is played. OSError if it, or one of the files, can't be written."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in files:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    probe = folder / ".parlour-probe"
    probe.touch()
    probe.unlink()
