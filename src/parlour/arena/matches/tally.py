"""The result of a series between two players, from a few bytes per game.

A game that repeats another one move for move adds no evidence. Between deterministic players, in a game without dice,
each pair of games is therefore counted once, however often it was played. The same holds between players that claim to
be random, if their games differ only where their openings do. A game that ended within its random opening says nothing
about the players: it is not counted, and neither is the other game of its pair.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.measures.kinds import ELO, mean_of
from parlour.arena.setting.plans import ALIKE, OnPlayed, Played, Series, margin_of, points
from parlour.arena.statistics import NOTHING, Estimate, elo, mean, score
from parlour.arena.statistics.control import adjusted, worth
from parlour.arena.statistics.engine_testing import CONTINUE, Sprt, normalised_elo, pentanomial, superiority
from parlour.arena.statistics.tables import DataFrame, frame_of, html_of
from parlour.support.signed import signed

SHOWN = 12
"""The largest number of kinds of positions that are printed: the most frequent ones."""
MISSING = -1
POINTS = mean_of("points", 3)


@dataclass(frozen=True)
class RegretScore:
    """How much of the exact value a player gives away.

    Attributes:
        player: its name.
        kind: the kind of position (`parlour.players.regrets.Regret`); empty for all together.
        choices: in how many positions of the table it chose between two actions or more.
        regret: the mean regret of a choice; units are pairs of games with the same dice.
    """

    player: str
    kind: str
    choices: int
    regret: Estimate

    def __str__(self) -> str:
        upper = f"to {self.regret.high:.5f}" if math.isfinite(self.regret.high) else "and more"
        sure = "" if self.regret.constant else f" (95 %: {self.regret.low:.5f} {upper})"
        who = self.kind or f"{self.player} gives away of the exact value a choice"
        return f"{who}: {self.regret.value:.5f}{sure}, {self.choices} choice{'s' if self.choices > 1 else ''}"


class RegretTally:
    """Adds up what the players of one series, or of several, give away, game by game."""

    def __init__(self) -> None:
        self._lost: dict[tuple[str, str], dict[tuple[Any, int], list[float]]] = defaultdict(lambda: defaultdict(list))

    def add(self, played: Played) -> None:
        """Adds a finished game."""
        pair = played.spec.series, played.spec.index // 2
        for regret in played.regrets:
            player = played.spec.players[regret.seat]
            for kind in dict.fromkeys(("", regret.kind)):
                self._lost[player, kind][pair].append(regret.lost)

    def scores(self) -> tuple[RegretScore, ...]:
        """For each player the regret in all positions, then in each kind of position, the most frequent kinds first."""
        scores = []
        for (player, kind), by_pair in self._lost.items():
            means = [float(np.mean(lost)) for lost in by_pair.values()]
            scores.append(RegretScore(player, kind, sum(map(len, by_pair.values())), mean(means, 0)))
        return tuple(sorted(scores, key=lambda score: (score.player, score.kind != "", -score.choices)))


def regret_lines(regrets: Sequence[RegretScore]) -> list[str]:
    """Regrets in words: of each player in all positions, then by kind if there are several."""
    lines = []
    for player in dict.fromkeys(each.player for each in regrets):
        total, *kinds = (each for each in regrets if each.player == player)
        lines.append(str(total))
        if len(kinds) > 1:
            lines += [f"  {kind}" for kind in kinds[:SHOWN]]
    return lines


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
        normalised_elo: see `parlour.arena.statistics.engine_testing.normalised_elo`.
        superiority: the likelihood that ``first`` is the stronger player.
        regrets: in a match with a table of exact values, what either player gave away, in all games played.
        sequential: how a sequential test ended, if there was one.
        judge: the player that valued throws; empty for none, and then the following attributes have no value either.
        adjusted: the score without the luck of the dice: it has the same mean and varies less (see
            `parlour.players.luck`). It may lie outside 0 to 1, its interval does not.
        adjusted_elo: `adjusted` as a difference in Elo points.
        worth: how many times as many games would be needed for `score` to be as exact as `adjusted`.
        points, adjusted_points: where a game may be won by more than a point, as in backgammon: the mean number of
            points that ``first`` won by, and the same without the luck of the dice.
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
    regrets: tuple[RegretScore, ...] = ()
    sequential: SequentialResult | None = None
    judge: str = ""
    adjusted: Estimate = NOTHING
    adjusted_elo: Estimate = NOTHING
    worth: float = math.nan
    points: Estimate = NOTHING
    adjusted_points: Estimate = NOTHING

    def __str__(self) -> str:
        """Two lines; further ones for the result without luck, a sequential test, and games that were not counted."""
        score = self.score
        return "\n".join(
            [
                f"{self.first} against {self.second}: +{self.wins} ={self.draws} -{self.losses}",
                f"  score {score.value:.3f} [{score.low:.3f}, {score.high:.3f}], Elo {elo_text(self.elo)}",
                *(f"  {line}" for line in self.without_luck),
                *(f"  {line}" for line in (str(self.sequential).splitlines() if self.sequential else [])),
                *(f"  {line}" for line in regret_lines(self.regrets)),
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
            "duplicates": self.duplicates, "in_opening": self.in_opening, "judge": self.judge,
            "adjusted": self.adjusted.value, "adjusted_low": self.adjusted.low, "adjusted_high": self.adjusted.high,
            "adjusted_elo": self.adjusted_elo.value, "adjusted_elo_low": self.adjusted_elo.low,
            "adjusted_elo_high": self.adjusted_elo.high, "worth": self.worth,
        }  # fmt: skip

    def _repr_html_(self) -> str:
        row = self.as_row()
        return html_of(
            list(row), [[f"{value:.3f}" if isinstance(value, float) else str(value) for value in row.values()]]
        )

    @property
    def without_luck(self) -> list[str]:
        """The result without the luck of the dice in words, line by line; nothing without a judge."""
        if not self.judge:
            return []
        adjusted = self.adjusted
        lines = [
            f"adjusted for luck ({self.judge}): score {adjusted.value:.3f} [{adjusted.low:.3f}, {adjusted.high:.3f}], "
            f"Elo {elo_text(self.adjusted_elo)}"
        ]
        lines += as_good_as(self.worth)
        if self.points.count:
            raw, without = map(points_text, (self.points, self.adjusted_points))
            lines.append(f"points a game {raw}, adjusted for luck {without}")
        return lines

    @property
    def notes(self) -> list[str]:
        """Sentences about games that were not counted."""
        return notes(self.games, self.duplicates, self.in_opening)


@dataclass(frozen=True)
class SequentialResult:
    """How a sequential test ended.

    Attributes:
        verdict: the accepted hypothesis, ``"H0"`` or ``"H1"``; ``"continue"`` if there were too few games.
        games: the number of counted games up to the end.
        confirmation: the result of the games that were played after the test, if any.
        adjusted: whether it went by results adjusted for luck.
    """

    test: Sprt
    verdict: str
    ratio: float
    games: int
    confirmation: Score | None = None
    adjusted: bool = False

    def __str__(self) -> str:
        """In words: a line about the test, then lines about the confirmation, or one about the bias of the score."""
        low, high = self.test.bounds
        less, more = f"{self.test.elo0:g}", f"{self.test.elo1:g}"
        unit = "normalised Elo" if self.test.normalised else "Elo"
        accepted = {
            "H0": f"H0 accepted: {unit} {less} rather than {more}",
            "H1": f"H1 accepted: {unit} {more} rather than {less}",
        }
        lines = [
            f"SPRT of {unit} {less} against {more} (α {self.test.alpha:g}, β {self.test.beta:g}"
            f"{', adjusted for luck' if self.adjusted else ''}): "
            f"{accepted.get(self.verdict, 'no verdict')} after {self.games} games, log-likelihood ratio "
            f"{signed(self.ratio, 2)} (bounds {signed(low, 2)} and {signed(high, 2)})"
        ]
        if self.confirmation is not None:
            lines.append(f"{self.confirmation.games} further games, a number fixed beforehand:")
            lines += str(self.confirmation).splitlines()
        elif self.verdict != CONTINUE:
            lines.append(
                "The test stopped at a moment that favours its verdict, so the score and Elo above are biased; "
                "--confirm N plays N further games for an estimate without bias."
            )
        return "\n".join(lines)


def as_good_as(worth: float) -> list[str]:
    """What an adjustment for luck is worth, in words; nothing where it is NaN, since results don't vary."""
    return [] if math.isnan(worth) else [f"that is as good as {worth:.1f} times as many games without it"]


