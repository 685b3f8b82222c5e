"""The files of an atlas: one page, tables as CSV, figures as SVG, games to replay, and what a citation needs."""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from parlour import __version__
from parlour.arena.atlases import AGAIN, CHANGED, GAMES, MATTERS, WORK, Atlas, map_of
from parlour.arena.measures.kinds import NONE
from parlour.arena.measures.of_atlas import OF_ATLAS, Found
from parlour.arena.measures.outcomes import FIRST_SEAT
from parlour.arena.reporting.games import GAMES_PAGE, write_page
from parlour.arena.reporting.plots import TEMPLATES
from parlour.arena.reporting.report import RESULTS, TESTS, Figure, chapters_of, plotted, write_answer
from parlour.arena.reporting.summary import comparison_summary
from parlour.arena.statistics import SIGNIFICANT
from parlour.arena.statistics.tables import parquet_of
from parlour.arena.studies import Comparison
from parlour.arena.study.atlas_plan import PLAN, AtlasPlan, networks_of, plan_in, without_folder
from parlour.arena.study.comparison import DRAMATIC, SHORTEST, TYPICAL
from parlour.arena.study.findings import SHOWN, Claim, Conclusion, claims, conclusions
from parlour.players.names import parse_player
from parlour.support.errors import listing
from parlour.support.files import read_file, write_file
from parlour.support.locks import LOCK

PAGE, MEASURES, DIGESTS, CITATION = "index.html", "measures.csv", "digests.txt", "CITATION.cff"
SIDE = 190
"""Half the width of a map, in units of its SVG."""
MAX_REPLAYS = 440_000
"""The largest size of the page of games, in bytes; if it is larger, it has fewer games of each variant."""
SHOWN_GAMES = (SHORTEST, TYPICAL, DRAMATIC)
BY_VARIANT = ("settled", "turned", "luck_share", "nodes", "exact", "decided_more", "skill_slope")
BY_PIECE = ("worth", "removed")
BY_POLICY = ("temperature", "elo_lost", "opening_entropy", "first_moves", "moves", "opening_positions")
KEY = ("measure", "players", "first", "second")
"""The columns of a table of tests that identify a test."""
VALID = {"sign": "-1|0|1", "p": r"[01]|0\.\d+|1\.0+|\d(\.\d+)?e-\d+"}
MEANING = {"sign": "-1, 0 or 1", "p": "0 to 1"}
"""The columns with numbers that are read: their form as a pattern, and in words."""


def write_atlas(folder: Path, atlas: Atlas, parquet: bool = False) -> Path:
    """Writes all files of an atlas into its folder, with ``parquet`` each table also as a Parquet file. The path of its
    page. OSError if they can't be written; ValueError if a library for Parquet is missing."""
    comparison = atlas.comparison
    write_file(folder / PLAN, atlas.plan.toml(folder))  # first, since it marks the folder as an atlas's
    tables = {
        RESULTS: comparison.figure_rows(), TESTS: comparison.test_rows(), MEASURES: [one.row for one in atlas.entries],
    }  # fmt: skip
    figures = plotted(comparison) + [
        Figure(f"map_{number}", "", Markup(), map_svg(atlas, *placed, alone=True))
        for number, placed in enumerate(maps(atlas), 1)
    ]
    page = write_answer(folder, page_html(atlas, folder), figures, tables, comparison_summary(comparison), PAGE)
    for name, rows in tables.items() if parquet else ():
        write_file((folder / name).with_suffix(".parquet"), parquet_of(rows))
    write_file(folder / CITATION, citation(atlas))
    _write_games(folder, atlas)
    write_file(folder / DIGESTS, digests(folder, atlas))
    return page


