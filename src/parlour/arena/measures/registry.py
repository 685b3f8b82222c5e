"""The registry of measures. Each measure is a small function, registered under a name.

A measure of your own needs one function::

    from parlour.arena.measures import mean_of, measure

    @measure("late_captures", title="Late captures", meaning="captures in the second half", kind=mean_of("per game"))
    def late_captures(game):
        half = game.plies // 2
        return game.trace.events[half:, game.trace.event_names.index("sword_captured")].sum()

It gets a `parlour.arena.setting.plans.Played`, with its `parlour.arena.measures.traces.Trace`, and returns a
number, or None if there is nothing to measure in that game. ``parlour --import my_module compare …`` then includes it
like all others.
"""

from __future__ import annotations

import math
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import Kind
from parlour.arena.setting.plans import Played, Series
from parlour.engine.game import Game
from parlour.support.errors import listing

EVEN, SKILL, TRACE = "even", "skill", "trace"
"""The games on which a measure is measured: games of one player against itself; pairs of games between a weaker and a
stronger player; pairs of games between two players, one of which searches twice as much as the other."""
OUTCOMES, ENDINGS, DURATION = "Who wins", "How games end", "How long games last"
DECISIONS, LEADS, BOARD = "Legal actions", "Lead and drama", "What happens on the board"
OPENINGS, SKILL_AND_CHANCE, SKILL_TRACE = "How games begin", "Skill and chance", "Skill trace"
EVENTS, OWN = "What happens in a game", "Own measures"
OURS = "this project"
"""The source of a definition that is our own."""
GROUPS = (
    OUTCOMES, ENDINGS, DURATION, DECISIONS, LEADS, BOARD, OPENINGS, SKILL_AND_CHANCE, SKILL_TRACE, EVENTS, OWN,
)  # fmt: skip
"""The headings under which measures are shown, in this order; headings of users' measures come after them."""


class MeasureError(ValueError):
    """A measure that fails, or gives no number."""


@dataclass(frozen=True)
class Pair:
    """Two games with the same seed and exchanged seats."""

    games: tuple[Played, Played]
    weaker: str
    stronger: str


@dataclass(frozen=True)
class Measure:
    """A measure.

    Attributes:
        key: its name in files and on the command line.
        title: its name in reports.
        meaning: a short phrase that explains it in reports.
        kind: how it is estimated, tested and shown.
        function: the value for a game or a `Pair`; None if there is nothing to measure.
        group: the heading under which it is shown.
        source: where its definition comes from.
        series: the games on which it is measured: `EVEN`, `SKILL` or `TRACE`.
        tested: whether differences between variants are tested. Not where the kind is coded.
        even_at: the value that favours neither side, if there is one. With ``tested`` each variant is tested for a
            difference from it.
        applies: whether it can be measured in a game with these option values.
        traced: whether it reads ``game.trace``. If no measure of a run does, plies are not traced, which saves time.
        exact: whether it reads ``game.regrets``, and so can only be measured by a table of exact values.
        cut: whether it grows with the length of a game, so that a game that ``max_plies`` ended gives a lower bound.
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
    exact: bool = False
    cut: bool = False

    def __post_init__(self) -> None:
        if self.tested and self.kind.coded:
            raise ValueError(f"measure {self.key!r} can't be tested: its numbers are codes, whose mean says nothing")

    @property
    def neutral(self) -> str:
        """`even_at` as text, such as "50 %"."""
        return f"{self.kind.scale * (self.even_at or 0):g} {self.kind.unit}".strip()

    def number(self, unit: Any) -> float:
        """The value for a game or pair; NaN if there is nothing to measure. MeasureError, with the game, if the
        function fails, or returns neither a number nor None."""
        try:
            value = self.function(unit)
        except Exception as error:
            raise MeasureError(f"measure {self.key!r} failed in {_where(unit)}: {described(error)}") from error
        try:
            return math.nan if value is None else float(value)
        except (TypeError, ValueError):
            raise MeasureError(
                f"measure {self.key!r} must give a number or None, not {value!r:.80}, as in {_where(unit)}"
            ) from None


def _where(unit: Played | Pair) -> str:
    return (unit.games[0] if isinstance(unit, Pair) else unit).where


def described(error: Exception) -> str:
    """An error of somebody's code: its type, its message, and the file and line in which it was raised."""
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
    return f"{type(error).__name__}: {error}{place}"


