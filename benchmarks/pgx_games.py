"""The batch engine compared with pgx, whose games are JAX programs, on one CPU thread, in the same run.

pgx steps 1024 games in one compiled call: `jax.vmap` over its own ``auto_reset(step)`` and ``act_randomly``. Both
libraries make an observation and a mask for each ply. Times are processor time. pgx is made for accelerators; this
benchmark says nothing about those.

Tic-tac-toe and Othello are the same games in both libraries. Backgammon is compared with Acey Ducey, the most similar
game here. There is no game like connect four here.

python benchmarks/pgx_games.py [--rounds 5] [--seconds 0.5]     (needs pip install "parlour[peers]")
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import click
from batch import batch_loop
from peers import rounds, show
from rich.table import Table

import parlour

sys.path.insert(0, str(Path(__file__).parents[1]))
os.environ.setdefault("XLA_FLAGS", "--xla_cpu_multi_thread_eigen=false")  # read when JAX is imported

ROWS = 1024
PLIES = 400_000
"""Plies of a batch per round."""
PAIRS = [
    ("tic_tac_toe", "examples.games.tic_tac_toe", "tic_tac_toe-v0"),
    ("othello", "tests.toy_games.reversi", "reversi-v0"),
    ("backgammon", "", "acey_ducey-v0"),
    ("connect_four", "", ""),
]
"""pgx's game; the package of our game if it must be registered; our game, if there is one."""


def pgx_loop(name: str) -> Callable[[float], float]:
    """A function that plays pgx's game at random for some seconds and returns the plies per second."""
    try:
        import jax
        import pgx
        from pgx.experimental import act_randomly, auto_reset
    except ImportError:
        raise click.ClickException("pgx is not installed: pip install 'parlour[peers]'") from None
    env = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    @jax.jit
    def ply(state, key):  # type: ignore[no-untyped-def]
        key, choice, chance = jax.random.split(key, 3)
        return step(state, act_randomly(choice, state.legal_action_mask), jax.random.split(chance, ROWS)), key

    running = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), ROWS)), jax.random.PRNGKey(1)
    running = jax.block_until_ready(ply(*running))

    def run(seconds: float) -> float:
        nonlocal running
        steps, began = 0, time.process_time()
        while time.process_time() - began < seconds:
            running = jax.block_until_ready(ply(*running))
            steps += 1
        return steps * ROWS / (time.process_time() - began)

    return run


@click.command()
@click.option("--rounds", "count", default=5, show_default=True)
@click.option("--seconds", default=0.5, show_default=True, help="Seconds per round of each of pgx's games.")
def main(count: int, seconds: float) -> None:
    """Prints nanoseconds per ply (medians) and ratios."""
    grid = Table(title=f"Batch of {ROWS} beside pgx, ns a ply, median of {count} rounds", title_justify="left")
    headings = ("pgx's game", "pgx", "game", "batch", "×")
    for heading in headings:
        grid.add_column(heading, justify="left" if heading in (headings[0], headings[2]) else "right")
    for theirs, package, ours in PAIRS:
        loop = pgx_loop(theirs)
        measures = [lambda loop=loop: loop(seconds)]
        if package:
            parlour.register(package)
        if ours:
            batch = parlour.make_batch(ours, ROWS, seed=0)
            batch.reset()
            batch_loop(batch, PLIES)
            measures.append(lambda batch=batch: batch_loop(batch, PLIES))
        taken = [1e9 / rate for rate in rounds(measures, count)]
        beside = [ours, f"{taken[1]:,.0f}", f"{taken[0] / taken[1]:,.1f}"] if ours else ["", "", ""]
        grid.add_row(theirs, f"{taken[0]:,.0f}", *beside)
    show(grid)


if __name__ == "__main__":
    main()
