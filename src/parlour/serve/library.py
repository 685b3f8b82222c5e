"""Recorded games to replay: those named when the server was started, and those that a person uploads."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TypeVar

from parlour.arena.runs.journal import JOURNAL, UNVERSIONED, Row, count_saved, is_run, read_row, read_run, record_of
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import record_endings
from parlour.records.archives import Archive
from parlour.records.files import decoded, each_game, few
from parlour.records.page import label
from parlour.records.replaying import replay
from parlour.rulebook.protocol import ReadGame
from parlour.serve.settings import MAX_RECORD_PLIES, MAX_RECORDS

CHECKSUM_KEY = '"crc32"'
"""Occurs in every line of a journal, and in no line of a record."""
ARRAY = re.compile(r"\[\s*[{\]]")
"""How an array of records begins."""
THE_FILE = "the file"
Read = TypeVar("Read")


class Chosen(NamedTuple):
    """The games to show of a file, and what its reader should know: which were left out, and why."""

    records: list[GameRecord]
    labels: list[str]
    notes: list[str]


def records_of(path: Path, first: int = 1) -> Chosen:
    """At most `MAX_RECORDS` games of a file or run, from the first-th on, counted from 1. ValueError, OSError."""
    if is_run(path):
        games = [
            ReadGame(number, number, record) for number, record in islice(read_run(path, first=first), MAX_RECORDS)
        ]
        return chosen(games, [])
    archive = Archive(path)
    return chosen(archive.read(range(first, min(first + MAX_RECORDS, len(archive) + 1))), archive.notes)


def chosen(games: Iterable[ReadGame], notes: Sequence[str]) -> Chosen:
    """The games that can be read and follow the rules, each by itself. ValueError with the reasons if there is none."""
    choice, reasons, messages = Chosen([], [], []), [], [*notes]
    for game in games:
        messages += [f"game {game.number}, {note}" for note in game.notes]
        try:
            if game.record is None:
                raise ValueError(f"game {game.number}, line {game.line}: {game.reason}")
            for _ in replay(game.record, f"game {game.number}"):
                pass
        except ValueError as error:
            reasons.append(str(error))
        else:
            choice.records.append(game.record)
            choice.labels.append(f"{game.number}: {label(game.record)}")
    if not choice.records:
        raise ValueError(f"{THE_FILE} has no game that can be shown: {few(reasons)}")
    if reasons:
        messages.insert(0, f"{len(reasons)} of these {len(reasons) + len(choice.records)} games are left out:")
    choice.notes.extend([*messages[:1], *reasons, *messages[1:]] if reasons else messages)
    return choice


def count_games(path: Path) -> int:
    """How many games a file or a run's folder has. ValueError and OSError as in `records_of`."""
    return count_saved(path) if is_run(path) else len(Archive(path))


def runs_in(folder: Path) -> dict[str, Path]:
    """The runs' folders directly in a folder, by name, such as those of `parlour compare` in the working directory."""
    return {path.name: path for path in sorted(folder.iterdir()) if is_run(path) and (path / JOURNAL).is_file()}


def parse_upload(data: bytes, name: str) -> Chosen:
    """The first `MAX_RECORDS` games of an uploaded file: records, or a run's journal. ``name``: the file's name, or
    empty. ValueError for any other content, and for games with more than `MAX_RECORD_PLIES` plies in total: those are
    counted while games are read, before any is played."""
    ending = _ending(data, name)
    text, notes = decoded(data, THE_FILE, ending)
    if CHECKSUM_KEY in text.partition("\n")[0]:
        rows = _bounded(_rows(text), lambda row: len(row.moves))
        records = [record_of(row, UNVERSIONED, THE_FILE) for row in rows]
        return chosen([ReadGame(number, number, record) for number, record in enumerate(records, 1)], notes)
    games = each_game(text, THE_FILE, ending, MAX_RECORD_PLIES)
    return chosen(_bounded(games, lambda game: len(game.record.moves) if game.record else 0), notes)


def _bounded(games: Iterable[Read], plies_of: Callable[[Read], int]) -> list[Read]:
    """The first `MAX_RECORDS` games; the rest is not read. ValueError as soon as they have too many plies."""
    bounded, plies = [], 0
    for game in islice(games, MAX_RECORDS):
        plies += plies_of(game)
        if plies > MAX_RECORD_PLIES:
            raise ValueError(f"the games have more than {MAX_RECORD_PLIES} plies in total")
        bounded.append(game)
    return bounded


def _rows(text: str) -> Iterator[Row]:
    """The games in the text of a journal. ValueError, with the line, for what is no game, and without a whole line."""
    lines = text.encode().split(b"\n")[:-1]  # what is behind the last line break is not complete
    if not lines:
        raise ValueError(f"{THE_FILE}: not a journal: it has no complete line")
    for number, line in enumerate(lines, 1):
        yield read_row(line, THE_FILE, number)


def _ending(data: bytes, name: str) -> str:
    """The ending that stands for the form of an upload: that of its name, or what the text looks like."""
    ending = Path(name).suffix.lower()
    if ending in (".json", ".jsonl", *record_endings()):
        return ending
    start = data[:100].removeprefix(b"\xef\xbb\xbf").decode("latin-1").lstrip()
    return ".json" if ARRAY.match(start) else ".pdn" if start.startswith("[") else ".jsonl"
