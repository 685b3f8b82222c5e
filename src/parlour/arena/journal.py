"""A run's folder: its plan, and every finished game at once, so that a run that was stopped goes on where it was.

| file | |
|---|---|
| ``config.json`` | the plan: all that the games follow from |
| ``journal.jsonl`` | a line a finished game, in the order in which they finished: `parlour.arena.fixtures.Played` |
| ``lock`` | held while a run writes here |
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from dataclasses import asdict, fields
from pathlib import Path
from types import TracebackType
from typing import Any

from filelock import FileLock, Timeout

from parlour.arena.fixtures import Played
from parlour.files import UNFINISHED, remove_unfinished, write_file
from parlour.strict_json import JsonValue, read_json

CONFIG, JOURNAL, LOCK = "config.json", "journal.jsonl", "lock"
FIELDS = [field.name for field in fields(Played)]


class Folder:
    """An open folder of one run; a context manager.

    Attributes:
        path: the folder.
        config: the plan, as JSON holds it.
        played: the games that its journal holds, by number.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], games: int) -> None:
        """Makes the folder, or opens it to go on with the run that it holds.

        Args:
            path: the folder.
            config: the plan, anything that JSON can hold.
            games: how many the plan has.

        Raises:
            ValueError: if the folder holds something else, another plan, or a damaged journal, or if another run is
                writing to it.
            OSError: if it can't be written.
        """
        self.path, self.config = path, json.loads(json.dumps(config))
        path.mkdir(parents=True, exist_ok=True)
        self._check_own()
        self._lock = FileLock(path / LOCK, timeout=0)
        try:
            self._lock.acquire()
        except Timeout:
            raise ValueError(f"{path}: another run is writing to this folder; give another, or wait for it") from None
        try:
            remove_unfinished(path)
            self._agree()
            self.played = read_journal(path / JOURNAL, games)
            self._file = os.open(path / JOURNAL, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        except BaseException:
            self._lock.release()
            raise

    def _check_own(self) -> None:
        """Refuses a folder with files in it that no run like this one has made."""
        found = {file.name for file in self.path.iterdir()}
        foreign = {name for name in found - {LOCK} if not name.startswith(UNFINISHED)}
        if CONFIG not in found and foreign:
            raise ValueError(
                f"{self.path}: holds {min(foreign)!r} and no {CONFIG}; give a new folder, an empty one, or that of an "
                "earlier run"
            )

    def _agree(self) -> None:
        """Writes the plan, or holds it against the one that is there."""
        file = self.path / CONFIG
        if not file.exists():
            write_file(file, json.dumps(self.config, indent=1) + "\n")
            return
        there = read_config(file, follow_links=False).value
        for name in dict.fromkeys([*self.config, *there]):
            if there.get(name) != self.config.get(name):
                raise ValueError(
                    f"{self.path}: holds a run with {name} {there.get(name)!r}, not {self.config.get(name)!r}; give "
                    "another folder, or the same plan to go on with it"
                )

    def note(self, games: Iterable[Played]) -> None:
        """Writes finished games down, at once."""
        lines = b""
        for game in games:
            self.played[game.number] = game
            lines += json.dumps(asdict(game), ensure_ascii=False).encode() + b"\n"
        while lines:
            lines = lines[os.write(self._file, lines) :]

    def close(self) -> None:
        """Ends the run; others may open the folder."""
        os.fsync(self._file)
        os.close(self._file)
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


def read_journal(file: Path, games: int) -> dict[int, Played]:
    """The games that a journal holds, by number; none if there is no file.

    A last line that was cut short, as when a run is killed, is taken out of the file: that game is played again.
    ValueError, with the line's number, for any other damage: a line that is no game of a plan of so many ``games``, or
    one that stands there twice.
    """
    if not file.exists():
        return {}
    content = file.read_bytes()
    whole = content.rfind(b"\n") + 1
    if whole < len(content):
        with file.open("r+b") as journal:
            journal.truncate(whole)
    played: dict[int, Played] = {}
    for number, line in enumerate(content[:whole].splitlines(), 1):
        game = _read_game(line, f"{file}, line {number}")
        if not 0 <= game.number < games:
            raise ValueError(
                f"{file}, line {number}: game {game.number} is not in the plan, which has 0 to {games - 1}"
            )
        if game.number in played:
            raise ValueError(f"{file}, line {number}: game {game.number} stands here a second time")
        played[game.number] = game
    return played


def count_kept(folder: Path) -> int:
    """How many games a run's folder keeps: the whole lines of its journal. It may be written to meanwhile."""
    file = folder / JOURNAL
    return file.read_bytes().count(b"\n") if file.exists() else 0


def _read_game(line: bytes, where: str) -> Played:
    try:
        content = json.loads(line)
        if not isinstance(content, dict) or sorted(content) != sorted(FIELDS):
            raise ValueError(f"a game has {', '.join(FIELDS)}")
        expected = dict.fromkeys(FIELDS, int) | {"returns": list, "events": list, "end": str, "truncated": bool}
        for name, value in content.items():
            if type(value) is not expected[name]:
                raise ValueError(f"{name!r} is {content[name]!r}")
        numbers = [*content["returns"], *content["events"]]
        if any(isinstance(value, bool) or not isinstance(value, (int, float)) for value in numbers):
            raise ValueError("'returns' and 'events' are numbers")
    except ValueError as error:
        raise ValueError(f"{where}: not a game of a journal ({error}); the run can't go on from it") from None
    returns, events = (tuple(content.pop(name)) for name in ("returns", "events"))
    return Played(**content, returns=returns, events=events)
