"""Prints what the places of this folder's README are filled with, from what stands beside it:

python docs/compare/tables.py atlas                a table of the variants in the atlas
python docs/compare/tables.py FOLDER facts         what was played in a comparison
python docs/compare/tables.py FOLDER even          its estimates, with 95 % intervals, from games of equal players; also
                                                   `skill`, and `trace`
python docs/compare/tables.py FOLDER undecided     of one of Agon under changed rules, how many games are undecided
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from pathlib import Path

from parlour.arena.measures import EVEN, SCORE, SHARE, Kind, mean_of, measures_of
from parlour.arena.reporting.games import GAMES_PAGE
from parlour.arena.reporting.report import FILES
from parlour.arena.runs.journal import CONFIG
from parlour.arena.statistics import Estimate
from parlour.arena.study.atlas_plan import read_plan as read_atlas
from parlour.arena.study.plans import ComparisonPlan, SavedComparison
from parlour.interfaces.registry import find
from parlour.players.champion import champion_plays
from parlour.support.typed_json import read_json

COLUMNS = {
    EVEN: ("undecided", "first_seat", "plies", "branching", "lead_changes"),
    "skill": ("skill", "skill_elo", "same_seat", "same_player"),
    "trace": ("skill_trace",),
}
"""The measures of each kind of games that are shown."""
ATLAS = Path(__file__).parent.parent / "atlas"
FAIRNESS = "first_seat", "seat_that_begins"
"""The measures of fairness, of which a report tests one: the second, where the first seat does not always begin."""


def plan_of(folder: Path) -> ComparisonPlan:
    """The plan that was played."""
    file = folder / "config.json"
    return read_json(file, SavedComparison).plan(str(file))


def command(folder: Path) -> str:
    """The command that plays it again."""
    plan = plan_of(folder)
    labels = [ruleset.label for ruleset in plan.rulesets]
    words = ["parlour compare", plan.game.name]
    words += [f"--variants {','.join(labels)}"] if labels != [one.name for one in plan.game.variants] else []
    words += [f"--players {','.join(plan.players)}", f"--skill {','.join(plan.skill) if plan.skill else 'none'}"]
    words += [f"--trace {plan.trace[0]},{plan.trace[1]}"] if plan.trace else []
    return " ".join([*words, f"--games {plan.games} --seed {plan.seed} --out {folder.name}"])


def facts(folder: Path) -> str:
    """What was played, what is in the folder, and which variants the champion of today plays."""
    plan = plan_of(folder)
    known = [f"`{one.label}`" for one in plan.rulesets if champion_plays(plan.game, [one.values])]
    whole = len(known) == len(plan.rulesets)
    files = ", ".join(f"[`{name}`]({folder.name}/{name})" for name in (*FILES, GAMES_PAGE, CONFIG))
    champion = "all these variants" if whole else ", ".join(known) or "none of them"
    return f"*{plan.plan.games:,} games. {files}. Today's champion plays {champion}.*"


def atlas_rows(folder: Path) -> list[str]:
    """A row for each variant of an atlas: what is measured under each of its players, as the lowest and the highest of
    their estimates; and the side that is shown to score more under the most of them."""
    plan = read_atlas(folder / "atlas.toml")
    game, count = find(plan.game), len(plan.players)
    with (folder / "results.csv").open(newline="") as lines:
        figures = [row for row in csv.DictReader(lines) if row["players"] in plan.players and row["estimate"]]
    with (folder / "tests.csv").open(newline="") as lines:
        leans = [row for row in csv.DictReader(lines) if row["measure"] in FAIRNESS and not row["second"]]
    fair = leans[0]["measure"]  # one of the two is tested
    rows = []
    for variant in dict.fromkeys(row["variant"] for row in figures):
        cells = []
        for key, kind in (("undecided", SHARE), (fair, SCORE), ("plies", mean_of("plies"))):
            known = [float(row["estimate"]) for row in figures if (row["variant"], row["measure"]) == (variant, key)]
            ends = dict.fromkeys(kind.show(end / kind.scale) for end in (min(known), max(known))) if known else ["–"]
            cells.append(" to ".join(ends))
        sides = [int(row["direction"]) for row in leans if row["first"] == variant]
        more, less = sides.count(1), sides.count(-1)
        shown = f"more under {more} of {count}" if more else f"less under {less} of {count}" if less else "not shown"
        page = f"[{game.title}](../atlas/{folder.name}/index.html) `{variant}`"
        rows.append(f"| {page} | {plan.games} under each of {count} | {' | '.join(cells)} | {shown} |")
    return rows


def undecided(folder: Path) -> list[str]:
    """A table of the undecided games, in %: a row for each player, a column for each variant."""
    with (folder / "results.csv").open(newline="") as lines:
        rows = [row for row in csv.DictReader(lines) if row["measure"] == "undecided"]
    variants = dict.fromkeys(row["variant"] for row in rows)
    table = [f"| players | {' | '.join(f'`{variant}`' for variant in variants)} |", "|---" * (len(variants) + 1) + "|"]
    for players in dict.fromkeys(row["players"] for row in rows):
        cells = [_cell(row, SHARE) for row in rows if row["players"] == players]
        table.append(f"| `{players}` | {' | '.join(cells)} |")
    return table


def estimates(folder: Path, series: str) -> list[str]:
    """A table of a comparison's estimates from one kind of games: a row for each variant and group of players."""
    game = plan_of(folder).game
    seats = game.layout(game.resolve(None, {})[1]).seats
    measures, keys = {one.key: one for one in measures_of(game, seats)}, COLUMNS[series]
    with (folder / "results.csv").open(newline="") as lines:
        rows = list(csv.DictReader(lines))
    played = [row for row in rows if row["measure"] in keys and measures[row["measure"]].series == series]
    shown = [measures[key] for key in keys if any(row["measure"] == key and row["n"] != "0" for row in played)]
    titles = (f"{one.title}, {one.kind.unit}".rstrip(", ") for one in shown)
    table = [f"| variant | players | {' | '.join(titles)} |", "|---" * (len(shown) + 2) + "|"]
    for variant in dict.fromkeys(row["variant"] for row in played):
        for place, players in enumerate(dict.fromkeys(row["players"] for row in played)):
            cells = {row["measure"]: row for row in played if (row["variant"], row["players"]) == (variant, players)}
            figures = " | ".join(_cell(cells[one.key], one.kind) for one in shown)
            first = "" if place else f" `{variant}`"
            table.append(f"|{first} | `{players}` | {figures} |")
    return table


def printed(name: str, part: str = "") -> list[str]:
    """The lines of one place of the README: ``"atlas"``; or of the folder ``name`` its ``part``, as the usage says."""
    folder = Path(__file__).parent / name
    if name == ATLAS.name:
        head = [
            "| variant | games | Undecided games, % | Score of the first seat, % | Length, plies | That it is uneven |"
        ]
        return [
            *head,
            "|---" * 6 + "|",
            *(row for plan in sorted(ATLAS.glob("*/atlas.toml")) for row in atlas_rows(plan.parent)),
        ]
    if part in COLUMNS:
        return estimates(folder, part)
    return {"facts": lambda: [facts(folder)], "undecided": lambda: undecided(folder)}[part]()


def _cell(row: Mapping[str, str], kind: Kind) -> str:
    if row["n"] == "0":
        return "–"
    numbers = [float(row[name] or "nan") for name in ("estimate", "low", "high")]
    estimate = Estimate(*(number / kind.scale for number in numbers), int(row["n"]), cut=row["cut"] == str(True))
    return f"{kind.figure(estimate)} [{kind.interval(estimate)}]"


if __name__ == "__main__":
    print(*printed(*sys.argv[1:]), sep="\n")
