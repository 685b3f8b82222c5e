"""How a player wins: the lines with which its games begin, and a page with typical wins."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from parlour.arena.runs.replays import read_run
from parlour.interfaces.game_record import GameRecord
from parlour.records.page import replay_page
from parlour.support.files import write_file

MAX_LINES = 5
"""How many lines are told."""
WINS = 3
"""How many wins are shown."""


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
    typical = sorted(number for _, number in sorted(won, key=lambda one: abs(one[0] - middle))[:WINS])
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
