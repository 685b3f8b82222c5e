"""Which method of learning makes the stronger player in the same time: TD(λ), generations, AlphaZero and PPO.

Each method that can learn a game trains for the same time in a process of its own, on one thread. Then all of them and
two players with values written by hand play a tournament, each with the same thinking time a ply, in pairs of games
with the seats exchanged and, in games without dice, from random openings. Ratings are Elo with mean 0, with intervals
of 95 %, each game and variant by itself.

    python benchmarks/bake_off.py [--game checkers-v0] [--minutes 2] [--seconds 0.01] [--games 40] [--out runs/bake_off]

* TD(λ) and generations: ``parlour train --method td`` and ``generations``, played as ``value:FILE:0.01s``
* AlphaZero: ``examples/alphazero.py``, played as ``az:FILE:0.01s``
* PPO: ``examples/ppo_selfplay.py``, played as ``policy:FILE``, the network alone, and as ``az:FILE:0.01s``, with search

Minutes of training are processor time, except for PPO, which measures them by the clock; thinking time is by the clock
too. So run it on a machine that is idle otherwise. Run it again with the same folder to train only what is missing.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import click
from peers import ROOT, show, table

from parlour.arena import Threads, tournament
from parlour.arena.matches.tally import elo_text
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.learn.methods import GENERATIONS, methods_for

VARIANTS = {
    "acey_ducey-v0": "parker", "agon-v0": "bloody_queen", "checkers-v0": "american",
    "crown_and_anchor-v0": "parker", "swords_and_shields-v0": "milton_bradley",
}  # fmt: skip
"""The variant of each game that is learnt. It is not Agon's first one: most games of beginners are cut off there."""


def commands(game: Game, variant: str, seats: int, minutes: float, folder: Path) -> dict[Path, list[str]]:
    """The command of each method that learns this game, by the file that it writes."""
    usual = ["--variant", variant, "--minutes", f"{minutes:g}", "--seed", "1"]
    train = ["-m", "parlour", "train", game.id, *usual, "--method"]
    by_file = {folder / "td" / f"{game.name}.value": [*train, "td", "--out", str(folder / "td")]}
    if GENERATIONS in methods_for(game, seats):
        out = folder / "generations"
        by_file[out / f"{game.name}.value"] = [*train, "generations", "--out", str(out)]
    for name, options in (("alphazero", ["--matches", "2"]), ("ppo", [])):
        program = str(ROOT / "examples" / f"{'ppo_selfplay' if name == 'ppo' else name}.py")
        out = folder / name
        by_file[out / "policy.onnx"] = [program, "--game", game.id, *usual, "--out", str(out), *options]
    return by_file


def players(files: list[Path], seconds: float, seats: int) -> dict[str, str]:
    """Who plays, by method. PPO's network gives one value: with more than two seats it plays without search only."""
    everybody = {"greedy": "greedy", "expectimax": f"expectimax:{seconds:g}s"}
    for file in files:
        method, kind = file.parent.name, "value" if file.suffix == ".value" else "az"
        if method != "ppo" or seats == 2:
            everybody[method] = f"{kind}:{file}:{seconds:g}s"
        if method == "ppo":
            everybody["ppo without search"] = f"policy:{file}"
    return everybody


@click.command()
@click.option("--game", "games_played", multiple=True, help="Instead of all; repeatable.")
@click.option("--minutes", default=2.0, show_default=True, help="Training of each method.")
@click.option("--seconds", default=0.01, show_default=True, help="Thinking time a ply.")
@click.option("--games", default=40, show_default=True, help="Games of each pair of players.")
@click.option("--out", default="runs/bake_off", type=click.Path(path_type=Path))
def main(games_played: tuple[str, ...], minutes: float, seconds: float, games: int, out: Path) -> None:
    """Trains, plays, prints a table."""
    one_thread = {**os.environ, "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    title = f"{minutes:g} minutes, {seconds:g} s a ply"
    grid = table(title, "game", "variant", "player", "games", "Elo, 95 %")
    for name in games_played or VARIANTS:
        game = find(name)
        variant = VARIANTS[game.id]
        seats = game.layout(game.resolve(variant, {})[1]).seats
        made = commands(game, variant, seats, minutes, (out / game.name).absolute())
        for file, command in made.items():
            if not file.exists():
                subprocess.run([sys.executable, *command], env=one_thread, check=True, stdout=sys.stderr)
        everybody = players(list(made), seconds, seats)
        openings = "none" if game.rules.DICE else "random:6"
        standings = tournament(
            game.id, everybody, variant=variant, games=games, seed=1, openings=openings, workers=Threads(1),
            folder=out / game.name / "games",
        )  # fmt: skip
        for player, rating in standings.ratings.items():
            grid.add_row(game.id, variant, player, str(rating.count), elo_text(rating))
    show(grid)


if __name__ == "__main__":
    main()
