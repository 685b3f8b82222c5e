"""What the learners of docs/train.md and docs/other_libraries.md reach in some minutes: Elo in the Royal Game of Ur.

    python benchmarks/first_agents.py measure --minutes 10 MaskablePPO Tianshou
    python benchmarks/first_agents.py table

The first adds what these learners reach to first_agents.json, or replaces it; the second prints the table of that file.
Blocks of the page are run as they stand there, with as many steps as their comments name and with as many as fill the
time; programs by their commands. Minutes are the processor time that a program used on one thread, less what it
uses if it learns nothing, or as little as it can: so neither imports nor the evaluations at its end are included. Each
learns once, with one seed; the 95 % intervals are those of the rating alone.
"""

from __future__ import annotations

import json
import re
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import NamedTuple

import click
from peers import show, table

from parlour.arena import Threads, rate

ROOT = Path(__file__).parents[1]
REACHED = Path(__file__).with_suffix(".json")
GAME, WITHIN = "royal_ur", 30.0
ONE_THREAD = "import torch; torch.set_num_threads(1)\n"


class Block(NamedTuple):
    """A block of Python of docs/train.md."""

    number: int
    """Which of them it is."""
    amount: str
    """A pattern for the place where its amount of learning stands."""
    player: str
    """The player that it writes."""
    first: int
    """The amount that its comment names."""
    least: int = 0
    """An amount with which it learns nothing, or as little as it can."""

    def command(self, amount: float, folder: Path) -> list[str]:
        """How Python is called for an amount of learning."""
        text = (ROOT / "docs" / "train.md").read_text("utf-8")
        code = re.findall(r"^```python\n(.*?)^```", text, re.DOTALL | re.MULTILINE)[self.number]
        code, places = re.subn(rf"(?<=^{self.amount})[\d_]+", f"{amount:.0f}", code, count=1, flags=re.MULTILINE)
        assert places == 1, f"block {self.number} has no place {self.amount!r}"
        return ["-c", ONE_THREAD + code]


class Program(NamedTuple):
    """A program that takes an amount of steps."""

    arguments: list[str]
    """Of Python, up to the amount."""
    player: str
    first: int
    least: int

    def command(self, amount: float, folder: Path) -> list[str]:
        """How Python is called for an amount of learning."""
        return [*self.arguments, f"{amount:.0f}", "--out", str(folder)]


class Timed(NamedTuple):
    """A program that takes the minutes."""

    arguments: list[str]
    """Of Python."""
    player: str
    least: float = 0.001

    def command(self, amount: float, folder: Path) -> list[str]:
        """How Python is called for some minutes."""
        return [*self.arguments, "--minutes", str(amount), "--out", str(folder)]


def example(name: str, *options: str) -> list[str]:
    """The arguments of Python for an example."""
    return [str(ROOT / "examples" / name), "--game", f"{GAME}-v0", *options]


LEARNERS: dict[str, Block | Program | Timed] = {
    "MaskablePPO": Block(0, "STEPS = ", "policy:ur.onnx", 400_000),
    "your own PyTorch loop": Block(1, "UPDATES, N, T = ", "policy:own.onnx", 60),
    "ppo_selfplay.py": Timed(
        example("ppo_selfplay.py", "--searcher", "greedy", "--evaluate-every", "1000000"), "policy:policy.onnx"
    ),
    "parlour train": Timed(["-m", "parlour", "train", GAME], f"value:{GAME}.value"),
    "Tianshou": Program(example("tianshou_dqn.py", "--steps"), "policy:policy.onnx", 100_000, 6_400),
    "TorchRL": Program(example("torchrl_ppo.py", "--steps"), "policy:policy.onnx", 500_000, 8_192),
    "RLlib": Program(example("rllib_ppo.py", "--steps"), "policy:policy.onnx", 100_000, 2_048),
    "AgileRL": Program(example("agilerl_ppo.py", "--steps"), "policy:policy.onnx", 200_000, 8_192),
    "OpenSpiel": Program(example("openspiel_ppo.py", "--plies"), "policy:policy.onnx", 120_000, 2_048),
}


def minutes_of(command: list[str], folder: Path) -> float:
    """Runs Python with these arguments in a folder: the processor time that it took, in minutes."""

    def used() -> float:
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        return children.ru_utime + children.ru_stime

    before = used()
    subprocess.run([sys.executable, *command], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return (used() - before) / 60


def reached(name: str, minutes: float) -> Iterator[dict[str, str | float]]:
    """What a learner reaches with the amount of its comment, if it has one, and in ``minutes``."""
    learner = LEARNERS[name]
    with TemporaryDirectory() as root:

        def learn(amount: float) -> tuple[float, Path]:
            folder = Path(mkdtemp(dir=root))
            return minutes_of(learner.command(amount, folder), folder), folder

        def row(taken: float, folder: Path) -> dict[str, str | float]:
            kind, _, file = learner.player.partition(":")
            rating = rate(f"{GAME}-v0", f"{kind}:{folder / file}", within=WITHIN, workers=Threads(1), progress=False)
            return {"learner": name, "minutes": taken, "elo": rating.elo, "low": rating.low, "high": rating.high}

        learn(learner.least)  # the first time, rules are compiled
        start, _ = learn(learner.least)
        amount = minutes
        if not isinstance(learner, Timed):
            taken, folder = learn(learner.first)
            if isinstance(learner, Block):
                yield row(taken - start, folder)
            amount = learner.least + (learner.first - learner.least) * minutes / (taken - start)
        taken, folder = learn(amount)
        yield row(taken - start, folder)


@click.group()
def main() -> None:
    """What learners reach in some minutes."""


@main.command()
@click.argument("learners", nargs=-1, required=True, type=click.Choice(list(LEARNERS)))
@click.option("--minutes", type=click.FloatRange(min=0, min_open=True), default=10.0, show_default=True)
def measure(learners: tuple[str, ...], minutes: float) -> None:
    """Learns, rates, and writes what LEARNERS reach into first_agents.json."""
    for name in learners:
        rows = list(reached(name, minutes))
        others = [row for row in json.loads(REACHED.read_text("utf-8")) if row["learner"] != name]
        rows = sorted([*others, *rows], key=lambda row: list(LEARNERS).index(row["learner"]))
        REACHED.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


@main.command(name="table")
def print_table() -> None:
    """Prints the table of first_agents.json."""
    grid = table("Elo on the ladder of royal_ur, finkel", "learner", "minutes", "Elo", "95 %")
    for row in json.loads(REACHED.read_text("utf-8")):
        reach = f"{row['low']:+.0f} to {row['high']:+.0f}".replace("-", "−")
        grid.add_row(row["learner"], f"{row['minutes']:.1f}", f"{row['elo']:+.0f}".replace("-", "−"), reach)
    show(grid)


if __name__ == "__main__":
    main()
