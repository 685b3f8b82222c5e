"""A page with notable games, which matches, tournaments and comparisons write to their folder beside the journal."""

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
from parlour.arena.rows import Row, read_row, row_marker
from parlour.files import write_file
from parlour.replays.page import replay_page

GAMES_PAGE = "games.html"
MAX_READ = 20_000
"""Notable games are chosen among this number of games at the beginning of a journal."""


def write_games(folder: Path, notable: Sequence[NotableGame] | None = None) -> list[tuple[str, int]]:
    """Writes a page with a run's shortest and longest game, one of typical length, and the most dramatic one if drama
    was measured. Returns the series and index of each game on it. For a run without games nothing is written.

    ``notable``: the games among which these are chosen; None: games at the beginning of the journal. ValueError or
    OSError if the journal can't be read or the page can't be written.
    """
    candidates = notable_games(map(_played, islice(_rows(folder), MAX_READ))) if notable is None else notable
    reasons = {_key(one.played.fixture): one.reason for one in _overall(candidates)}
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


def _key(fixture: Fixture) -> tuple[str, int]:
    return fixture.series, fixture.index


def _overall(notable: Sequence[NotableGame]) -> list[NotableGame]:
    """Among the notable games of all series, the shortest, one of typical length, the longest and the most dramatic
    one. A game that is several of these appears once."""
    by_length = sorted(notable, key=lambda one: one.played.plies)
    typical = [one for one in by_length if one.reason == TYPICAL]
    dramatic = [one for one in notable if not math.isnan(one.drama)]
    candidates = [
        *(replace(one, reason=SHORTEST) for one in by_length[:1]),
        *typical[(len(typical) - 1) // 2 : (len(typical) + 1) // 2],
        *(replace(one, reason=LONGEST) for one in by_length[-1:]),
        *(replace(one, reason=DRAMATIC) for one in sorted(dramatic, key=lambda one: -one.drama)[:1]),
    ]
    by_key = {_key(one.played.fixture): one for one in reversed(candidates)}
    return list(by_key.values())


def _played(row: Row) -> Played:
    """A line of a journal as a finished game."""
    planned, result = row.planned, row.result
    fixture = Fixture(
        row.series, row.index, planned["variant"], tuple(planned["players"]), planned["seed"],
        planned["random_plies"], planned["position"],
    )  # fmt: skip
    return Played(
        fixture, tuple(result["returns"]), result["end"], result["truncated"], result["plies"], result["choices"],
        result["forced"], result["lead_changes"], result["events"],
    )  # fmt: skip


def _rows(folder: Path, keys: Iterable[tuple[str, int]] | None = None) -> Iterator[Row]:
    """The games in the complete lines of a journal; with ``keys`` (series and index) those games, and possibly a few
    others, since lines are selected by their bytes."""
    file = folder / JOURNAL
    markers = [b""] if keys is None else [row_marker(*key) for key in keys]
    for number, line in enumerate(journal_lines(file), 1):
        if line.endswith(b"\n") and any(marker in line for marker in markers):
            yield read_row(line[:-1], str(file), number)
