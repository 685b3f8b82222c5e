"""Matches that stop when the evidence suffices: the sequential probability ratio test (SPRT), pair by pair.

The test looks at pairs of games by their index, not in the order in which they finish, so that it ends at the same pair
on any number of threads. It stops at a moment that favours the hypothesis that it accepts. Therefore the score up to
that moment is biased. Further games, whose number is fixed beforehand, give an estimate without that bias.

With a judge the test goes by the pairs' scores adjusted for luck, each by what the pairs before it have shown
(`parlour.arena.statistics.control`). These scores are all different, so that a look at them takes time in proportion to
their number. Therefore the test looks after every pair at first, and later each time when there are a 64th more: the
time in all is in proportion to the pairs. What bounds the errors of a test bounds them whenever it looks (Ville, *Étude
critique de la notion de collectif*, 1939).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from parlour.arena.matches.tally import Score, SequentialResult, Tally, tallied
from parlour.arena.runs.journal import open_run
from parlour.arena.runs.playing import Workers, check_folder, play_rest
from parlour.arena.setting.game_specs import OnPlayed, Plan, Played, Series
from parlour.arena.statistics.control import RunningAdjustment
from parlour.arena.statistics.pentanomial import pentanomial
from parlour.arena.statistics.sprt import CONTINUE, Sprt
from parlour.support.signed import signed

DEFAULT_MAX_GAMES = 100_000
"""After this number of games a test ends without a verdict."""
CONFIRMATION = "confirmation"
GROWTH = 64
"""With a judge the test looks again when there are this part more pairs."""


class SequentialTally(Tally):
    """A tally with a sequential test, which is updated with every complete pair of games.

    Attributes:
        verdict: ``"H0"``, ``"H1"`` or ``"continue"``.
        ratio: the log-likelihood ratio so far.
        pairs: how many pairs the test has looked at.
    """

    def __init__(self, series: Series, test: Sprt) -> None:
        super().__init__(series)
        self.test, self.verdict, self.ratio = test, CONTINUE, 0.0
        self.pairs = 0
        self._counts = [0] * 5
        self._scores: list[float] = []  # of pairs that are adjusted for luck
        self._next_look = 0  # so many of these are needed
        self._adjustment = RunningAdjustment()
        self._seen: set[tuple[int, ...]] = set()
        self._starts_seen: set[int] = set()

    @property
    def ended(self) -> bool:
        """Whether there is a verdict, or no pair is left."""
        return self.verdict != CONTINUE or 2 * self.pairs == self.series.games

    def add(self, played: Played) -> None:
        """Adds a finished game of the series, and tests the pairs that are complete, in order."""
        super().add(played)
        self._go_on()

    def _go_on(self) -> None:
        while not self.ended and self.is_complete(self.pairs):
            self._count_pair(self.pairs)
            self.pairs += 1
            if len(self._scores) >= self._next_look or self.ended:
                self._look()

    def _look(self) -> None:
        self._next_look = len(self._scores) + len(self._scores) // GROWTH + 1 if self._scores else 0
        self.ratio = self.test.log_likelihood_ratio(self._counts, self._scores)
        self.verdict = self.test.verdict(self.ratio)

    def _count_pair(self, pair: int) -> None:
        counted, halves, digests, start = self.pair(pair)
        repeats = digests and digests in self._seen
        if not counted or (repeats and (self.series.distinct or len(self._seen) == len(self._starts_seen))):
            return
        self._seen.add(digests)
        self._starts_seen.add(start)
        if self.series.judge:
            self._scores.append(self._adjustment.add(halves / 4, self.pair_luck(pair)))
        else:
            (outcome,) = np.flatnonzero(pentanomial([halves / 4]))
            self._counts[int(outcome)] += 1

    def status(self) -> str:
        """The log-likelihood ratio and its bounds, for a progress bar."""
        low, high = self.test.bounds
        return f"LLR {signed(self.ratio, 2)} [{signed(low, 2)}, {signed(high, 2)}]"


def play_sequential(
    plan: Plan,
    test: Sprt,
    workers: Workers,
    on_played: OnPlayed,
    on_status: Callable[[str], None] = lambda text: None,
    folder: Path | None = None,
) -> Score:
    """Plays the first series of a plan until a test ends, then all games of the second series, if there is one.
    ``on_status`` is called with `SequentialTally.status`."""
    tally = SequentialTally(plan.series[0], test)
    tallies = {tally.series.key: tally, **{series.key: Tally(series) for series in plan.series[1:]}}

    def passed_on(games: list[Played]) -> None:
        on_status(tally.status())
        on_played(games)

    add = tallied(tallies, passed_on)
    with open_run(folder, plan) as run:
        if run is not None:
            check_folder(plan, workers, add, run)
        play_rest(plan, workers, add, run, plan.series[:1], lambda: tally.ended)
        if plan.series[1:]:
            play_rest(plan, workers, add, run, plan.series[1:])
    score = tally.score(tally.pairs)
    confirmation = tallies[plan.series[1].key].score() if plan.series[1:] else None
    result = SequentialResult(test, tally.verdict, tally.ratio, score.games, confirmation, bool(tally.series.judge))
    return replace(score, sequential=result)


def sequential_plan(plan: Plan, test: Sprt, confirm: int) -> Plan:
    """A plan of one series with a test added. ``confirm``: the number of games to play after the verdict, or 0."""
    (series,) = plan.series
    more = (replace(series, games=confirm + confirm % 2, purpose=CONFIRMATION),) if confirm else ()
    config = {**plan.config, "sprt": dataclasses.asdict(test), "confirm": confirm}
    return replace(plan, series=(series, *more), config=config)
