"""Measures of decisions: legal actions, and plies without a choice."""

from __future__ import annotations

from functools import partial

import numpy as np

from parlour.arena.measures.kinds import count_of, mean_of
from parlour.arena.measures.registry import DECISIONS
from parlour.arena.measures.registry import measure as register
from parlour.arena.setting.game_specs import Played

measure = partial(register, group=DECISIONS)


@measure(
    "branching", traced=False, title="Branching factor",
    kind=mean_of("actions", low=1), tested=True, source="Ludii, BranchingFactor average",
)  # fmt: skip
def branching(game: Played) -> float:
    """Legal actions per ply."""
    return game.choices / game.plies


@measure(
    "forced", traced=False, title="Forced plies",
    kind=count_of("in 100", 1), tested=True, source="Ludii, one minus DecisionMoves",
)  # fmt: skip
def forced(game: Played) -> float:
    """Percentage of plies with a single legal action."""
    return 100 * game.forced / game.plies


@measure(
    "decision_factor", traced=False, title="Decision factor", kind=mean_of("actions", low=1),
    source="Ludii, DecisionFactor average",
)  # fmt: skip
def decision_factor(game: Played) -> float | None:
    """Legal actions per ply with at least two legal actions."""
    unforced = game.plies - game.forced
    return (game.choices - game.forced) / unforced if unforced else None


@measure(
    "game_tree", title="Game tree", kind=mean_of("digits", 0, 0),
    source="Allis, Searching for Solutions in Games and Artificial Intelligence, 1994; Ludii, GameTreeComplexity",
)  # fmt: skip
def game_tree(game: Played) -> float:
    """Number of decimal digits of the product of the numbers of legal actions of all plies."""
    return float(np.log10(game.trace.legal).sum())
