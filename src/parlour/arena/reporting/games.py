"""A page with notable games, which matches, tournaments and comparisons write to their folder beside the journal."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from pathlib import Path

from parlour.arena.runs.journal import JOURNAL, journal_lines
from parlour.arena.runs.replays import record_of, version_of
from parlour.arena.runs.rows import Row, read_row, row_marker
from parlour.arena.setting.game_specs import GameSpec, Played
from parlour.arena.study.comparison.notable import (
    DRAMATIC,
    REASONS,
    TYPICAL,
    NotableGame,
    notable_games,
    notable_lengths,
)
from parlour.records.page import replay_page
from parlour.support.files import write_file

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
    return write_page(folder, folder / GAMES_PAGE, _overall(candidates))


def write_page(folder: Path, page: Path, chosen: Sequence[NotableGame]) -> list[tuple[str, int]]:
    """Writes a page with these games of a run. Returns and raises what `write_games` does."""
    reasons = {_key(one.played.spec): one.reason for one in chosen}
    rows = [row for row in _rows(folder, reasons) if (row.line.series, row.line.index) in reasons]
    rows.sort(key=lambda row: (row.line.series, row.line.index))  # not as the games happened to end
    if not rows:
        return []
    records = [record_of(row, version_of(folder), str(folder / JOURNAL)) for row in rows]
    labels = [
        f"{reasons[line.series, line.index]}: {one.variant}, {' – '.join(one.players)}, {len(one.moves)} plies, "
        f"{one.end} (line {line.number})"
        for line, one in zip((row.line for row in rows), records)
    ]
    write_file(page, replay_page(records, labels))
    return [(row.line.series, row.line.index) for row in rows]


def _key(spec: GameSpec) -> tuple[str, int]:
    return spec.series, spec.index


def _overall(notable: Sequence[NotableGame]) -> list[NotableGame]:
    """Among the notable games of all series, the shortest, one of typical length, the longest and the most dramatic
    one. A game that is several of these appears once."""
    if not notable:
        return []
    by_length = sorted(notable, key=lambda one: one.played.plies)
    found = notable_lengths([one.played.plies for one in by_length], [one.played.truncated for one in by_length])
    chosen = {reason: by_length[k] for reason, k in found.items() if reason != TYPICAL}
    if typical := [one for one in by_length if one.reason == TYPICAL]:
        chosen[TYPICAL] = typical[(len(typical) - 1) // 2]
    if dramatic := [one for one in notable if not math.isnan(one.drama)]:
        chosen[DRAMATIC] = max(dramatic, key=lambda one: one.drama)
    shown = [replace(chosen[reason], reason=reason) for reason in REASONS if reason in chosen]
    return list({_key(one.played.spec): one for one in reversed(shown)}.values())


def _played(row: Row) -> Played:
    line = row.line
    spec = GameSpec(
        line.series, line.index, line.variant, tuple(line.players), line.seed, line.random_plies, line.position
    )
    return Played(
        spec, tuple(line.returns), line.end, line.truncated, line.plies, line.choices, line.forced,
        line.lead_changes, line.events,
    )  # fmt: skip


def _rows(folder: Path, keys: Iterable[tuple[str, int]] | None = None) -> Iterator[Row]:
    """The games in the complete lines of a journal; with ``keys`` (series and index) those games, and possibly a few
    others, since lines are selected by their bytes."""
    file = folder / JOURNAL
    markers = [b""] if keys is None else [row_marker(*key) for key in keys]
    for number, line in enumerate(journal_lines(file), 1):
        if line.endswith(b"\n") and any(marker in line for marker in markers):
            yield read_row(line[:-1], str(file), number)
