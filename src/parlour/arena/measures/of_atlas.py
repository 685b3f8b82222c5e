"""The measures that an atlas adds to those of single games. ``docs/measures.md`` defines them."""

from __future__ import annotations

from parlour.arena.measures.kinds import ELO, PERCENT, Kind, mean_of
from parlour.arena.measures.registry import Measure


def _measure(key: str, title: str, kind: Kind, meaning: str) -> tuple[str, Measure]:
    return key, Measure(key, title, meaning, kind, lambda game: None)


POINTS, ODDS, MANY = mean_of("points", low=-100, high=100), mean_of("log odds", 2), mean_of("", 2, low=1)
OF_ATLAS = dict([
    _measure("temperature", "Temperature", mean_of("", 4), "at which the player's policy is softened"),
    _measure("elo_lost", "Elo lost by it", ELO, "by the softened player against the player itself"),
    _measure("opening_entropy", "Entropy of openings", mean_of("bits"), "of the openings of the softened player"),
    _measure("first_moves", "First moves", mean_of("", 1), "effective number of first moves of the softened player"),
    _measure("moves", "Moves a ply", MANY, "effective number of moves at each ply of the opening"),
    _measure("opening_positions", "Positions after it", mean_of("", 0, low=1), "effective number of them"),
    _measure("settled", "Settled after", PERCENT, "of a decided game, before its winner leads for good by the network"),
    _measure("turned", "Turned", PERCENT, "decided games whose winner once expected a quarter or less by the network"),
    _measure("luck_share", "Share of luck", PERCENT, "of the variance of results that the dice explain, by a judge"),
    _measure("decided_more", "Decided more", POINTS, "decided games by the stronger of two players less by the weaker"),
    _measure("skill_slope", "Skill a doubling", mean_of("nElo", 0), "normalised Elo gained by doubling the search"),
    _measure("distance", "Distance of policies", mean_of("", 3), "mean Jensen–Shannon distance on shared positions"),
    _measure("agreement", "Same best move", PERCENT, "shared positions in which one move is best in both"),
    _measure("worth", "Worth of one more", ODDS, "of the score of its owner, by logistic regression"),
    _measure("nodes", "Nodes a ply", mean_of("", 0, low=0), "positions or simulations that the player looks at in one"),
    _measure("exact", "By perfect play", PERCENT, "the score of the seat that begins, by a table of exact values"),
    _measure("removed", "Worth by its removal", ODDS, "lost by its owner's score where one is taken off the board"),
    _measure("move_changed", "Best move changed", PERCENT, "positions whose best move loses if the option is changed"),
    _measure("value_changed", "Value changed", PERCENT, "positions whose value moves if the option is changed"),
])  # fmt: skip
"""By key, in the order of the page."""
