"""The batch engine with few and with many games: nanoseconds per ply, and the ratio to the best figure of the line.

With few games most time goes into the call from Python, with many into memory accesses. Times are processor time on one
thread. The batch sizes are measured in turn within each round, so all of them have the same conditions.

python benchmarks/many_games.py [--game agon-v0] [--num-games 65536] [--rounds 9] [--plies 300000]
"""

from __future__ import annotations

import click
from batch import batch_loop
from peers import rounds, show
from rich.table import Table

import parlour

WARM_UP = 150
"""Steps before the first round. Games then have different lengths, and tables of positions have grown."""
SIZES = (1, 8, 64, 1024, 8192, 65536)


@click.command()
@click.option("--game", "games", multiple=True, help="Only this game; repeatable. Default: all.")
@click.option(
    "--num-games",
    "sizes",
    multiple=True,
    type=click.IntRange(min=1),
    default=SIZES,
    show_default=True,
    help="The number of games in the batch; repeatable.",
)
@click.option("--rounds", "count", default=5, show_default=True)
@click.option("--plies", default=300_000, show_default=True, help="Plies per round, but at most 1,000 steps.")
def main(games: tuple[str, ...], sizes: tuple[int, ...], count: int, plies: int) -> None:
    """Prints nanoseconds per ply (medians) and ratios."""
    grid = Table(title=f"Many games, ns a ply, median of {count} rounds of {plies}", title_justify="left")
    grid.add_column("game")
    for num_games in sizes:
        grid.add_column(f"{num_games:,}", justify="right")
    for game in games or parlour.games():
        measures = []
        for num_games in sizes:
            batch = parlour.make_batch(game, num_games, seed=0)
            batch.reset()
            for _ in range(WARM_UP):
                batch.step(batch.sample_actions())
            measures.append(lambda batch=batch: batch_loop(batch, min(plies, 1000 * batch.num_games)))
        nanoseconds = [1e9 / rate for rate in rounds(measures, count)]
        grid.add_row(game, *(f"{taken:,.0f} ({taken / min(nanoseconds):.2f} ×)" for taken in nanoseconds))
    show(grid)


if __name__ == "__main__":
    main()
