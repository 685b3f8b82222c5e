"""Files of records: one JSON object per line, or an array of them.

A file whose ending belongs to a game's own form of record (`Game.record_forms`) is written and read in that form."""

from __future__ import annotations

import dataclasses
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from functools import partial
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import REQUIRED, GameRecord, WrittenOptions
from parlour.interfaces.registry import find, game_with_form, record_endings
from parlour.records.replaying import in_plies, replay
from parlour.rulebook.protocol import ReadGame, Span
from parlour.support.errors import listing
from parlour.support.files import write_file
from parlour.support.typed_json import Struct, decode_json

JSON_LINES, JSON_ARRAY = ".jsonl", ".json"
SHAPES = get_type_hints(GameRecord) | {"options": WrittenOptions}
"""What each value of a record in JSON must be."""
LINE = re.compile(r"\S[^\n]*")
"""A line that is not blank, from its first letter."""
MAX_NOTES = 3
"""A warning has at most so many notes on a file."""


def _field(field: dataclasses.Field[Any]) -> tuple[Any, ...]:
    """A field of a record as one of a `Struct`."""
    if field.name in REQUIRED:
        return field.name, SHAPES[field.name]
    if field.default_factory is not dataclasses.MISSING:
        return field.name, SHAPES[field.name], msgspec.field(default_factory=field.default_factory)
    return field.name, SHAPES[field.name], field.default


RecordEntries = msgspec.defstruct("RecordEntries", [_field(each) for each in fields(GameRecord)], bases=(Struct,))


def endings() -> list[str]:
    """The endings of file names of records: those of JSON, and those of the games' own forms."""
    return [JSON_LINES, JSON_ARRAY, *record_endings()]


def write_records(path: Path, records: Sequence[GameRecord]) -> None:
    """Writes records to a file, in the form of its name's ending: ``.jsonl``, one per line; ``.json``, an array; or
    a game's own.

    Raises:
        ValueError: for another ending, or a record that has no such form.
        OSError: where the file cannot be written; it is written whole or not at all.
    """
    if path.suffix.lower() not in endings():
        raise ValueError(f"{path}: no form of record has the ending {path.suffix!r}; endings: {listing(endings())}")
    write_file(path, records_text(path.suffix.lower(), records))


def records_text(ending: str, records: Sequence[GameRecord]) -> str:
    """The records in the form of an ending such as ``.jsonl``. ValueError for a record that has no such form."""
    game = game_with_form(ending)
    if game:
        for number, record in enumerate(records, 1):
            if find(record.game) != game:
                raise ValueError(f"game {number}: {ending} holds games of {game.name}, not of {record.game}")
        return game.record_form(ending).write_games(records, replay)
    if ending == JSON_ARRAY:
        return "[\n" + ",\n".join(record.line() for record in records) + "\n]\n"
    return "".join(record.line() + "\n" for record in records)


def append_record(path: Path, record: GameRecord) -> None:
    """Appends a line to a file: see `GameRecord.append_to`."""
    record.append_to(path)


class Records(list[GameRecord]):
    """The records of a file. ``left_out``: its games that can't be read, each with number, line and reason."""

    def __init__(self, records: Iterable[GameRecord], left_out: Iterable[ReadGame] = ()) -> None:
        super().__init__(records)
        self.left_out = list(left_out)


def read_records(path: Path, strict: bool = False) -> Records:
    """All records of a file. A file's form follows from its name's ending: see `write_records`.

    Each game is read by itself. One that can't be read is left out, and so told by a warning and by ``left_out``; what
    is odd in one that can be read is a warning, too.

    Args:
        path: the file.
        strict: whether a game that can't be read is a ValueError.

    Raises:
        ValueError: names file and line, if no game can be read.
        OSError: for an unreadable file.
    """
    content, notes = read_text(path)
    games = list(each_game(content, str(path), path.suffix))
    records = records_in(games, str(path), strict)
    notes += [f"game {game.number}, {note}" for game in games for note in game.notes]
    if records.left_out:
        what = few(f"game {game.number}, line {game.line}: {game.reason}" for game in records.left_out)
        warnings.warn(f"{path}: {len(records.left_out)} of {len(games)} games are left out: {what}", stacklevel=2)
    if notes:
        warnings.warn(f"{path}: {few(notes)}", stacklevel=2)
    return records


def records_in(games: Iterable[ReadGame], source: str, strict: bool = True) -> Records:
    """The records of games that were read. ValueError if none could be read, or with ``strict`` for the first that
    could not. ``source``: the file's name, for messages."""
    left_out, records = [], []
    for game in games:
        if game.record is not None:
            records.append(game.record)
        elif strict:
            raise ValueError(f"{source}, line {game.line}: {game.reason}")
        else:
            left_out.append(game)
    if left_out and not records:
        more = f" ({len(left_out)} games, none of which can be read)" if len(left_out) > 1 else ""
        raise ValueError(f"{source}, line {left_out[0].line}: {left_out[0].reason}{more}")
    return Records(records, left_out)


