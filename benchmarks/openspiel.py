"""The batch engine compared with OpenSpiel's C++ games of the same kind, on one thread, in the same run.

OpenSpiel is measured in two ways. By Python: through its binding, each ply makes the same outputs as a batch: legal
actions, their mask, the observation tensor. Core alone: its own C++ loop of two uniformly random bots
(`pyspiel.evaluate_bots`), which makes only legal actions, neither mask nor tensor; this comparison favours OpenSpiel.

python benchmarks/openspiel.py [--rounds 9] [--plies 1000000]
"""

from __future__ import annotations

import time
from typing import Any

import click
import numpy as np
import pyspiel
from batch import batch_loop
from peers import rounds, show
from rich.table import Table

import parlour

PAIRS = [
    ("acey_ducey-v0", "parker", "backgammon"), ("checkers-v0", "american", "checkers"),
    ("checkers-v0", "openspiel", "checkers"),
]  # fmt: skip
"""Our game, its variant, and OpenSpiel's game that it is compared with."""

_GENERATOR = np.random.default_rng(0)


def through_python(game: Any, plies: int) -> float:
    """Plies per second of random play, each with legal actions, mask and observation tensor. Chance nodes don't count
    as plies."""
    done, began = 0, time.perf_counter()
    state = game.new_initial_state()
    while done < plies:
        if state.is_terminal():
            state = game.new_initial_state()
        elif state.is_chance_node():
            outcomes = state.chance_outcomes()
            state.apply_action(outcomes[int(_GENERATOR.random() * len(outcomes))][0])
        else:
            legal = state.legal_actions()
            state.legal_actions_mask()
            state.observation_tensor(state.current_player())
            state.apply_action(legal[int(_GENERATOR.random() * len(legal))])
            done += 1
    return plies / (time.perf_counter() - began)


def core_alone(game: Any, games: int) -> float:
    """Plies per second of two random bots in C++. Chance nodes don't count as plies."""
    plies, seconds = 0, 0.0
    for seed in range(games):
        bots = [pyspiel.make_uniform_random_bot(p, 100 * seed + p) for p in range(2)]
        state = game.new_initial_state()
        began = time.perf_counter()
        pyspiel.evaluate_bots(state, bots, seed)
        seconds += time.perf_counter() - began
        plies += sum(1 for one in state.full_history() if one.player >= 0)
    return plies / seconds


@click.command()
@click.option("--rounds", "count", default=9, show_default=True)
@click.option("--plies", default=1_000_000, show_default=True)
def main(count: int, plies: int) -> None:
    """Prints plies per second (medians) and ratios."""
    grid = Table(
        title=f"Batch of 1024 beside OpenSpiel, plies a second, median of {count} rounds", title_justify="left"
    )
    headings = ("game", "variant", "OpenSpiel's", "by Python", "core alone", "batch", "× by Python", "× core alone")
    for heading in headings:
        grid.add_column(heading, justify="left" if heading in headings[:3] else "right")
    for ours, variant, theirs in PAIRS:
        batch, game = parlour.make_batch(ours, 1024, variant=variant, seed=0), pyspiel.load_game(theirs)
        batch.reset()
        batch_loop(batch, plies // 4)
        measures = [
            lambda game=game: through_python(game, plies // 100),
            lambda game=game: core_alone(game, max(plies // 20_000, 1)),
            lambda batch=batch: batch_loop(batch, plies),
        ]
        binding, core, speed = rounds(measures, count)
        numbers = f"{binding:,.0f}", f"{core:,.0f}", f"{speed:,.0f}", f"{speed / binding:.0f}", f"{speed / core:.0f}"
        grid.add_row(ours, variant, theirs, *numbers)
    show(grid)


if __name__ == "__main__":
    main()
