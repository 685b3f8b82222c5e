"""Pages with games: the notable ones of a match, a tournament or a comparison, and how a player wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from parlour.arena.runs.journal import JOURNAL, Row, read_rows, read_run, record_of, version_of
from parlour.arena.setting.plans import GameSpec, Played
from parlour.arena.study.comparison import TYPICAL, NotableGame, notable_games
from parlour.interfaces.game_record import GameRecord
from parlour.records.page import replay_page
from parlour.support.files import write_file

GAMES_PAGE = "games.html"
MAX_READ = 20_000
"""Notable games are chosen among this number of games at the beginning of a journal."""
MAX_LINES = 5
"""How many lines are told."""
WINS = 3
"""How many wins are shown."""


def write_games(folder: Path, notable: Sequence[NotableGame] | None = None) -> list[tuple[str, int]]:
    """Writes a page with a run's shortest and longest game, one of typical length, and the most dramatic one if drama
    was measured. Returns the series and index of each game on it. For a run without games nothing is written.

    ``notable``: the games among which these are chosen; None: those at the beginning of the journal. ValueError or
    OSError if the journal can't be read or the page can't be written.
    """
    if notable is None:
        notable = notable_games([_played(row) for row in islice(read_rows(folder), MAX_READ)])
    typical = sorted((game for game in notable if game.reason == TYPICAL), key=lambda game: game.played.plies)
    extremes = [one for one in notable_games([one.played for one in notable]) if one.reason != TYPICAL]
    return write_page(folder, folder / GAMES_PAGE, [*extremes, *typical[(len(typical) - 1) // 2 :][:1]])


def write_page(folder: Path, page: Path, chosen: Sequence[NotableGame]) -> list[tuple[str, int]]:
    """Writes a page with these games of a run. Returns and raises what `write_games` does."""
    reasons = {(one.played.spec.series, one.played.spec.index): one.reason for one in reversed(chosen)}
    rows = [row for row in read_rows(folder, reasons) if (row.line.series, row.line.index) in reasons]
    rows.sort(key=lambda row: (row.line.series, row.line.index))  # not as the games happened to end
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


def _played(row: Row) -> Played:
    line = row.line
    spec = GameSpec(
        line.series, line.index, line.variant, tuple(line.players), line.seed, line.random_plies, line.position
    )
    return Played(
        spec, tuple(line.returns), line.end, line.truncated, line.plies, line.choices, line.forced,
        line.lead_changes, line.events,
    )  # fmt: skip


@dataclass(frozen=True)
class OpeningLine:
    """How some games begin.

    Attributes:
        seat: the player's.
        moves: the names of the first plies, by both seats.
        wins: how many of them the player has won.
    """

    seat: int
    moves: tuple[str, ...]
    games: int
    wins: int


def opening_lines(folder: Path, player: str, length: int) -> tuple[OpeningLine, ...]:
    """The lines of ``length`` plies with which a player's games in a folder begin, those of most wins first."""
    games, won = Counter[tuple[int, tuple[str, ...]]](), Counter[tuple[int, tuple[str, ...]]]()
    for _, record in read_run(folder):
        line = record.players.index(player), tuple(record.moves[:length])
        games[line] += 1
        won[line] += _has_won(record, player)
    most = sorted(games, key=lambda line: (-won[line], -games[line], line))[:MAX_LINES]
    return tuple(OpeningLine(seat, moves, games[seat, moves], won[seat, moves]) for seat, moves in most)


def write_wins(folder: Path, player: str, page: Path) -> Path | None:
    """Writes a page that replays the wins of a player whose length is nearest to the median of its wins. Returns
    ``page``; None if there are no wins."""
    won = sorted(
        (len(record.moves), number) for number, record in read_run(folder) if _has_won(record, player)
    )  # only numbers are kept, since a folder may have many games
    if not won:
        return None
    middle = won[len(won) // 2][0]
    typical = sorted(number for _, number in sorted(won, key=lambda win: abs(win[0] - middle))[:WINS])
    records = [record for number in typical for _, record in read_run(folder, number)]
    labels = [
        f"{player} wins in {len(record.moves)} plies ({record.end}), game {number}"
        for number, record in zip(typical, records)
    ]
    write_file(page, replay_page(records, labels))
    return page


def _has_won(record: GameRecord, player: str) -> bool:
    seat = record.players.index(player)
    return all(record.returns[seat] > paid for k, paid in enumerate(record.returns) if k != seat)
