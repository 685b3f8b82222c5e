"""Batches on a GPU: the same as on the CPU, to the byte, and how fast.

    python benchmarks/gpu.py [--seconds 2] [--game royal_ur-v0]

Each game runs in a process of its own: all compile side by side, and then measure one after another. A game first plays
100,000 random plies on both devices with the same seeds. Then plies a second by wall-clock time, with random legal
actions drawn on the device, observations and masks written: with few games and with many, and beside that one thread of
the CPU with 1,024 games, the memory of a game, and pgx's game of the same rules in the same run, where there is one.
``threads`` measures the CPU alone, on more and more threads. Needs ``parlour[cuda]``; for pgx ``parlour[peers]`` and
JAX with CUDA.

    python benchmarks/gpu.py threads
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
import peers
from filelock import FileLock
from speed import PGX, pgx_loop

import parlour

SIZES = (1024, 16_384, 262_144, 1_048_576)
PLIES, ROWS = 100_000, 1024
COUNTS = (1, 2, 4, 8, 16)
HEADINGS = ("game", *(f"{size:,} games" for size in SIZES), "bytes a game", "× one CPU thread", "× pgx", "the same")


def rate(play: Callable[[], Any], wait: Callable[[], Any], rows: int, seconds: float) -> float:
    """Plies a second of `play`, which plays ``rows`` of them; ``wait`` returns when they are done."""
    play()
    wait()
    calls, began = 0, time.perf_counter()
    while time.perf_counter() - began < seconds:
        for _ in range(16):
            play()
        wait()
        calls += 16
    return calls * rows / (time.perf_counter() - began)


def one_step(batch: Any) -> Callable[[], Any]:
    """A ply in every game of a batch, at random."""
    batch.reset()
    return lambda: batch.step(batch.sample_actions())


def check_same(game: str) -> None:
    """Plays `PLIES` on both devices. AssertionError where anything differs."""
    from tests.support import beside_cpu

    cpu, gpu = (parlour.make_batch(game, ROWS, seed=1, device=device) for device in ("cpu", "cuda"))
    beside_cpu.check_same(cpu.reset(), gpu.reset())
    for _ in range(PLIES // ROWS):
        beside_cpu.check_same(cpu.step(cpu.sample_actions()), gpu.step(gpu.sample_actions()))


def measure(game: str, seconds: float, lock: Path) -> list[str]:
    """The row of a game in the table."""
    from numba import cuda

    package = {ours: package for _, package, ours in PGX}.get(game)
    if package:
        parlour.register(package)
    one_step(parlour.make_batch(game, 2, seed=0, device="cuda"))()  # compiles
    with FileLock(lock):
        check_same(game)
        memory = cuda.current_context().get_memory_info
        rates, cells = [], [game]
        for size in SIZES:
            free = memory().free
            batch = parlour.make_batch(game, size, seed=0, device="cuda")
            taken = (free - memory().free) / size
            rates.append(rate(one_step(batch), cuda.synchronize, size, seconds))
            cells.append(f"{rates[-1]:,.0f}")
        cpu = rate(one_step(parlour.make_batch(game, ROWS, seed=0)), lambda: None, ROWS, seconds)
        theirs = next((theirs for theirs, _, ours in PGX if ours == game), "")
        beside = f"{rates[2] / pgx_loop(theirs, SIZES[2], 64, time.perf_counter)(seconds):,.1f}" if theirs else ""
        return [*cells, f"{taken:,.0f}", f"{rates[2] / cpu:,.0f}", beside, "yes"]


@click.group(invoke_without_command=True)
@click.option("--game", "games", multiple=True, help="Only this game; repeatable.")
@click.option("--seconds", default=2.0, show_default=True, help="Of each measurement.")
@click.option("--row", is_flag=True, hidden=True)
@click.pass_context
def main(context: click.Context, games: tuple[str, ...], seconds: float, row: bool) -> None:
    """Measures batches on a GPU."""
    if context.invoked_subcommand:
        return
    lock = peers.ROOT / "build" / "gpu.lock"
    lock.parent.mkdir(exist_ok=True)
    if row:
        click.echo("\t".join(measure(games[0], seconds, lock)))
        return
    wanted = games or (*parlour.games(), *(ours for _, package, ours in PGX if package))
    command = [sys.executable, __file__, "--row", "--seconds", str(seconds)]
    runs = {game: subprocess.Popen([*command, "--game", game], stdout=subprocess.PIPE, text=True) for game in wanted}
    grid = peers.table(f"Plies a second on a GPU, random play, {SIZES[2]:,} games for ratios", *HEADINGS)
    for game, run in runs.items():
        printed = run.communicate()[0].splitlines()
        grid.add_row(*(printed[-1].split("\t") if run.returncode == 0 else [game, "failed"]))
    peers.show(grid)


@main.command()
@peers.games_option
@click.option("--seconds", default=1.0, show_default=True, help="Of each measurement.")
def threads(games: tuple[str, ...], seconds: float) -> None:
    """The batch on the CPU, on more and more threads."""
    counts = [count for count in COUNTS if count <= (os.cpu_count() or 1)]
    grid = peers.table("Plies a second on the CPU", "game", "games", *(f"{count} threads" for count in counts), "×")
    for game in games:
        for rows in (1024, 8192, 65_536):
            batches = [parlour.make_batch(game, rows, seed=0, threads=count) for count in counts]
            rates = [rate(one_step(batch), lambda: None, rows, seconds) for batch in batches]
            grid.add_row(game, f"{rows:,}", *(f"{each:,.0f}" for each in rates), f"{rates[-1] / rates[0]:.1f}")
    peers.show(grid)


if __name__ == "__main__":
    main()
