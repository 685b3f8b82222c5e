"""An atlas beside another one of the same plan with another seed: which of its findings are found again."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from parlour.arena.reporting.report import TESTS
from parlour.arena.statistics import SIGNIFICANT
from parlour.arena.study.atlas.plan import PLAN, AtlasPlan, plan_in
from parlour.support.errors import listing
from parlour.support.files import read_file, write_file

AGAIN = "again.csv"
"""In the folder of an atlas, the tests of the other one."""
KEY = ("measure", "players", "first", "second")
VALID = {"sign": "-1|0|1", "p": r"[01]|0\.\d+|1\.0+|\d(\.\d+)?e-\d+"}
MEANING = {"sign": "-1, 0 or 1", "p": "0 to 1"}
"""The columns of a table of tests that are read: what tells tests apart, and numbers, with their form."""


def read_table(content: bytes, source: str) -> dict[tuple[str, ...], tuple[int, float]]:
    """The tests in a table of an atlas: by `KEY` the sign of the difference and its p-value. ValueError, with the
    ``source``, the line and the column, for any other content."""
    try:
        rows = csv.DictReader(io.StringIO(content.decode()), strict=True)
        lacking = [name for name in (*KEY, *VALID) if name not in (rows.fieldnames or ())]
        if lacking:
            raise ValueError(f"{source}: no column {lacking[0]!r}; a table of tests has {listing([*KEY, *VALID])}")
        found = {}
        for row in rows:
            for name, pattern in VALID.items():
                if not re.fullmatch(pattern, row[name] or ""):
                    raise ValueError(
                        f"{source}, line {rows.line_num}: {name} is {row[name]!r:.80}; valid: {MEANING[name]}"
                    )
            found[tuple(row[name] for name in KEY)] = int(row["sign"]), float(row["p"])
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{source}: not a CSV file ({error})") from None
    return found


def found_again(rows: Sequence[Mapping[str, Any]], there: Mapping[tuple[str, ...], tuple[int, float]]) -> str:
    """How many of the significant tests of an atlas, as rows, point the same way with p < 0.05 by themselves in another
    one, whose tests `read_table` has read; and which do not."""
    here = [row for row in rows if row["direction"]]
    missed = []
    for row in here:
        sign, p = there.get(tuple(row[name] for name in KEY), (0, None))
        if p is None or sign != row["sign"] or p >= SIGNIFICANT:
            side = "above" if row["sign"] > 0 else "below"
            missed.append(
                f"{row['measure']}, {row['first']} {side} {row['second'] or 'the middle'} under {row['players']}"
                f" ({'not tested' if p is None else f'p {p:.2g}'} there)"
            )
    found = len(here) - len(missed)
    share = f" ({100 * found / len(here):.0f} %)" if here else ""
    rest = f" Not: {'; '.join(missed)}." if missed else ""
    return (
        f"Of {len(here)} tests that are significant here, {found}{share} point the same way in an atlas of the same "
        f"plan with another seed, with p < 0.05 by themselves.{rest}"
    )


def add_again(folder: Path, other: Path, plan: AtlasPlan) -> None:
    """Puts the tests of the atlas in the folder ``other`` beside those of the atlas of ``plan`` in ``folder``.
    ValueError, which names it, for an atlas of another plan or of the same seed, or a damaged table; OSError if its
    files can't be read."""
    theirs = plan_in(other / PLAN)
    apart = [name for name in plan.__struct_fields__ if name != "seed" and _entry(plan, name) != _entry(theirs, name)]
    if apart:
        raise ValueError(f"{other}: an atlas of another plan; it differs in {listing(apart)}")
    if plan.seed == theirs.seed:
        raise ValueError(f"{other}: an atlas of the same seed, {plan.seed}, finds the same")
    content = read_file(other / TESTS)
    read_table(content, str(other / TESTS))  # raises ValueError
    write_file(folder / AGAIN, content)


def _entry(plan: AtlasPlan, name: str) -> object:
    """An entry of a plan; of players their names, since the same network may lie in two folders."""
    value = getattr(plan, name)
    return list(value) if name == "players" else value
