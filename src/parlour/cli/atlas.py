"""``atlas``: all that is measured of the variants of a game, under two networks at two strengths, as one page."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from parlour.arena.atlas_page import add_again, write_atlas
from parlour.arena.atlases import WORK, make_atlas, refuse_other_folders
from parlour.arena.statistics.tables import parquet_of
from parlour.arena.study.atlas_plan import PLAN, SECOND, AtlasPlan, default_plan, networks_of, read_plan
from parlour.cli import running
from parlour.cli.common import GameName, a_folder, a_path, say, seed_option
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.learn.run import TrainingRun, plan_run
from parlour.players.champion import champion_plays
from parlour.support.files import read_file, write_file
from parlour.support.locks import locked

TRAIN_MINUTES, QUICK_MINUTES = 10.0, 0.5
SECOND_SEED = 2


@click.command()
@click.argument("game", type=GameName(), required=False)
@click.option("--out", type=a_path, help="Folder of the atlas, atlas-GAME by default.")
@click.option("--quick", is_flag=True, help="A small one, in about five minutes.")
@click.option(
    "--second", type=click.Path(path_type=Path, exists=True, dir_okay=False), metavar="FILE",
    help=f"The second network; without it one is trained in {TRAIN_MINUTES:g} minutes with another seed.",
)  # fmt: skip
@click.option("--from", "source", type=a_path, help=f"An atlas's {PLAN}: repeats that atlas, or goes on.")
@running.trust_option
@click.option(
    "--again", type=a_folder, metavar="FOLDER",
    help="An atlas of the same plan with another seed: the page says which findings are found again.",
)  # fmt: skip
@running.exact_option
@click.option("--parquet", is_flag=True, help="Writes each table also as a Parquet file (pandas and pyarrow).")
@seed_option
@running.worker_options
def atlas(
    game: Game | None, out: Path | None, quick: bool, second: Path | None, source: Path | None, trust: bool,
    again: Path | None, exact: str | None, parquet: bool, seed: int, threads: int | None, ray: str | None,
) -> None:  # fmt: skip
    """Measures the variants of GAME under two networks at two strengths each, and writes one page about them.

    Everything is saved in a folder. Rerun the command to resume one that was stopped.
    """
    if parquet:
        parquet_of([])  # refused before anything is played
    running.refuse_trust(trust, source)
    plan = None
    if source is not None:
        running.refuse_besides("game", "again", "parquet")
        plan = read_plan(source, trust)
        game = find(plan.game)
    if game is None:
        raise click.UsageError(f"give a GAME, or --from {PLAN}", click.get_current_context())
    beside = source.parent if source is not None and source.name == PLAN else Path(f"atlas-{game.name}")
    folder = out or beside
    refuse_other_folders(folder)
    with locked(folder):
        if plan is None:
            plan = default_plan(game, _second(game, folder, quick, second), quick, seed, exact or "")
        elif folder != beside:
            plan = _with_networks(plan, folder)
        made = make_atlas(plan, folder, running.workers_of(threads, ray), lambda part: say(f"{part} …"))
        if again is not None:
            add_again(folder, again, plan)
        say(f"wrote {write_atlas(folder, made, parquet)}")


def _second(game: Game, folder: Path, quick: bool, given: Path | None) -> str | None:
    """The second network, given or trained with another seed, copied to the atlas. None without a champion."""
    file = folder / f"{SECOND}.value"
    if given is None and not file.exists():
        given = _trained(game, folder / WORK / SECOND, quick)
    if given is not None:
        _copy(given, file)
    return str(file) if file.exists() else None


def _with_networks(plan: AtlasPlan, folder: Path) -> AtlasPlan:
    """The plan with copies of its networks in the folder of the atlas, which can then be repeated from there."""
    players = dict(plan.players)
    for number, (network, names) in enumerate(networks_of(plan).items(), 1):
        kind, _, path = network.partition(":")
        if path:
            file = folder / Path(path).name
            if any(f":{file}" in text for text in players.values()):  # another network of that name
                file = file.with_stem(f"{file.stem}-{number}")
            _copy(Path(path), file)
            players |= {name: players[name].replace(network, f"{kind}:{file}", 1) for name in names}
    return msgspec.structs.replace(plan, players=players)


def _copy(network: Path, file: Path) -> None:
    """ValueError if the file is there and is another network."""
    content = read_file(network)
    if file.exists() and read_file(file) != content:
        raise ValueError(f"{file} is another network than {network}; give another folder")
    file.parent.mkdir(parents=True, exist_ok=True)
    write_file(file, content)


def _trained(game: Game, folder: Path, quick: bool) -> Path | None:
    """The file of the network that is trained; training goes on where it was stopped."""
    variants = [game.resolve(variant.name, {})[1] for variant in game.variants]
    if not champion_plays(game, variants):
        return None
    minutes = QUICK_MINUTES if quick else TRAIN_MINUTES
    plan = plan_run(game, "all", {}, None, None, SECOND_SEED, None)
    with TrainingRun(plan, folder, 1) as run:
        if run.seconds < 60 * minutes:
            say(f"trains a second network for {minutes:g} minutes")
            run.learn(60 * minutes, None)
        return run.file
