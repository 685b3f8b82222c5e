"""The files that a comparison or an exploration writes: the report as one HTML file, its plots, and tables as CSV."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
from markupsafe import Markup, escape
from numpy.typing import NDArray

from parlour.arena.measures import Measure
from parlour.arena.measures.kinds import NONE
from parlour.arena.measures.registry import TRACE
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.plots import COLOURS, MAX_LETTERS, TEMPLATES, Bar, captioned, draw, stacked
from parlour.arena.reporting.summary import Summary, comparison_summary, exploration_summary, power
from parlour.arena.setting.plans import Group
from parlour.arena.statistics import Estimate
from parlour.arena.study.comparison import ComparisonResult, NotableGame
from parlour.arena.study.exploration import Effect, ExplorationResult
from parlour.arena.study.findings import Compared, claims, tested
from parlour.interfaces.aec import GameEnv
from parlour.records.page import without_title
from parlour.support.files import write_file

REPORT, RESULTS, TESTS, PLOTS, SUMMARY = "report.html", "results.csv", "tests.csv", "plots", "summary.svg"
FILES = (REPORT, RESULTS, TESTS, PLOTS)
COMBINATIONS, EFFECTS = "combinations.csv", "effects.csv"
MARKED, PLAIN = 1, 0
"""Colour numbers: of what is significant or on the Pareto front, and of everything else."""
MAX_PAIRS = 12
"""Interactions in a plot. The tables have all of them."""
ABOVE, BELOW, ALIKE, TURNS = "▲", "▽", "·", "↕"
PARTLY = {ABOVE: "△", BELOW: "▿"}
"""In place of these signs if the difference is significant only under some of several players."""
MAX_POSITIONS_SHOWN = 20
CUT = ("truncated", "cut", "cut")
"""In divided bars, the part of the games that ``max_plies`` ended."""
UNSEEN = {"%": "% of the games"}
"""Units as words, in the sentence on what did not occur."""


def write_answer(
    folder: Path,
    page: str,
    figures: Sequence[Figure],
    tables: Mapping[str, Sequence[Mapping[str, Any]]],
    summary: Summary,
    name: str = REPORT,
) -> Path:
    """Writes the report of a study into a folder, which is made if it does not exist. Returns the path of the page.
    ``tables``: by file, the rows. ValueError if the folder for plots is a link; OSError if files can't be written."""
    plots = folder / PLOTS
    if plots.is_symlink():
        raise ValueError(f"{plots}: a symbolic link, where plots are to be written; give another folder")
    plots.mkdir(parents=True, exist_ok=True)
    for file, content in {SUMMARY: summary.svg(), **{f"{one.key}.svg": one.standalone for one in figures}}.items():
        write_file(plots / file, content)
    for file, rows in tables.items():
        write_file(folder / file, csv_of(rows))
    write_file(folder / name, page)
    return folder / name


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
        embedded: the SVG for a page, without a title.
        standalone: the SVG for a file of its own.
    """

    key: str
    title: str
    embedded: Markup
    standalone: str


def figure(key: str, title: str, picture: Callable[[str], str]) -> Figure:
    """A plot that ``picture`` draws with a title, or without one for an empty text."""
    return Figure(key, title, Markup(picture("")), picture(title))


def plotted(result: ComparisonResult) -> list[Figure]:
    """Plots of the tested measures, each titled with the result of its tests, and of the skill trace."""
    plan, figures = result.plan, []
    for measure in dict.fromkeys(measure for measure, _ in tested(plan)):
        groups = [group for group in plan.groups if group.series == measure.series]
        estimates = {label: result.estimates[label, groups[0]][measure.key] for label in plan.labels}
        order = sorted(estimates, key=lambda label: -estimates[label].value if estimates[label].count else math.inf)
        bars = [bar for label in order for bar in _bars(result, measure, label, groups)]
        if bars:
            title, legend = measure.title, [group.title for group in groups]
            if len(groups) == 1:
                compared = Compared.of(measure, groups[0], result.estimates, result.test_results)
                title, legend = compared.headline(), []
            picture = partial(draw, measure.kind, bars, captioned(measure), even_at=measure.even_at, legend=legend)
            figures.append(figure(measure.key, title, picture))
    return _outcome_plots(result) + _ending_plots(result) + _length_plot(result) + figures + _trace_plots(result)


def _outcome_plots(result: ComparisonResult) -> list[Figure]:
    """How games end, as divided bars: won by the first seat, drawn, cut, won by the others."""
    seats = range(result.plan.rulesets[0].seats)
    won = [(f"win_{seat}", f"{result.plan.game.seat_name(seat)} wins", f"c{seat % COLOURS}") for seat in seats]
    parts = [won[0], ("drawn", "drawn", "drawn"), CUT, *won[1:]]
    return _divided(result, "outcomes", "How games end", parts, ("drawn", "truncated"))


def _ending_plots(result: ComparisonResult) -> list[Figure]:
    """By which rule games end under the first player in all seats, as divided bars, if there is more than one rule.
    Games that ``max_plies`` ended are a part of their own."""
    ends = [one for one in result.plan.measures if one.key.startswith("end_")]
    parts = [(one.key, one.title.lower(), f"c{k % COLOURS}") for k, one in enumerate(ends)]
    drawn = _divided(result, "endings", "By which rule games end", [*parts, CUT], ("truncated",)) if parts[1:] else []
    return drawn[:1]


def _divided(
    result: ComparisonResult, name: str, what: str, parts: Sequence[tuple[str, str, str]], last: Sequence[str]
) -> list[Figure]:
    """Shares of all games as divided bars: a figure for each player in all seats, if the shares were measured.

    ``parts``: for each the key of its measure, its name, and its class in ``plot.css``; a part that a variant can't
    have is 0. Variants with the smallest shares of the keys ``last`` come first.
    """
    keys, legend, figures = [part[0] for part in parts], [part[1:] for part in parts], []
    for number, group in enumerate(result.plan.even_groups, 1):
        shares: dict[str, list[float]] = {}
        for label in result.plan.labels:
            estimates = result.estimates[label, group]
            shares[label] = [estimates[key].value if key in estimates and estimates[key].count else 0.0 for key in keys]
        if all(math.isclose(sum(row), 1) for row in shares.values()):  # else not measured
            rows = dict(sorted(shares.items(), key=lambda item: sum(item[1][keys.index(key)] for key in last)))
            title = f"{what}, {group.title} in all seats"
            figures.append(figure(f"{name}_{number}", title, partial(stacked, title, legend, rows)))
    return figures


def _length_plot(result: ComparisonResult) -> list[Figure]:
    """How long games last under the first player in all seats, as bars divided by the quartiles of all games that ended
    by the rules. Games that ``max_plies`` ended are a part of their own. Variants with the longest games come first."""
    group = next(iter(result.plan.even_groups), None)
    games = {} if group is None else {label: result.numbers[label, group] for label in result.plan.labels}
    if group is None or not all("plies" in numbers for numbers in games.values()):
        return []
    plies: dict[str, NDArray[np.float64]] = {}
    cut: dict[str, NDArray[np.bool_]] = {}
    for label, numbers in games.items():
        counted = ~np.isnan(numbers["plies"])
        plies[label] = numbers["plies"][counted]
        cut[label] = numbers.get("truncated", np.zeros(len(counted)))[counted] > 0
    ended = {label: plies[label][~cut[label]] for label in games}
    pooled = np.concatenate(list(ended.values()))
    if not len(pooled):
        return []
    edges = sorted(set(np.quantile(pooled, (0.25, 0.5, 0.75)).round().astype(int).tolist()))
    names = [f"to {edges[0]}", *(f"{low + 1} to {high}" for low, high in pairwise(edges)), f"from {edges[-1] + 1}"]
    legend = [(name, f"l{k}") for k, name in enumerate(names)] + [("cut", "cut")]
    rows = {}
    for label in sorted(games, key=lambda label: -float(plies[label].mean())):
        counts = np.bincount(np.searchsorted(edges, ended[label]), minlength=len(names))
        rows[label] = [*(counts / len(cut[label])).tolist(), float(cut[label].mean())]
    title = f"Plies of a game, {group.title} in all seats"
    return [figure("lengths", title, partial(stacked, title, legend, rows))]


def _bars(result: ComparisonResult, measure: Measure, label: str, groups: Sequence[Group]) -> list[Bar]:
    """A variant's estimates, a bar for each of the groups. Only the first bar is labelled with the variant."""
    estimates = [(result.estimates[label, group][measure.key], number) for number, group in enumerate(groups)]
    measured = [(estimate, number) for estimate, number in estimates if estimate.count]
    return [Bar("" if k else label, estimate, number) for k, (estimate, number) in enumerate(measured)]


