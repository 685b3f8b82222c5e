"""JSON of others: what is not valid is refused with its source and place, and nothing else happens."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Annotated, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta

from parlour.support.typed_json import Struct, decode_json, read_json


class Member(Struct):
    name: str
    games: Annotated[int, Meta(ge=0)] = 0
    score: float = 0.0

    def __post_init__(self) -> None:
        if self.score > self.games:
            raise ValueError("score is above games")


class Club(Struct):
    members: list[Member]
    options: dict[str, bool | int | float | str] | None = None


MANY = ", ".join(f'"{k}": 0' for k in range(10_000))
BROKEN: dict[str, tuple[str | bytes, str]] = {
    "nothing": ("", "not valid JSON"),
    "cut": ('{"members": [', "not valid JSON"),
    "NaN": ('{"members": [{"name": "a", "score": NaN}]}', "not valid JSON"),
    "Infinity": ('{"members": [], "options": {"a": -Infinity}}', "not valid JSON"),
    "too large a float": ('{"members": [], "options": {"a": 1e999}}', "options[...]: Number out of range"),
    "a number of many digits": ('{"members": [], "options": {"a": %s}}' % ("9" * 5000), "options[...]: Integer value"),
    "a float of many digits": ('{"members": [{"name": "a", "score": %s}]}' % ("9" * 400), "members[0].score: Number"),
    "a key twice": ('{"members": [], "members": []}', "'members' is twice in one object"),
    "a key twice further down": ('{"members": [], "options": {"a": 1, "b": 2, "a": 3}}', "'a' is twice in one object"),
    "a key twice, the last of many": (f'{{"members": [], "options": {{{MANY}, "9999": 0}}}}', "'9999' is twice"),
    "arrays without end": ("[" * 100_000, "Expected `object`, got `array`"),
    "arrays without end, deeper": ('{"members": [], "options": {"a": ' + "[" * 100_000, "options[...]: Expected"),
    "objects without end": ('{"members":' * 100_000, "members: Expected `array`, got `object`"),
    "half a surrogate pair": (r'{"members": [{"name": "\ud800"}]}', "not valid JSON"),
    "half a surrogate pair as it is": ('{"members": [{"name": "\ud800"}]}', "not valid JSON"),
    "not UTF-8": (b'{"members": [{"name": "\xff"}]}', "not valid JSON"),
    "two texts": ('{"members": []}\n{}', "not valid JSON"),
    "an unknown entry": ('{"members": [], "colour": 1}', "unknown field `colour`; entries: 'members' and 'options'"),
    "an unknown entry further down": ('{"members": [{"name": "a", "elo": 5}]}', "members[0]: Object contains unknown"),
    "a missing entry": ("{}", "missing required field `members`; entries: 'members' and 'options'"),
    "a flag for a number": ('{"members": [{"name": "a", "games": true}]}', "members[0].games: Expected `int`"),
    "a float for a whole number": ('{"members": [{"name": "a", "games": 1.0}]}', "members[0].games: Expected `int`"),
    "out of range": ('{"members": [{"name": "a"}, {"name": "b", "games": -1}]}', "members[1].games: Expected `int` >="),
    "entries that don't fit together": ('{"members": [{"name": "a", "score": 1}]}', "members[0]: score is above games"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_not_valid_is_refused_by_source_and_place(name: str) -> None:
    text, problem = BROKEN[name]
    with pytest.raises(ValueError, match=re.escape(problem)) as caught:
        decode_json(text, Club, "here")
    assert str(caught.value).startswith("here: ")
    assert len(str(caught.value)) < 200


def test_nesting_without_end_is_refused_even_where_anything_goes() -> None:
    with pytest.raises(ValueError, match=r"here: not valid JSON \(maximum recursion depth"):
        decode_json("[" * 100_000, Any, "here")


LEAVES = (
    st.none() | st.booleans() | st.integers(-(10**300), 10**300) | st.text(st.characters(exclude_categories=["Cs"]))
)
VALUES = st.recursive(LEAVES, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20)


@given(VALUES, st.sampled_from((None, 1)))
def test_every_value_is_read_as_it_is(value: object, indent: int | None) -> None:
    for text in (json.dumps(value, indent=indent), json.dumps(value, ensure_ascii=False).encode()):
        assert decode_json(text, Any, "here") == value


def test_files(tmp_path: Path) -> None:
    path, link, pipe = tmp_path / "a.json", tmp_path / "link.json", tmp_path / "pipe.json"
    path.write_text("[1]")
    link.symlink_to(path)
    os.mkfifo(pipe)
    numbers = list[int]
    assert read_json(path, numbers) == read_json(link, numbers) == read_json(path, numbers, follow_links=False) == [1]
    with pytest.raises(ValueError, match=r"a\.json: Expected `object`, got `array`; entries: 'members'"):
        read_json(path, Club)
    with pytest.raises(ValueError, match=r"link\.json: a symbolic link"):
        read_json(link, numbers, follow_links=False)
    with pytest.raises(ValueError, match=r"pipe\.json: not a plain file"):
        read_json(pipe, numbers, follow_links=False)
    with pytest.raises(FileNotFoundError):
        read_json(tmp_path / "none.json", numbers)
