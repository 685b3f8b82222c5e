"""What pieces of Agon are worth on each ring, as a network that has learnt the game values them.

    python benchmarks/ring_worths.py

The network, one turn deep, plays every variant against `expectimax`, and takes each seat in every other game. The logit
of its value at the start of each turn is fitted by least squares: a number for a guard on each ring and for the queen
on each ring (pieces of the seat to act count plus, those of the other seat minus), and one for being to act. The
command prints the numbers of guards and queen, relative to the outer ring, for each of the three ways in which pieces
are lost; and R², of this fit and of one by the game's potential alone. `heuristic_value` in
``envs/agon/evaluation.py`` has these numbers, rounded.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import click
import numpy as np
from numpy.typing import NDArray
from peers import show, table

import parlour
from parlour.envs.agon.board import BIT, OUTER, RING_OF
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.registry import find
from parlour.players import GamesView
from parlour.players.search.expectimax import Expectimax
from parlour.players.value import load
from parlour.players.value_players import TurnPlayer

GAME, DEPTH, OPENING, RANDOM_SHARE, MAX_PLIES = "agon-v0", 3, 8, 0.03, 300
RINGS = OUTER + 1
RING_BITS = [np.bitwise_or.reduce(BIT[np.flatnonzero(RING_OF[:-1] == ring)]) for ring in range(RINGS)]
HIGHEST = 0.98
"""Values beyond this are cut, since the logit of 1 is infinite."""


class Position(NamedTuple):
    """A position at the start of a turn, as the seat to act sees it."""

    pieces: NDArray[np.float64]
    """float64 (12,): guards on each ring, then queens: the own ones minus the others"""
    logit: float
    """of the network's value"""
    potential: float
    """by the game"""


def kind_of(variant: str) -> str:
    """How pieces are lost in a variant."""
    values = find(GAME).resolve(variant, {})[1]
    return "removed" if values["capture"] == "bloody" else f"trapped in a {values['geometry']}"


def pieces_of(env: GameEnv, seat: int) -> NDArray[np.float64]:
    """The guards of a seat on each ring, then its queen: float64 (12,)."""
    state = env.games.states[0]
    guards = [sum(int(word).bit_count() for word in state["guards"][seat] & bits) for bits in RING_BITS]
    queen = RING_OF[state["queens"][seat]]  # −1 before she is placed
    return np.array([*guards, *(queen == np.arange(RINGS))], float)


def positions(variant: str, network: TurnPlayer, game: int) -> Iterator[Position]:
    """Positions of one game."""
    env = parlour.make(GAME, variant=variant, max_plies=MAX_PLIES).unwrapped
    env.reset(seed=game)
    potential_of = env.games.game.evaluation.potential
    view, opponent, rng = GamesView(env.games), Expectimax(DEPTH), np.random.default_rng(game)
    plies = 0
    while not env.is_over():
        seat = int(env.games.states["to_act"][0])
        action = int(rng.choice(np.flatnonzero(env.games.action_mask[0])))
        if plies >= OPENING and rng.random() >= RANDOM_SHARE:
            analysis = network.consider(view)
            if env.games.states["turn_over"][0]:
                value = float(np.clip(analysis.values[seat], -HIGHEST, HIGHEST))
                difference = pieces_of(env, seat) - pieces_of(env, 1 - seat)
                potential = potential_of(env.games.states[0], env.games.variants[0], seat)
                yield Position(difference, 2 * math.atanh(value), potential)
            action = env.ask(opponent) if seat == game % 2 else int(analysis.probabilities.argmax())
        env.step(action)
        plies += 1


def fitted(columns: NDArray[np.float64], logits: NDArray[np.float64]) -> tuple[NDArray[np.float64], float]:
    """The least-squares weights of ``columns`` and of being to act, and R²."""
    columns = np.column_stack([columns, np.ones(len(logits))])
    weights = np.linalg.lstsq(columns, logits, rcond=None)[0]
    return weights, float(1 - np.var(logits - columns @ weights) / np.var(logits))


@click.command()
@click.option("--games", default=60, show_default=True, help="Games of each variant.")
@click.option("--network", "file", type=click.Path(exists=True, path_type=Path), help="Default: the champion.")
def main(games: int, file: Path | None) -> None:
    """Prints the worth of a guard and of the queen on each ring."""
    champion = find(GAME).champion
    network = TurnPlayer(load(champion if file is None else file))
    kinds: dict[str, list[Position]] = {}
    for variant in parlour.variants(GAME):
        seen = [position for game in range(games) for position in positions(variant, network, game)]
        kinds.setdefault(kind_of(variant), []).extend(seen)
    rings = map(str, range(RINGS))
    grid = table(
        "Worth on each ring, in logits", "pieces are", "piece", *rings, "positions", "R²", "R² of the potential"
    )
    for kind, seen in kinds.items():
        logits = np.array([position.logit for position in seen])
        weights, share = fitted(np.array([position.pieces for position in seen]), logits)
        _, of_potential = fitted(np.array([[position.potential] for position in seen]), logits)
        for piece, values in (("guard", weights[:RINGS]), ("queen", weights[RINGS : 2 * RINGS])):
            shown = [f"{value - values[OUTER]:.2f}" for value in values]
            if piece == "guard":
                shown[0] = ""  # guards can't enter the throne
            grid.add_row(kind, piece, *shown, f"{len(seen):,}", f"{share:.2f}", f"{of_potential:.2f}")
    show(grid)


if __name__ == "__main__":
    main()
