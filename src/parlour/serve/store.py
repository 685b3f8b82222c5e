"""Games in an SQLite file, so that none is lost by a restart or a closed tab."""

from __future__ import annotations

import sqlite3
import threading
import time
from dataclasses import dataclass
from pathlib import Path

SCHEMA = """
create table if not exists games (
    id text primary key, setup text not null, record text not null, status text not null, changed real not null
)
"""
SAVE = """
insert into games values (?, ?, ?, ?, ?) on conflict (id) do update set
setup = excluded.setup, record = excluded.record, status = excluded.status, changed = excluded.changed
"""


@dataclass(frozen=True)
class Stored:
    """A stored game.

    Attributes:
        id: its name in the addresses of pages.
        setup: its setup, as JSON (`parlour.serve.setup.Setup`).
        record: the game so far, a `parlour.records.GameRecord` as a line of JSON.
        status: the state of the game in words.
        changed: the time of the latest change, in seconds since 1970.
    """

    id: str
    setup: str
    record: str
    status: str
    changed: float


class Store:
    """The file of games. Every change has been written when `save` returns."""

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it if it does not exist. OSError or sqlite3.Error if that fails."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=10)
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = normal")  # nothing is lost if the process is killed
        self._connection.execute(SCHEMA)
        self._lock = threading.Lock()  # threads share the connection, one at a time

    def save(self, game: str, setup: str, record: str, status: str) -> None:
        """Stores a game, replacing an earlier state of the game with the same id."""
        with self._lock:
            self._connection.execute(SAVE, (game, setup, record, status, time.time()))

    def load(self, game: str) -> Stored | None:
        """The game with an id; None if there is none."""
        with self._lock:
            row = self._connection.execute("select * from games where id = ?", (game,)).fetchone()
        return None if row is None else Stored(*row)

    def latest(self, count: int) -> list[Stored]:
        """The ``count`` games that were changed last, the latest first."""
        with self._lock:
            rows = self._connection.execute("select * from games order by changed desc limit ?", (count,)).fetchall()
        return [Stored(*row) for row in rows]

    def delete(self, game: str) -> None:
        """Deletes a game."""
        with self._lock:
            self._connection.execute("delete from games where id = ?", (game,))

    def close(self) -> None:
        """Closes the file."""
        with self._lock:
            self._connection.close()