def measure_game(measures: Sequence[Measure], played: Played) -> None:
    """Writes the values of the measures to the game's `numbers`: see `Measure.number`. A function that several of them
    share is called once."""
    values: dict[int, float] = {}
    for each in measures:
        if id(each.function) not in values:
            values[id(each.function)] = each.number(played)
    played.numbers.clear()
    played.numbers.update({one.key: values[id(one.function)] for one in measures})


def sample_of(
    measure: Measure, game: Game, series: Series, units: Sequence[tuple[Played, ...] | None]
) -> NDArray[np.float64]:
    """The value of a measure for each sampling unit of a series: a game, which has been measured, or the two games of a
    pair. NaN for None, and where there is nothing to measure."""
    if not measure.applies(game, dict(series.ruleset.values)):
        return np.full(len(units), math.nan)
    if not series.paired:
        return np.array([unit[0].numbers[measure.key] if unit else math.nan for unit in units])
    pairs = (Pair((unit[0], unit[1]), series.first, series.second) if unit else None for unit in units)
    return np.array([measure.number(pair) if pair else math.nan for pair in pairs])


MEASURES: dict[str, Measure] = {}
"""The measures that every game has, by key, in the order in which they were registered."""
FAMILIES: list[Callable[[Game, int], list[Measure]]] = []
"""Functions ``(game, seats) -> measures`` that make further measures of a game: one per seat, ending or event."""


def measure(key: str, **attributes: Any) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """A decorator that registers a function as a measure. The attributes are those of `Measure`; without ``meaning``
    the function's docstring says it. ValueError for a key that is taken or not valid."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        registered = MEASURES.get(key)
        if registered is not None and registered.function.__module__ != function.__module__:
            raise ValueError(f"there is a measure {key!r} already, in {registered.function.__module__}")
        if not (key.isidentifier() and key.isascii()):
            raise ValueError(f"{key!r} can't be the name of a measure; valid: letters, digits and _")
        meaning = " ".join((function.__doc__ or key).split()).rstrip(".")
        MEASURES[key] = Measure(key, **{"meaning": meaning[0].lower() + meaning[1:], **attributes}, function=function)
        return function

    return register


def family(function: Callable[[Game, int], list[Measure]]) -> Callable[[Game, int], list[Measure]]:
    """A decorator that registers a function which makes further measures of a game: see `FAMILIES`."""
    FAMILIES.append(function)
    return function


def measures_of(game: Game, seats: int, wanted: Sequence[str] | None = None) -> list[Measure]:
    """The measures of a game, in the order of their groups.

    Args:
        game: which game.
        seats: P.
        wanted: keys of measures or names of groups; None for all.

    Raises:
        ValueError: for a name that is neither.
    """
    of_game = {one.key: one for make in FAMILIES for one in make(game, seats)}
    measures = {**MEASURES, **of_game}
    groups = list(dict.fromkeys([*GROUPS, *(one.group for one in measures.values())]))
    for name in wanted or ():
        if name not in measures and name.lower() not in map(str.lower, groups):
            raise ValueError(
                f"there is no measure {name!r}; measures: {listing(list(measures))}; groups: {listing(groups)}"
            )
    names = {name.lower() for name in wanted} if wanted is not None else None
    chosen = [one for one in measures.values() if names is None or one.key in names or one.group.lower() in names]
    return sorted(chosen, key=lambda measure: groups.index(measure.group))
