"""What the programs of docs/train.md reach in some minutes: Elo on the ladder of the Royal Game of Ur.

    python benchmarks/first_agents.py --minutes 10

The two blocks of the page are run as they stand there: first with as many steps as their comments name, then with as
many as fill the time. Then `examples/ppo_selfplay.py` and `parlour train`, which are given the time. Minutes are the
processor time that a program used on one thread, less what it uses if it learns nothing: so neither imports nor the
evaluations at its end are included. Each learns once, with one seed; the 95 % intervals are those of the rating alone.
Needs PyTorch, sb3-contrib, TensorBoard and what `parlour[onnx]` brings.
"""

from __future__ import annotations

import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import click
from peers import show, table

from parlour.arena import Rating, Threads, rate

ROOT = Path(__file__).parents[1]
GAME, WITHIN = "royal_ur", 30.0
BLOCKS = (
    ("MaskablePPO", r"(?<=^STEPS = )[\d_]+", 400_000, "policy:ur.onnx"),
    ("your own PyTorch loop", r"(?<=^UPDATES, N, T = )\d+", 60, "policy:own.onnx"),
)
"""A block of the page: its name, where its number of steps stands, those that its comment names, and what it writes."""
ONE_THREAD = "import torch; torch.set_num_threads(1)\n"
PPO = [str(ROOT / "examples" / "ppo_selfplay.py"), "--game", f"{GAME}-v0", "--searcher", "greedy"]
PROGRAMS = (
    ("ppo_selfplay.py", [*PPO, "--evaluate-every", "1000000", "--out"], "policy.onnx", "policy"),
    ("parlour train", ["-m", "parlour", "train", GAME, "--out"], f"{GAME}.value", "value"),
)
"""A program that takes a time: its name, its command up to the folder, what it writes there, and the player's kind."""
NOTHING = 0.001
"""Minutes in which a program learns as little as it can."""


def blocks() -> list[str]:
    """The blocks of Python of the page."""
    text = (ROOT / "docs" / "train.md").read_text("utf-8")
    return re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def minutes_of(command: list[str], folder: Path) -> float:
    """Runs Python with these arguments in a folder: the processor time that it took, in minutes."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    subprocess.run([sys.executable, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (used() - before) / 60


def rated(player: str) -> Rating:
    """The rating of a player."""
    return rate(f"{GAME}-v0", player, within=WITHIN, workers=Threads(1), progress=False)


def of_blocks(minutes: float, folder: Path) -> Iterator[tuple[str, float, Rating]]:
    """What the blocks reach with the steps of their comments, and in ``minutes``: name, minutes taken, rating."""
    for (name, place, first, player), code in zip(BLOCKS, blocks()):
        kind, _, file = player.partition(":")

        def learn(steps: int, place: str = place, code: str = code) -> float:
            program = ONE_THREAD + re.sub(place, str(steps), code, count=1, flags=re.MULTILINE)
            return minutes_of(["-c", program], folder)

        learn(0)  # the first time, rules are compiled
        start = learn(0)
        taken = learn(first) - start
        yield name, taken, rated(f"{kind}:{folder / file}")
        yield name, learn(round(first * minutes / taken)) - start, rated(f"{kind}:{folder / file}")


def of_programs(minutes: float, folder: Path) -> Iterator[tuple[str, float, Rating]]:
    """What the programs reach that take a time: name, minutes taken, rating."""
    for name, command, file, kind in PROGRAMS:
        _, start, taken = (  # the first time, rules are compiled
            minutes_of([*command, f"{kind}{k}", "--minutes", str(given)], folder)
            for k, given in enumerate((NOTHING, NOTHING, minutes))
        )
        yield name, taken - start, rated(f"{kind}:{folder / f'{kind}2' / file}")


@click.command()
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True)
def main(minutes: float) -> None:
    """Learns, rates, and prints a table."""
    grid = table("Elo on the ladder of royal_ur, finkel", "learner", "minutes", "Elo", "95 %")
    with TemporaryDirectory() as name:
        folder = Path(name)
        for learner, taken, rating in (*of_blocks(minutes, folder), *of_programs(minutes, folder)):
            reach = f"{rating.low:+.0f} to {rating.high:+.0f}".replace("-", "−")
            grid.add_row(learner, f"{taken:.1f}", f"{rating.elo:+.0f}".replace("-", "−"), reach)
    show(grid)


if __name__ == "__main__":
    main()
