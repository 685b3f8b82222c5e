"""A finished game as a line of a journal: JSON that stands on its own, with a checksum.

Whoever has the line can play the game again: it tells the game, variant and options, the players by seat, the seed, the
opening and all actions, and then the results. The actions are 16-bit or 32-bit little-endian integers, compressed by
zlib and written in base64. The last entry is the CRC-32 of the line up to there, which finds any one changed bit, and
changes within any 32 bits in a row; longer damage goes unnoticed once in 2³² times.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from parlour.arena.fixtures import Fixture, Played
from parlour.arena.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.strict_json import JsonValue, parse_json

PLANNED = ("game", "variant", "options", "seats", "players", "series", "index", "seed", "random_plies", "position")
"""What a row says of the fixture."""
RESULT = ("returns", "end", "truncated", "plies", "choices", "forced", "lead_changes", "events")
"""What a row says of the result."""
FIELDS = ("number", *PLANNED, *RESULT, "moves", "crc32")
CHECKSUM = re.compile(rb'(\{.*), "crc32": "([0-9a-f]{8})"\}', re.DOTALL)
CHECKSUM_BYTES = len(', "crc32": "00000000"}')
MAX_LINE = 1 << 24
"""Bytes of a line: far more than the longest games need."""
MAX_PLIES_KEPT = 1 << 22
WIDTHS: dict[int, np.dtype[Any]] = {2: np.dtype("<u2"), 4: np.dtype("<u4")}
"""How actions are written, by the bytes of each."""


@dataclass(frozen=True)
class Row:
    """A line that has been read: its number, the series and the place there of its fixture, all that it says, and the
    actions."""

    number: int
    series: str
    index: int
    planned: Mapping[str, Any]
    result: Mapping[str, Any]
    moves: NDArray[np.integer[Any]]


def planned(game: Game, ruleset: Ruleset, fixture: Fixture) -> dict[str, Any]:
    """What a row says of a fixture."""
    return {
        "game": game.id,
        "variant": ruleset.variant,
        "options": dict(ruleset.overrides),
        "seats": [game.seat_name(seat) for seat in range(ruleset.seats)],
        "players": list(fixture.players),
        "series": fixture.series,
        "index": fixture.index,
        "seed": fixture.seed,
        "random_plies": fixture.random_plies,
        "position": fixture.position,
    }


def mark_of(series: str, index: int) -> bytes:
    """What stands in the line of a game as `write_row` writes it: a quick way to pass over the lines of others."""
    return f'"series": {json.dumps(series, ensure_ascii=False)}, "index": {index}, '.encode()


def result_of(played: Played) -> dict[str, Any]:
    """What a row says of a result."""
    return {
        "returns": list(played.returns),
        "end": played.end,
        "truncated": played.truncated,
        "plies": played.plies,
        "choices": played.choices,
        "forced": played.forced,
        "lead_changes": played.lead_changes,
        "events": dict(played.events),
    }


def write_row(number: int, game: Game, ruleset: Ruleset, played: Played) -> bytes:
    """The line of a game, with its line break. ``number``: of the line, from 1."""
    moves = pack_moves(played.moves, ruleset_width(game, ruleset))
    told = {"number": number, **planned(game, ruleset, played.fixture), **result_of(played), "moves": moves}
    body = json.dumps(told, ensure_ascii=False).encode()[:-1]
    return b'%s, "crc32": "%08x"}\n' % (body, zlib.crc32(body))


def read_row(line: bytes, source: str, number: int) -> Row:
    """The game in a line (without its line break) that must be line ``number`` of its file. ValueError that begins with
    ``source`` and the line for anything else than `write_row` writes."""
    match = CHECKSUM.fullmatch(line)
    if match is None:
        raise ValueError(f"{source}, line {number}: no game of a journal, which ends with its checksum 'crc32'")
    if zlib.crc32(match[1]) != int(match[2], 16):
        raise ValueError(f"{source}, line {number}: damaged: the line does not agree with its checksum")
    row = parse_json(line, source, number, MAX_LINE)
    entries = row.entries(FIELDS)
    if entries["number"].whole(0) != number:
        raise entries["number"].error(f"is {entries['number'].value}: lines are missing, or not in their place")
    _check_kinds(entries)
    plies = entries["plies"].whole(1, MAX_PLIES_KEPT)
    try:
        moves = unpack_moves(entries["moves"].text(), plies)
    except ValueError as error:
        raise entries["moves"].error(str(error)) from None
    said = {name: entries[name].value for name in FIELDS}
    return Row(
        number,
        said["series"],
        said["index"],
        {name: said[name] for name in PLANNED},
        {name: said[name] for name in RESULT},
        moves,
    )


def _check_kinds(entries: Mapping[str, JsonValue]) -> None:
    for name in ("game", "variant", "series", "position", "end"):
        entries[name].text()
    for name in ("seats", "players"):
        for element in entries[name].elements():
            element.text()
    for name in ("index", "seed", "random_plies", "choices", "forced", "lead_changes"):
        entries[name].whole(0)
    for element in entries["returns"].elements():
        element.number()
    for count in entries["events"].members().values():
        count.whole(0)
    entries["options"].members()
    entries["truncated"].flag()


def ruleset_width(game: Game, ruleset: Ruleset) -> int:
    """The bytes in which each action is written."""
    return 2 if game.layout(dict(ruleset.values)).actions <= 1 << 16 else 4


def pack_moves(moves: NDArray[Any], width: int) -> str:
    """Actions (T,) as text."""
    return base64.b64encode(bytes([width]) + zlib.compress(moves.astype(WIDTHS[width]).tobytes(), 1)).decode()


def unpack_moves(text: str, plies: int) -> NDArray[np.integer[Any]]:
    """The actions in a text, which must be so many ``plies``. ValueError for any other text."""
    try:
        packed = base64.b64decode(text, validate=True)
        width = WIDTHS[packed[0]].itemsize
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed[1:], plies * width + 1)
    except (binascii.Error, IndexError, KeyError, ValueError, zlib.error):
        raise ValueError("are not actions as a journal holds them") from None
    if len(raw) != plies * width or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"are not the actions of {plies} plies")
    return np.frombuffer(raw, WIDTHS[width])
