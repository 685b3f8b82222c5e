"""Measures of decisions: legal actions, and plies without a choice."""

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
    """The mean number of legal actions."""
    return game.choices / game.plies


@measure(
    "forced", group=DECISIONS, traced=False, title="Forced plies",
    meaning="percentage of plies with a single legal action",
    kind=count_of("in 100", 1), tested=True, source="Ludii, one minus DecisionMoves",
)  # fmt: skip
def forced(game: Played) -> float:
    """The percentage of plies without a choice."""
    return 100 * game.forced / game.plies


@measure(
    "decision_factor", group=DECISIONS, traced=False, title="Decision factor", kind=mean_of("actions", low=1),
    meaning="legal actions per ply with at least two legal actions", source="Ludii, DecisionFactor average",
)  # fmt: skip
def decision_factor(game: Played) -> float | None:
    """The mean number of legal actions in plies with at least two."""
    unforced = game.plies - game.forced
    return (game.choices - game.forced) / unforced if unforced else None


@measure(
    "game_tree", group=DECISIONS, title="Game tree", kind=mean_of("digits", 0, 0),
    meaning="number of decimal digits of the product of the numbers of legal actions of all plies",
    source="Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; Ludii, GameTreeComplexity",
)  # fmt: skip
def game_tree(game: Played) -> float:
    """The sum of the decimal logarithms of the numbers of legal actions."""
    return float(np.log10(game.trace.legal).sum())
