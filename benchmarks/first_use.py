"""What the first uses of games cost on a machine that has compiled nothing yet, in processor seconds; beside another
installation of Parlour, if one is named, in alternating processes.

python benchmarks/first_use.py [--beside /path/to/other/bin/python] [--rounds 3] [--game royal_ur-v0]

The six first uses of Agon are processes that share one cache, which is empty at first. Then for each game: its first
AEC step and batch step on a machine where another game has been used before.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import click
import numpy as np
from peers import games_option, seconds_of_children, show, table

AEC = """
import parlour
env = parlour.make({game!r}); env.reset(seed=0)
env.step(int(env.last()[0]["action_mask"].argmax()))
"""
BATCH = """
import parlour
batch = parlour.make_batch({game!r}, num_games=64, seed=0); batch.reset(); batch.step(batch.sample_actions())
"""
MATCH = """
from parlour.arena import Threads, match
match({game!r}, {player!r}, "random", games=4, max_plies=40, workers=Threads(1), progress=False)
"""
AGON, OTHER = "agon-v0", "crown_and_anchor-v0"
PLAYERS = ("greedy", "expectimax:1", "mcts:4", "champion:1")
SIX = {"AEC step": AEC, "batch step": BATCH} | {
    f"match of {name}": MATCH.replace("{player!r}", repr(name)) for name in PLAYERS
}


def processor_seconds(python: str, program: str, cache: str) -> float:
    """Of a process that runs ``program`` with this cache folder, user and system time together."""
    before = seconds_of_children()
    with tempfile.TemporaryDirectory() as folder:  # not where the other installation's package could be found
        subprocess.run([python, "-c", program], cwd=folder, env={**os.environ, "PARLOUR_CACHE_DIR": cache}, check=True)
    return seconds_of_children() - before


def first_uses(python: str, games: tuple[str, ...]) -> dict[str, float]:
    """Processor seconds by what is used."""
    times: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as cache:
        for name, program in SIX.items():
            times[f"{AGON}: {name}"] = processor_seconds(python, program.format(game=AGON), cache)
        times[f"{AGON}: all six"] = sum(times.values())
    for game in games:
        with tempfile.TemporaryDirectory() as cache:
            processor_seconds(python, (AEC + BATCH).format(game=AGON if game == OTHER else OTHER), cache)
            times[f"{game}: AEC and batch step"] = processor_seconds(python, (AEC + BATCH).format(game=game), cache)
    return times


@click.command()
@click.option("--beside", type=click.Path(exists=True), help="The Python of another installation of Parlour.")
@click.option("--rounds", default=1, show_default=True, help="Rounds, of which the medians are shown.")
@games_option
def main(beside: str | None, rounds: int, games: tuple[str, ...]) -> None:
    """Prints processor seconds, and with --beside their ratio to the other installation's."""
    pythons = [sys.executable, *([beside] if beside else [])]
    runs: list[list[dict[str, float]]] = [[] for _ in pythons]
    for _ in range(rounds):
        for python, times in zip(pythons, runs):
            times.append(first_uses(python, games))
    title = f"First uses, processor seconds, median of {rounds}"
    grid = table(title, "what", "here", *(["beside", "ratio"] if beside else []))
    for what in runs[0][0]:
        medians = [float(np.median([times[what] for times in several])) for several in runs]
        ratio = [f"{medians[0] / medians[1]:.2f}"] if beside else []
        grid.add_row(what, *(f"{seconds:.1f}" for seconds in medians), *ratio)
    show(grid)


if __name__ == "__main__":
    main()
