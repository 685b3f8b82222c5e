"""Pages with games: the notable ones of a match, a tournament, a comparison or a simulation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from pathlib import Path

from parlour.arena.runs.journal import JOURNAL, read_rows, record_of, version_of
from parlour.arena.study.comparison import TYPICAL, NotableGame, notable_games, notable_lengths
from parlour.engine.player import Player
from parlour.interfaces.aec import GameEnv
from parlour.players.simulate import Results
from parlour.records.page import replay_page
from parlour.records.replaying import record_game
from parlour.records.writing import PAGE, write_replays
from parlour.support.files import write_file

GAMES_PAGE = "games.html"
FIRST, LEAD_CHANGES = "first", "most changes of the lead"
MAX_READ = 20_000
"""Notable games are chosen from this number of games at the beginning of a journal."""


def write_games(folder: Path, notable: Sequence[NotableGame] | None = None) -> list[tuple[str, int]]:
    """Writes a page with a run's shortest and longest game, one of typical length, and the most dramatic one if drama
    was measured. Returns the series and index of each game on it. For a run without games nothing is written.

    ``notable``: the games from which these are chosen; None: those at the beginning of the journal. ValueError or
    OSError if the journal can't be read or the page can't be written.
    """
    if notable is None:
        notable = notable_games([row.played for row in islice(read_rows(folder), MAX_READ)])
    typical = sorted((game for game in notable if game.reason == TYPICAL), key=lambda game: game.played.plies)
    extremes = [one for one in notable_games([one.played for one in notable]) if one.reason != TYPICAL]
    return write_page(folder, folder / GAMES_PAGE, [*extremes, *typical[(len(typical) - 1) // 2 :][:1]])


def write_page(folder: Path, page: Path, chosen: Sequence[NotableGame]) -> list[tuple[str, int]]:
    """Writes a page with these games of a run. Returns and raises what `write_games` does."""
    reasons = {(one.played.spec.series, one.played.spec.index): one.reason for one in reversed(chosen)}
    rows = [row for row in read_rows(folder, reasons) if (row.line.series, row.line.index) in reasons]
    rows.sort(key=lambda row: (row.line.series, row.line.index))  # the order of the journal depends on chance
    if not rows:
        return []
    records = [record_of(row, version_of(folder), str(folder / JOURNAL)) for row in rows]
    labels = [
        f"{reasons[line.series, line.index]}: {record.variant}, {' – '.join(record.players)}, {len(record.moves)} "
        f"plies, {record.end} (line {line.number})"
        for line, record in zip((row.line for row in rows), records)
    ]
    write_file(page, replay_page(records, labels))
    return [(row.line.series, row.line.index) for row in rows]


# --- games that are not saved: they are played again by their seeds ---


def notable_seeds(results: Results, seeds: Sequence[int]) -> dict[int, str]:
    """The seeds of notable games, each with the reason: the first game, the shortest, one of typical length, the
    longest, and the one in which the lead changed most often, if that was counted. Each game has one entry."""
    indices = {FIRST: 0, **notable_lengths(results.plies, results.truncated)}
    if results.lead_changes.any():
        indices[LEAD_CHANGES] = int(results.lead_changes.argmax())
    reasons: dict[int, str] = {}
    for reason, index in indices.items():
        reasons.setdefault(seeds[index], reason)
    return reasons


def write_notable(env: GameEnv, players: Sequence[Player], notable: Mapping[int, str], files: Sequence[Path]) -> None:
    """Writes the games with the seeds ``notable`` to a page (``.html``), and the first of them to the other files.
    OSError if one can't be written."""
    records = [record_game(env, players, seed) for seed in notable]
    labels = [
        f"{reason}: {len(record.moves)} plies, {record.end}, seed {record.seed}"
        for reason, record in zip(notable.values(), records)
    ]
    for path in files:
        if path.suffix == PAGE:
            write_file(path, replay_page(records, labels))
        else:
            write_replays(path, records[:1])
