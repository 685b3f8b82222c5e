"""What there is to decide: legal actions, and plies without a choice."""

from __future__ import annotations

import numpy as np

from parlour.arena.fixtures import Played
from parlour.arena.measures.kinds import count_of, mean_of
from parlour.arena.measures.registry import DECISIONS, measure


@measure(
    "branching", group=DECISIONS, traced=False, title="Branching factor", meaning="legal actions per ply",
    kind=mean_of("actions", low=1), tested=True, source="Ludii, BranchingFactor average",
)  # fmt: skip
def branching(game: Played) -> float:
    """The mean of the legal actions."""
    return game.choices / game.plies


@measure(
    "forced", group=DECISIONS, traced=False, title="Forced plies",
    meaning="plies in a hundred with a single legal action",
    kind=count_of("in 100", 1), tested=True, source="Ludii, one minus DecisionMoves",
)  # fmt: skip
def forced(game: Played) -> float:
    """The percentage of plies without a choice."""
    return 100 * game.forced / game.plies


@measure(
    "decision_factor", group=DECISIONS, traced=False, title="Decision factor", kind=mean_of("actions", low=1),
    meaning="legal actions per ply that leaves a choice", source="Ludii, DecisionFactor average",
)  # fmt: skip
def decision_factor(game: Played) -> float | None:
    """The mean of the legal actions where there are several."""
    free = game.plies - game.forced
    return (game.choices - game.forced) / free if free else None


@measure(
    "game_tree", group=DECISIONS, title="Game tree", kind=mean_of("digits", 0, 0),
    meaning="the decimal digits of the product of all numbers of legal actions",
    source="Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; Ludii, GameTreeComplexity",
)  # fmt: skip
def game_tree(game: Played) -> float:
    """The sum of the decimal logarithms."""
    return float(np.log10(game.trace.legal).sum())
