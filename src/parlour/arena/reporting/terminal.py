"""Results as tables for the terminal. A table that is too wide is divided, so that no number is cut off."""

from __future__ import annotations

import io
import math
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from parlour.arena.matches.contests import Standings
from parlour.arena.matches.tally import elo_text
from parlour.arena.measures import Kind
from parlour.arena.measures.registry import TRACE
from parlour.arena.statistics import NOTHING, Estimate
from parlour.arena.study.comparison import ComparisonResult
from parlour.support.signed import signed

WIDTH = 80
"""Columns of a terminal whose width is not known."""
MAX_NAME = 24
"""The largest number of letters in a line of a row's name."""
BETWEEN = 2
"""Spaces between two columns."""


@dataclass(frozen=True)
class Column:
    """A column of figures: its heading, and a text for each row."""

    heading: str
    cells: Sequence[str]

    @property
    def width(self) -> int:
        """The number of letters in its longest line."""
        return max(len(line) for cell in (self.heading, *self.cells) for line in cell.splitlines() or [""])


def tables(title: str, rows: Sequence[Column], columns: Sequence[Column], width: int = WIDTH) -> list[Grid]:
    """Tables of at most ``width`` letters. ``rows``: the columns that name the rows, which all tables have;
    ``columns``: the others, which are divided between the tables."""
    room = width + BETWEEN - sum(min(column.width, MAX_NAME) + BETWEEN for column in rows)
    parts: list[list[Column]] = [[]]
    for column in columns:
        if parts[-1] and sum(each.width + BETWEEN for each in (*parts[-1], column)) > room:
            parts.append([])
        parts[-1].append(column)
    return [_grid(title if number == 0 else "", rows, part, width) for number, part in enumerate(parts)]


def named_rows(title: str, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> Grid:
    """One table. ``rows``: each begins with its name."""
    name, *columns = map(Column, headings, zip(*rows))
    return _grid(title, [name], columns)


def _grid(title: str, rows: Sequence[Column], columns: Sequence[Column], width: int = WIDTH) -> Grid:
    """``width``: of the terminal. The title may be this long even if the table is narrower."""
    heading = Text(textwrap.fill(title, width), "table.title", no_wrap=True, overflow="ignore") if title else None
    grid = Grid(
        title=heading, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, show_edge=False,
        padding=(0, 1, 0, 0),
    )  # fmt: skip
    for row in rows:
        grid.add_column(row.heading, overflow="fold", max_width=MAX_NAME)
    for column in columns:
        grid.add_column(column.heading, justify="right", no_wrap=True)
    for cells in zip(*(column.cells for column in (*rows, *columns))):
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


# --- comparisons, tournaments ---


def trace_tables(result: ComparisonResult) -> list[Grid]:
    """The skill trace of a comparison, with intervals in the line below; no table without one."""
    plan = result.plan
    groups = [group for group in plan.groups if group.series == TRACE]
    names = Column("variant", ["\n".join(broken(label)) for label in plan.labels])
    title = f"Skill trace: Elo gained by each doubling, {plan.games} games each"
    traces = []
    for measure in (one for one in plan.measures if one.series == TRACE):
        columns = []
        for group in groups:
            estimates = [result.estimates[label, group].get(measure.key, NOTHING) for label in plan.labels]
            columns.append(Column(f"to\n{group.second}", [interval_cell(measure.kind, one) for one in estimates]))
        traces += tables(title, [names], columns)
    return traces


def broken(label: str) -> list[str]:
    """The name of a variant in lines, one for each of its options."""
    return label.replace(":", ":\n  ").replace("+", "+\n  ").splitlines()


def standings_tables(result: Standings, width: int) -> list[Grid]:
    """The ratings of a tournament, and every player's score against every other."""
    names, ratings = result.names, result.ratings.values()
    rows = [Column("", [str(place) for place in range(1, len(names) + 1)]), Column("player", names)]
    rated = [
        Column("Elo", [signed(one.value, 0) for one in ratings]),
        Column("95 %", [f"{signed(one.low, 0)} to {signed(one.high, 0)}" for one in ratings]),
        Column("games", [str(one.count) for one in ratings]),
        *([Column("adjusted for luck", list(map(elo_text, result.adjusted.values())))] if result.adjusted else []),
        *([Column("on the ladder", [signed(elo, 0) for elo in result.on_ladder.values()])] if result.rungs else []),
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
    """An estimate, its interval in the line below; "all 30" if 30 numbers are equal and the interval unbounded."""
    if not estimate.count:
        return kind.show(estimate.value)
    if estimate.constant and math.isinf(estimate.high - estimate.low):
        return f"{kind.figure(estimate)}\nall {estimate.count}"
    return f"{kind.figure(estimate)}\n{kind.show(estimate.low, 2)}–{kind.show(estimate.high, 2)}"
