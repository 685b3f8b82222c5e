"""Measures of a game's variants: small functions of a finished game, registered by name.

``docs/measures.md`` defines each measure, with its source. `parlour.arena.measures.registry` shows how to write a
measure of your own.
"""

from parlour.arena.measures import board as board
from parlour.arena.measures import decisions as decisions
from parlour.arena.measures import duration as duration
from parlour.arena.measures import evaluation as evaluation
from parlour.arena.measures import events as events
from parlour.arena.measures import openings as openings
from parlour.arena.measures import outcomes as outcomes
from parlour.arena.measures import skill as skill
from parlour.arena.measures.kinds import DIVERSITY as DIVERSITY
from parlour.arena.measures.kinds import ELO as ELO
from parlour.arena.measures.kinds import ENTROPY as ENTROPY
from parlour.arena.measures.kinds import NORMALISED_ELO as NORMALISED_ELO
from parlour.arena.measures.kinds import SCORE as SCORE
from parlour.arena.measures.kinds import SHARE as SHARE
from parlour.arena.measures.kinds import Kind as Kind
from parlour.arena.measures.kinds import count_of as count_of
from parlour.arena.measures.kinds import mean_of as mean_of
from parlour.arena.measures.registry import EVEN as EVEN
from parlour.arena.measures.registry import MEASURES as MEASURES
from parlour.arena.measures.registry import SKILL as SKILL
from parlour.arena.measures.registry import Measure as Measure
from parlour.arena.measures.registry import Pair as Pair
from parlour.arena.measures.registry import measure as measure
from parlour.arena.measures.registry import measures_of as measures_of
