"""Games worth a look as a page: what matches, tournaments and comparisons leave in their folder beside the journal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from parlour.arena.comparison.notable import DRAMATIC, LONGEST, SHORTEST, TYPICAL, NotableGame, notable_games
from parlour.arena.fixtures import Fixture, Played
from parlour.arena.journal import CONFIG, JOURNAL, journal_lines, read_config
from parlour.arena.replays import record_of
from parlour.arena.rows import Row, mark_of, read_row
from parlour.files import write_file
from parlour.replays.page import replay_page

GAMES_PAGE = "games.html"
MAX_READ = 20_000
"""Games of a journal among which those to show are chosen."""


def write_games(folder: Path, notable: Sequence[NotableGame] | None = None) -> list[tuple[str, int]]:
    """Writes a page with a run's shortest and longest game, one of typical length, and the most dramatic one where
    drama was measured. Series and index of each game on it; for a run without a game nothing is written.

    ``notable``: the games among which these are chosen; None: those of the journal's beginning. ValueError or OSError
    where the journal can't be read, or the page not be written.
    """
    candidates = notable_games(map(_played, islice(_rows(folder), MAX_READ))) if notable is None else notable
    reasons = {_place(one.played.fixture): one.reason for one in _overall(candidates)}
    rows = [row for row in _rows(folder, reasons) if (row.series, row.index) in reasons]
    if not rows:
        return []
    version = read_config(folder / CONFIG, follow_links=False).members()["parlour"].text()
    records = [record_of(row, version, str(folder / JOURNAL)) for row in rows]
    labels = [
        f"{reasons[row.series, row.index]}: {record.variant}, {' – '.join(record.players)}, {len(record.moves)} plies, "
        f"{record.end} (line {row.number})"
        for row, record in zip(rows, records)
    ]
    write_file(folder / GAMES_PAGE, replay_page(records, labels))
    return [(row.series, row.index) for row in rows]


def _place(fixture: Fixture) -> tuple[str, int]:
    return fixture.series, fixture.index


def _overall(notable: Sequence[NotableGame]) -> list[NotableGame]:
    """Of what was chosen in each series, the shortest, a typical, the longest and the most dramatic game; a game that
    is several of these stands once."""
    by_length = sorted(notable, key=lambda one: one.played.plies)
    typical = [one for one in by_length if one.reason == TYPICAL]
    dramatic = [one for one in notable if not math.isnan(one.drama)]
    candidates = [
        *(replace(one, reason=SHORTEST) for one in by_length[:1]),
        *typical[(len(typical) - 1) // 2 : (len(typical) + 1) // 2],
        *(replace(one, reason=LONGEST) for one in by_length[-1:]),
        *(replace(one, reason=DRAMATIC) for one in sorted(dramatic, key=lambda one: -one.drama)[:1]),
    ]
    found = {_place(one.played.fixture): one for one in reversed(candidates)}
    return list(found.values())


def _played(row: Row) -> Played:
    """A line of a journal as a finished game."""
    said, result = row.planned, row.result
    fixture = Fixture(
        row.series, row.index, said["variant"], tuple(said["players"]), said["seed"], said["random_plies"],
        said["position"],
    )  # fmt: skip
    return Played(
        fixture, tuple(result["returns"]), result["end"], result["truncated"], result["plies"], result["choices"],
        result["forced"], result["lead_changes"], result["events"],
    )  # fmt: skip


def _rows(folder: Path, places: Iterable[tuple[str, int]] | None = None) -> Iterator[Row]:
    """The games in the whole lines of a journal; with ``places`` not many others than those at these places."""
    file = folder / JOURNAL
    marks = [b""] if places is None else [mark_of(*place) for place in places]
    for number, line in enumerate(journal_lines(file), 1):
        if line.endswith(b"\n") and any(mark in line for mark in marks):
            yield read_row(line[:-1], str(file), number)
