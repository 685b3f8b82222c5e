"""The files that a comparison writes to its folder: the report as one HTML file, its plots, estimates and tests as
CSV."""

from __future__ import annotations

import base64
import csv
import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from markupsafe import Markup

from parlour.aec import GameEnv
from parlour.arena.comparison import power
from parlour.arena.comparison.findings import Conclusion, Dependence, Test, all_players, headline, tested
from parlour.arena.comparison.notable import NotableGame
from parlour.arena.comparison.plan import Group
from parlour.arena.measures import EVEN, Measure
from parlour.arena.measures.kinds import NONE
from parlour.arena.measures.registry import TRACE
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.plots import TEMPLATES, Bar, draw, plot
from parlour.arena.rulesets import Ruleset
from parlour.arena.statistics import Estimate
from parlour.files import write_file

if TYPE_CHECKING:
    from parlour.arena.comparison.result import Comparison

REPORT, RESULTS, TESTS, PLOTS = "report.html", "results.csv", "tests.csv", "plots"
FILES = (REPORT, RESULTS, TESTS, PLOTS)
ABOVE, BELOW, ALIKE, TURNS, SELF = "▲", "▽", "·", "↕", ""
PARTLY = {ABOVE: "△", BELOW: "▿"}
"""Shown if the difference is significant only under some of several players."""
MAX_POSITIONS_SHOWN = 20
Found = TypeVar("Found", Conclusion, Dependence)


def write_report(folder: Path, result: Comparison) -> None:
    """Writes report, plots and tables into a folder that exists. ValueError if the folder for plots is a link."""
    plots = plots_folder(folder)
    for figure in plotted(result):
        write_file(plots / f"{figure.key}.svg", figure.standalone)
    write_file(folder / RESULTS, csv_of(result.figure_rows()))
    write_file(folder / TESTS, csv_of(result.test_rows()))
    write_file(folder / REPORT, report_html(result))


def plots_folder(folder: Path) -> Path:
    """The folder for plots, which is made if it does not exist. ValueError if it is a link."""
    plots = folder / PLOTS
    if plots.is_symlink():
        raise ValueError(f"{plots}: a symbolic link, where plots are to be written; give another folder")
    plots.mkdir(exist_ok=True)
    return plots


def csv_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV. Numbers have all their digits; NaN becomes an empty cell."""
    text = io.StringIO()
    if rows:
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(rows[0])
        writer.writerows([_cell(value) for value in row.values()] for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, float):
        return "" if math.isnan(value) else repr(value)
    return value


@dataclass(frozen=True)
class Figure:
    """A plot.

    Attributes:
        key: its file name without the ending.
        title: its title.
        embedded: the SVG for a page, without a title.
        standalone: the SVG for a file of its own.
    """

    key: str
    title: str
    embedded: Markup
    standalone: str


def plotted(result: Comparison) -> list[Figure]:
    """Plots of the tested measures, each titled with the result of its tests, and of the skill trace."""
    plan, figures = result.plan, []
    for measure in dict.fromkeys(measure for measure, _ in tested(plan)):
        groups = [group for group in plan.groups if group.series == measure.series]
        bars = [bar for label in _labels(result) for bar in _bars(result, measure, label, groups)]
        if bars:
            titles = [headline(measure, group, result.estimates, result.test_results) for group in groups]
            title = titles[0] if len(groups) == 1 else measure.title
            legend = [group.title for group in groups] if len(groups) > 1 else []
            standalone = plot(measure, bars, title, legend)
            figures.append(Figure(measure.key, title, Markup(plot(measure, bars)), standalone))
    return figures + _trace_plots(result)


def _bars(result: Comparison, measure: Measure, label: str, groups: Sequence[Group]) -> list[Bar]:
    """A variant's estimates, a bar for each of the groups. Only the first bar is labelled with the variant."""
    estimates = [(result.estimates[label, group][measure.key], number) for number, group in enumerate(groups)]
    measured = [(estimate, number) for estimate, number in estimates if estimate.count]
    return [Bar("" if k else label, estimate, number) for k, (estimate, number) in enumerate(measured)]


def _trace_plots(result: Comparison) -> list[Figure]:
    """Plots of what each doubling of the search gains, one per variant."""
    groups = [group for group in result.plan.groups if group.series == TRACE]
    traced = next((one for one in result.plan.measures if one.series == TRACE), None)
    if not groups or traced is None:
        return []
    figures = []
    for number, label in enumerate(_labels(result), 1):
        bars = [Bar(group.second, result.estimates[label, group][traced.key], 0) for group in groups]
        title = f"Skill trace of {label}: Elo gained by each doubling"
        caption = "Elo points over the player that searches half as much"
        figures.append(
            Figure(
                f"skill_trace_{number}", title, Markup(draw(traced.kind, bars, caption)),
                draw(traced.kind, bars, caption, title),
            )
        )  # fmt: skip
    return figures


