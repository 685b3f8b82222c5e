"""JSON of others: what is not valid is refused with file, line and place, and nothing else happens."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.strict_json import MAX_DEPTH, _places, parse_json, read_json

TEXT = """{
  "name": "pool",
  "opponents": [
    {"name": "a", "games": 3, "score": 1.5, "kept": true},

    {"name": "b", "games": -1, "score": 1e300, "kept": null}
  ]
}
"""

BROKEN = {
    "nothing": ("", 1, "not JSON"),
    "cut": ('{"a": [1,\n2', 2, "not JSON"),
    "NaN": ("[1,\n2,\nNaN]", 3, "NaN is not a number in JSON"),
    "Infinity": ('["Infinity",\n\n-Infinity]', 3, "-Infinity is not a number in JSON"),
    "too large a float": ("[1,\n1e999]", 2, "not a number that a float can hold: 1e999"),
    "a number of many digits": ("[1,\n" + "9" * 5000 + "]", 2, "a number of more than 400 digits"),
    "a key twice": ('{"a": 1,\n"b": {"c": 1, "d": [],\n"c": 2}}', 3, "'c' is twice in one object"),
    "arrays without end": ("[\n" * 100_000, MAX_DEPTH + 1, f"more than {MAX_DEPTH} deep"),
    "objects without end": ('{"a":\n' * 100_000, MAX_DEPTH + 1, f"more than {MAX_DEPTH} deep"),
    "deep beside flat": ("[" + "[1],\n" * 50 + "[" * 100_000, 51, f"more than {MAX_DEPTH} deep"),
    "half a surrogate pair": (r'["\ud800"]', 1, "half a surrogate pair"),
    "two texts": ("{}\n{}", 2, "not JSON"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_json_is_refused_by_source_and_line(name: str) -> None:
    text, line, problem = BROKEN[name]
    for first in (1, 7):
        with pytest.raises(ValueError, match=re.escape(problem)) as caught:
            parse_json(text, "here", line=first)
        assert str(caught.value).startswith(f"here, line {line + first - 1}: ")
        assert len(str(caught.value)) < 200


def test_bytes_that_are_not_utf8_and_too_many_of_them() -> None:
    with pytest.raises(ValueError, match="here, line 2: not UTF-8"):
        parse_json(b'["a",\n"\xff"]', "here")
    with pytest.raises(ValueError, match="here, line 1: JSON text larger than 10 bytes"):
        parse_json("[1, 2, 3, 4]", "here", max_bytes=10)


def test_brackets_in_texts_and_side_by_side_do_not_count_as_depth() -> None:
    for value in ("[" * 100_000, '"[' * 99 + "\\", [[]] * 1000, {str(k): {} for k in range(1000)}):
        assert parse_json(json.dumps(value), "here").value == value
    deepest = "[" * MAX_DEPTH + "]" * MAX_DEPTH
    assert parse_json(deepest, "here").value == json.loads(deepest)


def test_a_value_is_what_it_is_asked_for_or_refused_by_line_and_place() -> None:
    top = parse_json(TEXT, "file").entries(("name", "opponents"))
    first, second = (one.entries(("name", "games", "score", "kept")) for one in top["opponents"].elements())
    assert (top["name"].text(), first["games"].integer(0), first["score"].number(), first["kept"].flag()) == (
        "pool", 3, 1.5, True,
    )  # fmt: skip
    for ask, message in (
        (lambda: second["games"].integer(0, 9), "opponents[1].games must be a whole number from 0 to 9, not -1"),
        (lambda: second["score"].integer(0), "opponents[1].score must be a whole number"),
        (lambda: second["score"].number(0, 5), "opponents[1].score must be a number from 0 to 5, not 1e+300"),
        (lambda: second["kept"].flag(), "opponents[1].kept must be true or false, not None"),
        (lambda: second["kept"].number(), "opponents[1].kept must be a number, not None"),
        (lambda: second["games"].text(), "opponents[1].games must be a text, not -1"),
        (lambda: second["games"].elements(), "opponents[1].games must be a JSON array, not -1"),
        (lambda: second["games"].members(), "opponents[1].games must be a JSON object, not -1"),
        (lambda: second["games"].error("is odd"), "opponents[1].games is odd"),
    ):
        with pytest.raises(ValueError, match=re.escape(f"file, line 6: {message}")):
            raise ask()  # type: ignore[misc]


def test_entries_that_are_missing_or_unknown_and_flags_that_are_no_numbers() -> None:
    value = parse_json('{"a": true,\n"b": 1}', "file")
    with pytest.raises(ValueError, match=r"file, line 1: lacks the entry 'c'; entries: 'a', 'b' and 'c'"):
        value.entries(("a", "b", "c"))
    with pytest.raises(ValueError, match=r"file, line 2: b has no meaning; entries: 'a'"):
        value.entries(("a",))
    assert set(value.entries(("a",), ("b",))) == {"a", "b"}
    for ask in (value.entries(("a", "b"))["a"].integer, value.entries(("a", "b"))["a"].number):
        with pytest.raises(ValueError, match=r"file, line 1: a must be a .*number"):
            ask(0)
    with pytest.raises(ValueError, match="a number that a float can hold"):
        parse_json(str(10**350), "file").number()


LEAVES = st.none() | st.booleans() | st.integers() | st.text()
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(VALUES, st.sampled_from((None, 1)))
def test_every_value_is_read_and_found_again(value: object, indent: int | None) -> None:
    text = json.dumps(value, indent=indent)
    read = parse_json(text, "here")
    assert read.value == value
    for path, offset in _places(text):
        expected = value
        for step in path:
            expected = expected[step]  # type: ignore[index]
        assert json.JSONDecoder().raw_decode(text, offset)[0] == expected


def test_files(tmp_path: Path) -> None:
    path, link, pipe = tmp_path / "a.json", tmp_path / "link.json", tmp_path / "pipe.json"
    path.write_text("[1]")
    link.symlink_to(path)
    os.mkfifo(pipe)
    assert read_json(path).value == read_json(link).value == read_json(path, follow_links=False).value == [1]
    with pytest.raises(ValueError, match=r"link\.json: a symbolic link"):
        read_json(link, follow_links=False)
    with pytest.raises(ValueError, match=r"pipe\.json: not a plain file"):
        read_json(pipe, follow_links=False)
    with pytest.raises(ValueError, match=r"a\.json: larger than 2 bytes"):
        read_json(path, 2)
    with pytest.raises(FileNotFoundError):
        read_json(tmp_path / "none.json")
