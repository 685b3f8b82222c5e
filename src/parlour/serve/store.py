"""Games in an SQLite file, so that none is lost by a restart or a closed tab."""

from __future__ import annotations

import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

WAIT, WAIT_FOR_OTHERS = 5.0, 1.0
"""Seconds that a thread waits for other threads, and then for other programs that use the file."""
LAST_WAIT = 0.3
"""Seconds that closing the file waits for a save."""
SCHEMA = """
create table if not exists games (
    id text primary key, setup text not null, record text not null, status text not null, changed real not null,
    revision integer not null default 1
)
"""
COLUMNS = "id, setup, record, status, changed, revision"
FIRST_SAVE = f"insert into games ({COLUMNS}) values (?, ?, ?, ?, ?, 1) on conflict (id) do nothing"
SAVE = """
update games set setup = ?, record = ?, status = ?, changed = ?, revision = revision + 1 where id = ? and revision = ?
"""


class Stale(Exception):
    """A game was changed or deleted in the file after it was loaded, so that it can't be saved."""


@dataclass(frozen=True)
class Stored:
    """A stored game. Its texts may be damaged: see `parlour.serve.setup.Setup.from_json`.

    Attributes:
        id: its name in the addresses of pages.
        setup: its setup, as JSON (`parlour.serve.setup.Setup`).
        record: the game so far, a `parlour.records.GameRecord` as a line of JSON.
        status: the state of the game in words.
        changed: the time of the latest change, in seconds since 1970.
        revision: how often it has been saved.
    """

    id: str
    setup: str
    record: str
    status: str
    changed: float
    revision: int


class Store:
    """The file of games. Every change has been written when `save` returns.

    All methods raise sqlite3.Error if the file can't be used, or not within some seconds.
    """

    def __init__(self, path: Path) -> None:
        """Opens the file, or makes it if it does not exist. OSError or sqlite3.Error if that fails."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self._connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=WAIT_FOR_OTHERS)
        self._connection.text_factory = lambda data: data.decode(errors="replace")  # a damaged text hides no other
        self._connection.execute("pragma journal_mode = wal")
        self._connection.execute("pragma synchronous = normal")  # nothing is lost if the process is killed
        self._connection.execute(SCHEMA)
        self._add_revisions()
        self._lock = threading.Lock()  # threads share the connection, one at a time

    def _add_revisions(self) -> None:
        """Adds the column that files of version 0.2.0 do not have."""
        if self._has_revisions():
            return
        with self._connection:
            self._connection.execute("begin immediate")  # another server may do the same now
            if not self._has_revisions():
                self._connection.execute("alter table games add column revision integer not null default 1")

    def _has_revisions(self) -> bool:
        return any(row[1] == "revision" for row in self._connection.execute("pragma table_info(games)"))

    @contextmanager
    def _in_turn(self) -> Iterator[sqlite3.Connection]:
        """The connection, for one thread at a time."""
        if not self._lock.acquire(timeout=WAIT):
            raise sqlite3.OperationalError("the file of games is busy")
        try:
            yield self._connection
        finally:
            self._lock.release()

    def save(self, game: str, setup: str, record: str, status: str, revision: int) -> int:
        """Stores a game. Returns its new revision. ``revision``: the one that was loaded or saved before, 0 for a new
        game. Raises `Stale` if the file has another one."""
        with self._in_turn() as connection:
            if revision == 0:
                done = connection.execute(FIRST_SAVE, (game, setup, record, status, time.time()))
            else:
                done = connection.execute(SAVE, (setup, record, status, time.time(), game, revision))
        if done.rowcount != 1:
            raise Stale(f"the game {game} has another revision than {revision}")
        return revision + 1

    def load(self, game: str) -> Stored | None:
        """The game with an id; None if there is none."""
        with self._in_turn() as connection:
            row = connection.execute(f"select {COLUMNS} from games where id = ?", (game,)).fetchone()
        return None if row is None else _stored(row)

    def latest(self, count: int) -> list[Stored]:
        """The ``count`` games that were changed last, the latest first."""
        with self._in_turn() as connection:
            rows = connection.execute(f"select {COLUMNS} from games order by changed desc limit ?", (count,)).fetchall()
        return [_stored(row) for row in rows]

    def delete(self, game: str) -> bool:
        """Deletes a game. Returns whether there was one."""
        with self._in_turn() as connection:
            return connection.execute("delete from games where id = ?", (game,)).rowcount > 0

    def close(self) -> None:
        """Closes the file, unless a save has just begun: then the end of the process closes it."""
        if self._lock.acquire(timeout=LAST_WAIT):
            self._connection.close()
            self._lock.release()


def _stored(row: tuple[object, ...]) -> Stored:
    """A row of the file. SQLite keeps values of any type in any column; others than texts are shown as Python does."""
    game, setup, record, status, changed, revision = row
    at = changed if isinstance(changed, float) else 0.0
    return Stored(str(game), str(setup), str(record), str(status), at, revision if isinstance(revision, int) else 0)
