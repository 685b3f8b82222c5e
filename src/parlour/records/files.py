"""Files of records: one JSON object per line, or an array of them.

A file whose ending belongs to a game's own form of record (`Game.record_forms`) is written and read in that form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any, get_type_hints

import msgspec

from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import REQUIRED, GameRecord, WrittenOptions
from parlour.interfaces.registry import find, game_with_form, record_endings
from parlour.records.replaying import replay
from parlour.support.errors import listing
from parlour.support.files import write_file
from parlour.support.typed_json import Struct, decode_json

JSON_LINES, JSON_ARRAY = ".jsonl", ".json"
SHAPES = get_type_hints(GameRecord) | {"options": WrittenOptions}
"""What each value of a record in JSON must be."""
RecordEntries = msgspec.defstruct(
    "RecordEntries",
    [
        (one.name, SHAPES[one.name]) if one.name in REQUIRED else (one.name, SHAPES[one.name], one.default)
        for one in fields(GameRecord)
    ],
    bases=(Struct,),
)


def check_ending(path: Path) -> None:
    """ValueError, which lists the valid endings, for a file name whose ending belongs to no form of record."""
    endings = [JSON_LINES, JSON_ARRAY, *record_endings()]
    if path.suffix.lower() not in endings:
        raise ValueError(f"{path}: no form of record has the ending {path.suffix!r}; endings: {listing(endings)}")


def write_records(path: Path, records: Sequence[GameRecord]) -> None:
    """Writes records to a file, in the form of its name's ending: ``.jsonl``, one per line; ``.json``, an array; or
    a game's own.

    Raises:
        ValueError: for another ending, or a record that has no such form.
        OSError: where the file cannot be written; it is written whole or not at all.
    """
    check_ending(path)
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


def read_records(path: Path) -> list[GameRecord]:
    """All records of a file. ValueError, which names file and line, for an invalid record; OSError for an unreadable
    file.

    A file's form follows from its name's ending: see `write_records`."""
    try:
        content = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file") from None
    return parse_records(content, str(path), path.suffix)


def parse_records(content: str, source: str, ending: str) -> list[GameRecord]:
    """All records in a text, in the form of ``ending``. ``source``: its name. ValueError as in `read_records`."""
    return list(each_record(content, source, ending))


def each_record(content: str, source: str, ending: str, max_plies: int | None = None) -> Iterator[GameRecord]:
    """The records in a text, read one after the other. See `parse_records`. ``max_plies``: the most plies of all games
    together that a game's own form may read, since it plays them; more are a ValueError."""
    game = game_with_form(ending)
    if game:
        try:
            yield from read_form(game, ending.lower(), content, max_plies)
        except ValueError as error:
            raise ValueError(f"{source}, {error}") from None
        return
    if not content:
        raise ValueError(f"{source}: empty; a record is one JSON object a line")
    if ending.lower() == JSON_ARRAY and content.lstrip().startswith("["):
        yield from map(_record, decode_json(content, list[RecordEntries], source))  # type: ignore[valid-type]  # made at run time
        return
    for number, line in enumerate(content.removesuffix("\n").split("\n"), 1):
        yield _record(decode_json(line, RecordEntries, f"{source}, line {number}"))


def read_form(game: Game, ending: str, content: str, max_plies: int | None = None) -> Iterator[GameRecord]:
    """The records in a text in a game's own form, one by one. ``max_plies``: see `each_record`. Raises as the form."""

    def new_game(variant: str | None, values: Mapping[str, Any]) -> GameEnv:
        return GameEnv(game, variant, values, None, "raise")

    yield from game.record_form(ending).read_games(content, new_game, max_plies)


def _record(entries: msgspec.Struct) -> GameRecord:
    return GameRecord(**msgspec.structs.asdict(entries))
