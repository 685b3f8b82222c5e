"""Matches that stop when they have shown enough: the sequential probability ratio test, pair by pair.

The test looks at the pairs of games in their order, not in that in which they finish, so that it ends the same on any
number of threads. What it stops at is a lucky moment for the hypothesis that it accepts: the score up to there is
biased, and only a number of further games that is fixed beforehand gives an estimate without that bias.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from parlour.arena.fixtures import Plan, Played, Series
from parlour.arena.journal import Folder
from parlour.arena.playing import OnPlayed, Workers, check_folder, play_rest
from parlour.arena.statistics.pentanomial import pentanomial
from parlour.arena.statistics.sprt import CONTINUE, Sprt
from parlour.arena.tally import Score, Tally

DEFAULT_MAX_GAMES = 100_000
"""Games after which a test without a verdict ends."""
CONFIRMATION = "confirmation"


@dataclass(frozen=True)
class SequentialResult:
    """How a sequential test ended.

    Attributes:
        test: the test.
        verdict: ``"H0"``, ``"H1"``, or ``"continue"`` if the games did not suffice.
        ratio: the log-likelihood ratio at the end.
        games: how many were counted until then.
        confirmation: the result of the games that were played afterwards, if any.
    """

    test: Sprt
    verdict: str
    ratio: float
    games: int
    confirmation: Score | None = None

    def __str__(self) -> str:
        """In words: a line for the test, and one for what may be made of the score."""
        low, high = self.test.bounds
        accepted = {"H0": f"H0 accepted: Elo {self.test.elo0:g}", "H1": f"H1 accepted: Elo {self.test.elo1:g}"}
        lines = [
            f"SPRT of Elo {self.test.elo0:g} against {self.test.elo1:g} (α {self.test.alpha:g}, β {self.test.beta:g}): "
            f"{accepted.get(self.verdict, 'no verdict')} after {self.games} games, log-likelihood ratio "
            f"{self.ratio:.2f} (bounds {low:.2f} and {high:.2f})"
        ]
        if self.confirmation is not None:
            lines.append(f"{self.confirmation.games} further games, whose number was fixed beforehand:")
            lines += str(self.confirmation).splitlines()
        elif self.verdict != CONTINUE:
            lines.append(
                "The test stopped at a lucky moment for its verdict, so that the score and Elo above are biased; "
                "--confirm N plays N further games for an estimate without bias."
            )
        return "\n".join(lines)


class SequentialTally(Tally):
    """A tally that knows after how many pairs a sequential test ends."""

    def __init__(self, series: Series, test: Sprt) -> None:
        """``series``: between two players."""
        super().__init__(series)
        self.test, self.verdict, self.ratio = test, CONTINUE, 0.0
        self.pairs = 0  # looked at
        self._counts = [0] * 5
        self._seen: set[tuple[int, ...]] = set()

    @property
    def ended(self) -> bool:
        """Whether there is a verdict, or no pair is left."""
        return self.verdict != CONTINUE or 2 * self.pairs == self.series.games

    def add(self, played: Played) -> None:
        """A game of the series; the test goes on as far as pairs are complete."""
        super().add(played)
        while not self.ended and self.is_complete(self.pairs):
            self._look(self.pairs)
            self.pairs += 1

    def _look(self, pair: int) -> None:
        counted, halves, digests = self.pair(pair)
        if not counted or (digests and digests in self._seen):
            return
        self._seen.add(digests)
        (place,) = np.flatnonzero(pentanomial([halves / 4]))
        self._counts[int(place)] += 1
        self.ratio = self.test.log_likelihood_ratio(self._counts)
        self.verdict = self.test.verdict(self._counts)

    def status(self) -> str:
        """How the test stands, for a progress bar."""
        low, high = self.test.bounds
        return f"LLR {self.ratio:+.2f} [{low:.2f}, {high:.2f}]"


def play_sequential(
    plan: Plan,
    test: Sprt,
    workers: Workers,
    on_played: OnPlayed,
    on_status: Callable[[str], None] = lambda text: None,
    folder: Path | None = None,
) -> Score:
    """Plays the first series of a plan until a test ends, and then the second, if there is one, to its end.
    ``on_status`` is told how the test stands."""
    tally = SequentialTally(plan.series[0], test)
    tallies = {tally.series.key: tally, **{series.key: Tally(series) for series in plan.series[1:]}}

    def add(games: list[Played]) -> None:
        for played in games:
            tallies[played.fixture.series].add(played)
        on_status(tally.status())
        on_played(games)

    def play(run: Folder | None) -> None:
        if run is not None:
            check_folder(plan, workers, add, run)
        play_rest(plan, workers, add, run, plan.series[:1], lambda: tally.ended)
        if plan.series[1:]:
            play_rest(plan, workers, add, run, plan.series[1:])

    if folder is None:
        play(None)
    else:
        with Folder(folder, plan) as run:
            play(run)
    made = tally.score(tally.pairs)
    confirmation = tallies[plan.series[1].key].score() if plan.series[1:] else None
    ended = SequentialResult(test, tally.verdict, tally.ratio, made.games, confirmation)
    return replace(made, sequential=ended)


def sequential_plan(plan: Plan, test: Sprt, confirm: int) -> Plan:
    """A plan of one series with a test, and so many games to ``confirm`` its verdict, if any."""
    (series,) = plan.series
    more = (replace(series, games=confirm + confirm % 2, purpose=CONFIRMATION),) if confirm else ()
    config = {**plan.config, "sprt": dataclasses.asdict(test), "confirm": confirm}
    return replace(plan, series=(series, *more), config=config)
