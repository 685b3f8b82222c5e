"""``dataset``: games of experts as data to learn from."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import click

import parlour
from parlour.arena.runs.playing import progress_bar
from parlour.arena.setting.openings import NONE
from parlour.cli import running
from parlour.cli.common import a_path, complete_players, parse_values, ruleset_options, say, seed_option, threads_option
from parlour.engine.game import Game
from parlour.learn.datasets import Dataset
from parlour.learn.datasets.minari_form import check_new
from parlour.learn.datasets.playing import MAX_GAMES
from parlour.players.inputs import INPUTS, PLANES


@click.command()
@ruleset_options
@click.option("--player", default="champion", shell_complete=complete_players, help="Who plays in every seat, by name.")
@click.option("--games", type=click.IntRange(1, MAX_GAMES), default=1000, help="Whole games.")
@click.option("--noise", type=click.FloatRange(0, 1), default=0.05, help="The share of plies that are random.")
@seed_option
@click.option(
    "--openings", default=NONE, metavar="OPENINGS",
    help="How games begin: none, random:PLIES, a file of positions or games, or FILE.pdn:PLIES.",
)  # fmt: skip
@click.option("--inputs", type=click.Choice(INPUTS), default=PLANES, help="What is seen in a position.")
@click.option(
    "--from", "source", type=a_path, metavar="FILE",
    help="Take the games of this file of records, such as games.pdn, in place of playing any.",
)  # fmt: skip
@threads_option
@click.option("--out", required=True, metavar="ID", help="The data set's id, such as acey_ducey/champion-v0.")
def dataset(
    game: Game, overrides: Sequence[str], games: int, inputs: str, source: Path | None, out: str, **settings: Any
) -> None:
    """Plays games of an expert at GAME and keeps every position with what the expert chose, to learn from.

    The data set is written where Minari keeps its own: minari.load_dataset(ID) reads it.
    """
    try:
        check_new(out)
    except ImportError as error:
        raise click.ClickException(str(error)) from None
    if source is not None:
        running.refuse_besides("game", "inputs")
        data = parlour.dataset.from_records(source, inputs=inputs)
        if data.config.game != game.id:
            raise ValueError(f"{source}: games of {data.config.game}, not of {game.id}")
    else:
        with progress_bar() as bar:
            task = bar.add_task("games", total=games)
            data = parlour.dataset(
                game.id, games=games, inputs=inputs, on_games=lambda count: bar.advance(task, count),
                **settings, **parse_values(game, overrides),
            )  # fmt: skip
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".* is (set to )?None")  # of the author, whom Minari would like to know
        data.to_minari(out)
    say(described(out, data))


def described(dataset_id: str, data: Dataset) -> str:
    """What a data set has, in words."""
    left_out = data.duplicates
    games = f"{data.config.games - left_out:,} games of {data.config.game}, {data.config.variant}"
    others = f"; {left_out:,} are left out, like others or over within their opening" if left_out else ""
    return f"{dataset_id}: {len(data):,} positions of {games}{others}"
