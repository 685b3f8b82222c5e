"""The result of a tournament: ratings, and the score of every pairing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from parlour.arena.matches.tally import Score, elo_text
from parlour.arena.statistics import Estimate, Z
from parlour.arena.statistics.ratings import rate
from parlour.arena.statistics.tables import frame_of, html_of
from parlour.support.signed import signed

if TYPE_CHECKING:
    from pandas import DataFrame


@dataclass(frozen=True)
class Standings:
    """The result of a tournament.

    Attributes:
        ratings: the Elo rating of each player by its name, with mean 0, the best first.
        scores: the result of every pairing that was played.
        adjusted: with a judge, the ratings by the scores without the luck of the dice; else empty.
        rungs: those players that are rungs of the variant's ladder, with their Elo there.
    """

    ratings: Mapping[str, Estimate]
    scores: list[Score]
    adjusted: Mapping[str, Estimate] = field(default_factory=dict)
    rungs: Mapping[str, float] = field(default_factory=dict)

    @property
    def on_ladder(self) -> dict[str, float]:
        """The ratings on the variant's ladder: moved so that the rungs among the players have the Elo that they have
        there, on average over their games. Empty if no player is a rung."""
        if not self.rungs:
            return {}
        known = [(self.ratings[name], elo) for name, elo in self.rungs.items()]
        games = sum(rating.count for rating, _ in known)
        shift = sum(rating.count * (elo - rating.value) for rating, elo in known) / games
        return {name: rating.value + shift for name, rating in self.ratings.items()}

    @property
    def names(self) -> list[str]:
        """The players, the best first."""
        return list(self.ratings)

    def __str__(self) -> str:
        """One line per player, then one line per pairing."""
        width = max(map(len, self.names))
        rated = [
            f"{name:<{width}}  {signed(rating.value, 0):>6}  [{signed(rating.low, 0)}, {signed(rating.high, 0)}]  "
            f"{rating.count} games" + (f", adjusted for luck {elo_text(self.adjusted[name])}" if self.adjusted else "")
            for name, rating in self.ratings.items()
        ]
        return "\n".join([*rated, *map(str, self.scores)])

    def rating_rows(self) -> list[dict[str, Any]]:
        """One row per player, the best first."""
        ladder = self.on_ladder
        return [
            {"player": name, "elo": rating.value, "low": rating.low, "high": rating.high, "games": rating.count}
            | ({"ladder": ladder[name]} if ladder else {})
            | (_adjusted_row(self.adjusted[name]) if self.adjusted else {})
            for name, rating in self.ratings.items()
        ]

    def to_frame(self) -> DataFrame:
        """The ratings as a DataFrame, one row per player. ValueError without pandas."""
        return frame_of(self.rating_rows())

    def scores_frame(self) -> DataFrame:
        """The pairings as a DataFrame, one row per pairing. ValueError without pandas."""
        return frame_of([score.as_row() for score in self.scores])

    def _repr_html_(self) -> str:
        rows = [
            [
                str(rank),
                name,
                signed(rating.value, 0),
                f"{signed(rating.low, 0)} to {signed(rating.high, 0)}",
                str(rating.count),
            ]
            for rank, (name, rating) in enumerate(self.ratings.items(), 1)
        ]
        return html_of(["", "player", "Elo", "95 %", "games"], rows)


def standings(scores: Sequence[Score], rungs: Mapping[str, float] | None = None) -> Standings:
    """Ratings from the scores of pairings. ``rungs``: see `Standings`."""
    names = list(dict.fromkeys(name for score in scores for name in (score.first, score.second)))
    scored, without, variances = np.zeros((3, len(names), len(names)))
    for score in scores:
        i, j = names.index(score.first), names.index(score.second)
        for sums, mean in ((scored, score.score), (without, score.adjusted)):
            share = min(max(mean.value, 0.0), 1.0)
            sums[i, j] += score.games * share
            sums[j, i] += score.games * (1 - share)
        variances[i, j] += (score.games * (score.adjusted.high - score.adjusted.low) / (2 * Z)) ** 2
    ratings = rate(scored)
    judged = all(score.judge for score in scores)
    adjusted = rate(without, variances + variances.T) if judged else []
    order = sorted(range(len(names)), key=lambda k: -ratings[k].value)
    return Standings(
        {names[k]: ratings[k] for k in order}, list(scores), {names[k]: adjusted[k] for k in order if judged},
        dict(rungs or {}),
    )  # fmt: skip


def _adjusted_row(one: Estimate) -> dict[str, float]:
    return {"adjusted": one.value, "adjusted_low": one.low, "adjusted_high": one.high}
