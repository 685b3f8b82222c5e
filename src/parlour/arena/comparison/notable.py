"""Notable games: for each variant and player the longest, the shortest, one of typical length, and the most dramatic
one. All reports choose the games that they show here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from parlour.arena.fixtures import Played

SHORTEST, TYPICAL, LONGEST, DRAMATIC = "shortest", "typical length", "longest", "most dramatic"


@dataclass(frozen=True)
class NotableGame:
    """A game that was chosen to be shown.

    Attributes:
        reason: why it was chosen: ``"shortest"``, ``"typical length"``, ``"longest"`` or ``"most dramatic"``.
        played: the game. Its fixture has the series and index, by which it is found in the run's journal.
        drama: its drama (``docs/measures.md``); NaN if that was not measured.
    """

    reason: str
    played: Played
    drama: float


def notable_games(played: Iterable[Played]) -> list[NotableGame]:
    """The games to show, series by series; of equally good candidates the one with the lowest index. ``played``: games
    of one player in all seats, in the order of their series."""
    series: dict[str, list[Played]] = {}
    for one in played:
        if not one.in_opening:
            series.setdefault(one.fixture.series, []).append(one)
    return [game for games in series.values() for game in _of_series(games)]


def _of_series(games: Sequence[Played]) -> list[NotableGame]:
    by_length = sorted(games, key=lambda one: (one.plies, one.fixture.index))
    by_reason = {SHORTEST: by_length[0], TYPICAL: by_length[(len(by_length) - 1) // 2], LONGEST: by_length[-1]}
    measured = [one for one in games if not math.isnan(_drama(one))]
    if measured:
        by_reason[DRAMATIC] = max(measured, key=lambda one: (_drama(one), -one.fixture.index))
    return [NotableGame(reason, one, _drama(one)) for reason, one in by_reason.items()]


def _drama(one: Played) -> float:
    return one.numbers.get("drama", math.nan)
