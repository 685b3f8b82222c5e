"""How many games between two equal players end without a winner, by the time that they think.

    python benchmarks/undecided.py --game agon-v0 --variant classic --seconds 0.05 --seconds 0.2 --games 20

Both seats are played by the game's champion, for the same processor time a ply, on one thread, from random openings,
which are the same for each time. A game that is not over after 400 plies is cut off. The command prints the share of
games that have no winner, with its 95 % interval, and the mean length.
"""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np
from paired_games import mover, opening
from peers import show
from rich.table import Table as Grid

from parlour.arena.statistics import share
from parlour.registry import find
from parlour.search.expectimax import Expectimax
from parlour.value import ValueNetwork, load


def play(env: Any, network: ValueNetwork, seconds: float) -> tuple[bool, int]:
    """Plays a game to its end: whether it has no winner, and its plies from the opening on."""
    players = [mover(Expectimax(seconds=seconds, network=network, clock=time.thread_time)) for _ in range(2)]
    returns, plies = np.zeros(2), 0
    while not env.is_over():
        env.step(players[env.possible_agents.index(env.agent_selection)](env, ()))
        returns += list(env.rewards.values())
        plies += 1
    return bool(returns[0] == returns[1]), plies


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
    grid = Grid(
        "variant", "seconds a ply", "games", "without a winner", "95 %", "plies", title="The champion against itself"
    )
    for variant in variants or (game.variants[0].name,):
        for seconds in times:
            played = [play(opening(name, k, seed, [variant]), network, seconds) for k in range(games)]
            found = share([undecided for undecided, _ in played])
            plies = np.mean([count for _, count in played])
            ends = f"{found.low:.2f} to {found.high:.2f}"
            grid.add_row(variant, f"{seconds:g}", str(games), f"{found.value:.2f}", ends, f"{plies:.0f}")
    show(grid)


if __name__ == "__main__":
    main()
