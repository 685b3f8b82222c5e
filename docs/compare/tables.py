"""Prints the tables of this folder's README from what `play.sh` has written: python docs/compare/tables.py [FOLDER].

Tables for each game, in Markdown: estimates with their 95 % intervals.
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
    EVEN: ("undecided", "first_seat", "plies", "branching", "lead_changes"),
    "skill": ("skill", "skill_elo", "same_seat", "same_player"),
    "trace": ("skill_trace",),
}
"""The measures of each kind of games that are shown."""


def tables(folder: Path) -> str:
    """The tables of a comparison: one for each kind of games, a row for each variant and group of players."""
    config = read_json(folder / "config.json").members()
    game = find(config["game"].text())
    seats = game.layout(game.resolve(None, {})[1]).seats
    measures = {one.key: one for one in measures_of(game, seats)}
    with (folder / "results.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    parts = [f"## {game.title}\n"]
    for series, keys in COLUMNS.items():
        played = [row for row in rows if row["measure"] in keys and measures[row["measure"]].series == series]
        shown = [measures[key] for key in keys if any(row["measure"] == key and row["n"] != "0" for row in played)]
        if not shown:
            continue
        parts.append(
            f"| variant | players | {' | '.join(f'{one.title}, {one.kind.unit}'.rstrip(', ') for one in shown)} |"
        )
        parts.append("|---" * (len(shown) + 2) + "|")
        for variant in dict.fromkeys(row["variant"] for row in played):
            for place, players in enumerate(dict.fromkeys(row["players"] for row in played)):
                cells = {
                    row["measure"]: row for row in played if (row["variant"], row["players"]) == (variant, players)
                }
                figures = " | ".join(_cell(cells[one.key], one.kind) for one in shown)
                first = "" if place else f" `{variant}`"
                parts.append(f"|{first} | `{players}` | {figures} |")
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
