"""Records of games: one JSON object per line, written, read back and verified by playing the game again.

A file whose ending belongs to a game's own form of record (`Game.record_forms`) is written and read in that form."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import MISSING, dataclass, fields
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from parlour.aec import GameEnv
from parlour.engine.seeds import seed_words, stream_starts
from parlour.errors import listing
from parlour.files import write_file
from parlour.people.advice import Thought, think
from parlour.players import Player
from parlour.registry import find, record_endings, record_form
from parlour.rulebook.options import Value
from parlour.strict_json import JsonValue, parse_json

VERSION = version("parlour")
"""Of this package: read once, since that means reading its metadata."""


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


SHAPES: dict[str, tuple[Callable[[Any], bool], str]] = {
    **dict.fromkeys(("game", "parlour", "variant", "end", "position"), (_is_text, "a text")),
    "options": (lambda value: isinstance(value, dict), "an object of option values"),
    "seed": (lambda value: value is None or (_is_number(value) and isinstance(value, int)), "a whole number or null"),
    "players": (lambda value: isinstance(value, list) and all(map(_is_text, value)), "a list of texts"),
    "moves": (lambda value: isinstance(value, list), "a list of texts"),
    "returns": (lambda value: isinstance(value, list) and all(map(_is_number, value)), "a list of numbers"),
    "dice": (lambda value: value is None or isinstance(value, list), "a list of throws"),
    "thoughts": (lambda value: value is None or isinstance(value, list), "a list of what players thought"),
}
"""What each value of a record must be."""


@dataclass(frozen=True)
class GameRecord:
    """One game.

    Attributes:
        game: the id, such as ``"agon-v0"``.
        parlour: the version of this package that wrote it.
        variant: the variant's name.
        options: the value of every option.
        seed: the environment's seed, which reproduces the dice; None for a game that was begun without one, as a
            further game of the same environment.
        players: the name of each seat's player.
        moves: the names of all actions, in order.
        returns: each seat's sum of rewards.
        end: how it ended.
        position: the text of its first position; empty for a new game.
        dice: all throws, in order, including those before the first ply; None in a game without dice, or if the seed
            is to produce them.
        thoughts: for each ply what its player thought, as `thought_entries` writes it, or None where it could not say;
            None if nothing was recorded.
    """

    game: str
    parlour: str
    variant: str
    options: dict[str, Value]
    seed: int | None
    players: list[str]
    moves: list[str]
    returns: list[float]
    end: str
    position: str = ""
    dice: list[list[int]] | None = None
    thoughts: list[dict[str, Any] | None] | None = None

    def line(self) -> str:
        """The record as a line of JSON, without the line break; ``position``, ``dice`` and ``thoughts`` are left
        out if they are empty."""
        told = {name: value for name, value in vars(self).items() if name in REQUIRED or value}
        return json.dumps(told, ensure_ascii=False)

    def html(self) -> str:
        """The game as one self-contained HTML page (see `parlour.replays`). ValueError if the record contradicts the
        rules."""
        from parlour.replays.page import replay_page

        return replay_page([self])

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        from parlour.replays.page import replay_frame

        return replay_frame(self)


JSON_LINES, JSON_ARRAY = ".jsonl", ".json"
REQUIRED = [field.name for field in fields(GameRecord) if field.default is MISSING]
OPTIONAL = [field.name for field in fields(GameRecord) if field.name not in REQUIRED]


def record_game(env: GameEnv, players: Sequence[Player], seed: int, thoughts: bool = False) -> GameRecord:
    """Plays one game of ``env`` from ``seed`` to its end, ``players[p]`` in seat p: the game that `simulate.play_games`
    plays for that seed. ``thoughts``: whether the players' analyses are recorded; they then think twice as long."""
    env.reset(seed=seed)
    moves: list[str] = []
    thought: list[dict[str, Any] | None] = []
    returns = np.zeros(len(players))
    while not env.is_over():
        seat = env.possible_agents.index(env.agent_selection)
        if thoughts:
            thought.append(thought_entries(think(env, players[seat])))
        action = env.ask(players[seat])
        moves.append(env.move_name(action))
        env.step(action)
        returns += list(env.rewards.values())
    return GameRecord(
        env.game.id, VERSION, env.variant, env.values, seed, [player.name for player in players], moves,
        returns.tolist(), env.games.ending(0), thoughts=thought if thoughts else None,
    )  # fmt: skip


def thought_entries(thought: Thought | None) -> dict[str, Any] | None:
    """An analysis in the form of a record: ``moves``, pairs of a name and its probability; ``value``, the expected
    result of the seat to act, or null; ``line``, the names of the expected moves."""
    if thought is None:
        return None
    return {"moves": [list(move) for move in thought.moves], "value": thought.value, "line": list(thought.line)}


