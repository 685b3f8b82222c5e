"""A finished game as one line of a journal: a JSON object with a checksum.

The line is enough to replay the game: it has the game, variant and options, the players by seat, the seed, the opening
and all actions, and then the results. The actions are 16-bit or 32-bit little-endian integers, compressed with zlib and
written in base64. The last entry is the CRC-32 of everything before it. It detects any single changed bit and any
damage within 32 consecutive bits; of longer damage it misses one case in 2³².
"""

from __future__ import annotations

import base64
import binascii
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from parlour.arena.setting.game_specs import GameSpec, Played
from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.rulebook.options import Value
from parlour.support.typed_json import Count, Struct, decode_json

CHECKSUM = re.compile(rb'(\{.*), "crc32": "([0-9a-f]{8})"\}', re.DOTALL)
CHECKSUM_BYTES = len(', "crc32": "00000000"}')
MAX_LINE = 1 << 24
"""The largest number of bytes of a line: far more than the longest games need."""
MAX_PLIES_KEPT = 1 << 22
RESULT = ("returns", "end", "truncated", "plies", "choices", "forced", "lead_changes", "events")
"""The entries of a line that describe a result, as they are called in `Played`."""
WIDTHS: dict[int, np.dtype[Any]] = {2: np.dtype("<u2"), 4: np.dtype("<u4")}
"""The data type of the written actions, by the number of bytes per action."""


class Line(Struct, frozen=True):
    """The entries of a line: its number, the spec, the result, the actions as text, and the checksum."""

    number: int
    game: str
    variant: str
    options: dict[str, Value]
    seats: list[str]
    players: list[str]
    series: str
    index: Count
    seed: int
    random_plies: Count
    position: str
    returns: list[float]
    end: str
    truncated: bool
    plies: Annotated[int, Meta(ge=1, le=MAX_PLIES_KEPT)]
    choices: Count
    forced: Count
    lead_changes: Count
    events: dict[str, Count]
    moves: str
    crc32: str


@dataclass(frozen=True)
class Row:
    """A line of a journal, which begins with number 1, and its actions (T,)."""

    line: Line
    moves: NDArray[np.integer[Any]]

    def check(self, expected: Mapping[str, Any], where: str, origin: str) -> None:
        """ValueError, with ``where`` and the ``origin`` of what is ``expected``, if an entry is not as expected."""
        for name, value in expected.items():
            found = getattr(self.line, name)
            if found != value:
                raise ValueError(f"{where}: {name} is {found!r:.80}, but {origin} {value!r:.80}")


def planned(game: Game, ruleset: Ruleset, spec: GameSpec) -> dict[str, Any]:
    """The entries of a row that say which game it is."""
    return {
        "game": game.id,
        "variant": ruleset.variant,
        "options": dict(ruleset.overrides),
        "seats": [game.seat_name(seat) for seat in range(ruleset.seats)],
        "players": list(spec.players),
        **{name: getattr(spec, name) for name in ("series", "index", "seed", "random_plies", "position")},
    }


def row_marker(series: str, index: int) -> bytes:
    """Bytes that a game's line contains, so that the lines of other games can be skipped without parsing them."""
    return f'"series": {json.dumps(series, ensure_ascii=False)}, "index": {index}, '.encode()


def result_of(played: Played) -> dict[str, Any]:
    """The entries of a row that describe a result."""
    entries = {name: getattr(played, name) for name in RESULT}
    return {**entries, "returns": list(played.returns), "events": dict(played.events)}


def write_row(number: int, game: Game, ruleset: Ruleset, played: Played) -> bytes:
    """The line of a game, with its line break. ``number``: the line number, from 1."""
    moves = pack_moves(played.moves, action_bytes(game, ruleset))
    entries = {"number": number, **planned(game, ruleset, played.spec), **result_of(played), "moves": moves}
    body = json.dumps(entries, ensure_ascii=False).encode()[:-1]
    return b'%s, "crc32": "%08x"}\n' % (body, zlib.crc32(body))


def read_row(line: bytes, source: str, number: int) -> Row:
    """The game in a line (without its line break), which must be line ``number`` of its file. ValueError, beginning
    with ``source`` and the line, for anything that `write_row` does not write."""
    match = CHECKSUM.fullmatch(line)
    if match is None:
        raise ValueError(f"{source}, line {number}: not a game of a journal, which ends with its checksum 'crc32'")
    if zlib.crc32(match[1]) != int(match[2], 16):
        raise ValueError(f"{source}, line {number}: damaged: the line does not agree with its checksum")
    where = f"{source}, line {number}"
    entries = decode_json(line, Line, where)
    if entries.number != number:
        raise ValueError(f"{where}: number is {entries.number}: lines are missing, or not in order")
    try:
        return Row(entries, unpack_moves(entries.moves, entries.plies))
    except ValueError as error:
        raise ValueError(f"{where}: moves {error}") from None


def action_bytes(game: Game, ruleset: Ruleset) -> int:
    """The number of bytes in which each action is written: 2 or 4."""
    return 2 if game.layout(dict(ruleset.values)).actions <= 1 << 16 else 4


def pack_moves(moves: NDArray[Any], width: int) -> str:
    """Actions (T,) as text. ``width``: bytes per action."""
    return base64.b64encode(bytes([width]) + zlib.compress(moves.astype(WIDTHS[width]).tobytes(), 1)).decode()


def unpack_moves(text: str, plies: int) -> NDArray[np.integer[Any]]:
    """The actions (T,) in a text. ``plies``: T. ValueError for any other text or number of actions."""
    try:
        packed = base64.b64decode(text, validate=True)
        width = WIDTHS[packed[0]].itemsize
        unpacker = zlib.decompressobj()
        raw = unpacker.decompress(packed[1:], plies * width + 1)
    except (binascii.Error, IndexError, KeyError, ValueError, zlib.error):
        raise ValueError("are not actions in the form of a journal") from None
    if len(raw) != plies * width or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"are not the actions of {plies} plies")
    return np.frombuffer(raw, WIDTHS[width])
