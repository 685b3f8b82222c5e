"""Prints the tables of this folder's README from what `play.sh` has written: python docs/compare/tables.py [FOLDER].

A table for each game and group of players, in Markdown: estimates with their 95 % intervals.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from pathlib import Path

from parlour.arena.measures import EVEN, Kind, measures_of
from parlour.arena.statistics import Estimate
from parlour.registry import find
from parlour.strict_json import read_json

COLUMNS = {
    EVEN: ("undecided", "first_seat", "plies", "branching", "lead_changes", "drama"),
    "skill": ("skill", "skill_elo", "same_seat", "same_player"),
    "trace": ("skill_trace",),
}
"""The measures of each kind of games that are shown."""


def tables(folder: Path) -> str:
    """The tables of a comparison."""
    config = read_json(folder / "config.json").members()
    game = find(config["game"].text())
    seats = game.layout(game.resolve(None, {})[1]).seats
    known = {one.key: one for one in measures_of(game, seats)}
    with (folder / "results.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    parts = [f"## {game.title}\n"]
    for players in dict.fromkeys(row["players"] for row in rows):
        own = [row for row in rows if row["players"] == players]
        series = known[own[0]["measure"]].series
        shown = [known[key] for key in COLUMNS[series] if any(row["measure"] == key and row["n"] != "0" for row in own)]
        parts.append(f"`{players}`:\n")
        parts.append(f"| variant | {' | '.join(f'{one.title}, {one.kind.unit}'.rstrip(', ') for one in shown)} |")
        parts.append("|---" * (len(shown) + 1) + "|")
        for variant in dict.fromkeys(row["variant"] for row in own):
            found = {row["measure"]: row for row in own if row["variant"] == variant}
            cells = [_cell(found[one.key], one.kind) for one in shown]
            parts.append(f"| `{variant}` | {' | '.join(cells)} |")
        parts.append("")
    return "\n".join(parts)


def _cell(row: Mapping[str, str], kind: Kind) -> str:
    if row["n"] == "0":
        return "–"
    numbers = [float(row[name] or "nan") for name in ("estimate", "low", "high")]
    return f"{kind.show(numbers[0])} [{kind.interval(Estimate(*numbers, int(row['n'])))}]"


if __name__ == "__main__":
    top = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    for config in sorted(top.glob("*/config.json")):
        if (config.parent / "tests.csv").exists():
            print(tables(config.parent))
