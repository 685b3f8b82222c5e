"""A recorded game in JSON with anything wrong in it: it is the same game, or is refused by a sentence that names the
file."""

from __future__ import annotations

import dataclasses
import json
import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import parlour
from parlour.interfaces.game_record import GameRecord
from parlour.records import read_records, replay
from tests.support.cases import GAMES, sampled
from tests.support.command_line import Run, check_error
from tests.support.games import begun

MAX_MESSAGE = 2500
"""A message quotes little of what is wrong."""
AS_THEY_STAND = {
    "@nan": "NaN", "@infinity": "Infinity", "@huge": "1e999", "@digits": 400 * "9", "@half": '"\\ud800"', "@minus": "-",
    "@deep": 5000 * "[" + 5000 * "]", "@open": "[",
}  # fmt: skip
"""Texts that are no JSON values of Python's, by the words that stand for them."""
NUMBERS = (0, -1, 1, 2, 127, 128, 256, 2**31, 2**32, 2**63 - 1, 2**63, 2**64, 10**30, -(2**63) - 1, 0.5, -0.0, 1e308)
TEXTS = ("", "x", "0", "\0", "'", "a b", 10 * "é", 100_000 * "A")
LISTS: tuple[list[Any], ...] = ([], [[]], [None], [0], 1000 * [0], ["x"], [9 * [1]], [[10**20]])
OTHERS = (None, True, False, *NUMBERS, *AS_THEY_STAND, *TEXTS, *LISTS, {}, {"a": 1}, {"a": {"a": []}})
KEYS = ("", "x", "-1", "0", "00", "1.5", 20 * "9")
Path_ = tuple[Any, ...]


def recorded(game: str, dice: bool) -> dict[str, Any]:
    """A game of forty plies at most, with all that a record can have; from a position, with ``dice``, or by a seed."""
    env = begun(game, seed=3, illegal_move="raise", **{"max_plies": 40} if "max_plies" in parlour.options(game) else {})
    draw = random.Random(3)
    for _ in range(2 * dice):
        env.step(env.parse_move(draw.choice(env.legal_moves())))
    env.reset(seed=3, options={"position": env.position() if dice else None})
    thoughts: list[Any] = []
    while not env.is_over():
        move = draw.choice(env.legal_moves())
        thoughts.append({"moves": [[move, 0.5]], "value": 0.25, "line": [move]} if not thoughts else None)
        env.step(env.parse_move(move))
    record = env.record()
    if not dice and record.dice is not None:
        record = dataclasses.replace(record, seed=3, dice=None)
    full = dataclasses.replace(
        record, thoughts=thoughts, tags={"Event": "a", "Result": "1-0"}, comments={0: "b", len(thoughts): "c"}
    )
    entries: dict[str, Any] = json.loads(full.line())
    return entries


def places(value: Any, path: Path_ = ()) -> Iterator[Path_]:
    """The places in a JSON value: of long lists some."""
    yield path
    if isinstance(value, dict):
        for key, entry in value.items():
            yield from places(entry, (*path, key))
    elif isinstance(value, list):
        for k in sorted({0, 1, len(value) // 2, len(value) - 1} & {*range(len(value))}):
            yield from places(value[k], (*path, k))


def at(value: Any, path: Path_) -> Any:
    for key in path:
        value = value[key]
    return value


def changed(value: Any, path: Path_, new: Any) -> Any:
    """A JSON value with ``new`` at a place."""
    if not path:
        return new
    copy = value.copy()
    copy[path[0]] = changed(value[path[0]], path[1:], new)
    return copy


def variations(value: Any) -> Iterator[Any]:
    """Other values for one of the entries of a record."""
    yield from OTHERS
    if isinstance(value, dict):
        yield {**value, "more": 1}
        for key in value:
            yield {name: entry for name, entry in value.items() if name != key}
            yield from ({new if name == key else name: entry for name, entry in value.items()} for new in KEYS)
    elif isinstance(value, list):
        yield from (value[:-1], value[1:], value + value, value + value[-1:], value[::-1])
    elif isinstance(value, str):
        yield from (value.upper(), f" {value} ", value + value, value[:-1])
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from (value + 1, value - 1, -value, float(value), str(value))


def texts(entries: dict[str, Any]) -> Iterator[str]:
    """The texts of a record in which one thing is changed."""
    for path in places(entries):
        for new in variations(at(entries, path)):
            text = json.dumps(changed(entries, path, new), ensure_ascii=False)
            yield re.sub('"(@[a-z]+)"', lambda word: AS_THEY_STAND[word[1]], text)


def check_is_as_written(record: GameRecord, text: str) -> None:
    """No entry is another than in the file. Moves may be written otherwise; numbers of thoughts are floats."""
    read, written = json.loads(record.line()), json.loads(text)
    for name in {*read, *written} - {"moves", "thoughts"}:
        assert read.get(name) == written.get(name) or not (read.get(name) or written.get(name)), name
    thoughts = [json.loads(each, parse_int=float).get("thoughts") for each in (record.line(), text)]
    assert thoughts[0] == thoughts[1] or not any(thoughts)
    assert [move.lower() for move in record.moves] == [move.strip().lower() for move in written["moves"]]


@sampled("cases", 120, None)
@pytest.mark.parametrize("dice", [False, True], ids=["seed", "dice"])
@pytest.mark.parametrize("game", GAMES)
def test_a_damaged_record_is_refused_or_the_same(
    game: str, dice: bool, cases: int | None, tmp_path: Path, run: Run
) -> None:
    entries, path = recorded(game, dice), tmp_path / "games.jsonl"
    damaged = list(texts(entries))
    assert json.dumps(entries, ensure_ascii=False) in damaged
    accepted = 0
    for text in damaged if cases is None else random.Random(game).sample(damaged, cases):
        path.write_text(f"{text}\n", encoding="utf-8")
        ran = run("replay", path, "--quiet")
        try:
            (record,) = read_records(path)
            assert len(list(replay(record, str(path)))) == len(record.moves) + 1
        except ValueError as error:
            assert str(path) in str(error)
            assert len(str(error)) < MAX_MESSAGE, text[:1000]
            check_error(ran, path)
            continue
        assert ran.status == 0, ran
        check_is_as_written(record, text)
        accepted += 1
    assert accepted