def page_html(atlas: Atlas, folder: Path) -> str:
    """The page as one HTML text, which needs no other file."""
    comparison, plan = atlas.comparison, atlas.plan
    players = {name: without_folder(text, folder) for name, text in plan.players.items()}
    return TEMPLATES.get_template("atlas.html").render(
        game=comparison.plan.game, plan=plan, players=players, version=__version__, openings=atlas.openings,
        played=f"{comparison.plan.plan.games:,}", summary=comparison_summary(comparison), favoured=favoured(atlas),
        claims=claims(comparison.conclusions, list(players)),
        findings=comparison.findings if len(players) == 1 else [], again=_again(folder, comparison),
        tests=comparison.test_results, left_out=atlas.left_out, rules=single_rules(atlas),
        counterfactuals=_table(atlas, ("move_changed", "value_changed"), "option changed to"),
        bases=sorted({family[0] for family in atlas.families if len(family) > 1}),
        changed=CHANGED, matters=MATTERS,
        maps=[Markup(map_svg(atlas, *placed)) for placed in maps(atlas)],
        distances=_table(atlas, ("distance", "agreement"), "and"),
        added=[*(_table(atlas, keys) for keys in (BY_POLICY, BY_VARIANT)), _table(atlas, BY_PIECE, "piece (owner)")],
        kinds=[one for key, one in OF_ATLAS.items() if any(own.measure == key for own in atlas.entries)],
        chapters=chapters_of(comparison), figures=plotted(comparison), families=atlas.families, toml=plan.toml(folder),
        colours=[(group.title, k) for k, group in enumerate(comparison.plan.even_groups)],
    )  # fmt: skip


def _conclusions(atlas: Atlas) -> list[Conclusion]:
    """All differences that are shown, even if there is only one player."""
    comparison = atlas.comparison
    return conclusions(comparison.plan, comparison.test_results, comparison.added)


def _again(folder: Path, comparison: Comparison) -> str:
    """Whether another atlas confirms the findings, in words; empty unless its tests are in the folder."""
    file = folder / AGAIN
    if not file.exists():
        return ""
    return found_again(comparison.test_rows(), read_table(read_file(file), str(file)))


@dataclass(frozen=True)
class Favour:
    """Whether a side is favoured under a variant: the variant's name, the answer in words, the score of the first seat
    (or of the seat that begins) under each player, and that score by perfect play; empty if it is not known."""

    variant: str
    answer: str
    scores: tuple[str, ...]
    perfect: str


def favoured(atlas: Atlas) -> tuple[str, list[Favour]]:
    """The name of the seat whose score is shown, and an answer for each variant. The seat is the first; or the seat
    that begins, if that is not always the first. A side is called favoured only if it is shown to score more than half
    under all players, and if these are two networks or more, each at two strengths."""
    plan, fairness = atlas.comparison.plan, atlas.comparison.plan.fairness
    name = plan.game.seat_name(0) if fairness == FIRST_SEAT else "the seat that begins"
    networks = networks_of(atlas.plan).values()
    enough = len(networks) >= 2 and all(len(names) >= 2 for names in networks)
    kind = next(one.kind for one in plan.measures if one.key == fairness)
    shown = {
        conclusion.upper or conclusion.lower: conclusion
        for conclusion in _conclusions(atlas)
        if conclusion.measure.key == fairness and not (conclusion.upper and conclusion.lower)
    }
    rows = []
    for ruleset in plan.rulesets:
        verdict, label = shown.get(ruleset.label), ruleset.label
        scores = []
        for group in plan.even_groups:
            estimate = atlas.comparison.estimates[label, group][fairness]
            sign = "" if verdict is None or group.title not in (*verdict.holds, *verdict.reversed) else f" {SHOWN}"
            scores.append(f"{kind.text(estimate)}{sign}")
        perfect = [f"{kind.show(entry.estimate.value / 100)} %"
                   for entry in atlas.entries if entry.measure == "exact" and entry.variant == label]  # fmt: skip
        rows.append(Favour(label, _favour(verdict, name, enough), tuple(scores), "".join(perfect)))
    return name, rows


