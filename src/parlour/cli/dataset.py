"""``dataset``: games of experts as data to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from parlour.arena.runs.playing import progress_bar
from parlour.arena.setting.openings import NONE
from parlour.cli.common import game_argument, parse_values, say, seed_option, thread_count, values_option
from parlour.cli.completion import complete_players, complete_variants
from parlour.engine.game import Game
from parlour.learn.datasets.archives import read_archive
from parlour.learn.datasets.files import count_kept, write_columns, write_played
from parlour.learn.datasets.plans import MAX_GAMES, Config, make_plan
from parlour.players.inputs import INPUTS, PLANES

PLAYED = ("variant", "overrides", "player", "games", "noise", "seed", "openings", "threads")
"""Options of games that are played; recorded ones have no use for them."""


@click.command()
@game_argument
@click.option("--variant", shell_complete=complete_variants, help="A variant's name; the first by default.")
@values_option
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
    "--from", "source", type=click.Path(path_type=Path), metavar="FILE",
    help="Take the games of this file of records, such as games.pdn, in place of playing any.",
)  # fmt: skip
@click.option("--threads", type=thread_count, default=1, help="Threads; the files do not change.")
@click.option("--out", type=click.Path(path_type=Path), required=True, help="Folder; rerun to resume.")
@click.pass_context
def dataset(
    context: click.Context,
    game: Game,
    variant: str | None,
    overrides: Sequence[str],
    player: str,
    games: int,
    noise: float,
    seed: int,
    openings: str,
    inputs: str,
    source: Path | None,
    threads: int,
    out: Path,
) -> None:
    """Plays games of an expert at GAME and keeps every position with what the expert chose, to learn from.

    The folder has NumPy files of 256 games each; parlour.dataset.load(FOLDER) reads them. The same command gives the
    same bytes.
    """
    if source is not None:
        _refuse_unused(context)
        say(described(out, _taken(game, source, inputs, out)))
        return
    plan = make_plan(game, variant, parse_values(game, overrides), player, games, noise, seed, openings, inputs)
    with progress_bar() as bar:
        task = bar.add_task("games", total=games)
        try:
            config = write_played(plan, out, threads, lambda count: bar.advance(task, count))
        except KeyboardInterrupt:
            message = f"interrupted; {count_kept(out)} of {games} games are kept in {out}; rerun to resume"
            raise KeyboardInterrupt(message) from None
    say(described(out, config))


def _refuse_unused(context: click.Context) -> None:
    """UsageError for an option that has no meaning beside ``--from``."""
    for option in context.command.params:
        given = context.get_parameter_source(str(option.name)) is click.core.ParameterSource.COMMANDLINE
        if option.name in PLAYED and given:
            raise click.UsageError(f"{option.opts[-1]} is for games that are played, not with --from", context)


def _taken(game: Game, source: Path, inputs: str, out: Path) -> Config:
    """Writes the games of a file. ValueError as `read_archive`, and for one of another game."""
    config, columns = read_archive(source, inputs)
    if config.game != game.id:
        raise ValueError(f"{source}: games of {config.game}, not of {game.id}")
    return write_columns(config, columns, out)


def described(folder: Path, config: Config) -> str:
    """What a data set has, in words."""
    plies, games = (sum(getattr(shard, name) for shard in config.shards) for name in ("plies", "games"))
    text = f"{folder}: {plies:,} positions of {games:,} games of {config.game}, {config.variant}"
    left_out = config.games - games
    return text + (f"; {left_out:,} are left out, like others or over within their opening" if left_out else "")
