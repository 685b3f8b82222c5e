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
from rich.box import SIMPLE_HEAD
from rich.progress import Progress, TaskID
from rich.table import Table as Grid

from parlour.aec import GameEnv
from parlour.cli.common import console, game_argument, parse_values, seed_option, thread_count, values_option
from parlour.cli.running import progress_bar
from parlour.engine.game import Game
from parlour.players import Player, parse_players
from parlour.records import record_game, replay, write_records
from parlour.rendering import write_animation
from parlour.simulate import Results, game_seeds, play_games

MAX_GAMES = 10_000_000


@click.command()
@game_argument
@click.option("--variant", default="all", show_default=True, help="A variant's name, or all.")
@values_option
@click.option("--players", default="random", show_default=True, help="One name for all seats, or one a seat: a,b.")
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=1000, show_default=True, help="Games a variant.")
@seed_option
@click.option("--threads", type=thread_count, default=1, show_default=True, help="Threads; results do not change.")
@click.option("--out", type=click.Path(path_type=Path), help="A folder for a record and a picture of one game each.")
def simulate(
    game: Game,
    variant: str,
    given: Sequence[str],
    players: str,
    games: int,
    seed: int,
    threads: int,
    out: Path | None,
) -> None:
    """Plays many games of GAME and counts what comes of them."""
    names = [choice.name for choice in game.variants] if variant == "all" else [variant]
    options = parse_values(game, given)
    envs = {name: GameEnv(game, name, options, None, "raise") for name in names}
    seats = len(next(iter(envs.values())).possible_agents)
    seated = parse_players(players, seats, game)
    if out is not None:
        _prepare(out, [path for name in names for path in _files(out, game, name)])
    seeds = game_seeds(seed, games)
    screen = console()
    title = f"{game.title}: {games} games a variant, {players}, seed {seed}"
    grid = Grid(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    headings = [f"{game.seat_name(p)}\nwin" for p in range(seats)]
    grid.add_column("variant", no_wrap=True)
    for heading in (*headings, "draw", "trun-\ncated", "mean\nplies", "branch-\ning", "plies\na second"):
        grid.add_column(heading, justify="right")
    with progress_bar() as progress:
        for name, env in envs.items():
            play_games(game, env.values, seated, seeds[:1], threads)  # what must be compiled is not timed
            task = progress.add_task(name, total=games)
            began = time.perf_counter()
            results = play_games(game, env.values, seated, seeds, threads, partial(_advance, progress, task))
            grid.add_row(name, *_row(results, time.perf_counter() - began))
    screen.print(grid)
    if out is None:
        return
    for name, env in envs.items():
        for path in _save(env, seated, seeds[0], *_files(out, game, name)):
            screen.print(f"wrote {path}", soft_wrap=True)


def _advance(progress: Progress, task: TaskID, results: Results, ended: NDArray[np.int64]) -> None:
    """Moves the bar on."""
    progress.advance(task, len(ended))


def _row(results: Results, seconds: float) -> list[str]:
    """The cells of a variant: shares in percent, means."""
    winners, games = results.winners, len(results.plies)
    plies = int(results.plies.sum())
    wins = [np.count_nonzero(winners == p) for p in range(results.returns.shape[1])]
    truncated = np.count_nonzero(results.truncated)
    shares = [f"{100 * count / games:.1f}%" for count in (*wins, games - sum(wins) - truncated, truncated)]
    return [*shares, f"{plies / games:.1f}", f"{results.choices.sum() / plies:.1f}", f"{plies / seconds:,.0f}"]


def _files(folder: Path, game: Game, variant: str) -> tuple[Path, Path]:
    """The record and the picture of a variant's game."""
    stem = f"{game.name}-{variant}"
    return folder / f"{stem}.jsonl", folder / f"{stem}.gif"


def _prepare(folder: Path, files: Sequence[Path]) -> None:
    """Makes the output folder before anything is played. OSError if it, or one of the files, can't be written."""
    folder.mkdir(parents=True, exist_ok=True)
    for path in files:
        if path.is_dir():
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    probe = folder / ".parlour-probe"
    probe.touch()
    probe.unlink()


def _save(env: GameEnv, players: Sequence[Player], seed: int, text: Path, picture: Path) -> list[Path]:
    """Writes the record and the animated picture of the game with this seed."""
    record = record_game(env, players, seed)
    write_records(text, [record])
    write_animation(picture, [frame.svg() for frame in replay(record, str(text))])
    return [text, picture]
