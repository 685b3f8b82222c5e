"""The measures that there are, each a small function registered under a name.

A measure of your own needs one function::

    from parlour.arena.measures import mean_of, measure

    @measure("late_captures", title="Late captures", meaning="captures in the second half", kind=mean_of("per game"))
    def late_captures(game):
        half = game.plies // 2
        return game.trace.events[half:, game.trace.event_names.index("sword_captured")].sum()

It gets a `parlour.arena.fixtures.Played`, with its `parlour.arena.traces.Trace`, and returns a number, or None where
there is nothing to measure in that game. ``parlour --import my_module compare …`` then measures it like all others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from parlour.arena.fixtures import Played
from parlour.arena.measures.kinds import Kind
from parlour.engine.game import Game
from parlour.errors import listing

EVEN, SKILL, TRACE = "even", "skill", "trace"
"""What a measure is measured on: games of one player against itself, pairs of games between a weaker and a stronger
player, and pairs of games between players of which one searches twice as much as the other."""
OUTCOMES, ENDINGS, DURATION = "Who wins", "How games end", "How long games last"
DECISIONS, LEADS, BOARD = "What there is to decide", "How the lead goes", "What happens on the board"
OPENINGS, SKILL_AND_CHANCE, SKILL_TRACE = "How games begin", "What skill and chance decide", "Skill trace"
EVENTS, OWN = "What happens in a game", "Own measures"
GROUPS = (
    OUTCOMES, ENDINGS, DURATION, DECISIONS, LEADS, BOARD, OPENINGS, SKILL_AND_CHANCE, SKILL_TRACE, EVENTS, OWN,
)  # fmt: skip
"""The headings under which measures are shown, in this order; then any others."""


@dataclass(frozen=True)
class Pair:
    """Two games with the same seed, the players having changed seats."""

    games: tuple[Played, Played]
    weaker: str
    stronger: str


@dataclass(frozen=True)
class Measure:
    """One thing that is measured.

    Attributes:
        key: its name in files and on the command line.
        title: its name for readers.
        meaning: what it tells, in a clause.
        kind: how it is estimated.
        function: the number of a game, or of a pair of games; None where there is nothing to measure.
        group: the heading under which it is shown.
        source: where its definition comes from.
        series: what it is measured on.
        tested: whether differences between variants are tested.
        even_at: the value that favours neither side, if there is one: leaning from it is tested for each variant.
        applies: whether it can be measured in a game with these option values.
        traced: whether it reads ``game.trace``. Where no measure of a run does, plies are not traced, which saves time.
    """

    key: str
    title: str
    meaning: str
    kind: Kind
    function: Callable[[Any], float | None]
    group: str = OWN
    source: str = ""
    series: str = EVEN
    tested: bool = False
    even_at: float | None = None
    applies: Callable[[Game, dict[str, Any]], bool] = lambda game, values: True
    traced: bool = True

    def number(self, unit: Any) -> float:
        """The number of a game or pair; NaN where there is nothing to measure. ValueError for anything else."""
        value = self.function(unit)
        if value is None:
            return float("nan")
        try:
            return float(value)
        except (TypeError, ValueError):
            raise ValueError(f"measure {self.key!r} must give a number or None, not {value!r:.80}") from None


MEASURES: dict[str, Measure] = {}
"""All measures that every game has, by key, in the order in which they were registered."""
FAMILIES: list[Callable[[Game, int], list[Measure]]] = []
"""Functions ``(game, seats) -> measures``: further measures of a game, one for each seat, ending, or event."""


def measure(key: str, **attributes: Any) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Registers a function as a measure. The attributes are those of `Measure`. ValueError for a key that is taken."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        present = MEASURES.get(key)
        if present is not None and present.function.__module__ != function.__module__:
            raise ValueError(f"there is a measure {key!r} already, in {present.function.__module__}")
        if not (key.isidentifier() and key.isascii()):
            raise ValueError(f"{key!r} can't be the name of a measure; valid: letters, digits and _")
        MEASURES[key] = Measure(key, function=function, **attributes)
        return function

    return register


def family(function: Callable[[Game, int], list[Measure]]) -> Callable[[Game, int], list[Measure]]:
    """Registers a function that gives further measures of a game."""
    FAMILIES.append(function)
    return function


def measures_of(game: Game, seats: int, wanted: Sequence[str] | None = None) -> list[Measure]:
    """The measures of a game, in the order of their groups.

    Args:
        game: which game.
        seats: P.
        wanted: keys or names of groups; None for all.

    Raises:
        ValueError: for a name that is neither.
    """
    found = {one.key: one for make in FAMILIES for one in make(game, seats)}
    found = {**MEASURES, **found}
    groups = list(dict.fromkeys([*GROUPS, *(one.group for one in found.values())]))
    for name in wanted or ():
        if name not in found and name.lower() not in map(str.lower, groups):
            raise ValueError(
                f"there is no measure {name!r}; measures: {listing(list(found))}; groups: {listing(groups)}"
            )
    keys = {name.lower() for name in wanted} if wanted is not None else None
    kept = [one for one in found.values() if keys is None or one.key in keys or one.group.lower() in keys]
    return sorted(kept, key=lambda one: groups.index(one.group))