def elo_text(elo: Estimate) -> str:
    """A difference in Elo points with its 95 % interval. An infinite one is "all won" or "all lost"."""
    shown = ELO.show(elo.value)
    return f"{'+' if 0 < elo.value < math.inf else ''}{shown} [{ELO.interval(elo)}]"


def points_text(points: Estimate) -> str:
    """Points a game with their 95 % interval; in place of an unbounded one "unknown", or "the same in all 3"."""
    bounded = math.isfinite(points.high - points.low)
    interval = f"{signed(points.low, 3)}, {signed(points.high, 3)}" if bounded else POINTS.interval(points)
    return f"{signed(points.value, 3)} [{interval}]"


def notes(counted: int, duplicates: int, in_opening: int) -> list[str]:
    """Sentences about the games of a series that were not counted. ``counted``: the number of counted games."""
    played = counted + duplicates + in_opening
    sentences = []
    if duplicates:
        sentences.append(
            f"{duplicates} of {played} games are the same as others, move for move, and are not counted: identical "
            "games count once; openings such as random:8 make games differ"
        )
    if in_opening:
        sentences.append(f"{in_opening} of {played} games ended within their random opening, and are not counted")
    return sentences


class Tally:
    """Counts the results of a series between two players, game by game."""

    def __init__(self, series: Series) -> None:
        self.series = series
        self._halves = np.full(series.games, MISSING, np.int8)  # points of the first player, doubled
        self._truncated = np.zeros(series.games, np.bool_)
        self._in_opening = np.zeros(series.games, np.bool_)
        self._margins, self._luck = (np.zeros(series.games if series.judge else 0) for _ in range(2))
        self._digests = np.zeros(0 if series.dice else series.games, np.uint64)
        self._starts = np.zeros_like(self._digests)
        self._regrets = RegretTally()

    def add(self, played: Played) -> None:
        """Adds a finished game of the series."""
        index = played.spec.index
        self._halves[index] = round(2 * points(self.series.first, played))
        self._truncated[index] = played.truncated
        self._in_opening[index] = played.in_opening
        if len(self._digests):
            self._digests[index], self._starts[index] = played.digest, played.start
        self._regrets.add(played)
        if self.series.judge:
            self._margins[index], self._luck[index] = (
                margin_of(self.series.first, played.spec, values) for values in (played.returns, played.luck)
            )

    def pair_table(self, pairs: int) -> NDArray[np.float64]:
        """How many of the counted pairs among the first ``pairs`` had each result, (3, 3): entry [a, b] is the number
        of those in which the first player scored a / 2 in its game in the first seat and b / 2 in the other."""
        counted = self._counted(pairs)
        table = np.zeros((3, 3))
        np.add.at(table, tuple(self._pairs(self._halves)[counted].T), 1.0)
        return table

    def adjusted_scores(self, pairs: int) -> NDArray[np.float64]:
        """The scores of the counted pairs among the first ``pairs``, adjusted for luck (n,). Only with a judge."""
        counted = self._counted(pairs)
        return adjusted(self._pairs(self._halves)[counted].mean(axis=1) / 2, self._pair_luck()[counted])

    def pair_luck(self, pair: int) -> float:
        """The mean luck of the first player in the two games of a complete pair. Only with a judge."""
        return float(self._luck[2 * pair : 2 * pair + 2].mean())

    def _pair_luck(self) -> NDArray[np.float64]:
        return np.asarray(self._pairs(self._luck).mean(axis=1))

    def score(self, pairs: int | None = None) -> Score:
        """The result of all complete pairs, or of those among the first ``pairs``. ValueError if no pair is counted."""
        counted = self._counted(pairs)
        halves, truncated = self._pairs(self._halves)[counted], self._pairs(self._truncated)[counted]
        if not len(halves):
            raise ValueError(f"{self.series.key}: all games ended within their random opening; ask for fewer plies")
        early = self._pairs(self._in_opening)[self._complete(pairs)].any(axis=1)
        starts = self.series.openings.among(early.size)
        scores = halves.mean(axis=1) / 2
        total = score(scores)
        wins, draws, losses = (int(np.count_nonzero(halves == value)) for value in (2, 1, 0))
        return Score(
            self.series.first, self.series.second, halves.size, wins, draws, losses, int(truncated.sum()), total,
            elo(total), (score(halves[:, 0] / 2), score(halves[:, 1] / 2)),
            2 * int(np.count_nonzero(~early)) - halves.size, 2 * int(np.count_nonzero(early)),
            starts, pentanomial(scores), normalised_elo(scores), superiority(scores),
            self._regrets.scores(),
            **(self._without_luck(scores, counted) if self.series.judge else {}),
        )  # fmt: skip

    def _without_luck(self, scores: NDArray[np.float64], counted: NDArray[np.bool_]) -> dict[str, Any]:
        """The attributes of `Score` that need a judge. ``scores``: of the ``counted`` pairs."""
        luck = self._pair_luck()[counted]
        without = adjusted(scores, luck)
        estimate = mean(without, 0.0, 1.0)
        fields = {"judge": self.series.judge, "adjusted": estimate, "adjusted_elo": elo(estimate)}
        margins = self._pairs(self._margins)[counted]
        if (np.abs(margins) > 1 + ALIKE).any():
            points_a_game = margins.mean(axis=1)
            fields |= {"points": mean(points_a_game), "adjusted_points": mean(adjusted(points_a_game, luck))}
        return {**fields, "worth": worth(scores, without)}

    def is_complete(self, pair: int) -> bool:
        """Whether both games of a pair have been played."""
        return bool((self._halves[2 * pair : 2 * pair + 2] != MISSING).all())

    def pair(self, pair: int) -> tuple[bool, int, tuple[int, ...], int]:
        """For a complete pair: whether it is counted (not looking at duplicates); twice the points of the first player;
        the digests of its two games, nothing in a game with dice; and the hash of its start."""
        games = slice(2 * pair, 2 * pair + 2)
        digests = tuple(self._digests[games].tolist())
        start = int(self._starts[2 * pair]) if digests else 0
        return not self._in_opening[games].any(), int(self._halves[games].sum()), digests, start

    def _complete(self, pairs: int | None) -> NDArray[np.bool_]:
        """Which pairs are complete, and among the first ``pairs``: bool (all pairs,)."""
        complete = (self._pairs(self._halves) != MISSING).all(axis=1)
        return complete & (np.arange(len(complete)) < (len(complete) if pairs is None else pairs))

    def _counted(self, pairs: int | None) -> NDArray[np.bool_]:
        """Which of these are counted: bool (all pairs,)."""
        counted = self._complete(pairs) & ~self._pairs(self._in_opening).any(axis=1)
        if len(self._digests):
            digests, starts = self._pairs(self._digests)[counted], self._pairs(self._starts)[counted]
            counted[counted] = first_of_each(digests, starts[:, 0], self.series.distinct)
        return counted

    @staticmethod
    def _pairs(games: NDArray[Any]) -> NDArray[Any]:
        return games.reshape(-1, 2)


