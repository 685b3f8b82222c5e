"""A run's folder: its plan, and every game as soon as it has finished, so that a stopped run can be resumed.

| file | content |
|---|---|
| ``config.json`` | the plan: everything that determines the games |
| ``journal.jsonl`` | one line per finished game, in the order in which they finished: a `Row` |
| ``lock`` | locked while a run writes to the folder |

Nothing in a folder is trusted, and nothing is changed before all of it has been checked: links are not followed, every
line must be a game of the plan, and a replay of its actions must come to its result (`parlour.arena.runs.playing`).
Checksums and line numbers tell damage from a last line that was cut when a run was killed. A run may grow: more games
per series, or further players or variants.

A line is a JSON object, and enough to replay the game: it has the game, variant and options, the players by seat, the
seed, the opening and all actions, and then the results. The actions are 16-bit little-endian integers, compressed with
zlib and written in base64 after a byte with their width, 2. The last entry is the CRC-32 of everything before it. It
detects any single changed bit and any damage within 32 consecutive bits; of longer damage it misses one case in 2³².
"""

from __future__ import annotations

import base64
import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from msgspec import Meta, Raw
from numpy.typing import NDArray

from parlour.arena.setting.plans import GameSpec, Plan, Played, Series
from parlour.arena.setting.rulesets import Ruleset
from parlour.engine.game import Game
from parlour.interfaces.aec import GameEnv
from parlour.interfaces.game_record import GameRecord
from parlour.interfaces.registry import find
from parlour.players.python import UNKNOWN
from parlour.rulebook.options import Value
from parlour.support.errors import listing
from parlour.support.files import has_plain_file, read_file, remove_unfinished, write_all, write_file
from parlour.support.run_folder import RunFolder, refuse_another, refuse_strangers
from parlour.support.typed_json import Count, Struct, decode_json

CHECKSUM = re.compile(rb'(\{.*), "crc32": "([0-9a-f]{8})"\}', re.DOTALL)
CHECKSUM_BYTES = len(', "crc32": "00000000"}')
MAX_LINE = 1 << 24
"""The largest number of bytes of a line: far more than the longest games need."""
MAX_PLIES_KEPT = 1 << 22
RESULT = ("returns", "end", "truncated", "plies", "choices", "forced", "lead_changes", "events")
"""The entries of a line that describe a result, as they are called in `Played`."""
ACTION = np.dtype("<u2")
"""The data type of the written actions."""
WIDTH = bytes([ACTION.itemsize])
CONFIG, JOURNAL = "config.json", "journal.jsonl"
GROWING_NUMBERS = ("games",)
"""Entries of a plan whose number may grow when a run is resumed."""
GROWING_LISTS = ("players", "field", "variants")
"""Entries of a plan that are lists, to which elements may be added."""
ADDABLE = ("skill", "trace")
"""Entries of a plan that may be set where they were null."""
UNCHECKED = ("measures", "exact")
"""Entries of a plan that may change, since the games do not depend on them."""
IDENTITIES = "identities"
JUDGE = "judge"
"""The entry with the judge, and how its key among the identities begins. A run without judges, such as a tournament,
may go on in the folder of a match. The folder keeps its judge: nobody can choose another after seeing the results."""
UNVERSIONED = "unknown"
"""In place of the version of Parlour for a journal without its run's folder."""


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
    """A line of a journal, and its actions (T,)."""

    line: Line
    moves: NDArray[np.integer[Any]]

    @property
    def played(self) -> Played:
        """The game, without its moves."""
        line = self.line
        spec = GameSpec(
            line.series, line.index, line.variant, tuple(line.players), line.seed, line.random_plies, line.position
        )
        return Played(
            spec, tuple(line.returns), line.end, line.truncated, line.plies, line.choices, line.forced,
            line.lead_changes, line.events,
        )  # fmt: skip

    def check(self, expected: Mapping[str, Any], where: str, origin: str) -> None:
        """ValueError if an entry differs from what is ``expected``. Its message begins with ``where`` the line is, and
        names the ``origin`` of the expected value."""
        for name, value in expected.items():
            actual = getattr(self.line, name)
            if actual != value:
                raise ValueError(f"{where}: {name} is {actual!r:.80}, but {origin} {value!r:.80}")


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


def result_of(played: Played) -> dict[str, Any]:
    """The entries of a row that describe a result."""
    entries = {name: getattr(played, name) for name in RESULT}
    return {**entries, "returns": list(played.returns), "events": dict(played.events)}


def write_row(number: int, game: Game, ruleset: Ruleset, played: Played) -> bytes:
    """The line of a game, with its line break. ``number``: the line number, from 1."""
    moves = pack_moves(played.moves)
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


def pack_moves(moves: NDArray[Any]) -> str:
    """Actions (T,) as text."""
    return base64.b64encode(WIDTH + zlib.compress(moves.astype(ACTION).tobytes(), 1)).decode()


