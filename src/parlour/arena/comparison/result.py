"""The result of a comparison: values of the measures, estimates and tests, and all of them as tables."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.comparison import power
from parlour.arena.comparison.findings import (
    Conclusion,
    Dependence,
    Figures,
    Numbers,
    Test,
    conclusions,
    dependences,
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
        plan: the plan that was played.
        estimates: by variant and group of players, by measure.
        test_results: all tests, corrected for their number.
        dependences: with several players, the figures of a variant in which they differ significantly.
        notes: sentences about games that were not counted.
        on_page: series and index of the games on the page ``games.html`` beside the report, if there is one.
    """

    def __init__(self, plan: ComparisonPlan, played: Sequence[Played]) -> None:
        """Measures and tests all games of a plan, given in any order. ValueError if no game of a series is counted."""
        self.plan = plan
        order = {series.key: k for k, series in enumerate(plan.plan.series)}
        self._played = sorted(played, key=lambda one: (order[one.fixture.series], one.fixture.index))
        numbers, self.notes = measure_all(plan, self._played)
        self.estimates: Figures = estimate(plan, numbers)
        self.test_results: list[Test] = run_tests(plan, numbers)
        self.dependences: list[Dependence] = dependences(plan, numbers, self.estimates)
        self.on_page: list[tuple[str, int]] = []

    @property
    def findings(self) -> list[str]:
        """The findings, one sentence each: see `parlour.arena.comparison.findings`."""
        return sentences(self.plan, self.estimates, self.test_results)

    @property
    def conclusions(self) -> list[Conclusion]:
        """With several players: every significant difference, with its result under each player."""
        return conclusions(self.plan, self.test_results)

    @property
    def notable(self) -> list[NotableGame]:
        """Notable games: see `parlour.arena.comparison.notable`."""
        even = {series.key for series in self.plan.plan.series if not series.paired}
        return notable_games(one for one in self._played if one.fixture.series in even)

    # --- as tables ---

    def figure_rows(self) -> list[dict[str, Any]]:
        """A row for each variant, group of players and measure. Shares and scores are from 0 to 1."""
        return [
            {
                "variant": label, "players": group.title, "measure": one.key, "estimate": estimates[one.key].value,
                "low": estimates[one.key].low, "high": estimates[one.key].high, "n": estimates[one.key].count,
                "unit": "" if one.kind.unit == "%" and one.kind.scale == 100 else one.kind.unit,
            }
            for (label, group), estimates in self.estimates.items()
            for one in self.plan.measured(group)
        ]  # fmt: skip

    def test_rows(self) -> list[dict[str, Any]]:
        """One row per test. If ``second`` is empty, ``first`` is compared with the value that favours neither side.
        ``low`` and ``high`` are an interval of the difference; all these intervals hold together at 95 %."""
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
        """One row per game, as a DataFrame: variant, players by seat, seed, opening, result, events, and the values of
        the measures. ValueError without pandas."""
        seats = [self.plan.game.seat_name(seat) for seat in range(self.plan.rulesets[0].seats)]
        shown = [one.key for one in self.plan.measures if not one.kind.coded]
        return frame_of([row_of(played, seats, shown) for played in self._played])

    def report(self, folder: str | Path) -> Path:
        """Writes report, plots and tables into a folder, which is made if it does not exist. The path of the report.
        OSError if they can't be written."""
        from parlour.arena.reporting.report import REPORT, write_report

        Path(folder).mkdir(parents=True, exist_ok=True)
        write_report(Path(folder), self)
        return Path(folder) / REPORT

    def __str__(self) -> str:
        """The table that ``parlour compare`` prints, the findings, a line each, and what the numbers of games can
        show."""
        from parlour.arena.reporting.terminal import comparison_tables, text_of

        return "\n".join([text_of(comparison_tables(self)), "", *self.findings, *power.sentences(self.plan)])

    def _repr_html_(self) -> str:
        """`table` in HTML, for notebooks."""
        heading, rows = self.table()
        return html_of(heading, rows)

    def table(self) -> tuple[list[str], list[list[str]]]:
        """A heading, and a row for each variant and player with the estimates of the tested measures."""
        shown = [one for one in self.plan.measures if one.tested]
        heading = ["variant", "players", *(f"{one.title}, {one.kind.unit}".rstrip(", ") for one in shown)]
        rows = []
        for (label, group), estimates in self.estimates.items():
            cells = [_phrase(one, estimates.get(one.key)) for one in shown]
            if any(cells):
                rows.append([label, group.title, *cells])
        return heading, rows


def measure_all(plan: ComparisonPlan, played: Sequence[Played]) -> tuple[Numbers, list[str]]:
    """The values of all measures, from all games of a plan in the order of their series; and sentences about games that
    are not counted. ValueError if no game of a series is counted."""
    games: dict[str, list[Played]] = {series.key: [] for series in plan.plan.series}
    for one in played:
        games[one.fixture.series].append(one)
    numbers: dict[tuple[str, Group], dict[str, NDArray[np.float64]]] = {}
    notes: list[str] = []
    for position, series in enumerate(plan.plan.series):
        group = plan.groups[position % len(plan.groups)]
        units, series_notes = counted_units(series, games[series.key])
        if not units:
            raise ValueError(f"{series.key}: all games ended within their random opening; ask for fewer plies")
        notes += [f"{series.key}: {note}." for note in series_notes]
        numbers[series.ruleset.label, group] = _numbers(plan, series, group, units)
    return numbers, notes


def _numbers(
    plan: ComparisonPlan, series: Series, group: Group, units: Sequence[tuple[Played, ...]]
) -> dict[str, NDArray[np.float64]]:
    values, samples = dict(series.ruleset.values), {}
    pairs = [] if group.series == EVEN else [Pair((one, two), group.first, group.second) for one, two in units]
    for measure in plan.measured(group):
        if not measure.applies(plan.game, values):
            sample = np.zeros(0)
        elif group.series == EVEN:
            sample = np.array([unit[0].numbers[measure.key] for unit in units])
        else:
            sample = np.array([measure.number(pair) for pair in pairs])
        samples[measure.key] = sample[~np.isnan(sample)]
    return samples


def _phrase(measure: Measure, estimate: Estimate | None) -> str:
    if not estimate or not estimate.count:
        return ""
    return f"{measure.kind.show(estimate.value)} ({measure.kind.interval(estimate)})"


def row_of(played: Played, seats: Sequence[str], measures: Sequence[str]) -> dict[str, Any]:
    """A game as a row of a table. ``seats``: their names; ``measures``: keys of the measures that are shown."""
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
