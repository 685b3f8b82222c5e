"""What a warm start is worth: `examples/sb3_maskable_ppo.py` with one and from nothing, each for several budgets.

    python benchmarks/warm_starts.py acey_ducey-v0 --minutes 0.5 --minutes 1 --minutes 3 --out docs/warm_acey_ducey.svg

Each budget is a run of its own, in minutes of processor time, the expert's games included, since the learning rate goes
by the budget. The command prints the example's last scores against `greedy`, 400 games a run, and draws them with their
95 % intervals.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

import click
import numpy as np
from peers import show, table
from plot_learning import finish, plt

from parlour.interfaces.registry import find

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "sb3_maskable_ppo.py"
SCORE = re.compile(r"against greedy: .*\n +score ([\d.]+) \[([\d.]+), ([\d.]+)\]")
COLOURS = ("#1f6f8b", "#c8553d")


def score(*arguments: str) -> tuple[float, ...]:
    """The example's score against `greedy` and its interval: value, low, high."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, str(EXAMPLE), *arguments, "--out", folder]
        printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
    found = SCORE.search(printed)
    if not found:
        raise RuntimeError(f"no score against greedy in what {EXAMPLE.name} printed:\n{printed}")
    return tuple(map(float, found.groups()))


@click.command()
@click.argument("game")
@click.option("--variant", help="A variant's name; the game's first by default.")
@click.option("--minutes", multiple=True, type=float, default=(0.5, 1.0, 3.0), show_default=True, help="A budget.")
@click.option("--expert", default="champion", show_default=True, help="A player by name.")
@click.option("--cloning", default=0.6, show_default=True, help="The share of the time that goes to it.")
@click.option("--seed", default=0, show_default=True)
@click.option("--out", required=True, type=click.Path(dir_okay=False, path_type=Path), help="The picture (.svg).")
def main(
    game: str, variant: str | None, minutes: tuple[float, ...], expert: str, cloning: float, seed: int, out: Path
) -> None:
    """Trains on GAME, prints a table and draws it."""
    ways = {"from nothing": (), f"from games of {expert}": ("--warm-start", expert, "--cloning", str(cloning))}
    of = ("--game", game, *(("--variant", variant) if variant else ()), "--seed", str(seed))
    title = f"{find(game).title}, {variant or find(game).variants[0].name}"
    grid = table(title, "minutes", *ways)
    found = np.array([[score(*of, *way, "--minutes", str(one)) for way in ways.values()] for one in minutes])
    for one, scores in zip(minutes, found):
        grid.add_row(f"{one:g}", *(f"{value:.3f} [{low:.3f}, {high:.3f}]" for value, low, high in scores))
    show(grid)
    figure, axes = plt.subplots(figsize=(7, 4))
    for name, colour, (value, low, high) in zip(ways, COLOURS, found.transpose(1, 2, 0)):
        axes.fill_between(minutes, low, high, color=colour, alpha=0.2, linewidth=0)
        axes.plot(minutes, value, color=colour, marker="o", markersize=4, label=name)
    axes.set(xlabel="minutes of processor time", ylabel="score against greedy", ylim=(0, 1), title=title)
    axes.legend(loc="best", frameon=False)
    finish(figure, axes, out)


if __name__ == "__main__":
    main()