def few(notes: Iterable[str]) -> str:
    """The first of them, and how many more there are."""
    lines = list(notes)
    more = f"; and {len(lines) - MAX_NOTES} more" if len(lines) > MAX_NOTES else ""
    return "; ".join(lines[:MAX_NOTES]) + more


def read_text(path: Path) -> tuple[str, list[str]]:
    """The text of a file of records, and notes: see `decoded`. ValueError for what is no text; OSError."""
    return decoded(path.read_bytes(), str(path), path.suffix)


def decoded(data: bytes, source: str, ending: str) -> tuple[str, list[str]]:
    """The text of a file in the form of ``ending``, whose lines all end with ``\\n``; and what its reader should know:
    that a game's own form was read as Latin-1, which many older files are. ValueError for what is no text."""
    notes: list[str] = []
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        if game_with_form(ending) is None or b"\0" in data:
            raise ValueError(f"{source}: not a text file") from None
        text = data.decode("latin-1")
        notes.append("not UTF-8, and so read as Latin-1")
    return text.replace("\r\n", "\n").replace("\r", "\n"), notes


def parse_records(content: str, source: str, ending: str) -> Records:
    """All records in a text, in the form of ``ending``. ``source``: its name. ValueError, which names source and line,
    for the first game that can't be read."""
    return records_in(each_game(content, source, ending), source)


def find_games(content: str, source: str, ending: str) -> list[Span]:
    """Where the games of a text are. In a JSON array all are at once. ValueError for a text without a game."""
    game = game_with_form(ending)
    if game:
        spans = list(game.record_form(ending.lower()).find_games(content))
        if not spans:
            raise ValueError(f"{source}, line 1: no game of {game.name} in the form {ending.lower()}")
        return spans
    if not content.strip():
        raise ValueError(f"{source}: empty; a record is one JSON object a line")
    if is_array(content, ending):
        elements = decode_json(content, list[msgspec.Raw], source)
        return [Span(number, number, 0, len(content)) for number in range(1, len(elements) + 1)]
    return list(_lines(content))


def _lines(content: str) -> Iterator[Span]:
    """The lines of a text that are not blank, each found when it is asked for: a text may have a million."""
    line = last = 0
    for number, match in enumerate(LINE.finditer(content), 1):
        line += content.count("\n", last, match.start())
        last = match.start()
        yield Span(number, line + 1, *match.span())


def read_games_at(content: str, source: str, ending: str, spans: Iterable[Span]) -> Iterator[ReadGame]:
    """The games at some of the places that `find_games` has found in the same text, each read when it is asked for."""
    game = game_with_form(ending)
    if game:
        yield from game.record_form(ending.lower()).read_games(content, partial(_new_game, game), None, spans)
        return
    elements = decode_json(content, list[msgspec.Raw], source) if is_array(content, ending) else None
    for span in spans:
        yield _read_json(content[span.start : span.end] if elements is None else bytes(elements[span.number - 1]), span)


def each_game(content: str, source: str, ending: str, max_plies: int | None = None) -> Iterator[ReadGame]:
    """The games in a text, read one after the other. See `parse_records`. ``max_plies``: the most plies of all games
    together that a game's own form may read, since it plays them; more are a ValueError, as is a text without games."""
    game = game_with_form(ending)
    if not game:
        lines = bool(content.strip()) and not is_array(content, ending)
        spans = _lines(content) if lines else find_games(content, source, ending)
        yield from read_games_at(content, source, ending, spans)
        return
    any_game = False
    try:
        for record in game.record_form(ending.lower()).read_games(content, partial(_new_game, game), max_plies):
            any_game = True
            yield record
    except ValueError as error:
        raise ValueError(f"{source}, {error}") from None
    if not any_game:
        find_games(content, source, ending)


def is_array(content: str, ending: str) -> bool:
    """Whether a text is a JSON array of records."""
    return ending.lower() == JSON_ARRAY and content.lstrip().startswith("[")


def _new_game(game: Game, variant: str | None, values: Mapping[str, Any]) -> GameEnv:
    return GameEnv(game, variant, values, None, "raise")


def _read_json(text: str | bytes, span: Span) -> ReadGame:
    try:
        entries = decode_json(text, RecordEntries, "")
    except ValueError as error:
        return ReadGame(span.number, span.line, None, str(error).removeprefix(": "))
    return ReadGame(span.number, span.line, in_plies(GameRecord(**msgspec.structs.asdict(entries))))
