"""How many hidden units of value networks are of use, in positions of the networks' own games.

    python benchmarks/hidden_units.py envs/backgammon/champion.value runs/large.value

A hidden unit that is off in a position adds nothing to its value, and learns nothing from it. One that is off in all
positions is *dormant*: the network would play the same without it, and gradient descent does not bring it back (Sokar
and others, *The Dormant Neuron Phenomenon in Deep Reinforcement Learning*, 2023, measure such units likewise).

Positions are those that TD(λ) would learn from, ends of turns in games against itself, in all variants of the network.
The table has how many units are off in all of them, how many are on in fewer than one in a hundred, and on in all.
"""

from __future__ import annotations

from pathlib import Path

import click
import numpy as np
from numpy.typing import NDArray
from peers import show, table

from parlour.learn.gradient import NO_UNIT
from parlour.learn.methods import td_settings
from parlour.learn.td_lambda import TDLambda
from parlour.players.value import ValueNetwork, load

SELDOM = 0.01


def shares_on(network: ValueNetwork, positions: int, seed: int) -> NDArray[np.float64]:
    """(U,): the share of at least ``positions`` positions of self-play in which each hidden unit is on."""
    learner = TDLambda(network, td_settings(network), seed, learnt=0)
    inputs, on, seen = len(network.units), np.zeros(network.hidden.shape[1]), 0
    while seen < positions:
        met = learner.play()
        active = np.zeros((len(met.units), inputs + 1), np.float32)  # the last one for no unit
        np.put_along_axis(active, np.where(met.units == NO_UNIT, inputs, met.units), 1, axis=1)
        on += (active[:, :inputs] @ network.hidden + network.hidden_bias[met.heads] > 0).sum(axis=0)
        seen += len(active)
    return on / seen


@click.command()
@click.argument("files", nargs=-1, required=True, type=click.Path(exists=True, path_type=Path))
@click.option("--positions", default=20_000, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(files: tuple[Path, ...], positions: int, seed: int) -> None:
    """Plays with each network, and prints the table."""
    grid = table("Hidden units", "network", "hidden units", "off in all", f"on in under {SELDOM:.0%}", "on in all")
    for file in files:
        shares = shares_on(load(file), positions, seed)
        counts = len(shares), (shares == 0).sum(), (shares < SELDOM).sum(), (shares == 1).sum()
        grid.add_row(str(file), *map(str, counts))
    show(grid)


if __name__ == "__main__":
    main()
