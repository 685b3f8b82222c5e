"""The result of a series between two players, kept in a few bytes per game.

A game that repeats another one move for move adds no evidence. Between deterministic players, in a game without dice,
each pair of games is therefore counted once, however often it was played. A game that ended within its random opening
says nothing about the players: it is not counted, and neither is the other game of its pair.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.fixtures import Played, Series, points
from parlour.arena.measures.kinds import ELO
from parlour.arena.reporting.frames import frame_of, html_of
from parlour.arena.statistics import NOTHING, Estimate, elo, score
from parlour.arena.statistics.pentanomial import normalised_elo, pentanomial, superiority

if TYPE_CHECKING:
    from pandas import DataFrame

    from parlour.arena.sequential import SequentialResult

MISSING = -1


@dataclass(frozen=True)
class Score:
    """The result of one player against another.

    Attributes:
        first, second: the names of the players.
        games: the number of games that were counted.
        wins, draws, losses: of ``first``; a truncated game is a draw.
        truncated: how many of the counted games were truncated.
        score: the mean score of ``first``, where a draw is ½, estimated from pairs of games with the same seed.
        elo: the score as a difference in Elo points.
        seated: the score of ``first`` in the games in which it has the first seat, and in the others.
        duplicates: games that were played but not counted, since they repeat others move for move.
        in_opening: games that were played but not counted, since they, or the other game of their pair, ended within
            their random opening.
        openings: how the games began, in words.
        pentanomial: how many pairs of games scored 0, ½, 1, 1½ and 2 points.
        normalised_elo: see `parlour.arena.statistics.pentanomial.normalised_elo`.
        superiority: the likelihood that ``first`` is the stronger player.
        sequential: how a sequential test ended, if there was one.
    """

    first: str
    second: str
    games: int
    wins: int
    draws: int
    losses: int
    truncated: int
    score: Estimate
    elo: Estimate
    seated: tuple[Estimate, ...]
    duplicates: int = 0
    in_opening: int = 0
    openings: str = ""
    pentanomial: tuple[int, ...] = ()
    normalised_elo: Estimate = NOTHING
    superiority: float = math.nan
    sequential: SequentialResult | None = None

    def __str__(self) -> str:
        """One line; further lines for a sequential test and for games that were not counted."""
        score = self.score
        return "\n".join(
            [
                f"{self.first} against {self.second}: +{self.wins} ={self.draws} -{self.losses}, score "
                f"{score.value:.3f} [{score.low:.3f}, {score.high:.3f}], Elo {elo_text(self.elo)}",
                *(f"  {line}" for line in (str(self.sequential).splitlines() if self.sequential else [])),
                *(f"  {note}" for note in self.notes),
            ]
        )

    def to_frame(self) -> DataFrame:
        """The result as a DataFrame of one row. ValueError without pandas."""
        return frame_of([self.as_row()])

    def as_row(self) -> dict[str, Any]:
        """The result as a row of a table."""
        return {
            "first": self.first, "second": self.second, "games": self.games, "wins": self.wins, "draws": self.draws,
            "losses": self.losses, "truncated": self.truncated, "score": self.score.value, "score_low": self.score.low,
            "score_high": self.score.high, "elo": self.elo.value, "elo_low": self.elo.low, "elo_high": self.elo.high,
            "normalised_elo": self.normalised_elo.value, "superiority": self.superiority,
            "duplicates": self.duplicates, "in_opening": self.in_opening,
        }  # fmt: skip

    def _repr_html_(self) -> str:
        """The result as a table, for notebooks."""
        row = self.as_row()
        return html_of(
            list(row), [[f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()]]
        )

    @property
    def notes(self) -> list[str]:
        """Sentences about games that were not counted."""
        return notes(self.games, self.duplicates, self.in_opening)


def elo_text(elo: Estimate) -> str:
    """A difference in Elo points with its 95 % interval. An infinite one is "all won" or "all lost"."""
    shown = ELO.show(elo.value)
    return f"{'+' if 0 < elo.value < math.inf else ''}{shown} [{ELO.interval(elo)}]"


def notes(counted: int, duplicates: int, in_opening: int) -> list[str]:
    """Sentences about the games of a series that were not counted. ``counted``: the number of counted games."""
    played = counted + duplicates + in_opening
    sentences = []
    if duplicates:
        sentences.append(
            f"{duplicates} of {played} games are the same as others, move for move, and are not counted; openings "
            "such as random:8 make games differ"
        )
    if in_opening:
        sentences.append(f"{in_opening} of {played} games ended within their random opening, and are not counted")
    return sentences


class Tally:
    """Counts the results of a series between two players, game by game."""

    def __init__(self, series: Series) -> None:
        """``series``: between two players."""
        self.series = series
        self._halves = np.full(series.games, MISSING, np.int8)  # points of the first player, doubled
        self._truncated = np.zeros(series.games, np.bool_)
        self._in_opening = np.zeros(series.games, np.bool_)
        self._digests = np.zeros(series.games if series.distinct else 0, np.uint64)

    def add(self, played: Played) -> None:
        """Adds a finished game of the series."""
        index = played.fixture.index
        self._halves[index] = round(2 * points(self.series.first, played))
        self._truncated[index] = played.truncated
        self._in_opening[index] = played.in_opening
        if len(self._digests):
            self._digests[index] = played.digest

    def pair_scores(self) -> NDArray[np.float64]:
        """The mean score of the first player in each counted pair (n,), in the order of the pairs."""
        return self._pairs(self._halves)[self._counted()].mean(axis=1) / 2

    def score(self, pairs: int | None = None) -> Score:
        """The result of all complete pairs, or of those among the first ``pairs``. ValueError if no pair is counted."""
        counted = self._counted()
        if pairs is not None:
            counted[pairs:] = False
        halves, truncated = self._pairs(self._halves)[counted], self._pairs(self._truncated)[counted]
        if not len(halves):
            raise ValueError(f"{self.series.key}: all games ended within their random opening; ask for fewer plies")
        complete = self._complete()
        if pairs is not None:
            complete[pairs:] = False
        early = self._pairs(self._in_opening)[complete].any(axis=1)
        total = score(halves.mean(axis=1) / 2)
        wins, draws, losses = (int(np.count_nonzero(halves == value)) for value in (2, 1, 0))
        return Score(
            self.series.first, self.series.second, halves.size, wins, draws, losses, int(truncated.sum()), total,
            elo(total), (score(halves[:, 0] / 2), score(halves[:, 1] / 2)),
            2 * int(np.count_nonzero(~early)) - halves.size, 2 * int(np.count_nonzero(early)),
            str(self.series.openings), pentanomial(halves.mean(axis=1) / 2), normalised_elo(halves.mean(axis=1) / 2),
            superiority(halves.mean(axis=1) / 2),
        )  # fmt: skip

    def is_complete(self, pair: int) -> bool:
        """Whether both games of a pair have been played."""
        return bool((self._halves[2 * pair : 2 * pair + 2] != MISSING).all())

    def pair(self, pair: int) -> tuple[bool, int, tuple[int, ...]]:
        """For a complete pair: whether it is counted (not looking at duplicates); twice the points of the first player;
        the digests of its two games, or nothing where duplicates are counted."""
        games = slice(2 * pair, 2 * pair + 2)
        digests = tuple(self._digests[games].tolist()) if len(self._digests) else ()
        return not self._in_opening[games].any(), int(self._halves[games].sum()), digests

    def _complete(self) -> NDArray[np.bool_]:
        return (self._pairs(self._halves) != MISSING).all(axis=1)

    def _counted(self) -> NDArray[np.bool_]:
        """Which pairs are counted."""
        counted = self._complete() & ~self._pairs(self._in_opening).any(axis=1)
        if len(self._digests):
            candidates = np.flatnonzero(counted)
            _, first = np.unique(self._pairs(self._digests)[candidates], axis=0, return_index=True)
            counted[:] = False
            counted[candidates[first]] = True
        return counted

    @staticmethod
    def _pairs(games: NDArray[Any]) -> NDArray[Any]:
        return games.reshape(-1, 2)


Unit = tuple[Played, ...]
"""A sampling unit: one game, or the two games of a pair."""


def counted_units(series: Series, games: Sequence[Played]) -> tuple[list[Unit], list[str]]:
    """The sampling units of a series that are counted, and sentences about the games that are not counted.

    ``games``: all games of the series, in order.
    """
    unit_size = 2 if series.paired else 1
    units = [tuple(games[k : k + unit_size]) for k in range(0, len(games), unit_size)]
    past_opening = [unit for unit in units if not any(played.in_opening for played in unit)]
    by_digest: dict[tuple[int, ...], Unit] = {}
    for unit in past_opening:
        by_digest.setdefault(tuple(played.digest for played in unit), unit)
    counted = list(by_digest.values()) if series.distinct else past_opening
    duplicates, in_opening = len(past_opening) - len(counted), len(units) - len(past_opening)
    return counted, notes(unit_size * len(counted), unit_size * duplicates, unit_size * in_opening)
