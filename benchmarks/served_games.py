"""The memory of games that `parlour serve` holds: of one with many plies, and of as many as it holds at most.

python benchmarks/served_games.py [--plies 4000]
"""

from __future__ import annotations

import sys
import tracemalloc

import click

import parlour
from parlour.serve.positions import EVERY, Positions
from parlour.serve.settings import MAX_SESSIONS_IN_MEMORY


def memory(game: str, plies: int) -> int:
    """Bytes for the positions and moves of a game; where it ends before, another one goes on."""
    env = parlour.make(game, illegal_move="raise", max_plies=0).unwrapped
    env.reset(seed=0)
    tracemalloc.start()
    positions, moves = Positions(env), list[tuple[str, int]]()
    for ply in range(plies):
        if env.is_over():
            env.reset(seed=ply)
        action = env.parse_move(env.legal_moves()[0])
        moves.append((sys.intern(env.move_name(action)), 0))
        env.step(action)
        positions.append(action, env)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return size


@click.command()
@click.option("--plies", default=4000, show_default=True)
def main(plies: int) -> None:
    """Prints a line for each game."""
    print(f"{plies} plies, one position in {EVERY} kept; all: {MAX_SESSIONS_IN_MEMORY} such games")
    for game in parlour.games():
        size = memory(game, plies)
        print(f"{game:24}{size / 2**20:6.1f} MiB{MAX_SESSIONS_IN_MEMORY * size / 2**20:8.0f} MiB for all")


if __name__ == "__main__":
    main()
