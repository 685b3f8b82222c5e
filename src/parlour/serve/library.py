"""Recorded games to replay: those named when the server was started, and those that a person uploads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import TypeVar

from parlour.arena.journal import JOURNAL, count_kept
from parlour.arena.replays import UNKNOWN, is_run, read_run, record_of
from parlour.arena.rows import Row, read_row
from parlour.interfaces.game_record import GameRecord
from parlour.records.files import each_record, read_records
from parlour.serve.settings import MAX_RECORD_PLIES, MAX_RECORDS

CHECKSUM_KEY = '"crc32"'
"""Occurs in every line of a journal, and in no line of a record."""
ARRAY = re.compile(r"\[\s*[{\]]")
"""How an array of records begins."""
THE_FILE = "the file"
Read = TypeVar("Read")


def records_of(path: Path, first: int = 1) -> list[GameRecord]:
    """At most `MAX_RECORDS` games of a file or run, from the first-th on, counted from 1. ValueError, OSError."""
    if is_run(path):
        return [record for _, record in islice(read_run(path, first=first), MAX_RECORDS)]
    return read_records(path)[first - 1 : first - 1 + MAX_RECORDS]


def count_games(path: Path) -> int:
    """How many games a file or a run's folder has. ValueError and OSError as in `records_of`."""
    return count_kept(path) if is_run(path) else len(read_records(path))


def runs_in(folder: Path) -> dict[str, Path]:
    """The runs' folders directly in a folder, by name, such as those of `parlour compare` in the working directory."""
    return {path.name: path for path in sorted(folder.iterdir()) if is_run(path) and (path / JOURNAL).is_file()}


def parse_upload(data: bytes, name: str) -> list[GameRecord]:
    """The first `MAX_RECORDS` games of an uploaded file: records, or a run's journal. ``name``: the file's name, or
    empty. ValueError for any other content, and for games with more than `MAX_RECORD_PLIES` plies in total: those are
    counted while games are read, before any is played."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ValueError("the file is not a text file") from None
    if CHECKSUM_KEY in text.partition("\n")[0]:
        rows = _bounded(_rows(text), lambda row: len(row.moves))
        return [record_of(row, UNKNOWN, THE_FILE) for row in rows]
    records = each_record(text, THE_FILE, _ending(text, name), MAX_RECORD_PLIES)
    return _bounded(records, lambda record: len(record.moves))


def _bounded(games: Iterable[Read], plies_of: Callable[[Read], int]) -> list[Read]:
    """The first `MAX_RECORDS` games; the rest is not read. ValueError as soon as they have too many plies."""
    found, plies = [], 0
    for game in islice(games, MAX_RECORDS):
        plies += plies_of(game)
        if plies > MAX_RECORD_PLIES:
            raise ValueError(f"the games have more than {MAX_RECORD_PLIES} plies in total")
        found.append(game)
    return found


def _rows(text: str) -> Iterator[Row]:
    """The games in the text of a journal. ValueError, with the line, for what is no game, and without a whole line."""
    lines = text.encode().split(b"\n")[:-1]  # what is behind the last line break is not complete
    if not lines:
        raise ValueError(f"{THE_FILE}: not a journal: it has no complete line")
    for number, line in enumerate(lines, 1):
        yield read_row(line, THE_FILE, number)


def _ending(text: str, name: str) -> str:
    """The ending that stands for the form of an upload: that of its name, or what the text looks like."""
    ending = Path(name).suffix.lower()
    if ending in (".json", ".jsonl", ".pdn"):
        return ending
    start = text[:100].lstrip()
    return ".json" if ARRAY.match(start) else ".pdn" if start.startswith("[") else ".jsonl"
