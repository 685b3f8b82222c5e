"""What each wrapper adds to the AEC loop of Swords & Shields, and to a step of the batch engine, in one run.

python benchmarks/wrappers.py [--rounds 9] [--plies 3000]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import click
from parlour.wrappers.batch_discounted_win import BatchDiscountedWin
from parlour.wrappers.batch_event_reward import BatchEventReward
from parlour.wrappers.batch_potential_shaping import BatchPotentialShaping
from parlour.wrappers.discounted_win import DiscountedWin
from parlour.wrappers.event_reward import EventReward
from parlour.wrappers.history_planes import HistoryPlanes
from parlour.wrappers.potential_shaping import PotentialShaping
from peers import aec_loop, by_numpy, by_the_space, rounds
from rich.console import Console
from rich.table import Table

import parlour

GAME = "swords_and_shields-v0"
BARE = "none"
AMOUNTS = {"sword_captured": 0.1, "shield_captured": 0.1}
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    BARE: lambda env: env,
    "DiscountedWin": lambda env: DiscountedWin(env, 0.99),
    "EventReward": lambda env: EventReward(env, AMOUNTS),
    "HistoryPlanes": lambda env: HistoryPlanes(env, 3),
    "PotentialShaping": lambda env: PotentialShaping(env, 0.99),
}
BATCH_WRAPPERS: dict[str, Callable[[Any], Any]] = {
    BARE: lambda batch: batch,
    "BatchDiscountedWin": lambda batch: BatchDiscountedWin(batch, 0.99),
    "BatchEventReward": lambda batch: BatchEventReward(batch, AMOUNTS),
    "BatchPotentialShaping": lambda batch: BatchPotentialShaping(batch, 0.99),
}


def batch_loop(batch: Any, plies: int) -> None:
    """Random play in all rows."""
    for _ in range(plies // batch.num_games):
        batch.step(batch.sample_actions())


def speed(loop: Callable[..., Any], each: Any, plies: int, *arguments: Any) -> float:
    """Plies for a second of this process's own time, which other processes hardly touch."""
    began = time.process_time()
    loop(each, plies, *arguments)
    return plies / (time.process_time() - began)


def compare(title: str, measures: dict[str, Callable[[], float]], count: int) -> Table:
    """Plies a second under each wrapper, taken in turn, and the time that it adds to a ply."""
    grid = Table(title=title, title_justify="left")
    for heading in ("wrapper", "plies a second", "overhead"):
        grid.add_column(heading, justify="left" if heading == "wrapper" else "right")
    medians = dict(zip(measures, rounds(list(measures.values()), count)))
    for name, median in medians.items():
        grid.add_row(name, f"{median:,.0f}", f"{100 * (medians[BARE] / median - 1):+.0f} %")
    return grid


@click.command()
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--plies", default=3000, show_default=True)
@click.option("--games", default=1024, show_default=True, help="Rows of the batch.")
def main(count: int, plies: int, games: int) -> None:
    """Prints plies a second (medians) and overheads."""
    console = Console(width=120)
    envs = {name: wrap(parlour.make(GAME)) for name, wrap in WRAPPERS.items()}
    for words, choose in (("action_space.sample", by_the_space), ("NumPy", by_numpy)):
        measures = {}
        for name, env in envs.items():
            aec_loop(env, 200, choose)
            measures[name] = partial(speed, aec_loop, env, plies, choose)
        console.print(compare(f"AEC loop of {GAME}, action by {words}", measures, count))
    measures = {}
    for name, wrap in BATCH_WRAPPERS.items():
        batch = wrap(parlour.make_batch(GAME, games, seed=0))
        batch.reset(seed=0)
        batch_loop(batch, 20 * games)
        measures[name] = partial(speed, batch_loop, batch, 50 * games)
    console.print(compare(f"Batch of {games} games, one thread", measures, count))


if __name__ == "__main__":
    main()
