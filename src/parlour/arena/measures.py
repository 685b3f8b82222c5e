"""What is measured of a variant: each measure makes one number of a sampling unit, and an estimate of many.

Axis letters: P seats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from parlour.arena import statistics
from parlour.arena.fixtures import ALIKE, DRAW, Played, points
from parlour.arena.statistics import Estimate
from parlour.engine.game import Game

EVEN, SKILL = "even", "skill"
"""The two series of a comparison: one player against itself, and a weaker against a stronger one."""
CUT = "max_plies"
"""The word for the end of a game that was cut."""
FIGURES = 3
"""So many figures of a value are shown."""


@dataclass(frozen=True)
class Pair:
    """Two games with the same dice, the weaker player in the first seat of the one and the stronger in that of the
    other."""

    games: tuple[Played, Played]


@dataclass(frozen=True)
class Sample:
    """A variant's games, as sampling units."""

    even: Sequence[Played]
    skill: Sequence[Pair]


@dataclass(frozen=True)
class Kind:
    """How estimates of a kind of number are made, tested and written.

    Attributes:
        estimate: from a number a unit.
        differ: the p-value of a difference between two samples.
        unit: what it is counted in.
        scale: what a number is multiplied by to be shown in ``unit``.
        digits: shown behind the point, at most.
    """

    estimate: Callable[[Sequence[float]], Estimate]
    differ: Callable[[Sequence[float], Sequence[float]], float]
    unit: str
    scale: float = 1.0
    digits: int = 1

    def show(self, value: float, figures: int = FIGURES) -> str:
        """A value as text, without its unit; of so many figures, but all before the point."""
        if math.isinf(value):
            return "∞" if value > 0 else "−∞"
        before = len(str(int(abs(value * self.scale))))
        digits = min(self.digits, max(figures - before, 0))
        shown = round(value * self.scale, digits) + 0.0  # no −0
        return f"{shown:,.{digits}f}".replace("-", "−")

    def phrase(self, value: float) -> str:
        """A value as text, with its unit."""
        return f"{self.show(value)} {self.unit}".strip()


def _elo(scores: Sequence[float]) -> Estimate:
    return statistics.elo(statistics.score(scores))


SHARE = Kind(statistics.share, statistics.shares_differ, "%", 100)
SCORE = Kind(statistics.score, statistics.means_differ, "%", 100)
PLIES = Kind(statistics.mean, statistics.means_differ, "plies")
ACTIONS = Kind(statistics.mean, statistics.means_differ, "actions")
COUNT = Kind(statistics.occurrences, statistics.means_differ, "a game", digits=2)
IN_100 = Kind(statistics.occurrences, statistics.means_differ, "in 100")
ELO = Kind(_elo, statistics.means_differ, "Elo", digits=0)


@dataclass(frozen=True)
class Measure:
    """One thing that is measured.

    Attributes:
        key: its name in files.
        title: its name for readers.
        meaning: what it tells, in a clause.
        kind: how it is estimated.
        series: which of the two series it is measured on.
        number: what it makes of a unit of that series.
        tested: whether differences between variants are tested.
        even_at: the value that favours neither side, if there is one: leaning from it is tested for each variant.
    """

    key: str
    title: str
    meaning: str
    kind: Kind
    series: str
    number: Callable[[Any], float]
    tested: bool = False
    even_at: float | None = None

    def numbers(self, sample: Sample) -> list[float]:
        """One number a unit."""
        return [self.number(unit) for unit in (sample.even if self.series == EVEN else sample.skill)]

    def estimate(self, sample: Sample) -> Estimate:
        """What the sample says."""
        return self.kind.estimate(self.numbers(sample))


@dataclass(frozen=True)
class Chapter:
    """Measures that belong together, under one heading."""

    title: str
    measures: list[Measure] = field(default_factory=list)


# --- numbers of a game ---


def seat_score(seat: int, game: Played) -> float:
    """What a seat scores against the others: 1 for each with a lower return, ½ for each with the same, as a share of
    them. All seats of a game that was cut score ½."""
    if game.truncated:
        return DRAW
    own, others = game.returns[seat], [value for p, value in enumerate(game.returns) if p != seat]
    return sum(DRAW if abs(own - other) < ALIKE else float(own > other) for other in others) / len(others)


def stronger_score(stronger: str, pair: Pair) -> float:
    """The mean of the stronger player's points in the two games."""
    return sum(points(stronger, game) for game in pair.games) / 2


def same_seat(pair: Pair) -> bool:
    """Whether one seat won both games, whoever sat there."""
    first, second = (game.winner for game in pair.games)
    return first == second >= 0