def report_html(result: Comparison) -> str:
    """The report as one HTML page without external files."""
    plan, config = result.plan, result.plan.as_config()
    conclusions = result.conclusions
    return TEMPLATES.get_template("report.html").render(
        game=plan.game,
        plan=plan,
        version=config["parlour"],
        played=plan.plan.games,
        openings="; ".join(dict.fromkeys(str(series.openings) for series in plan.plan.series)),
        boards=[_board(result, ruleset) for ruleset in plan.rulesets],
        conclusions=[(status, _by_measure(conclusions, status)) for status in ("all", "turns", "some")],
        dependences=_grouped(result.dependences),
        all_players=all_players(plan),
        findings=result.findings,
        notes=result.notes,
        power=power.sentences(plan),
        notable=_notable(result),
        games_page=GAMES_PAGE if result.on_page else "",
        tests=result.test_results,
        colours=[(group.title, k) for k, group in enumerate(g for g in plan.groups if g.series == EVEN)],
        figures=plotted(result),
        matrices=_matrices(result),
        chapters=_chapters(result),
        measures=plan.measures,
        config=json.dumps(_shown_config(config), indent=1, ensure_ascii=False),
        config_is_complete=config == _shown_config(config),
    )


def _labels(result: Comparison) -> list[str]:
    return [ruleset.label for ruleset in result.plan.rulesets]


def _shown_config(config: Mapping[str, Any]) -> dict[str, Any]:
    openings = config["openings"]
    if isinstance(openings, list) and len(openings) > MAX_POSITIONS_SHOWN:
        return {**config, "openings": f"{len(openings)} positions"}
    return dict(config)


def _board(result: Comparison, ruleset: Ruleset) -> dict[str, Any]:
    """A variant's name, its description, and a picture of its board."""
    game = result.plan.game
    base = next(variant for variant in game.variants if variant.name == ruleset.variant)
    env = GameEnv(game, ruleset.variant, dict(ruleset.overrides), None, "raise")
    env.reset(seed=result.plan.seed)
    picture = base64.b64encode(env.svg().encode()).decode()
    values = {**base.values, **ruleset.overrides}
    return {
        "label": ruleset.label,
        "meaning": base.meaning,
        "note": ruleset.note,
        "options": ", ".join(f"{name}={value}" for name, value in values.items()),
        "picture": f"data:image/svg+xml;base64,{picture}",
    }


def _notable(result: Comparison) -> list[tuple[str, list[tuple[NotableGame, int]]]]:
    """Notable games, by series, each with its number on the page of games, from 1; 0 for a game that is not on it."""
    numbers = {key: number for number, key in enumerate(result.on_page, 1)}
    by_series: dict[str, list[tuple[NotableGame, int]]] = {}
    for game in result.notable:
        key = game.played.fixture.series, game.played.fixture.index
        by_series.setdefault(key[0], []).append((game, numbers.get(key, 0)))
    return list(by_series.items())


def _by_measure(conclusions: Sequence[Conclusion], status: str) -> list[tuple[str, list[Conclusion]]]:
    return _grouped([conclusion for conclusion in conclusions if conclusion.status == status])


def _grouped(found: Sequence[Found]) -> list[tuple[str, list[Found]]]:
    """By the titles of their measures."""
    titles = dict.fromkeys(one.measure.title for one in found)
    return [(title, [one for one in found if one.measure.title == title]) for title in titles]


def _matrices(result: Comparison) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """For each measure in which variants differ: its title, and one row per variant with a sign for its difference from
    each variant."""
    labels = _labels(result)
    by_pair: dict[tuple[str, str, str], list[Test]] = {}
    for test in result.test_results:
        if test.second:
            by_pair.setdefault((test.measure, test.first, test.second), []).append(test)
    matrices = []
    for measure in result.plan.measures:
        own = {pair[1:]: tests for pair, tests in by_pair.items() if pair[0] == measure.key}
        if any(test.significant for tests in own.values() for test in tests):
            rows = [(row, [_difference_sign(own, row, column) for column in labels]) for row in labels]
            matrices.append((measure.title, rows))
    return matrices


def _difference_sign(by_pair: Mapping[tuple[str, str], Sequence[Test]], row: str, column: str) -> str:
    if row == column:
        return SELF
    swapped = (row, column) not in by_pair
    tests = by_pair.get((column, row) if swapped else (row, column))
    if tests is None:
        return NONE
    directions = {(-test.direction if swapped else test.direction) for test in tests}
    if {1, -1} <= directions:
        return TURNS
    if directions == {0}:
        return ALIKE
    sign = ABOVE if 1 in directions else BELOW
    return PARTLY[sign] if 0 in directions else sign


def _chapters(result: Comparison) -> list[dict[str, Any]]:
    """Tables of all estimates, one per group of measures."""
    plan = result.plan
    chapters = []
    for name in dict.fromkeys(measure.group for measure in plan.measures):
        own = [measure for measure in plan.measures if measure.group == name]
        groups = [group for group in plan.groups if group.series == own[0].series]
        rows = [
            (label, group.title, [_estimate_cell(one, result.estimates[label, group][one.key]) for one in own])
            for label in _labels(result)
            for group in groups
        ]
        kept = [k for k in range(len(own)) if any(row[2][k] is not None and row[2][k][3] for row in rows)]
        if kept:
            headings = [own[k] for k in kept]
            cells = [(label, title, [row_cells[k] for k in kept]) for label, title, row_cells in rows]
            chapters.append({"title": name, "measures": headings, "rows": cells, "several": len(groups) > 1})
    return chapters


def _estimate_cell(measure: Measure, estimate: Estimate) -> tuple[str, str, int, bool]:
    """A value, its interval, its count, and whether to show it: not if an event or an ending never occurred."""
    is_count = measure.key.startswith(("event_", "games_with_", "end_"))
    occurred = estimate.count > 0 and not (estimate.value == 0 and is_count)
    return measure.kind.show(estimate.value), measure.kind.interval(estimate), estimate.count, occurred