def tallied(tallies: Mapping[str, Tally], on_played: OnPlayed) -> OnPlayed:
    """A function that adds finished games to the tallies of their series, by key, and passes them on."""

    def add(games: list[Played]) -> None:
        for played in games:
            tallies[played.spec.series].add(played)
        on_played(games)

    return add


def score_of(series: Series, games: Iterable[Played]) -> Score:
    """The result of those of the ``games`` that belong to a series. ValueError if no pair of them is counted."""
    tally = Tally(series)
    for played in games:
        if played.spec.series == series.key:
            tally.add(played)
    return tally.score()


def judged_lines(name: str, score: Score) -> list[str]:
    """A result, raw and without luck, line by line, under the ``name`` of what was played."""
    return [f"{name}: score {score.score.value:.3f}", *(f"  {line}" for line in score.without_luck)]


def first_of_each(digests: NDArray[np.uint64], starts: NDArray[np.uint64], deterministic: bool) -> NDArray[np.bool_]:
    """Which units to count, bool (n,): of those that are the same move for move only the first. If the players are not
    known to be deterministic and units with the same start differ, something in them is random: then all units.

    Args:
        digests: hashes of the games of each unit (n, k).
        starts: a hash of how each unit began (n,).
        deterministic: whether the players are known to be deterministic.
    """
    _, first = np.unique(digests, axis=0, return_index=True)
    counted = np.ones(len(digests), np.bool_)
    if deterministic or len(first) == len(np.unique(starts)):
        counted[:] = False
        counted[first] = True
    return counted


