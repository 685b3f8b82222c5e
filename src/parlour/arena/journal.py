"""A run's folder: its plan, and every finished game at once, so that a run that was stopped can be resumed.

| file | |
|---|---|
| ``config.json`` | the plan: all that the games follow from |
| ``journal.jsonl`` | a line a finished game, in the order in which they finished: `parlour.arena.rows` |
| ``lock`` | held while a run writes here |

Nothing in a folder is trusted, and nothing is changed before all of it has been checked: links are not followed, every
line is compared with its checksum and the plan, and every game is played again (`parlour.arena.playing`). A run may
grow: more games per series, or further players or variants.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from filelock import FileLock, Timeout
from numpy.typing import NDArray

from parlour.arena.fixtures import Plan, Played, Series
from parlour.arena.rows import CHECKSUM_BYTES, MAX_LINE, Row, planned, read_row, write_row
from parlour.errors import listing
from parlour.files import UNFINISHED, remove_unfinished, write_all, write_file
from parlour.players.python import UNKNOWN
from parlour.strict_json import JsonValue, read_json

CONFIG, JOURNAL, LOCK = "config.json", "journal.jsonl", "lock"
MORE = ("games",)
"""Entries of a plan whose number may grow."""
LONGER = ("players", "field", "variants")
"""Entries of a plan that are lists to which further elements may be added."""
ADDED = ("skill", "trace")
"""Entries of a plan that may be added where there were none."""
FREE = ("measures",)
"""Entries of a plan that the games do not follow from."""
IDENTITIES = "identities"


class Folder:
    """An open folder of one run; a context manager.

    To open it changes nothing, except for the lock. Read all `rows`, then call `start`; from then on games can be
    noted.

    Attributes:
        path: the folder.
        plan: the plan.
        done: by the key of a series, which of its games the journal holds: bool (games,).
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        """Makes the folder, or opens it to resume the run that it holds.

        Raises:
            ValueError: if the folder holds something else, a plan of which this one is no continuation, or links; or
                if another run is writing to it.
            OSError: if it can't be written.
        """
        self.path, self.plan = path, plan
        self.done: dict[str, NDArray[np.bool_]] = {}
        self._series = {series.key: series for series in plan.series}
        self._file = -1
        self._lines = self._whole = 0  # of the journal, as far as it has been checked: lines and bytes
        self._config = json.loads(json.dumps(plan.config))
        path.mkdir(parents=True, exist_ok=True)
        self._check_files()
        self._lock = FileLock(path / LOCK, timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise ValueError(f"{path}: another run is writing to this folder; give another, or wait for it") from None
        try:
            self._agree()
        except BaseException:
            self._lock.release()
            raise

    def _check_files(self) -> None:
        """Refuses a folder with files in it that no run like this one has made, and links in the place of its own."""
        found = {file.name for file in self.path.iterdir() if not file.name.startswith(UNFINISHED)}
        if CONFIG not in found and found - {LOCK}:
            raise ValueError(
                f"{self.path}: holds {min(found - {LOCK})!r} and no {CONFIG}; give a new folder, an empty one, or that "
                "of an earlier run"
            )
        for name in (CONFIG, JOURNAL, LOCK):
            if name in found and not _is_plain(self.path / name):
                raise ValueError(f"{self.path / name}: not a plain file of its own, but a link or the like")

    def _agree(self) -> None:
        """Holds the plan against the one that is there. ValueError unless it is the same, or goes on from it."""
        file = self.path / CONFIG
        if not file.exists():
            return
        there = read_config(file, follow_links=False).value
        for name in dict.fromkeys([*self._config, *there]):
            old, new = there.get(name), self._config.get(name)
            grown = (name in MORE and _is_more(old, new)) or (name in LONGER and _is_longer(old, new))
            if old == new or grown or name in FREE or (name in ADDED and name in there and old is None):
                continue
            if name == IDENTITIES and isinstance(old, dict) and isinstance(new, dict):
                self._recognise(old, new)
                continue
            longer = "; they can grow, but not shrink" if name in (*MORE, *LONGER, *ADDED) else ""
            raise ValueError(
                f"{self.path}: holds a run with {name} {old!r:.200}, not {new!r:.200}{longer}; give another folder, "
                "or the same plan to resume it"
            )
        self._refuse_unknown()

    def _recognise(self, there: Mapping[str, Any], here: Mapping[str, Any]) -> None:
        """Refuses players that are not those of the folder."""
        for name, identity in there.items():
            if here.get(name) != identity:
                raise ValueError(
                    f"{self.path}: its games of player {name!r} are by {identity}, and the player of that name is now "
                    f"{here.get(name)}: results of different players can't be put together; give another folder"
                )

    def _refuse_unknown(self) -> None:
        """Refuses players that can't be recognised, where there are games already."""
        journal = self.path / JOURNAL
        if not journal.exists() or journal.stat().st_size == 0:
            return
        for name, identity in self._config.get(IDENTITIES, {}).items():
            if identity.get("version") == UNKNOWN:
                raise ValueError(
                    f"{self.path}: player {name!r} ({identity.get('python')}) states no version, so a run can't be "
                    "resumed with it; give it an attribute `version`, or give another folder"
                )

    def rows(self) -> Iterator[tuple[Series, Row]]:
        """All games of the journal, each held against the plan. A last line that was cut short, as when a run is
        killed, is left out; `start` takes it out of the file, and its game is played again.

        ValueError, with the line's number, for any other damage, and for a game that is not in the plan or stands there
        twice.
        """
        file = self.path / JOURNAL
        for number, line in enumerate(journal_lines(file), 1):
            if not line.endswith(b"\n"):
                _check_tail(line, f"{file}, line {number}")
                return
            row = read_row(line[:-1], str(file), number)
            series = self._check(row, f"{file}, line {number}")
            self._lines, self._whole = number, self._whole + len(line)
            yield series, row

    def _check(self, row: Row, where: str) -> Series:
        """The series of a game, which is marked as done. ValueError for a game that is not in the plan."""
        series = self._series.get(row.series)
        if series is None:
            known = listing(list(self._series))
            raise ValueError(f"{where}: {row.series!r} is not part of this run, which has {known}")
        if row.index >= series.games:
            last = series.games - 1
            raise ValueError(f"{where}: game {row.index} of {row.series!r} is not part of this run: 0 to {last}")
        expected = planned(self.plan.game, series.ruleset, series.fixture(row.index))
        for name, value in expected.items():
            if row.planned[name] != value or type(row.planned[name]) is not type(value):
                raise ValueError(f"{where}: {name} is {row.planned[name]!r:.80}, but in this run it is {value!r:.80}")
        done = self.done.setdefault(row.series, np.zeros(series.games, np.bool_))
        if done[row.index]:
            raise ValueError(f"{where}: game {row.index} of {row.series!r} stands here a second time")
        done[row.index] = True
        return series

    def start(self) -> None:
        """Writes the plan, if it is new or has grown, and opens the journal for further games. OSError if that can't be
        done."""
        remove_unfinished(self.path)
        text = json.dumps(self._config, indent=1, ensure_ascii=False) + "\n"
        file = self.path / CONFIG
        if not file.exists() or read_config(file, follow_links=False).value != self._config:
            write_file(file, text)
        self._file = _open_plain(self.path / JOURNAL, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        if os.fstat(self._file).st_size > self._whole:
            os.ftruncate(self._file, self._whole)

    def note(self, games: Iterable[Played]) -> None:
        """Writes finished games down, at once. OSError if they can't be written: then a rerun plays them again."""
        lines = []
        for played in games:
            self._lines += 1
            ruleset = self._series[played.fixture.series].ruleset
            lines.append(write_row(self._lines, self.plan.game, ruleset, played))
        write_all(self._file, b"".join(lines))

    def close(self) -> None:
        """Ends the run; others may open the folder."""
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
            self._file = -1
        self._lock.release()

    def __enter__(self) -> Folder:
        """The folder itself."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """`close`."""
        self.close()


def read_config(file: Path, *, follow_links: bool = True) -> JsonValue:
    """The plan in a file: a JSON object. ValueError, with file and line, for a file that holds none; OSError for one
    that can't be read."""
    config = read_json(file, follow_links=follow_links)
    config.members()
    return config


def journal_lines(file: Path) -> Iterator[bytes]:
    """The lines of a journal with their line breaks, which the last may lack; none if there is no file. ValueError for
    what is not a plain file."""
    if file.exists() or file.is_symlink():
        with open(_open_plain(file, os.O_RDONLY), "rb") as journal:
            while line := journal.readline(MAX_LINE):
                yield line


def count_kept(folder: Path) -> int:
    """How many games a run's folder keeps: the whole lines of its journal. It may be written to meanwhile."""
    return sum(line.endswith(b"\n") for line in journal_lines(folder / JOURNAL))


def _is_plain(file: Path) -> bool:
    """Whether it is a file that has no second name, and no link."""
    found = file.lstat()
    return stat.S_ISREG(found.st_mode) and found.st_nlink == 1


def _open_plain(file: Path, flags: int) -> int:
    """Opens a plain file. ValueError for a link or anything else."""
    try:
        opened = os.open(file, flags | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0), 0o666)
    except OSError:
        if file.is_symlink():
            raise ValueError(f"{file}: a symbolic link, where only a plain file is used") from None
        raise
    if not stat.S_ISREG(os.fstat(opened).st_mode):
        os.close(opened)
        raise ValueError(f"{file}: not a plain file")
    return opened


def _check_tail(line: bytes, where: str) -> None:
    """ValueError unless a last line without a line break can be one that was cut short: one that is as long as a whole
    line is damaged."""
    begun = line.rfind(b', "crc32": "')
    if len(line) >= MAX_LINE or (begun >= 0 and len(line) > begun + CHECKSUM_BYTES):
        raise ValueError(f"{where}: damaged: there is something else than a line break behind the line")


def _is_more(old: object, new: object) -> bool:
    return isinstance(old, int) and isinstance(new, int) and old <= new


def _is_longer(old: object, new: object) -> bool:
    return isinstance(old, Sequence) and isinstance(new, Sequence) and all(element in new for element in old)
