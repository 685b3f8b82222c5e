"""Results as tables for the terminal. No figure is cut: the columns of a table that would be too wide go into several
tables."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid

from parlour.arena.measures import EVEN, SKILL, Kind, Measure
from parlour.arena.measures.registry import TRACE
from parlour.arena.statistics import NOTHING, Estimate

if TYPE_CHECKING:
    from parlour.arena.comparison.plan import Group
    from parlour.arena.comparison.result import Comparison
    from parlour.arena.contests import Standings
    from parlour.arena.exploring.result import Exploration

WIDTH = 80
"""Columns of a terminal whose width is not known."""
HEADINGS = {
    "undecided": "undecided\n%",
    "first_seat": "{first}\nscore, %",
    "plies": "plies",
    "branching": "legal\nactions",
    "lead_changes": "lead\nchanges",
    "skill": "strong\nscore, %",
}
"""The measures that are shown unless others were asked for, with short headings."""
MAX_NAME, MAX_HEADING = 24, 11
"""Letters in a line of a row's name, and of a heading, at most."""


@dataclass(frozen=True)
class Column:
    """A column of figures: its heading, and a text for each row."""

    heading: str
    cells: Sequence[str]

    @property
    def width(self) -> int:
        """Of its longest line."""
        return max(len(line) for cell in (self.heading, *self.cells) for line in cell.splitlines() or [""])


def tables(title: str, rows: Sequence[Column], columns: Sequence[Column], width: int = WIDTH) -> list[Grid]:
    """Tables of at most ``width`` columns of the terminal. ``rows``: the columns that name the rows, which all tables
    have; ``columns``: the others, which are spread over as many tables as it takes."""
    room = width - sum(min(own.width, MAX_NAME) + 1 for own in rows)
    parts: list[list[Column]] = [[]]
    for column in columns:
        if parts[-1] and sum(own.width + 1 for own in (*parts[-1], column)) > room:
            parts.append([])
        parts[-1].append(column)
    return [_grid(title if number == 0 else "", rows, part) for number, part in enumerate(parts)]


