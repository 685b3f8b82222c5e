"""Recorded games to replay: those named when the server was started, and those that a person uploads."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

from parlour.arena.journal import JOURNAL, count_kept
from parlour.arena.replays import is_run, read_journal, read_run
from parlour.records import GameRecord, parse_records, read_records
from parlour.serve.settings import MAX_RECORD_PLIES, MAX_RECORDS

CHECKSUM_KEY = '"crc32"'
"""Occurs in every line of a journal, and in no line of a record."""


def records_of(path: Path, first: int = 1) -> list[GameRecord]:
    """At most `MAX_RECORDS` games of a file or of a run's folder, from number ``first`` on (the first game is 1).
    ValueError if it has other content, OSError if it can't be read."""
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
    empty. ValueError for any other content, and for games with more than `MAX_RECORD_PLIES` plies in total."""
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise ValueError("the file is not a text file") from None
    if CHECKSUM_KEY in text.partition("\n")[0]:
        records = read_journal(text, "the file", MAX_RECORDS)
    else:
        is_pdn = name.lower().endswith(".pdn") or data.lstrip()[:2] in (b'["', b"[E")
        records = parse_records(text, "the file", ".pdn" if is_pdn else ".jsonl")[:MAX_RECORDS]
    if sum(len(record.moves) for record in records) > MAX_RECORD_PLIES:
        raise ValueError(f"the games have more than {MAX_RECORD_PLIES} plies in total")
    return records
