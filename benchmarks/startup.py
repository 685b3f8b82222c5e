"""How long a process takes to import parlour, and to its first reset and step: the first ever, and later ones.

python benchmarks/startup.py [--rounds 7]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

import click
import numpy as np
from rich.console import Console
from rich.table import Table

import parlour

CODE = """
import time; began = time.perf_counter()
import parlour; imported = time.perf_counter()
env = parlour.make("{game}"); env.reset(seed=0); reset = time.perf_counter()
env.step(int(env.last()[0]["action_mask"].argmax())); stepped = time.perf_counter()
print(imported - began, reset - began, stepped - began)
"""


def seconds(game: str, cache: str) -> list[float]:
    """Seconds from the start of a fresh process to: import done, first reset done, first step done."""
    done = subprocess.run(
        [sys.executable, "-c", CODE.format(game=game)], env={**os.environ, "PARLOUR_CACHE_DIR": cache},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [float(word) for word in done.stdout.split()]


@click.command()
@click.option("--rounds", default=7, show_default=True)
def main(rounds: int) -> None:
    """Prints seconds: the first process with an empty cache, and medians of later ones."""
    grid = Table(title=f"Start-up in seconds, later processes: median of {rounds}", title_justify="left")
    for heading in ("game", "process", "import parlour", "… to first reset", "… to first step"):
        grid.add_column(heading, justify="left" if heading in ("game", "process") else "right")
    for game in parlour.games():
        with tempfile.TemporaryDirectory() as cache:
            first = seconds(game, cache)
            later = np.median([seconds(game, cache) for _ in range(rounds)], axis=0)
        for name, row in (("first ever", first), ("later", later)):
            grid.add_row(game, name, *(f"{value:.2f}" for value in row))
    Console(width=120).print(grid)


if __name__ == "__main__":
    main()