def _trace_plots(result: ComparisonResult) -> list[Figure]:
    """Plots of what each doubling of the search gains, one per variant."""
    groups = [group for group in result.plan.groups if group.series == TRACE]
    traced = next((one for one in result.plan.measures if one.series == TRACE), None)
    figures = []
    for number, label in enumerate(result.plan.labels if groups and traced else (), 1):
        assert traced is not None
        bars = [Bar(group.second, result.estimates[label, group][traced.key], 0) for group in groups]
        picture = partial(draw, traced.kind, bars, "Elo points over the player that searches half as much")
        title = f"Skill trace of {label}: Elo gained by each doubling"
        figures.append(figure(f"skill_trace_{number}", title, picture))
    return figures


def report_html(result: ComparisonResult) -> str:
    """The report as one HTML page without external files."""
    plan, config = result.plan, result.plan.as_config()
    boards = _boards(result)
    parts, drawn = shared_parts(list(boards))
    return TEMPLATES.get_template("report.html").render(
        game=plan.game, plan=plan, result=result, version=config["parlour"], summary=comparison_summary(result),
        boards=list(zip(drawn, boards.values())), parts=parts, claims=claims(result.conclusions, plan.players),
        power=power(plan), notable=_notable(result), games_page=GAMES_PAGE if result.on_page else "",
        colours=[(group.title, k) for k, group in enumerate(plan.even_groups)], figures=plotted(result),
        matrices=_matrices(result), chapters=chapters_of(result), config_is_complete=config == _shown_config(config),
        config=escape(json.dumps(_shown_config(config), indent=1, ensure_ascii=False)).replace("&#34;", Markup('"')),
    )  # fmt: skip