def same_player(pair: Pair) -> bool:
    """Whether one player won both games, in whatever seat."""
    names = [game.fixture.players[game.winner] if game.winner >= 0 else "" for game in pair.games]
    return names[0] == names[1] != ""


def _won_by(seat: int, game: Played) -> bool:
    return game.winner == seat


def _ended_by(word: str, game: Played) -> bool:
    return game.end == word


def _event(word: str, game: Played) -> int:
    return game.events[word]


def _undecided(game: Played) -> bool:
    return game.winner < 0


def _drawn(game: Played) -> bool:
    return game.winner < 0 and not game.truncated


def _branching(game: Played) -> float:
    return game.choices / game.plies


def _forced(game: Played) -> float:
    return 100 * game.forced / game.plies


# --- the measures of a game ---


def chapters(game: Game, seats: int, ends: Sequence[str], stronger: str) -> list[Chapter]:
    """All that is measured of a game's variants.

    Args:
        game: which game.
        seats: P.
        ends: the words for endings that occurred, in the game's order.
        stronger: the stronger player of the series ``skill``.
    """
    return [
        Chapter("Who wins", _results(game, seats)),
        Chapter("How games end", [_ending(word) for word in ends]),
        Chapter("How games go", _course()),
        Chapter("What skill and chance decide", _skill(game, stronger)),
        Chapter("What happens in a game", _events(game)),
    ]


def _results(game: Game, seats: int) -> list[Measure]:
    names = [game.seat_name(seat) for seat in range(seats)]
    wins = [
        Measure(f"win_{seat}", f"{name} wins", f"games that {name} alone won", SHARE, EVEN, partial(_won_by, seat))
        for seat, name in enumerate(names)
    ]
    return [
        Measure("undecided", "Undecided games", "games without a winner, drawn or cut", SHARE, EVEN, _undecided, True),
        Measure("drawn", "Drawn games", "games that ended without a winner", SHARE, EVEN, _drawn),
        Measure("cut", "Cut games", "games cut at max_plies", SHARE, EVEN, lambda game: game.truncated),
        *wins,
        Measure(
            "first_seat",
            f"Score of {names[0]}",
            f"what {names[0]}, seat 0, scores, a draw being ½",
            SCORE,
            EVEN,
            partial(seat_score, 0),
            True,
            DRAW,
        ),
    ]


def _ending(word: str) -> Measure:
    return Measure(f"end_{word}", _words(word), f"games that ended by `{word}`", SHARE, EVEN, partial(_ended_by, word))


def _course() -> list[Measure]:
    lead = "how often another seat came to lead by the game's potential"
    return [
        Measure("plies", "Length", "plies a game", PLIES, EVEN, lambda game: game.plies, True),
        Measure("branching", "Branching factor", "legal actions a ply", ACTIONS, EVEN, _branching, True),
        Measure("forced", "Forced plies", "plies in a hundred with a single legal action", IN_100, EVEN, _forced, True),
        Measure("lead_changes", "Lead changes", lead, COUNT, EVEN, lambda game: game.lead_changes, True),
    ]


def _skill(game: Game, stronger: str) -> list[Measure]:
    score, same = partial(stronger_score, stronger), "pairs with the same dice in which one"
    measures = [
        Measure("skill", "Score of the stronger player", f"what {stronger} scores", SCORE, SKILL, score, True, DRAW),
        Measure("skill_elo", "The same in Elo", f"by how much {stronger} is stronger", ELO, SKILL, score),
    ]
    if game.rules.DICE:
        in_seat, as_player = f"{same} seat won both games, whoever sat there", f"{same} player won both, in either seat"
        measures += [
            Measure("same_seat", "Decided by the dice", in_seat, SHARE, SKILL, same_seat, True),
            Measure("same_player", "Decided by the players", as_player, SHARE, SKILL, same_player, True),
        ]
    return measures


def _events(game: Game) -> list[Measure]:
    return [
        Measure(f"event_{word}", _words(word), f"`{word}` in the game's README", COUNT, EVEN, partial(_event, word))
        for word in game.evaluation.EVENTS
    ]


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()


Figures = Mapping[str, Mapping[str, Estimate]]
"""An estimate for each variant's name and each measure's key."""


def figures(parts: Sequence[Chapter], samples: Mapping[str, Sample]) -> Figures:
    """All estimates."""
    return {
        variant: {measure.key: measure.estimate(sample) for part in parts for measure in part.measures}
        for variant, sample in samples.items()
    }
