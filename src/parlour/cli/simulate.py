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
from parlour.arena.progress import progress_bar
from parlour.cli.common import console, game_argument, parse_values, seed_option, thread_count, values_option
from parlour.cli.completion import complete_players, complete_variants
from parlour.engine.game import Game
from parlour.players import Player, parse_players
from parlour.records import record_game
from parlour.replays.writing import write_replays
from parlour.rulebook.chance import row_seeds
from parlour.simulate import Results, game_seeds, play_games

MAX_GAMES = 10_000_000
GAMES_AT_A_TIME = 1 << 16
"""The largest number of games whose results are in memory at the same time."""


@click.command()
@game_argument
@click.option(
    "--variant", default="all", show_default=True, shell_complete=complete_variants, help="A variant's name, or all."
)
@values_option
@click.option(
    "--players",
    default="random",
    show_default=True,
    shell_complete=complete_players,
    help="One name for all seats, or one per seat: a,b.",
)
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=1000, show_default=True, help="Games per variant.")
@seed_option
@click.option("--threads", type=thread_count, default=1, show_default=True, help="Threads; results do not change.")
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="Folder for one game of each variant: record, HTML page, animated GIF.",
)
@click.option("--thoughts", is_flag=True, help="Also record values and move probabilities of the players in that game.")
def simulate(
    game: Game,
    variant: str,
    overrides: Sequence[str],
    players: str,
    games: int,
    seed: int,
    threads: int,
    out: Path | None,
    thoughts: bool,
) -> None:
    """Plays many games of GAME and counts their results."""
    names = [choice.name for choice in game.variants] if variant == "all" else [variant]
    options = parse_values(game, overrides)
    envs = {name: GameEnv(game, name, options, None, "raise") for name in names}
    seats = len(next(iter(envs.values())).possible_agents)
    seated = parse_players(players, seats, game)
    if out is not None:
        _prepare(out, [path for name in names for path in _files(out, game, name)])
    screen = console()
    title = f"{game.title}: {games} games a variant, {players}, seed {seed}"
    grid = Grid(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False)
    headings = [f"{game.seat_name(p)}\nwin" for p in range(seats)]
    grid.add_column("variant", no_wrap=True)
    for heading in (*headings, "draw", "trun-\ncated", "mean\nplies", "branch-\ning", "plies\na second"):
        grid.add_column(heading, justify="right")
    with progress_bar() as progress:
        for name, env in envs.items():
            play_games(game, env.values, seated, game_seeds(seed, 1), threads)  # compiling is not timed
            task = progress.add_task(name, total=games)
            counts, began = Counts(seats), time.perf_counter()
            for low in range(0, games, GAMES_AT_A_TIME):
                seeds = row_seeds(seed, min(GAMES_AT_A_TIME, games - low), low).tolist()
                counts.add(play_games(game, env.values, seated, seeds, threads, partial(_advance, progress, task)))
            grid.add_row(name, *counts.cells(time.perf_counter() - began))
    screen.print(grid)
    if out is None:
        return
    for name, env in envs.items():
        for path in _save(env, seated, game_seeds(seed, 1)[0], thoughts, _files(out, game, name)):
            screen.print(f"wrote {path}", soft_wrap=True)


def _advance(progress: Progress, task: TaskID, results: Results, ended: NDArray[np.int64]) -> None:
    """Advances the bar by the games that have ended."""
    progress.advance(task, len(ended))


class Counts:
    """The results of a variant's games, added up."""

    def __init__(self, seats: int) -> None:
        """``seats``: P."""
        self.wins = np.zeros(seats, np.int64)
        self.games = self.truncated = self.plies = self.choices = 0

    def add(self, results: Results) -> None:
        """Adds games."""
        winners = results.winners
        self.wins += np.bincount(winners[winners >= 0], minlength=len(self.wins))
        self.games += len(winners)
        self.truncated += int(np.count_nonzero(results.truncated))
        self.plies += int(results.plies.sum())
        self.choices += int(results.choices.sum())

    def cells(self, seconds: float) -> list[str]:
        """The cells of a row: shares in percent, means, and plies per second."""
        drawn = self.games - int(self.wins.sum()) - self.truncated
        shares = [f"{100 * count / self.games:.1f}%" for count in (*self.wins.tolist(), drawn, self.truncated)]
        means = f"{self.plies / self.games:.1f}", f"{self.choices / self.plies:.1f}"
        return [*shares, *means, f"{self.plies / seconds:,.0f}"]


def _files(folder: Path, game: Game, variant: str) -> list[Path]:
    """The record, the page and the animated picture of a variant's game."""
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


def _save(env: GameEnv, players: Sequence[Player], seed: int, thoughts: bool, files: Sequence[Path]) -> Sequence[Path]:
    """Plays the game with this seed and writes it in every format."""
    record = record_game(env, players, seed, thoughts)
    for path in files:
        write_replays(path, [record])
    return files