def _shown_config(config: Mapping[str, Any]) -> dict[str, Any]:
    openings = config["openings"]
    if isinstance(openings, list) and len(openings) > MAX_POSITIONS_SHOWN:
        return {**config, "openings": f"{len(openings)} positions"}
    return dict(config)


def _boards(result: ComparisonResult) -> dict[str, list[dict[str, str]]]:
    """Pictures of the boards at the start, each with the names and descriptions of the variants that begin with it."""
    boards: dict[str, list[dict[str, str]]] = {}
    game = result.plan.game
    for ruleset in result.plan.rulesets:
        base = next(variant for variant in game.variants if variant.name == ruleset.variant)
        env = GameEnv(game, ruleset.variant, dict(ruleset.overrides), None, "raise")
        env.reset(seed=result.plan.seed)
        values = {**base.values, **ruleset.overrides}
        variant = {
            "label": ruleset.label,
            "meaning": base.meaning,
            "note": ruleset.note,
            "options": ", ".join(f"{name}={value}" for name, value in values.items()),
        }
        boards.setdefault(without_title(env.svg()), []).append(variant)
    return boards


def shared_parts(pictures: Sequence[str]) -> tuple[Markup, list[tuple[str, Markup]]]:
    """Makes a page with several pictures of one game much shorter. Returns the elements that several pictures share,
    which the page has once; and for each picture its ``viewBox`` and its elements, with references to the shared."""
    roots = [ElementTree.fromstring(picture) for picture in pictures]
    for root, picture in zip(roots, pictures):
        _leave_out_ids(root, picture)
    lists = [[_element(child) for child in root] for root in roots]
    defs = dict.fromkeys(element for elements in lists for element in elements if element.startswith("<defs"))
    drawn = [[element for element in elements if element not in defs] for elements in lists]
    pairs = {pair for elements in drawn for pair in pairwise(["", *elements, ""])}
    after, before = Counter(element for element, _ in pairs), Counter(element for _, element in pairs)
    runs: list[list[str]] = [[] for _ in drawn]  # elements that follow one another in every picture that has them
    for cut, elements in zip(runs, drawn):
        for element, other in pairwise(["", *elements]):
            if element and after[element] == before[other] == 1:
                cut[-1] += other
            else:
                cut.append(other)
    times = Counter(run for cut in runs for run in cut)
    used = {run: f'<use href="#part-{k}"/>' for k, run in enumerate(times) if times[run] > 1}
    parts = "".join([*defs, *(f'<g id="{use[12:-3]}">{run}</g>' for run, use in used.items())])
    boards = [Markup("".join(used.get(run, run) for run in cut)) for cut in runs]
    return Markup(parts), [(root.attrib["viewBox"], board) for root, board in zip(roots, boards)]


