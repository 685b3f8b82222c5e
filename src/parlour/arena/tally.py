"""The result of a series between two players, kept in a few bytes a game.

Games that are move for move the same as others are no further evidence. Between deterministic players, in a game
without dice, each pair of games is therefore counted once, however often it was played. A game that ended within its
random opening tells nothing of the players, and is not counted either, nor is its pair.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.fixtures import Played, Series, points
from parlour.arena.statistics import Estimate, elo, score

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

    def __str__(self) -> str:
        """One line; another one for games that were not counted."""
        made, difference = self.score, self.elo
        return "\n".join(
            [
                f"{self.first} against {self.second}: +{self.wins} ={self.draws} -{self.losses}, score "
                f"{made.value:.3f} [{made.low:.3f}, {made.high:.3f}], Elo {difference.value:+.0f} "
                f"[{difference.low:+.0f}, {difference.high:+.0f}]",
                *(f"  {note}" for note in self.notes),
            ]
        )

    @property
    def notes(self) -> list[str]:
        """What must be known about games that were not counted, in sentences."""
        return notes(self.games, self.duplicates, self.in_opening)


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
            self._digests[index] = digest(played)

    def pair_scores(self) -> NDArray[np.float64]:
        """The mean score of the first player in each pair that is counted, in the order of the pairs."""
        return self._pairs(self._halves)[self._counted()].mean(axis=1) / 2

    def score(self) -> Score:
        """The result of all pairs that are complete. ValueError if there is none."""
        counted = self._counted()
        halves, truncated = self._pairs(self._halves)[counted], self._pairs(self._truncated)[counted]
        if not len(halves):
            raise ValueError(f"{self.series.key}: all games ended within their random opening; ask for fewer plies")
        complete = self._complete()
        early = self._pairs(self._in_opening)[complete].any(axis=1)
        total = score(halves.mean(axis=1) / 2)
        wins, draws, losses = (int(np.count_nonzero(halves == value)) for value in (2, 1, 0))
        return Score(
            self.series.first, self.series.second, halves.size, wins, draws, losses, int(truncated.sum()), total,
            elo(total), (score(halves[:, 0] / 2), score(halves[:, 1] / 2)),
            2 * int(np.count_nonzero(~early)) - halves.size, 2 * int(np.count_nonzero(early)),
            str(self.series.openings),
        )  # fmt: skip

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


def digest(played: Played) -> int:
    """Sixty-four bits that differ where two games differ, in their seats, their beginning or their moves."""
    told = hashlib.blake2b(digest_size=8)
    told.update("\n".join((*played.fixture.players, played.fixture.position)).encode())
    told.update(played.moves.astype("<i4").tobytes())
    return int.from_bytes(told.digest(), "little")


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
        found.setdefault(tuple(map(digest, unit)), unit)
    counted = list(found.values()) if series.distinct else open_units
    duplicates, in_opening = len(open_units) - len(counted), len(units) - len(open_units)
    return counted, notes(each * len(counted), each * duplicates, each * in_opening)