def unpack_moves(text: str, plies: int) -> NDArray[np.integer[Any]]:
    """The actions (T,) in a text. ``plies``: T. ValueError for any other text or number of actions."""
    size, unpacker = plies * ACTION.itemsize, zlib.decompressobj()
    try:
        packed = base64.b64decode(text, validate=True)
        if not packed.startswith(WIDTH):
            raise ValueError
        raw = unpacker.decompress(packed[1:], size + 1)
    except (ValueError, zlib.error):
        raise ValueError("are not actions in the form of a journal") from None
    if len(raw) != size or not unpacker.eof or unpacker.unused_data:
        raise ValueError(f"are not the actions of {plies} plies")
    return np.frombuffer(raw, ACTION)


class Folder(RunFolder):
    """An open folder of one run; a context manager.

    Opening it changes nothing except the lock. Read all `rows` first, then call `open_journal`; after that games can be
    appended.

    Attributes:
        done: by the key of a series, which of its games the journal has: bool (games,).
    """

    def __init__(self, path: Path, plan: Plan) -> None:
        """Makes the folder, or opens it to resume its run.

        Raises:
            ValueError: if the folder has other files, links, or a plan that this one does not continue; or if another
                run is writing to it.
            OSError: if it can't be written.
        """
        self.plan = plan
        self.done: dict[str, NDArray[np.bool_]] = {}
        self._series = {series.key: series for series in plan.series}
        self._file = -1
        self._not_by_name: Set[str] = frozenset()  # players that are not known by their names alone, and are new here
        self._checked_lines = self._checked_bytes = 0  # how much of the journal has been checked
        self._config = json.loads(json.dumps(plan.config))
        refuse_strangers(path, CONFIG)
        for name in (CONFIG, JOURNAL):
            has_plain_file(path / name)
        super().__init__(path)

    def open(self) -> None:
        """Compares the plan with the one in the folder. ValueError unless it is the same or an extension of it."""
        file = self.path / CONFIG
        if not file.exists():
            return
        saved = read_config(file, follow_links=False)
        for name in dict.fromkeys([*self._config, *saved]):
            old, new, grown = saved.get(name), self._config.get(name), False
            if name in GROWING_NUMBERS and isinstance(old, int) and isinstance(new, int):
                grown = old <= new
            elif name in GROWING_LISTS and isinstance(old, Sequence) and isinstance(new, Sequence):
                grown = all(element in new for element in old)
            if old == new or grown or name in UNCHECKED or (name in ADDABLE and name in saved and old is None):
                continue
            if name == JUDGE and (old is None or new is None):
                self._config[JUDGE] = new or old
                continue
            if name == IDENTITIES and isinstance(old, dict) and all(isinstance(each, dict) for each in old.values()):
                self._check_identities(old, self._config[IDENTITIES])
                continue
            hint = "; they can grow, but not shrink" if name in (*GROWING_NUMBERS, *GROWING_LISTS, *ADDABLE) else ""
            refuse_another(self.path, "a run", {name: old}, {name: new}, hint)
        self._refuse_unversioned()

    def _check_identities(self, saved: Mapping[str, Any], current: dict[str, Any]) -> None:
        self._not_by_name = current.keys() - saved.keys()
        for name, identity in saved.items():
            if name.startswith(f"{JUDGE} "):
                current.setdefault(name, identity)
            if current.get(name) != identity:
                raise ValueError(
                    f"{self.path}: its games of player {name!r} are by {identity}, and the player of that name is now "
                    f"{current.get(name)}: results of different players can't be put together; give another folder"
                )

    def _refuse_unversioned(self) -> None:
        """Refuses players without a version, if the folder has games already: they may have changed."""
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
        """All games of the journal, each compared with the plan. An incomplete last line, left when a run is killed, is
        skipped; `open_journal` removes it from the file, and its game is played anew.

        ValueError, with the line number, for any other damage, and for a game that is not in the plan or appears twice.
        """
        file = self.path / JOURNAL
        for number, line in enumerate(journal_lines(file), 1):
            if not line.endswith(b"\n"):
                _check_tail(line, f"{file}, line {number}")
                return
            row = read_row(line[:-1], str(file), number)
            series = self._check(row, f"{file}, line {number}")
            self._checked_lines, self._checked_bytes = number, self._checked_bytes + len(line)
            yield series, row

    def _check(self, row: Row, where: str) -> Series:
        """Marks a game as done and returns its series. ValueError for a game that is not in the plan."""
        line = row.line
        series = self._series.get(line.series)
        if series is None:
            valid = listing(list(self._series))
            raise ValueError(f"{where}: {line.series!r} is not part of this run, which has {valid}")
        if line.index >= series.games:
            last = series.games - 1
            raise ValueError(f"{where}: game {line.index} of {line.series!r} is not part of this run: 0 to {last}")
        row.check(planned(self.plan.game, series.ruleset, series.spec(line.index)), where, "in this run it is")
        for name in self._not_by_name & {*line.players}:
            raise ValueError(
                f"{where}: another player {name!r} played this game; the one of this run is "
                f"{self._config[IDENTITIES][name]}. Results of different players can't be put together; give another "
                "folder"
            )
        done = self.done.setdefault(line.series, np.zeros(series.games, np.bool_))
        if done[line.index]:
            raise ValueError(f"{where}: game {line.index} of {line.series!r} appears a second time")
        done[line.index] = True
        return series

    def open_journal(self) -> None:
        """Writes a plan that is new or has grown, and opens the journal for further games. OSError if that fails."""
        remove_unfinished(self.path)
        text = json.dumps(self._config, indent=1, ensure_ascii=False) + "\n"
        file = self.path / CONFIG
        if not file.exists() or read_config(file, follow_links=False) != self._config:
            write_file(file, text)
        self._file = os.open(self.path / JOURNAL, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        if os.fstat(self._file).st_size > self._checked_bytes:
            os.ftruncate(self._file, self._checked_bytes)

    def append(self, games: Iterable[Played]) -> None:
        """Writes finished games to the journal immediately. OSError if that fails; a rerun then plays them anew."""
        lines = []
        for played in games:
            self._checked_lines += 1
            ruleset = self._series[played.spec.series].ruleset
            lines.append(write_row(self._checked_lines, self.plan.game, ruleset, played))
        write_all(self._file, b"".join(lines))

    def close(self) -> None:
        """Closes the journal and releases the lock, so that other runs may open the folder."""
        if self._file >= 0:
            os.fsync(self._file)
            os.close(self._file)
            self._file = -1
        super().close()


def read_config(file: Path, *, follow_links: bool = True) -> dict[str, Any]:
    """The plan in a file, as JSON. ValueError, with the file, for anything but an object; OSError if it fails."""
    content = read_file(file, follow_links=follow_links)
    decode_json(content, dict[str, Raw], str(file))
    return dict(json.loads(content))


def journal_lines(file: Path) -> Iterator[bytes]:
    """The lines of a journal with their line breaks (the last line may have none); no lines if there is no file.
    ValueError for anything but a plain file."""
    if has_plain_file(file):
        with file.open("rb") as journal:
            while line := journal.readline(MAX_LINE):
                yield line


def read_rows(folder: Path, keys: Iterable[tuple[str, int]] | None = None) -> Iterator[Row]:
    """The games in the complete lines of a folder's journal; with ``keys`` (series and index) those games, and possibly
    a few others: lines are selected by their bytes, so that the others need not be parsed."""
    file = folder / JOURNAL
    markers = [b""]
    if keys is not None:
        markers = [f'"series": {json.dumps(key, ensure_ascii=False)}, "index": {k}, '.encode() for key, k in keys]
    for number, line in enumerate(journal_lines(file), 1):
        if line.endswith(b"\n") and any(marker in line for marker in markers):
            yield read_row(line[:-1], str(file), number)


def count_saved(folder: Path) -> int:
    """How many games a run's folder has: the complete lines of its journal. A run may be writing to it meanwhile."""
    return sum(line.endswith(b"\n") for line in journal_lines(folder / JOURNAL))


def _check_tail(line: bytes, where: str) -> None:
    """ValueError if a last line without a line break is not merely incomplete: if it goes on after its checksum."""
    checksum = line.rfind(b', "crc32": "')
    if len(line) >= MAX_LINE or (checksum >= 0 and len(line) > checksum + CHECKSUM_BYTES):
        raise ValueError(f"{where}: damaged: the line goes on after its checksum, where a line break should be")


def is_run(folder: Path) -> bool:
    """Whether a path is the folder of a run."""
    return (folder / CONFIG).is_file() and folder.is_dir()


def version_of(folder: Path) -> str:
    """The version of Parlour that began a run."""
    return str(read_config(folder / CONFIG, follow_links=False).get("parlour", UNVERSIONED))


def read_run(folder: Path, number: int | None = None, first: int = 1) -> Iterator[tuple[int, GameRecord]]:
    """The games of a folder from line ``first`` of its journal on, each with its line number, from 1; or only the game
    with the ``number``.

    ValueError, with the line, for a line that is not a game, and if no line has that number; OSError if the folder
    can't be read.
    """
    parlour = version_of(folder)
    file, line_number = folder / JOURNAL, 0
    for line_number, line in enumerate(journal_lines(file), 1):
        if line_number == number or (number is None and line_number >= first and line.endswith(b"\n")):
            yield line_number, record_of(read_row(line.removesuffix(b"\n"), str(file), line_number), parlour, str(file))
            if number is not None:
                return
    if number is not None:
        raise ValueError(f"{file} has {line_number} games; there is no game {number}")


def record_of(row: Row, parlour: str, source: str) -> GameRecord:
    """A game as a record. ``parlour``: the version that played it. ValueError if its actions can't be played."""
    line, where = row.line, f"{source}, line {row.line.number}"
    try:
        game = find(line.game)
        env = GameEnv(game, line.variant, dict(line.options), None, "raise")
        env.reset(seed=line.seed, options={"position": line.position or None})
        moves = []
        for action in row.moves.tolist():
            moves.append(env.move_name(action))
            env.step(action)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    return GameRecord(
        game.id, parlour, line.variant, env.values, line.seed, line.players, moves, line.returns, line.end,
        line.position,
    )  # fmt: skip