def _grid(title: str, rows: Sequence[Column], columns: Sequence[Column]) -> Grid:
    grid = Grid(
        title=title or None, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, show_edge=False,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    for own in rows:
        grid.add_column(own.heading, overflow="fold", max_width=MAX_NAME)
    for column in columns:
        grid.add_column(column.heading, justify="right", no_wrap=True)
    for cells in zip(*(own.cells for own in (*rows, *columns))):
        grid.add_row(*cells)
    return grid


def text_of(grids: Iterable[Grid]) -> str:
    """Tables as plain text, `WIDTH` columns wide, with an empty line between them."""
    screen = Console(width=WIDTH, file=io.StringIO(), color_system=None, force_terminal=False, markup=False)
    for number, grid in enumerate(grids):
        if number:
            screen.print()
        screen.print(grid)
    text: str = screen.file.getvalue()  # type: ignore[attr-defined]
    return "\n".join(line.rstrip() for line in text.splitlines())


# --- comparisons ---


def comparison_tables(result: Comparison, width: int = WIDTH) -> list[Grid]:
    """The estimates of a comparison, and their intervals in the line below; and its skill trace, if it has one."""
    plan = result.plan
    parts = [f"{plan.games} games of {name}" for name in plan.players]
    parts += [f"{plan.games} of {plan.skill[1]} against {plan.skill[0]}"] if plan.skill else []
    title = f"{plan.game.title}, seed {plan.seed}; per variant {', '.join(parts)}; 95 % intervals"
    groups = [group for group in plan.groups if group.series == EVEN]
    places = [(ruleset.label, place) for ruleset in plan.rulesets for place in range(max(len(groups), 1))]
    names = []
    for label, place in places:
        lines = broken(label) if place == 0 else []
        names.append("\n".join([*lines, f"  {groups[place].title}"] if len(groups) > 1 else lines))
    shown = [one for one in plan.measures if one.series in (EVEN, SKILL)]
    if plan.wanted is None:
        shown = [one for key in HEADINGS for one in shown if one.key == key]
    skilled = [group for group in plan.groups if group.series == SKILL]
    columns = []
    for one in shown:
        cells = []
        for label, place in places:
            group = groups[place] if one.series == EVEN else skilled[0] if place == 0 else None
            cells.append(_cell(result, label, group, one))
        columns.append(Column(_heading(one, plan.game.seat_name(0)), cells))
    made = tables(title, [Column("variant", names)], columns, width) if columns else []
    return made + _trace_tables(result, width)


def _trace_tables(result: Comparison, width: int) -> list[Grid]:
    plan = result.plan
    groups = [group for group in plan.groups if group.series == TRACE]
    labels = [ruleset.label for ruleset in plan.rulesets]
    names = Column("variant", ["\n".join(broken(label)) for label in labels])
    return [
        grid
        for one in plan.measures
        if one.series == TRACE
        for grid in tables(
            f"Skill trace: Elo gained by each doubling, {plan.games} games each",
            [names],
            [Column(f"to\n{group.second}", [_cell(result, label, group, one) for label in labels]) for group in groups],
            width,
        )
    ]


def _cell(result: Comparison, label: str, group: Group | None, measure: Measure) -> str:
    """The estimate of a measure; nothing where there is no ``group`` of games."""
    if group is None:
        return ""
    return interval_cell(measure.kind, result.estimates[label, group].get(measure.key, NOTHING))


def _heading(measure: Measure, first: str) -> str:
    if measure.key in HEADINGS:
        return HEADINGS[measure.key].format(first=first)
    return "\n".join([*textwrap.wrap(measure.title, MAX_HEADING), measure.kind.unit]).rstrip()


def broken(label: str) -> list[str]:
    """The name of a variant in lines, one for each of its options."""
    return label.replace(":", ":\n  ").replace("+", "+\n  ").splitlines()


# --- explorations, tournaments ---


def exploration_tables(result: Exploration, width: int = WIDTH) -> list[Grid]:
    """The finalists of an exploration, with intervals in the line below."""
    plan, found = result.plan, result.finalists
    title = f"{plan.game.title}, finalists: {plan.final} fresh games each, seed {plan.seed}; 95 % intervals"
    rows = [
        Column("no.", [f"{'*' if one.on_front else ''}{one.number}" for one in found]),
        Column("variant", [one.variant for one in found]),
    ]
    columns = []
    for goal in plan.goals:
        unit = f"\n{goal.measure.kind.unit}" if goal.measure.kind.unit else ""
        cells = [interval_cell(goal.measure.kind, one.estimates[goal.measure.key]) for one in found]
        columns.append(Column(f"{goal.text.replace(':', chr(10))}{unit}", cells))
    shares = Column("on the\nfront, %", [f"{100 * one.front_share:.0f}" for one in found])
    return tables(title, rows, [*columns, shares], width)


def standings_tables(result: Standings, width: int = WIDTH) -> list[Grid]:
    """The ratings of a tournament, and every player's score against every other."""
    names, ratings = result.names, result.ratings.values()
    rows = [Column("", [str(place) for place in range(1, len(names) + 1)]), Column("player", names)]
    rated = [
        Column("Elo", [f"{one.value:+.0f}" for one in ratings]),
        Column("95 %", [f"{one.low:+.0f} to {one.high:+.0f}" for one in ratings]),
        Column("games", [str(one.count) for one in ratings]),
    ]
    made = {(score.first, score.second): score.score.value for score in result.scores}
    made |= {(score.second, score.first): 1 - score.score.value for score in result.scores}
    scored = [
        Column(str(place), [f"{100 * made[name, other]:.1f}" if (name, other) in made else "" for name in names])
        for place, other in enumerate(names, 1)
    ]
    return tables("", rows, rated, width) + tables("Score in % against number", rows, scored, width)


# --- cells ---


def interval_cell(kind: Kind, estimate: Estimate) -> str:
    """An estimate with its interval in the line below; "all 30" if all 30 numbers are equal and the interval is
    unbounded."""
    if not estimate.count:
        return kind.show(estimate.value)
    if estimate.constant and math.isinf(estimate.high - estimate.low):
        return f"{kind.show(estimate.value)}\nall {estimate.count}"
    return f"{kind.show(estimate.value)}\n{kind.show(estimate.low, 2)}–{kind.show(estimate.high, 2)}"
