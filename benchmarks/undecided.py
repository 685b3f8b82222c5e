"""How many games between two equal players end without a winner, by the time that they think.

    python benchmarks/undecided.py --game agon-v0 --variant classic --seconds 0.05 --seconds 0.2 --games 20

All seats are played by the game's champion, for the same processor time a ply, on one thread, from random openings,
which are the same for each time. A game that is not over after 400 plies is cut off. The command prints the share of
games that have no winner, with its 95 % interval, and the mean length.
"""

from __future__ import annotations

import time

import click
import numpy as np
from peers import OPENING, plies_limit, show, table

from parlour.arena.statistics import share
from parlour.interfaces.registry import find
from parlour.players.search.expectimax import Expectimax
from parlour.players.simulate import play_games
from parlour.players.value import load
from parlour.rulebook.chance import row_seeds


@click.command()
@click.option("--game", "name", default="agon-v0", show_default=True)
@click.option("--variant", "variants", multiple=True, help="Only this variant; repeatable. Default: the game's first.")
@click.option("--seconds", "times", multiple=True, default=(0.05,), show_default=True, help="A ply; repeatable.")
@click.option("--games", default=20, show_default=True, help="Games of each variant and time.")
@click.option("--seed", default=1, show_default=True)
def main(name: str, variants: tuple[str, ...], times: tuple[float, ...], games: int, seed: int) -> None:
    """Prints the share of games without a winner."""
    game = find(name)
    assert game.champion is not None
    network = load(game.champion)
    grid = table(
        "The champion against itself", "variant", "seconds a ply", "games", "without a winner", "95 %", "plies"
    )
    for variant in variants or (game.variants[0].name,):
        values = game.resolve(variant, {"max_plies": plies_limit(name)})[1]
        for seconds in times:
            players = [Expectimax(seconds=seconds, network=network, clock=time.thread_time) for _ in range(2)]
            played = play_games(game, values, players, row_seeds(seed, games).tolist(), 1, random_plies=OPENING)
            drawn = share(played.returns[:, 0] == played.returns[:, 1])
            ends, plies = f"{drawn.low:.2f} to {drawn.high:.2f}", f"{np.mean(played.plies):.0f}"
            grid.add_row(variant, f"{seconds:g}", str(games), f"{drawn.value:.2f}", ends, plies)
    show(grid)


if __name__ == "__main__":
    main()
