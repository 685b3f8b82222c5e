"""Start-up times: how long a process takes to import parlour, until its first reset and first step, and until a search
has chosen its first ply. Measured for the first process, which compiles, and for later ones, which load the machine
code that it has kept on disk. Also times README's first command.

python benchmarks/startup.py [--rounds 7] [--game agon-v0] [--no-command]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time

import click
import numpy as np
from peers import games_option, show, table

BEGIN = """
import time; began = time.perf_counter()
def tell(): print(time.perf_counter() - began, time.process_time())
import parlour; tell()
"""
STEP = """
env = parlour.make({game!r}); env.reset(seed=0); tell()
env.step(int(env.last()[0]["action_mask"].argmax())); tell()
"""
SEARCH = """
from parlour.players.names import parse_player
env = parlour.make({game!r}); env.reset(seed=0)
env.unwrapped.ask(parse_player({player!r})); tell()
"""
PROGRAMS = {
    "step": (STEP, ("import", "first reset", "first step")),
    "mcts:10": (SEARCH, ("import", "mcts")),
    "expectimax:2": (SEARCH, ("import", "expectimax")),
}


def seconds(name: str, game: str, cache: str) -> dict[str, tuple[float, float]]:
    """Runs one of `PROGRAMS`. Of each milestone the seconds since the beginning, by the clock and of the processor."""
    program, things = PROGRAMS[name]
    done = subprocess.run(
        [sys.executable, "-c", BEGIN + program.format(game=game, player=name)],
        env={**os.environ, "PARLOUR_CACHE_DIR": cache}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    times = [tuple(float(word) for word in line.split()) for line in done.stdout.splitlines()]
    return {thing: (clock, processor) for thing, (clock, processor) in zip(things, times)}


def measured(game: str, rounds: int) -> tuple[dict[str, tuple[float, float]], dict[str, tuple[float, float]]]:
    """`seconds` of all programs, each with its own cache: of the first process, and medians of later ones."""
    first: dict[str, tuple[float, float]] = {}
    later: dict[str, tuple[float, float]] = {}
    for name in PROGRAMS:
        with tempfile.TemporaryDirectory() as cache:
            first |= seconds(name, game, cache)
            times = [seconds(name, game, cache) for _ in range(rounds)]
        for thing in times[0]:
            clock, processor = np.median([each[thing] for each in times], axis=0)
            later[thing] = (float(clock), float(processor))
    return first, later


def command_seconds() -> tuple[float, float]:
    """Wall-clock seconds of README's first command: with an empty cache, and when it is run again."""
    with tempfile.TemporaryDirectory() as cache:
        environment = {**os.environ, "PARLOUR_CACHE_DIR": cache}
        spent = []
        for _ in range(2):
            with tempfile.TemporaryDirectory() as folder:
                began = time.perf_counter()
                command = [sys.executable, "-m", "parlour", "compare", "agon"]
                subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=True)
                spent.append(time.perf_counter() - began)
    return spent[0], spent[1]


@click.command()
@click.option("--rounds", default=7, show_default=True, help="Number of later processes.")
@games_option
@click.option("--command/--no-command", default=True, help="Whether README's first command is timed.")
def main(rounds: int, games: tuple[str, ...], command: bool) -> None:
    """Prints wall-clock seconds, with processor seconds in brackets."""
    title = f"Start-up: seconds by the clock (of processor time); later processes: median of {rounds}"
    things = list(dict.fromkeys(thing for _, done in PROGRAMS.values() for thing in done))
    grid = table(title, "game", "process", *things)
    for game in games:
        for process, times in zip(("first ever", "later"), measured(game, rounds)):
            cells = (f"{clock:.2f} ({processor:.2f})" for clock, processor in (times[thing] for thing in things))
            grid.add_row(game, process, *cells)
    show(grid)
    if command:
        first, again = command_seconds()
        click.echo(f"parlour compare agon: {first:.0f} s with an empty cache, {again:.0f} s again")


if __name__ == "__main__":
    main()
