"""The result of a series between two players, kept in a few bytes a game.

Games that are move for move the same as others are no further evidence. Between deterministic players, in a game
without dice, each pair of games is therefore counted once, however often it was played. A game that ended within its
random opening tells nothing of the players, and is not counted either, nor is its pair.
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
        first, second: their names.
        games: how many were counted.
        wins, draws, losses: of ``first``; a truncated game is a draw.
        truncated: how many were truncated.
        score: of ``first``, a draw being ½, from pairs of games with the same seed.
        elo: the same as a difference in Elo points.
        seated: the score of ``first`` in each half of the games: those in which it has the first seat, and the others.
        duplicates: games that were played and not counted, since they are the same as others move for move.
        in_opening: games that were played and not counted, since they, or the other of their pair, ended within their
            random opening.
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
        """One line; further ones for a sequential test and for games that were not counted."""
        made = self.score
        return "\n".join(
            [
                f"{self.first} against {self.second}: +{self.wins} ={self.draws} -{self.losses}, score "
                f"{made.value:.3f} [{made.low:.3f}, {made.high:.3f}], Elo {elo_text(self.elo)}",
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
        """What must be known about games that were not counted, in sentences."""
        return notes(self.games, self.duplicates, self.in_opening)


def elo_text(found: Estimate) -> str:
    """A difference in Elo points with its 95 % interval; "all won" where there is no finite one."""
    shown = ELO.show(found.value)
    return f"{'+' if 0 < found.value < math.inf else ''}{shown} [{ELO.interval(found)}]"


def notes(counted: int, duplicates: int, in_opening: int) -> list[str]:
    """Sentences on games that were not counted, of a series in which so many were ``counted``."""
    played = counted + duplicates + in_opening
    said = []
    if duplicates:
        said.append(
            f"{duplicates} of {played} games are the same as others, move for move, and are not counted; openings "
            "such as random:8 make games differ"
        )
    if in_opening:
        said.append(f"{in_opening} of {played} games ended within their random opening, and are not counted")
    return said


class Tally:
    """The games of one series between two players, as they are played."""

    def __init__(self, series: Series) -> None:
        """``series``: between two players."""
        self.series = series
        self._halves = np.full(series.games, MISSING, np.int8)  # points of the first player, doubled
        self._truncated = np.zeros(series.games, np.bool_)
        self._in_opening = np.zeros(series.games, np.bool_)
        self._digests = np.zeros(series.games if series.distinct else 0, np.uint64)

    def add(self, played: Played) -> None:
        """A game of the series."""
        index = played.fixture.index
        self._halves[index] = round(2 * points(self.series.first, played))
        self._truncated[index] = played.truncated
        self._in_opening[index] = played.in_opening
        if len(self._digests):
            self._digests[index] = played.digest

    def pair_scores(self) -> NDArray[np.float64]:
        """The mean score of the first player in each pair that is counted, in the order of the pairs."""
        return self._pairs(self._halves)[self._counted()].mean(axis=1) / 2

    def score(self, pairs: int | None = None) -> Score:
        """The result of all pairs that are complete, or of the first ``pairs``. ValueError if there is none."""
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
        """For a complete pair: whether it counts (duplicates are not looked at here); twice the points of the first
        player; and what is the same only for pairs that are the same, or nothing where that does not matter."""
        games = slice(2 * pair, 2 * pair + 2)
        digests = tuple(self._digests[games].tolist()) if len(self._digests) else ()
        return not self._in_opening[games].any(), int(self._halves[games].sum()), digests

    def _complete(self) -> NDArray[np.bool_]:
        return (self._pairs(self._halves) != MISSING).all(axis=1)

    def _counted(self) -> NDArray[np.bool_]:
        """Which pairs are counted."""
        counted = self._complete() & ~self._pairs(self._in_opening).any(axis=1)
        if len(self._digests):
            places = np.flatnonzero(counted)
            _, first = np.unique(self._pairs(self._digests)[places], axis=0, return_index=True)
            counted[:] = False
            counted[places[first]] = True
        return counted

    @staticmethod
    def _pairs(games: NDArray[Any]) -> NDArray[Any]:
        return games.reshape(-1, 2)


Unit = tuple[Played, ...]
"""A sampling unit: a game, or the two of a pair."""


def counted_units(series: Series, games: Sequence[Played]) -> tuple[list[Unit], list[str]]:
    """The sampling units of a series that are counted, and sentences on the games that are not.

    ``games``: all of the series, in order.
    """
    each = 2 if series.paired else 1
    units = [tuple(games[k : k + each]) for k in range(0, len(games), each)]
    open_units = [unit for unit in units if not any(played.in_opening for played in unit)]
    found: dict[tuple[int, ...], Unit] = {}
    for unit in open_units:
        found.setdefault(tuple(played.digest for played in unit), unit)
    counted = list(found.values()) if series.distinct else open_units
    duplicates, in_opening = len(open_units) - len(counted), len(units) - len(open_units)
    return counted, notes(each * len(counted), each * duplicates, each * in_opening)
