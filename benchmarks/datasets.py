"""How fast games of experts become data (`parlour.dataset`).

    python benchmarks/datasets.py

Positions a second of processor time, on one thread, with 5 % random plies. Each figure is the median of the rounds. The
champion looks one turn ahead in games with dice, and 4 plies in the others.
"""

from __future__ import annotations

import time

import click
import numpy as np
from peers import games_option, rounds_option, show, table

import parlour
from parlour.interfaces.registry import find

PLAYERS = ("random", "greedy", "champion")


def measured(game: str, player: str, games: int, seed: int) -> float:
    """Positions a second."""
    began = time.process_time()
    data = parlour.dataset(game, player=player, games=games, seed=seed)
    return len(data) / (time.process_time() - began)


@click.command()
@games_option
@click.option("--player", "players", multiple=True, default=PLAYERS, show_default=True, help="By name; repeatable.")
@click.option("--number", default=128, show_default=True, help="Games.")
@rounds_option(3)
def main(games: tuple[str, ...], players: tuple[str, ...], number: int, count: int) -> None:
    """Prints a table: positions a second of each game and player."""
    grid = table(f"{number} games, median of {count} rounds", "game", "player", "positions/s")
    for game in games:
        for player in players:
            if player == "champion" and find(game).champion is None:
                continue
            measured(game, player, 1, 0)  # compiling is not timed
            figure = np.median([measured(game, player, number, 1 + k) for k in range(count)])
            grid.add_row(game, player, f"{figure:,.0f}")
    show(grid)


if __name__ == "__main__":
    main()
