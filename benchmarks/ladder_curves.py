"""Learning curves in ladder Elo: the network of `parlour train` is rated on a variant's ladder while it learns.

    python benchmarks/ladder_curves.py acey_ducey --minutes 4 --out docs/ladder_acey_ducey.svg

It is rated after a tenth of a second of processor time, and whenever that has grown threefold. The command prints a row
for each rating, and draws them with their 95 % intervals beside the ladder's own rungs.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
import numpy as np
from peers import show, table
from plot_learning import finish, plt

from parlour.arena import Threads, rate
from parlour.arena.ladders.rating import Rating, elo_in_words
from parlour.arena.setting.ladder import Ladder, ladder_of
from parlour.engine.game import Game
from parlour.interfaces.registry import find
from parlour.learn.method import Round
from parlour.learn.methods import player_of
from parlour.learn.run import Callbacks, TrainingRun, plan_run

FIRST, FURTHER = 0.1, 3.0
"""Seconds of learning before the first rating, and by which factor they have grown at the next one."""
Curve = list[tuple[float, int, Rating]]
"""Seconds of processor time, plies of self-play, and the rating after them."""


def learn(game: Game, variant: str, minutes: float, within: float, games: int, seed: int) -> Curve:
    """Trains a network, and rates it whenever the time has grown enough."""
    curve: Curve = []

    def rated(run: TrainingRun, done: Round) -> None:
        if run.seconds >= (FURTHER * curve[-1][0] if curve else FIRST):
            rating = rate(
                game.id, {"learner": player_of(run.method)}, variant=variant, within=within, games=games, seed=seed,
                workers=Threads(1), progress=False,
            )  # fmt: skip
            curve.append((run.seconds, run.method.plies, rating))

    plan = plan_run(game, variant, {}, None, None, seed)
    with tempfile.TemporaryDirectory() as folder, TrainingRun(plan, Path(folder)) as run:
        run.learn(60 * minutes, None, Callbacks(round=rated))
    return curve


def draw(curve: Curve, ladder: Ladder, title: str, out: Path) -> None:
    """Draws Elo over minutes, and lines for the rungs. Off the scale only the bound of the interval is drawn."""
    seconds, low, elo, high = np.array([(after, rated.low, rated.elo, rated.high) for after, _, rated in curve]).T
    bottom, top = ladder.rungs[0].elo - 100, ladder.rungs[-1].elo + 150
    figure, axes = plt.subplots(figsize=(7, 4))
    axes.fill_between(seconds, np.maximum(low, bottom), np.minimum(high, top), color="#1f6f8b", alpha=0.2, linewidth=0)
    axes.plot(seconds, elo, color="#1f6f8b", marker="o", markersize=4)
    free = top
    for rung in reversed(ladder.rungs):
        axes.axhline(rung.elo, color="#888888", linewidth=0.6, linestyle=":")
        if rung.elo < free:  # else its name would lie over the last one
            axes.annotate(rung.player, (1.01, rung.elo), xycoords=("axes fraction", "data"), fontsize=7, va="center")
            free = rung.elo - (top - bottom) / 30
    axes.set(xlabel="seconds of processor time", ylabel=f"Elo above {ladder.zero}", ylim=(bottom, top), title=title)
    axes.set_xscale("log")
    axes.set_xticks(seconds, [f"{after:.1f}" for after in seconds])
    axes.minorticks_off()
    finish(figure, axes, out)


@click.command()
@click.argument("name")
@click.option("--variant", help="A variant's name; the game's first by default.")
@click.option("--minutes", default=4.0, show_default=True, help="Processor time of learning.")
@click.option("--within", default=40.0, show_default=True, help="How sure each rating is to be, in Elo.")
@click.option("--games", default=600, show_default=True, help="The most games for a rating.")
@click.option("--seed", default=1, show_default=True)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The picture (.svg).")
def main(name: str, variant: str | None, minutes: float, within: float, games: int, seed: int, out: Path) -> None:
    """Trains the network of game NAME, and draws its curve."""
    game = find(name)
    ladder, ruleset = ladder_of(game, variant)
    curve = learn(game, ruleset.variant, minutes, within, games, seed)
    grid = table(f"{game.title}, {ruleset.variant}", "seconds", "plies of self-play", "Elo", "games")
    for after, plies, rating in curve:
        words = elo_in_words(rating.elo, rating.low, rating.high).removeprefix("Elo ")
        grid.add_row(f"{after:.1f}", f"{plies:,}", words, str(rating.games))
    show(grid)
    draw(curve, ladder, f"{game.title}, {ruleset.variant}", out)


if __name__ == "__main__":
    main()