def _leave_out_ids(root: ElementTree.Element, picture: str) -> None:
    """Leaves out the ids of drawn shapes that nothing in the picture refers to: on a page with several pictures the
    same id could occur twice."""
    for element in (part for child in root if not child.tag.endswith("defs") for part in child.iter()):
        if f"#{element.get('id')}" not in picture:
            element.attrib.pop("id", None)


def _element(element: ElementTree.Element) -> str:
    """An element of a picture as HTML has it, without a namespace."""
    text = re.sub(r' xmlns:\w+="[^"]*"|(?<=[</])\w+:', "", ElementTree.tostring(element, encoding="unicode"))
    return text.strip().replace(" />", "/>")


def _notable(result: ComparisonResult) -> list[tuple[str, list[tuple[NotableGame, int]]]]:
    """Notable games, by series, each with its number on the page of games, from 1; 0 for a game that is not on it."""
    numbers = {key: number for number, key in enumerate(result.on_page, 1)}
    by_series: dict[str, list[tuple[NotableGame, int]]] = {}
    for game in result.notable:
        key = game.played.spec.series, game.played.spec.index
        by_series.setdefault(key[0], []).append((game, numbers.get(key, 0)))
    return list(by_series.items())


def _matrices(result: ComparisonResult) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """For each measure in which variants differ, its title, and a row per variant with a sign for each other one."""
    labels, directions = result.plan.labels, dict[tuple[str, str, str], set[int]]()
    for test in result.test_results:
        if test.second:
            directions.setdefault((test.measure, test.first, test.second), set()).add(test.direction)
            directions.setdefault((test.measure, test.second, test.first), set()).add(-test.direction)
    differing = {key for (key, _, _), under_players in directions.items() if under_players != {0}}

    def sign(key: str, row: str, column: str) -> str:
        return "" if row == column else _sign(directions.get((key, row, column)))

    return [
        (measure.title, [(row, [sign(measure.key, row, column) for column in labels]) for row in labels])
        for measure in result.plan.measures
        if measure.key in differing
    ]


def _sign(directions: Set[int] | None) -> str:
    """The sign for the ``directions`` of a difference under all players; None where nothing was tested."""
    if directions is None:
        return NONE
    if {1, -1} <= directions:
        return TURNS
    if directions == {0}:
        return ALIKE
    sign = ABOVE if 1 in directions else BELOW
    return PARTLY[sign] if 0 in directions else sign


