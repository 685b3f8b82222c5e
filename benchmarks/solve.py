"""Solves games and endings, and prints the tables of docs/exact_measured.md: values, counts, processor time.

python benchmarks/solve.py                            # small ones, a minute
python benchmarks/solve.py --pieces 5 --men 7         # all of Checkers up to 5 pieces, the whole Royal Game of Ur
python benchmarks/solve.py --out tables --pieces 4    # keeps the tables, and goes on with those that are there
python benchmarks/solve.py --pieces 4 --against "python my_solver.py"   # another solver, in the same run
"""

from __future__ import annotations

import re
import resource
import shlex
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import click
from peers import seconds_of_children

import parlour

UR = ("finkel", "masters", "blitz", "aseb")
ACEY_DUCEY = ("parker", "all_tables", "backgammon_discipline", "plain_dice")


def solved(folder: Path, game: str, **values: Any) -> tuple[parlour.Solution, float]:
    """A table, and the processor time that it took in seconds, without compiling."""
    name = "-".join([game, *map(str, values.values())])
    with tempfile.TemporaryDirectory() as scratch:
        smallest = {"men": 1} if game != "checkers" else {"pieces": 2}
        parlour.solve(f"{game}-v0", out=scratch, **{**values, **smallest})  # compiles
    began = time.process_time()
    solution = parlour.solve(f"{game}-v0", out=folder / name, **values)
    return solution, time.process_time() - began


def checkers(folder: Path, pieces: int) -> float:
    """Endings of Checkers by pieces, with both seats to act. Returns the seconds of processor time."""
    solution, seconds = solved(folder, "checkers", pieces=pieces)
    print("\n| pieces | positions | won | lost | drawn | longest, in turns |\n|---|---|---|---|---|---|")
    for count in range(2, pieces + 1):
        tiers = [
            tier.info
            for tier in solution.table
            if sum(map(int, re.findall(r"(\d+) (?:men|kings)", tier.info.name))) == count
        ]
        sums = [2 * sum(getattr(tier, name) for tier in tiers) for name in ("positions", "won", "lost", "drawn")]
        print(f"| {count} | {' | '.join(f'{number:,}' for number in sums)} | {max(tier.longest for tier in tiers)} |")
    tell(solution, seconds)
    return seconds


def ur(folder: Path, variants: tuple[str, ...], men: int) -> None:
    """The chance of the seat that begins the Royal Game of Ur, by variant and number of men."""
    print(f"\n| variant | {' | '.join(f'men={count}' for count in range(1, men + 1))} |\n|---|{'---|' * men}")
    for variant in variants:
        cells = []
        for count in range(1, men + 1):
            solution, seconds = solved(folder, "royal_ur", variant=variant, men=count)
            cells.append(f"{(1 + sum(solution.start()) / 2) / 2:.8f}")
        print(f"| `{variant}` | {' | '.join(cells)} |", flush=True)
        tell(solution, seconds)


def acey_ducey(folder: Path, men: int) -> None:
    """The chance of the seat to throw in Acey Ducey, both seats' last men in the Dog House."""
    print(f"\n| variant | {' | '.join(f'men={count}' for count in range(1, men + 1))} |\n|---|{'---|' * men}")
    for variant in ACEY_DUCEY:
        solution, seconds = solved(folder, "acey_ducey", variant=variant, men=men)
        cells = []
        for tier in solution.table:
            if tier.info.name in [f"{count} and {count} men left" for count in range(1, men + 1)]:
                low, high = tier.bounds(slice(0, 1))  # number 0: all men in the Dog House
                cells.append(f"{(1 + (low[0] + high[0]) / 2) / 2:.8f}")
        print(f"| `{variant}` | {' | '.join(cells)} |", flush=True)
        tell(solution, seconds)


def compare(command: str, seconds: float) -> None:
    """Runs another solver, and tells how much longer it takes than ``seconds``."""
    before = seconds_of_children()
    printed = subprocess.run(shlex.split(command), check=True, capture_output=True, text=True).stdout
    other = seconds_of_children() - before
    last = printed.strip().rpartition("\n")[2]
    times = f"{other:.1f} s of processor time, {other / seconds:.1f} times as much"
    print(f"<!-- the other solver: {times}; it says: {last} -->")


def tell(solution: parlour.Solution, seconds: float) -> None:
    """Size and time of the latest table."""
    disk = sum(path.stat().st_size for path in solution.table.folder.iterdir())
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**10
    print(
        f"<!-- {solution.table.label}: {solution.positions:,} positions, {seconds:.1f} s of processor time "
        f"({solution.positions / max(seconds, 1e-9) / 1e6:.2f} million a second), {disk / 2**20:.0f} MiB on disk, at "
        f"most {memory:,.0f} MiB in memory so far -->"
    )


@click.command()
@click.option("--pieces", default=3, show_default=True, help="Of Checkers, 2 to 5; 0: none.")
@click.option("--men", default=3, show_default=True, help="Of the Royal Game of Ur, 1 to 7; 0: none.")
@click.option("--variants", default=",".join(UR), show_default=True, help="Of the Royal Game of Ur.")
@click.option("--last-men", default=2, show_default=True, help="Of Acey Ducey, 1 to 3; 0: none.")
@click.option("--against", help="The command of another solver, for the same endings of Checkers.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder to keep the tables in.")
def main(pieces: int, men: int, variants: str, last_men: int, against: str | None, out: Path | None) -> None:
    """Solves, and prints the tables."""
    with tempfile.TemporaryDirectory() as scratch:
        folder = out or Path(scratch)
        if pieces:
            seconds = checkers(folder, pieces)
            if against:
                compare(against, seconds)
        if men:
            ur(folder, tuple(variants.split(",")), men)
        if last_men:
            acey_ducey(folder, last_men)


if __name__ == "__main__":
    main()
