"""Comparing the variants of a game: playing them, measuring, testing, and the results as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.comparison.findings import (
    Conclusion,
    Figures,
    Numbers,
    Test,
    conclusions,
    estimate,
    run_tests,
    sentences,
)
from parlour.arena.comparison.notable import NotableGame, notable_games
from parlour.arena.comparison.plan import ComparisonPlan, Group
from parlour.arena.fixtures import Played, Series
from parlour.arena.measures.registry import EVEN, Measure, Pair
from parlour.arena.reporting.frames import frame_of, html_of
from parlour.arena.statistics import Estimate
from parlour.arena.tally import counted_units

if TYPE_CHECKING:
    from pandas import DataFrame


class Comparison:
    """The result of a comparison.

    Attributes:
        plan: what was played.
        estimates: by variant and group of players, by measure.
        test_results: all tests, corrected for their number.
        notes: sentences on games that were not counted.
        on_page: series and index of the games on the page ``games.html`` beside the report, if there is one.
    """

    def __init__(self, plan: ComparisonPlan, played: Sequence[Played]) -> None:
        """Measures and tests all games of a plan, given in any order. ValueError where a variant has no game to
        count."""
        self.plan = plan
        places = {series.key: place for place, series in enumerate(plan.plan.series)}
        self._played = sorted(played, key=lambda one: (places[one.fixture.series], one.fixture.index))
        numbers, self.notes = measure_all(plan, self._played)
        self.estimates: Figures = estimate(plan, numbers)
        self.test_results: list[Test] = run_tests(plan, numbers)
        self.on_page: list[tuple[str, int]] = []

    @property
    def findings(self) -> list[str]:
        """What may be claimed, a sentence each."""
        return sentences(self.plan, self.estimates, self.test_results)

    @property
    def conclusions(self) -> list[Conclusion]:
        """With several players: what each of them says of every significant difference."""
        return conclusions(self.plan, self.test_results)

    @property
    def notable(self) -> list[NotableGame]:
        """Games worth a look: see `parlour.arena.comparison.notable`."""
        even = {series.key for series in self.plan.plan.series if not series.paired}
        return notable_games(one for one in self._played if one.fixture.series in even)

    # --- as tables ---

    def figure_rows(self) -> list[dict[str, Any]]:
        """A row for each variant, group of players and measure. Shares and scores are from 0 to 1."""
        return [
            {
                "variant": label, "players": group.title, "measure": one.key, "estimate": found[one.key].value,
                "low": found[one.key].low, "high": found[one.key].high, "n": found[one.key].count,
                "unit": "" if one.kind.unit == "%" and one.kind.scale == 100 else one.kind.unit,
            }
            for (label, group), found in self.estimates.items()
            for one in self.plan.measured(group)
        ]  # fmt: skip

    def test_rows(self) -> list[dict[str, Any]]:
        """A row a test; where ``second`` is empty, ``first`` is compared with what favours neither side. ``low`` and
        ``high`` are an interval of the difference, all of which hold together at 95 %."""
        return [
            {
                "measure": test.measure, "players": test.group.title, "first": test.first, "second": test.second,
                "p": test.p, "p_corrected": test.corrected, "direction": test.direction, "low": test.low,
                "high": test.high,
            }
            for test in self.test_results
        ]  # fmt: skip

    @property
    def figures(self) -> DataFrame:
        """`figure_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.figure_rows())

    @property
    def tests(self) -> DataFrame:
        """`test_rows` as a DataFrame. ValueError without pandas."""
        return frame_of(self.test_rows())

    @property
    def games(self) -> DataFrame:
        """A row a game: variant, players by seat, seed, opening, result, events, and what was measured of it.
        ValueError without pandas."""
        seats = [self.plan.game.seat_name(seat) for seat in range(self.plan.rulesets[0].seats)]
        shown = [one.key for one in self.plan.measures if not one.kind.coded]
        return frame_of([row_of(played, seats, shown) for played in self._played])

    def report(self, folder: str | Path) -> Path:
        """Writes report, plots and tables into a folder, which is made if need be. The report's path. OSError if they
        can't be written."""
        from parlour.arena.reporting.report import REPORT, write_report

        Path(folder).mkdir(parents=True, exist_ok=True)
        write_report(Path(folder), self)
        return Path(folder) / REPORT

    def __str__(self) -> str:
        """The findings, a line each."""
        return "\n".join(self.findings)

    def _repr_html_(self) -> str:
        """The estimates with their intervals, a row a variant, for notebooks."""
        heading, rows = self.table()
        return html_of(heading, rows)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading and rows of the tested measures: a row for each variant and player."""
        shown = [one for one in self.plan.measures if one.tested]
        heading = ["variant", "players", *(f"{one.title}, {one.kind.unit}".rstrip(", ") for one in shown)]
        rows = []
        for (label, group), found in self.estimates.items():
            cells = [_phrase(one, found.get(one.key)) for one in shown]
            if any(cells):
                rows.append([label, group.title, *cells])
        return heading, rows


def measure_all(plan: ComparisonPlan, played: Sequence[Played]) -> tuple[Numbers, list[str]]:
    """The numbers of all measures, from all games of a plan in the order of their series; and sentences on games that
    are not counted. ValueError where a variant has no game to count."""
    games: dict[str, list[Played]] = {series.key: [] for series in plan.plan.series}
    for one in played:
        games[one.fixture.series].append(one)
    numbers: dict[tuple[str, Group], dict[str, NDArray[np.float64]]] = {}
    notes: list[str] = []
    for position, series in enumerate(plan.plan.series):
        group = plan.groups[position % len(plan.groups)]
        units, said = counted_units(series, games[series.key])
        if not units:
            raise ValueError(f"{series.key}: all games ended within their random opening; ask for fewer plies")
        notes += [f"{series.key}: {note}." for note in said]
        numbers[series.ruleset.label, group] = _numbers(plan, series, group, units)
    return numbers, notes


def _numbers(
    plan: ComparisonPlan, series: Series, group: Group, units: Sequence[tuple[Played, ...]]
) -> dict[str, NDArray[np.float64]]:
    values, found = dict(series.ruleset.values), {}
    pairs = [] if group.series == EVEN else [Pair((one, two), group.first, group.second) for one, two in units]
    for measure in plan.measured(group):
        if not measure.applies(plan.game, values):
            sample = np.zeros(0)
        elif group.series == EVEN:
            sample = np.array([unit[0].numbers[measure.key] for unit in units])
        else:
            sample = np.array([measure.number(pair) for pair in pairs])
        found[measure.key] = sample[~np.isnan(sample)]
    return found


def _phrase(measure: Measure, found: Estimate | None) -> str:
    return f"{measure.kind.show(found.value)} ({measure.kind.interval(found)})" if found and found.count else ""


def row_of(played: Played, seats: Sequence[str], measures: Sequence[str]) -> dict[str, Any]:
    """A game as a row of a table, with these of its ``measures``."""
    fixture = played.fixture
    return {
        "series": fixture.series, "index": fixture.index, "variant": fixture.variant,
        **{f"player_{seat}": name for seat, name in enumerate(fixture.players)},
        **{f"seat_{seat}": name for seat, name in enumerate(seats)},
        "seed": fixture.seed, "random_plies": fixture.random_plies, "position": fixture.position,
        "winner": played.winner, **{f"return_{seat}": value for seat, value in enumerate(played.returns)},
        "end": played.end, "truncated": played.truncated, "plies": played.plies,
        **{f"event_{word}": count for word, count in played.events.items()},
        **{name: value for name, value in played.numbers.items() if name in measures and name != "plies"},
    }  # fmt: skip
