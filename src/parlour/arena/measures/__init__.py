"""Measures of a game's variants: small functions of a finished game, registered by name.

``docs/measures.md`` defines each measure, with its source. `parlour.arena.measures.registry` shows how to write a
measure of your own.
"""

from parlour.arena.measures import outcomes, play
from parlour.arena.measures.kinds import DIVERSITY, ELO, ENTROPY, NORMALISED_ELO, SCORE, SHARE, Kind, count_of, mean_of
from parlour.arena.measures.registry import EVEN, MEASURES, SKILL, Measure, Pair, measure, measures_of

__all__ = [
    "DIVERSITY", "ELO", "ENTROPY", "EVEN", "MEASURES", "NORMALISED_ELO", "SCORE", "SHARE", "SKILL", "Kind", "Measure",
    "Pair", "count_of", "mean_of", "measure", "measures_of", "outcomes", "play",
]  # fmt: skip
