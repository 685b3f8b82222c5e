"""The time that each wrapper adds to the AEC loop of Swords & Shields, and to a step of the batch engine.

python benchmarks/wrappers.py [--rounds 9] [--plies 3000]
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any

import click
from peers import by_numpy, by_the_space, rounds, show
from rich.table import Table

import parlour
from parlour.wrappers import (
    BatchDiscountedWin,
    BatchEventReward,
    BatchPotentialShaping,
    DiscountedWin,
    EventReward,
    FactoredActions,
    FlatFloat32,
    HistoryPlanes,
    MaskInInfo,
    ObservationsKey,
    PotentialShaping,
    SplitDice,
    Symmetry,
    VariantSelector,
)

GAME = "swords_and_shields-v0"
BARE = "none"
AMOUNTS = {"sword_captured": 0.1, "shield_captured": 0.1}
ALWAYS_THE_FIRST = [1.0, 0.0, 0.0]  # the other variants have longer games or slower plies
WRAPPERS: dict[str, Callable[[Any], Any]] = {
    BARE: lambda env: env,
    "DiscountedWin": lambda env: DiscountedWin(env, 0.99),
    "EventReward": lambda env: EventReward(env, AMOUNTS),
    "FactoredActions": FactoredActions,
    "FlatFloat32": FlatFloat32,
    "FlatFloat32, scaled": lambda env: FlatFloat32(env, scale=True),
    "HistoryPlanes, k = 3": lambda env: HistoryPlanes(env, 3),
    "MaskInInfo": MaskInInfo,
    "ObservationsKey": ObservationsKey,
    "PotentialShaping": lambda env: PotentialShaping(env, 0.99),
    "SplitDice": SplitDice,
    "Symmetry": Symmetry,
    "VariantSelector": lambda env: VariantSelector(env, weights=ALWAYS_THE_FIRST),
    "VariantSelector, planes": lambda env: VariantSelector(env, weights=ALWAYS_THE_FIRST, planes="options"),
}
BATCH_WRAPPERS: dict[str, Callable[[Any], Any]] = {
    BARE: lambda batch: batch,
    "BatchDiscountedWin": lambda batch: BatchDiscountedWin(batch, 0.99),
    "BatchEventReward": lambda batch: BatchEventReward(batch, AMOUNTS),
    "BatchPotentialShaping": lambda batch: BatchPotentialShaping(batch, 0.99),
}


def play(env: Any, plies: int, choose: Callable[[Any, Any], Any]) -> None:
    """Plays random plies as in `peers.aec_loop`; the same games in each call with the same arguments. The mask is read
    where the wrapper puts it. The two steps of `FactoredActions` count as one ply."""
    env.reset(seed=0)
    for agent in env.possible_agents:
        env.action_space(agent).seed(0)
    in_info, in_two_steps = isinstance(env, MaskInInfo), isinstance(env, FactoredActions)
    done = 0
    while done < plies:
        seen, _, terminated, truncated, info = env.last()
        if terminated or truncated:
            env.reset()
            continue
        env.step(choose(env, info["action_mask"] if in_info else seen["action_mask"]))
        if not in_two_steps or env.first_choice is None:
            done += 1


def batch_loop(batch: Any, plies: int) -> None:
    """Plays at random in all rows."""
    for _ in range(plies // batch.num_games):
        batch.step(batch.sample_actions())


def speed(loop: Callable[..., Any], each: Any, plies: int, *arguments: Any) -> float:
    """Plies per second of the process's processor time, so other work on the machine has little influence."""
    began = time.process_time()
    loop(each, plies, *arguments)
    return plies / (time.process_time() - began)


def compare(title: str, measures: dict[str, Callable[[], float]], count: int) -> Table:
    """A table of plies per second with each wrapper, and the time that the wrapper adds to a ply."""
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
    """Prints plies per second (medians) and overheads."""
    envs = {name: wrap(parlour.make(GAME)) for name, wrap in WRAPPERS.items()}
    for words, choose in (("action_space.sample", by_the_space), ("NumPy", by_numpy)):
        measures = {}
        for name, env in envs.items():
            if choose is by_numpy and isinstance(env, MaskInInfo):
                continue  # its mask is a list
            play(env, 200, choose)
            measures[name] = partial(speed, play, env, plies, choose)
        show(compare(f"AEC loop of {GAME}, action by {words}", measures, count))
    measures = {}
    for name, wrap in BATCH_WRAPPERS.items():
        batch = wrap(parlour.make_batch(GAME, games, seed=0))
        batch.reset(seed=0)
        batch_loop(batch, 20 * games)
        measures[name] = partial(speed, batch_loop, batch, 50 * games)
    show(compare(f"Batch of {games} games, one thread", measures, count))


if __name__ == "__main__":
    main()
