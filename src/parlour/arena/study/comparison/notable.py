"""Notable games of each variant and player: the longest, the shortest, a typical and the most dramatic one."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from parlour.arena.setting.game_specs import Played

SHORTEST, TYPICAL, LONGEST, DRAMATIC = "shortest", "typical length", "longest", "most dramatic"
CUT = "cut at max_plies"
"""In place of the others for a game that would have gone on: it shows how long games last at least."""
REASONS = SHORTEST, TYPICAL, LONGEST, CUT, DRAMATIC


@dataclass(frozen=True)
class NotableGame:
    """A game that was chosen to be shown.

    Attributes:
        reason: why it was chosen: one of `REASONS`.
        played: the game. Its ``spec`` has the series and index, by which it is found in the run's journal.
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
            series.setdefault(one.spec.series, []).append(one)
    return [game for games in series.values() for game in _of_series(games)]


def _of_series(games: Sequence[Played]) -> list[NotableGame]:
    found = notable_lengths([one.plies for one in games], [one.truncated for one in games])
    by_reason = {reason: games[k] for reason, k in found.items()}
    measured = [one for one in games if not math.isnan(_drama(one))]
    if measured:
        by_reason[DRAMATIC] = max(measured, key=lambda one: (_drama(one), -one.spec.index))
    return [NotableGame(reason, one, _drama(one)) for reason, one in by_reason.items()]


def notable_lengths(plies: ArrayLike, truncated: ArrayLike) -> dict[str, int]:
    """By reason, the index of a game that is notable for its length. Where all games are equally long, none is the
    shortest or longest; of games that ``max_plies`` ended, nobody knows how long they would have been: one of them is
    shown as such.

    Args:
        plies: of each game (n,), n ≥ 1.
        truncated: whether ``max_plies`` ended it (n,).
    """
    lengths, cut = np.asarray(plies), np.asarray(truncated)
    order = np.argsort(lengths, kind="stable").tolist()
    places = {SHORTEST: 0, TYPICAL: (len(order) - 1) // 2, LONGEST: len(order) - 1}
    if lengths[order[0]] == lengths[order[-1]]:
        places = {TYPICAL: places[TYPICAL]}
    found = {reason: order[place] for reason, place in places.items()}
    ended = {reason: k for reason, k in found.items() if not cut[k]}
    return ended if len(ended) == len(found) else {**ended, CUT: order[-1]}


def _drama(one: Played) -> float:
    return one.numbers.get("drama", math.nan)