def _favour(conclusion: Conclusion | None, name: str, enough: bool) -> str:
    """Whether a side is favoured, in words. ``enough``: whether enough different players played to say so."""
    if conclusion is None:
        return "no advantage is shown"
    if conclusion.status == "turns":
        return "it depends on who plays"
    if conclusion.status == "all" and enough:
        return f"{name} is {'favoured' if conclusion.upper else 'at a disadvantage'}"
    return f"{'above' if conclusion.upper else 'below'} half under these players; not more is known"


def single_rules(atlas: Atlas) -> list[tuple[str, list[Claim]]]:
    """For each two variants that differ in a single option: the change, and the differences that are shown."""
    rulesets, changes = atlas.comparison.plan.rulesets, []
    shown, players = _conclusions(atlas), list(atlas.plan.players)
    for first, other in combinations(rulesets, 2):
        changed = [name for name in first.values if first.values[name] != other.values[name]]
        if len(changed) == 1:
            name = changed[0]
            between = [each for each in shown if {each.upper, each.lower} == {first.label, other.label}]
            change = f"{name}={first.values[name]} ({first.label}) → {other.values[name]} ({other.label})"
            changes.append((change, claims(between, players)))
    return changes


# --- tables ---


def _table(atlas: Atlas, keys: Sequence[str], other: str = "") -> tuple[list[str], list[list[str]]]:
    """A heading, and a row for each variant and player that has any of the measures ``keys``. ``other``: the heading of
    a column with `Found.other`; the last column is then the number of openings."""
    labels = atlas.comparison.plan.labels
    table_cells: dict[tuple[str, str, str], dict[str, Found]] = {}
    for entry in sorted(atlas.entries, key=lambda entry: labels.index(entry.variant)):
        if entry.measure in keys:
            table_cells.setdefault((entry.variant, entry.other, entry.players), {})[entry.measure] = entry
    present = [key for key in keys if any(key in cells for cells in table_cells.values())]
    titles = [f"{OF_ATLAS[key].title}, {OF_ATLAS[key].kind.unit}".rstrip(", ") for key in present]
    rows = []
    for (variant, what, players), cells in table_cells.items():
        figures = [cells[key].text if key in cells and cells[key].count else NONE for key in present]
        count = str(max(one.count for one in cells.values()))
        rows.append([variant, what, players, *figures, count] if other else [variant, players, *figures])
    return (["variant", other, "players", *titles, "openings"] if other else ["variant", "players", *titles]), rows


# --- the map ---


def maps(atlas: Atlas) -> list[tuple[list[str], NDArray[np.float64]]]:
    """The families of three variants or more with the places of their variants."""
    placed = [(family, map_of(atlas.entries, family)) for family in atlas.families if len(family) > 2]
    return [(family, points) for family, points in placed if points is not None]


def map_svg(atlas: Atlas, family: Sequence[str], points: NDArray[np.float64], alone: bool = False) -> str:
    """The map of a family, whose variants are at ``points`` (K, 2), as SVG."""
    unit = 0.7 * SIDE / (float(np.abs(points).max()) or 1.0)
    height = round(2 * max(float(np.abs(points[:, 1]).max()) * unit, 20.0) + 90)
    placed = [
        (label, round(220 + unit * x, 1), round(height / 2 - 5 + unit * y, 1), -1 if x > 0 else 1)
        for label, (x, y) in zip(family, points.tolist())
    ]
    title = f"{atlas.comparison.plan.game.title}: distance of policies"
    scale = 8, round(8 + 0.1 * unit, 1), "0.1"
    return TEMPLATES.get_template("map.svg").render(points=placed, height=height, alone=alone, title=title, scale=scale)


# --- games, citation, digests ---


def _write_games(folder: Path, atlas: Atlas) -> None:
    """Writes a page with three games of each variant by the first player, or fewer if it would be too large."""
    first = next(iter(atlas.plan.players))
    run = folder / WORK / GAMES
    for count in range(len(SHOWN_GAMES), 0, -1):
        chosen = [
            replace(notable, reason=f"{notable.played.spec.variant}, {notable.reason}")
            for notable in atlas.comparison.notable
            if notable.played.spec.players[0] == first and notable.reason in SHOWN_GAMES[-count:]
        ]
        write_page(run, folder / GAMES_PAGE, chosen or atlas.comparison.notable[:count])
        if (folder / GAMES_PAGE).stat().st_size <= MAX_REPLAYS:
            return