Unit = tuple[Played, ...]
"""A sampling unit: one game, or the two games of a pair."""


def units_in_order(series: Series, games: Mapping[int, Played], high: int) -> list[Unit | None]:
    """The units among the first ``high`` games of a series, in order; None for those not played or not counted: those
    with a game that ended in its opening, and those that say nothing new (see `first_of_each`)."""
    size = 2 if series.paired else 1
    units = [tuple(games[k] for k in range(low, low + size) if k in games) for low in range(0, high, size)]
    counted = [unit for unit in units if len(unit) == size and not any(played.in_opening for played in unit)]
    if counted and not series.dice:
        digests = np.array([[played.digest for played in unit] for unit in counted], np.uint64)
        starts = np.array([unit[0].start for unit in counted], np.uint64)
        firsts = first_of_each(digests, starts, series.distinct)
        counted = [unit for unit, counts in zip(counted, firsts) if counts]
    chosen = {id(unit) for unit in counted}
    return [unit if id(unit) in chosen else None for unit in units]


def counted_units(series: Series, games: Sequence[Played]) -> tuple[list[Unit | None], list[str]]:
    """`units_in_order` of all games of a series, in order, and sentences about the games that are not counted."""
    units, size = units_in_order(series, dict(enumerate(games)), len(games)), 2 if series.paired else 1
    in_opening = sum(any(one.in_opening for one in games[k : k + size]) for k in range(0, len(games), size))
    counted = sum(unit is not None for unit in units)
    return units, notes(size * counted, size * (len(units) - counted - in_opening), size * in_opening)
