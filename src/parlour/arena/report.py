"""What a comparison leaves in its folder: the report as one HTML file, its plots, and all figures and tests as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from parlour.arena.comparison import Comparison
from parlour.arena.findings import Test, headline, run_tests, sentences
from parlour.arena.fixtures import Played
from parlour.arena.measures import CUT, Chapter, Figures, Measure, chapters, figures
from parlour.arena.plots import TEMPLATES, plot
from parlour.files import write_file
from parlour.registry import find

REPORT, RESULTS, TESTS, PLOTS = "report.html", "results.csv", "tests.csv", "plots"
FILES = (REPORT, RESULTS, TESTS, PLOTS)
ABOVE, BELOW, ALIKE, SELF = "▲", "▽", "·", ""


@dataclass(frozen=True)
class Outcome:
    """The results of a comparison: its plan, what was measured, what may be claimed, and what must be known of games
    that were not counted."""

    plan: Comparison
    parts: Sequence[Chapter]
    figures: Figures
    tests: Sequence[Test]
    notes: Sequence[str]

    @property
    def measures(self) -> list[Measure]:
        """All measures, in the order of the chapters."""
        return [measure for part in self.parts for measure in part.measures]

    @property
    def findings(self) -> list[str]:
        """See `parlour.arena.findings.sentences`."""
        return sentences(self.parts, self.figures, self.tests)


def evaluate(plan: Comparison, played: Sequence[Played]) -> Outcome:
    """Measures and tests all games of a plan, given in any order. ValueError where a variant has no game to count."""
    game = find(plan.game)
    samples, notes = plan.samples(played)
    occurred = {unit.end for sample in samples.values() for unit in sample.even}
    ends = [word for word in game.rules.ENDS if word in occurred and word != CUT]
    parts = chapters(game, plan.rulesets[0].seats, ends, plan.stronger)
    return Outcome(plan, parts, figures(parts, samples), run_tests(parts, samples), notes)


def write_report(folder: Path, outcome: Outcome) -> None:
    """Writes report, plots and tables into a folder that exists."""
    drawn = folder / PLOTS
    if drawn.is_symlink():
        raise ValueError(f"{drawn}: a symbolic link, where plots are to be written; give another folder")
    drawn.mkdir(exist_ok=True)
    for measure, title in _plotted(outcome):
        write_file(drawn / f"{measure.key}.svg", plot(measure, outcome.figures, title))
    write_file(folder / RESULTS, results_csv(outcome))
    write_file(folder / TESTS, tests_csv(outcome))
    write_file(folder / REPORT, report_html(outcome))


def report_html(outcome: Outcome) -> str:
    """The report as one page that needs nothing else."""
    plan, config = outcome.plan, outcome.plan.as_config()
    return TEMPLATES.get_template("report.html").render(
        game=find(plan.game),
        plan=plan,
        version=config["parlour"],
        played=2 * plan.games * len(plan.variants),
        parts=outcome.parts,
        figures=outcome.figures,
        tests=outcome.tests,
        findings=outcome.findings,
        notes=outcome.notes,
        openings="; ".join(dict.fromkeys(str(series.openings) for series in plan.plan().series)),
        plots=[
            (measure, title, Markup(plot(measure, outcome.figures)))  # made by a template, which has escaped all of it
            for measure, title in _plotted(outcome)
        ],
        matrices=_matrices(outcome),
        config=json.dumps(config, indent=1),
    )


def results_csv(outcome: Outcome) -> str:
    """A row a variant and measure. Shares and scores are from 0 to 1; n counts sampling units."""
    return _csv(
        ("variant", "measure", "estimate", "low", "high", "n"),
        (
            (variant, measure.key, repr(found.value), repr(found.low), repr(found.high), found.count)
            for variant, estimates in outcome.figures.items()
            for measure in outcome.measures
            for found in [estimates[measure.key]]
        ),
    )


def tests_csv(outcome: Outcome) -> str:
    """A row a test; where ``second`` is empty, ``first`` is held against what favours neither side."""
    return _csv(
        ("measure", "first", "second", "p", "p_corrected"),
        ((test.measure, test.first, test.second, repr(test.p), repr(test.corrected)) for test in outcome.tests),
    )


def _csv(heading: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heading)
    writer.writerows(rows)
    return text.getvalue()


def _plotted(outcome: Outcome) -> list[tuple[Measure, str]]:
    """What is drawn: the measures that are tested, each with what its tests say."""
    return [
        (measure, headline(measure, outcome.figures, outcome.tests)) for measure in outcome.measures if measure.tested
    ]


def _matrices(outcome: Outcome) -> list[tuple[Measure, list[tuple[str, list[str]]]]]:
    """For each measure in which variants differ a row a variant: how it stands to each of the variants."""
    names = outcome.plan.variants
    differing = {test.measure for test in outcome.tests if test.second and test.significant}
    return [
        (measure, [(row, [_standing(outcome, measure, row, column) for column in names]) for row in names])
        for measure in outcome.measures
        if measure.key in differing
    ]


def _standing(outcome: Outcome, measure: Measure, row: str, column: str) -> str:
    if row == column:
        return SELF
    test = next(t for t in outcome.tests if t.measure == measure.key and {t.first, t.second} == {row, column})
    if not test.significant:
        return ALIKE
    above = outcome.figures[row][measure.key].value > outcome.figures[column][measure.key].value
    return ABOVE if above else BELOW