def citation(atlas: Atlas) -> str:
    """How to cite the atlas, in the Citation File Format."""
    title = f"The Variant Atlas: {atlas.comparison.plan.game.title}"
    return "\n".join(
        [
            "cff-version: 1.2.0", "message: If you use these figures, please cite them as below.", "type: dataset",
            f"title: {title!r}", "authors:", "  - name: The Parlour developers", f"version: {__version__}",
            f"abstract: '{atlas.comparison.plan.plan.games} games, seed {atlas.plan.seed}; see {PLAN} and {DIGESTS}.'",
            "",
        ]
    )  # fmt: skip


def digests(folder: Path, atlas: Atlas) -> str:
    """A line with the SHA-256 of each file of the folder, and of the file of each player that has one."""
    paths = {path.relative_to(folder): path for path in sorted(folder.rglob("*")) if path.is_file()}
    lines = [
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {name}"
        for name, path in paths.items()
        if WORK not in name.parts and name.name not in (DIGESTS, LOCK)
    ]
    game = atlas.comparison.plan.game
    for name, text in atlas.plan.players.items():
        identity = getattr(parse_player(text, game), "identity", {})
        lines += [f"{digest}  player {name}" for digest in identity.values()]
    return "\n".join([*lines, f"{game.digest}  rules of {game.id}", ""])


def read_table(content: bytes, source: str) -> dict[tuple[str, ...], tuple[int, float]]:
    """The tests in a table of an atlas: by `KEY` the sign of the difference and its p-value. ValueError, with the
    ``source``, the line and the column, for any other content."""
    try:
        rows = csv.DictReader(io.StringIO(content.decode()), strict=True)
        lacking = [name for name in (*KEY, *VALID) if name not in (rows.fieldnames or ())]
        if lacking:
            raise ValueError(f"{source}: no column {lacking[0]!r}; a table of tests has {listing([*KEY, *VALID])}")
        tests = {}
        for row in rows:
            for name, pattern in VALID.items():
                if not re.fullmatch(pattern, row[name] or ""):
                    raise ValueError(
                        f"{source}, line {rows.line_num}: {name} is {row[name]!r:.80}; valid: {MEANING[name]}"
                    )
            tests[tuple(row[name] for name in KEY)] = int(row["sign"]), float(row["p"])
    except (UnicodeDecodeError, csv.Error) as error:
        raise ValueError(f"{source}: not a CSV file ({error})") from None
    return tests


def found_again(rows: Sequence[Mapping[str, Any]], there: Mapping[tuple[str, ...], tuple[int, float]]) -> str:
    """How many of the significant tests of an atlas another one confirms, by the same sign and an uncorrected p < 0.05,
    and which it does not. ``rows``: the tests here; ``there``: those of the other one, from `read_table`."""
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
    confirmed = len(here) - len(missed)
    share = f" ({100 * confirmed / len(here):.0f} %)" if here else ""
    rest = f" Not: {'; '.join(missed)}." if missed else ""
    return (
        f"Of {len(here)} tests that are significant here, {confirmed}{share} point the same way in an atlas of the "
        f"same plan with another seed, with p < 0.05 by themselves.{rest}"
    )


def add_again(folder: Path, other: Path, plan: AtlasPlan) -> None:
    """Copies the tests of the atlas in the folder ``other`` into ``folder``, which has the atlas of ``plan``.
    ValueError, which names ``other``, for an atlas of another plan or of the same seed, or a damaged table; OSError if
    its files can't be read."""
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
    """An entry of a plan; for the players only their names, since the same network may be in two folders."""
    value = getattr(plan, name)
    return list(value) if name == "players" else value
