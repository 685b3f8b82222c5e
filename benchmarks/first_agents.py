"""What the programs of docs/train.md reach in some minutes: Elo on the ladder of the Royal Game of Ur.

    python benchmarks/first_agents.py --minutes 10

The two blocks of the page are run as they stand there, first with as many steps as their comments name, then with as
many as fill the time; beside them `examples/ppo_selfplay.py` and `parlour train`. Minutes are processor time of
learning on one thread. Each learns once, with one seed; the 95 % intervals are those of the rating alone. Needs PyTorch
and sb3-contrib.
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
GAME, BASELINE, WITHIN = "royal_ur", 1, 30.0
BLOCKS = (
    ("MaskablePPO", r"(?<=^STEPS = )[\d_]+", 400_000, "policy:ur.onnx"),
    ("your own PyTorch loop", r"(?<=^UPDATES, N, T = )\d+", 60, "policy:own.onnx"),
)
"""A block of the page: its name, where its number of steps stands, those that its comment names, and what it writes."""
ONE_THREAD = "import torch; torch.set_num_threads(1)\n"


def blocks() -> list[str]:
    """The blocks of Python of the page."""
    return re.findall(
        r"^```python\n(.*?)^```", (ROOT / "docs" / "train.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
    )


def minutes_of(command: list[str], folder: Path) -> float:
    """Runs a command in a folder: the processor time that it took."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (used() - before) / 60


def rated(player: str, folder: Path) -> Rating:
    """The rating of a player whose file is in ``folder``."""
    kind, _, file = player.partition(":")
    return rate(f"{GAME}-v0", f"{kind}:{folder / file}", within=WITHIN, workers=Threads(1), progress=False)


def of_blocks(minutes: float, folder: Path) -> Iterator[tuple[str, float, Rating]]:
    """What the blocks reach with the steps of their comments, and in ``minutes``: name, minutes taken, rating."""
    for (name, place, first, player), code in zip(BLOCKS, blocks()):

        def learn(steps: int, place: str = place, code: str = code) -> float:
            program = ONE_THREAD + re.sub(place, str(steps), code, count=1, flags=re.MULTILINE)
            return minutes_of([sys.executable, "-c", program], folder)

        start = learn(BASELINE)  # imports, and what is written at the end
        taken = learn(first) - start
        yield name, taken, rated(player, folder)
        yield name, learn(round(first * minutes / taken)) - start, rated(player, folder)


def of_programs(minutes: float, folder: Path) -> Iterator[tuple[str, float, Rating]]:
    """The same of the programs that take a time."""
    ppo = [sys.executable, str(ROOT / "examples" / "ppo_selfplay.py"), "--game", f"{GAME}-v0", "--out", "ppo"]
    td = [sys.executable, "-m", "parlour", "train", GAME, "--out", "td"]
    programs = (("ppo_selfplay.py", ppo, "policy:ppo/policy.onnx"), ("parlour train", td, f"value:td/{GAME}.value"))
    for name, command, player in programs:
        minutes_of([*command, "--minutes", str(minutes)], folder)
        yield name, minutes, rated(player, folder)


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