def chapters_of(result: ComparisonResult) -> list[dict[str, Any]]:
    """Tables of all estimates, one per group of measures; more if its measures are taken of different games."""
    plan = result.plan
    chapters = []
    for name, played in dict.fromkeys((measure.group, measure.series) for measure in plan.measures):
        measures = [measure for measure in plan.measures if (measure.group, measure.series) == (name, played)]
        groups = [group for group in plan.groups if group.series == played]
        rows = {
            (label, group): [(one, result.estimates[label, group][one.key]) for one in measures]
            for label in result.plan.labels
            for group in groups
        }
        seen = [
            k for k in range(len(measures)) if any(row[k][1].count and not _unseen(*row[k]) for row in rows.values())
        ]
        if seen:
            shown = {key: [row[k] for k in seen] for key, row in rows.items()}
            highest: dict[str, tuple[float, str]] = {}  # by unit
            for measure, estimate in (cell for row in shown.values() for cell in row if _unseen(*cell)):
                unit, bound = measure.kind.unit, measure.kind.show(estimate.high)
                highest[unit] = max(highest.get(unit, (0.0, "")), (estimate.high, f"{bound} {UNSEEN.get(unit, unit)}"))
            chapters.append(
                {
                    "title": name,
                    "measures": [measures[k] for k in seen],
                    "rows": [
                        (label, group.title, [_cell_of(*one) for one in row]) for (label, group), row in shown.items()
                    ],
                    "several": len(groups),
                    "unseen": [bound for _, bound in highest.values()],
                }
            )
    return chapters


def _unseen(measure: Measure, estimate: Estimate) -> bool:
    """Whether it is the estimate of an event or an ending that did not occur."""
    counts = measure.key.startswith(("event_", "games_with_", "end_"))
    return counts and estimate.count > 0 and estimate.value == 0


def _cell_of(measure: Measure, estimate: Estimate) -> tuple[str, str]:
    """A value and its interval; no interval for what did not occur."""
    if _unseen(measure, estimate):
        return "0", ""
    return measure.kind.figure(estimate), measure.kind.interval(estimate)


# --- explorations ---


def exploration_plots(result: ExplorationResult) -> list[Figure]:
    """For each goal the finalists' estimates, the main effects, and the interactions with the smallest p-values."""
    figures = []
    for goal in result.plan.goals:
        measure, key = goal.measure, goal.measure.key
        finalists = [
            Bar(f"{each.number} {each.variant}".strip(), each.estimates[key], MARKED if each.on_front else PLAIN)
            for each in sorted(result.finalists, key=lambda finalist: -finalist.estimates[key].value)
        ]
        main, pairs = result.effects_on(goal)
        for name, words, bars in (
            ("finalists", "finalists", finalists),
            ("effects", "effects of the options", _effect_bars(main)),
            ("interactions", "what two options change together, the surest first", _effect_bars(pairs[:MAX_PAIRS])),
        ):
            changes, title = bars is not finalists, f"{measure.title}: {words}"
            caption = f"change of: {captioned(measure)}" if changes else captioned(measure)
            even_at = 0.0 if changes else None
            picture = partial(draw, measure.kind, bars, caption, even_at=even_at, differences=changes)
            if bars:
                figures.append(figure(f"{name}_{key}", title, picture))
    return figures


def _effect_bars(effects: Sequence[Effect]) -> list[Bar]:
    ordered = sorted(effects, key=lambda effect: -effect.estimate.value)
    return [Bar(_short_title(one), one.estimate, MARKED if one.significant else PLAIN) for one in ordered]


def _short_title(effect: Effect) -> str:
    """An effect as the name of a row. A long name of an interaction is shortened to the values after both changes."""
    if effect.under is None or len(effect.title) <= MAX_LETTERS:
        return effect.title
    return " × ".join(f"{one.option} → {one.after}" for one in (effect.change, effect.under))


def exploration_html(result: ExplorationResult) -> str:
    """The report as one HTML page without external files."""
    plan, config = result.plan, result.plan.as_config()
    return TEMPLATES.get_template("exploration.html").render(
        game=plan.game, plan=plan, result=result, summary=exploration_summary(result), version=config["parlour"],
        figures=exploration_plots(result), config=json.dumps(config, indent=1, ensure_ascii=False),
    )  # fmt: skip