def read_thought(entries: object, legal: Sequence[str]) -> Thought | None:
    """The opposite of `thought_entries`, for a position with these legal moves. ValueError for anything else."""
    if entries is None:
        return None
    if not isinstance(entries, dict) or set(entries) != {"moves", "value", "line"}:
        raise ValueError("a thought is an object with moves, value and line")
    moves, value, line = entries["moves"], entries["value"], entries["line"]
    pairs = isinstance(moves, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in moves)
    if not pairs or not all(name in legal and _is_number(share) and 0 <= share <= 1 for name, share in moves):
        raise ValueError("the moves of a thought are pairs of a legal move and a number from 0 to 1")
    if not (value is None or _is_number(value)) or not (isinstance(line, list) and all(map(_is_text, line))):
        raise ValueError("the value of a thought is a number or null, its line a list of texts")
    return Thought(tuple((name, float(share)) for name, share in moves), value, tuple(line))


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
    write_file(path, _text(path.suffix.lower(), records))


def _text(ending: str, records: Sequence[GameRecord]) -> str:
    """The records in the form of an ending."""
    form = record_form(ending)
    if form:
        return form.write_games(records)
    if ending == JSON_ARRAY:
        return "[\n" + ",\n".join(record.line() for record in records) + "\n]\n"
    return "".join(record.line() + "\n" for record in records)


def append_record(path: Path, record: GameRecord) -> None:
    """Appends a line to a file in one write, also while others append to it. OSError if that fails."""
    line = (record.line() + "\n").encode()
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    try:
        written = os.write(file, line)
    finally:
        os.close(file)
    if written < len(line):
        raise OSError(f"{path}: only {written} of {len(line)} bytes of a record could be written")


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
    """All records in a text, in the form of ``ending``. ``source``: the name of the text in errors. ValueError
    as `read_records` raises it."""
    form = record_form(ending)
    if form:
        try:
            return list(form.read_games(content))
        except ValueError as error:
            raise ValueError(f"{source}, {error}") from None
    if not content:
        raise ValueError(f"{source}: empty; a record is one JSON object a line")
    if ending.lower() == JSON_ARRAY and content.lstrip().startswith("["):
        return [_read_value(value) for value in parse_json(content, source).elements()]
    lines = content.removesuffix("\n").split("\n")
    return [_read_line(line, source, number) for number, line in enumerate(lines, 1)]


def _read_line(line: str, source: str, number: int) -> GameRecord:
    return _read_value(parse_json(line, source, number))


def _read_value(value: JsonValue) -> GameRecord:
    entries = value.entries(REQUIRED, OPTIONAL)
    for name, (fits, kind) in SHAPES.items():
        if name in entries and not fits(entries[name].value):
            raise entries[name].misfit(kind)
    return GameRecord(**{name: entry.value for name, entry in entries.items()})


def replay(record: GameRecord, where: str) -> Iterator[GameEnv]:
    """The environment before the first ply and after each, the same object every time.

    Raises ValueError, which says ``where`` and at which ply, if the record contradicts the rules.
    """
    try:
        game = find(record.game)
        env = GameEnv(game, record.variant, game.overrides_in(record.variant, record.options), None, "raise")
        _begin(env, record)
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    missing = [name for name in env.values if name not in record.options]
    if missing:
        raise ValueError(f"{where}: the option {missing[0]!r} is missing; a record has the value of every option")
    if record.game != env.game.id:
        raise ValueError(f"{where}: {record.game!r} is no game's id; this one's is {env.game.id!r}")
    if len(record.players) != len(env.possible_agents):
        raise ValueError(f"{where}: {len(record.players)} players; {record.game} has {len(env.possible_agents)} seats")
    returns = np.zeros(len(env.possible_agents))
    undrawn = _undrawn(env, record)
    yield env
    for ply, move in enumerate(record.moves, 1):
        if env.is_over():
            raise ValueError(f"{where}, ply {ply}: {move!r} comes after the end ({env.games.ending(0)})")
        try:
            env.step(env.parse_move(move))
        except ValueError as error:
            raise ValueError(f"{where}, ply {ply}: {error}") from None
        returns += list(env.rewards.values())
        yield env
    if env.games.ending(0) != record.end or returns.tolist() != record.returns:
        raise ValueError(
            f"{where}: says it ended {record.end!r} with returns {record.returns}, but played again it ends "
            f"{env.games.ending(0)!r} with {returns.tolist()}"
        )
    if record.dice is not None:
        used = int(env.games.dice_rng["forced_used"][0])
        if used != len(record.dice) or env.games.dice_rng["counter"][0] != undrawn:
            more = "fewer" if used < len(record.dice) else "more or other"
            raise ValueError(f"{where}: has {len(record.dice)} throws of dice, but played again the game needs {more}")


def _begin(env: GameEnv, record: GameRecord) -> None:
    """Resets to the game's beginning. ValueError for a start that is not valid or not known."""
    if record.seed is None and record.dice is None and env.game.rules.DICE:
        raise ValueError("a game with dice is played again from its 'seed' or its 'dice'; both are missing")
    env.reset(seed=record.seed or 0, options={"position": record.position or None, "dice": record.dice})


def _undrawn(env: GameEnv, record: GameRecord) -> Any:
    """Where the stream for dice stands, just after `_begin`, if nothing that the game needed was drawn from it."""
    if record.position:
        return env.games.dice_rng["counter"][0]
    return stream_starts(seed_words([record.seed or 0]))[0, 0]
