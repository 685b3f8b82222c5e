"""A strict reader for JSON from others: bounded in size and depth, with errors that say where and what is valid.

The one reader for all of it: configurations, manifests, records of games, journals. Use `read_json` for a file that is
one JSON text, and `parse_json` for a text in memory, such as one line of a journal (give its number as ``line``). Both
return a `JsonValue`; its methods check what it must be:

    manifest = read_json(path).entries(("snapshots", "opponents"))
    count = manifest["snapshots"].integer(0)
    for opponent in manifest["opponents"].elements():
        ...
    raise manifest["snapshots"].error("fewer than there are opponents")

``value`` holds the plain Python object, for callers that read millions of short lines and check them in their own way;
they need a `JsonValue`'s methods only for the message.

Stricter than the ``json`` module: NaN, Infinity and numbers too large for a float are refused, as are a key that is
twice in one object, half a surrogate pair, and numbers with very many digits. Line numbers are found only when an error
is raised, so that reading costs little more than ``json.loads``.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NoReturn

from parlour.errors import listing
from parlour.files import MAX_BYTES, read_file

MAX_DEPTH = 32
"""The maximal nesting of arrays and objects. Nothing that parlour writes is nested deeper than 5."""
MAX_DIGITS = 400
"""Of one number: more than a float's range needs."""
MAX_SHOWN = 80
"""At most this many characters of a refused value are shown."""
LARGEST = 2**63 - 1

Path_ = tuple[str | int, ...]


class JsonValue:
    """One value of a JSON text, with its place in it.

    Attributes:
        value: as ``json.loads`` gives it.
    """

    __slots__ = ("_path", "_text", "value")

    def __init__(self, value: Any, text: _Text, path: Path_ = ()) -> None:
        """Made by `parse_json` and `read_json`."""
        self.value, self._text, self._path = value, text, path

    def error(self, problem: str) -> ValueError:
        """A ValueError for the caller to raise: file, line, place, and the problem, such as ``"must be even"``."""
        place = _place(self._path)
        return self._text.error(self._text.offset_of(self._path), f"{place} {problem}" if place else problem)

    def misfit(self, valid: str) -> ValueError:
        """The same for a value of the wrong kind; ``valid`` says what is expected."""
        return self.error(f"must be {valid}, not {self.value!r:.{MAX_SHOWN}}")

    def entries(self, required: Sequence[str], optional: Sequence[str] = ()) -> dict[str, JsonValue]:
        """The entries of an object that must have all required entries and no others but the optional ones."""
        found = self.members()
        for name in found:
            if name not in required and name not in optional:
                raise found[name].error(f"has no meaning; entries: {listing([*required, *optional])}")
        for name in required:
            if name not in found:
                raise self.error(f"lacks the entry {name!r}; entries: {listing([*required, *optional])}")
        return found

    def members(self) -> dict[str, JsonValue]:
        """The entries of an object with any names."""
        if not isinstance(self.value, dict):
            raise self.misfit("a JSON object")
        return {name: JsonValue(value, self._text, (*self._path, name)) for name, value in self.value.items()}

    def elements(self) -> list[JsonValue]:
        """The elements of an array."""
        if not isinstance(self.value, list):
            raise self.misfit("a JSON array")
        return [JsonValue(value, self._text, (*self._path, k)) for k, value in enumerate(self.value)]

    def text(self) -> str:
        """A text."""
        if not isinstance(self.value, str):
            raise self.misfit("a text")
        return self.value

    def flag(self) -> bool:
        """True or false."""
        if not isinstance(self.value, bool):
            raise self.misfit("true or false")
        return self.value

    def integer(self, low: int, high: int = LARGEST) -> int:
        """A whole number, written as one, from ``low`` to ``high``, both included."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or not low <= self.value <= high:
            raise self.misfit(f"a whole number from {low} to {high}")
        return self.value

    def number(self, low: float = -math.inf, high: float = math.inf) -> float:
        """A finite number from ``low`` to ``high``, both included."""
        fits = isinstance(self.value, (int, float)) and not isinstance(self.value, bool)
        if not fits or not low <= self.value <= high:
            bounds = "" if (low, high) == (-math.inf, math.inf) else f" from {low:g} to {high:g}"
            raise self.misfit(f"a number{bounds}")
        try:
            return float(self.value)
        except OverflowError:
            raise self.misfit("a number that a float can hold") from None


def read_json(path: Path, max_bytes: int = MAX_BYTES, *, follow_links: bool = True) -> JsonValue:
    """The JSON text in a file.

    Args:
        path: the file.
        max_bytes, follow_links: see `parlour.files.read_file`.

    Raises:
        ValueError: that begins with the path, for what is not such a file or not valid JSON.
        OSError: for a file that cannot be read.
    """
    return parse_json(read_file(path, max_bytes, follow_links=follow_links), str(path), max_bytes=max_bytes)


def parse_json(text: str | bytes, source: str, line: int = 1, max_bytes: int = MAX_BYTES) -> JsonValue:
    """A JSON text.

    Args:
        text: the text, or its bytes in UTF-8.
        source: what messages call it, such as the path of the file that it comes from.
        line: the number of its first line there, from 1.
        max_bytes: a larger text is refused.

    Raises:
        ValueError: ``source, line 3: …`` for what is not valid JSON, or too large or too deep.
    """
    if len(text) > max_bytes:
        raise ValueError(f"{source}, line {line}: JSON text larger than {max_bytes} bytes, the limit")
    content = _Text(text if isinstance(text, str) else _decode(text, source, line), source, line)
    text = content.text
    _check_depth(content)
    try:
        value = _DECODER.decode(text)
        if r"\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise content.error(error.pos, f"not JSON ({error.msg} at column {error.colno})") from None
    except UnicodeEncodeError:
        raise content.error(0, "half a surrogate pair, which is no character, stands in a text") from None
    except _Refused as error:
        raise content.error(_offset_of_refused(text, error), error.problem) from None
    return JsonValue(value, content)


def _decode(data: bytes, source: str, line: int) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        at = line + data.count(b"\n", 0, error.start)
        raise ValueError(f"{source}, line {at}: not UTF-8 text (byte {error.start})") from None


class _Text:
    """A text with its source, for messages."""

    __slots__ = ("line", "source", "text")

    def __init__(self, text: str, source: str, line: int) -> None:
        self.text, self.source, self.line = text, source, line

    def error(self, offset: int, problem: str) -> ValueError:
        return ValueError(f"{self.source}, line {self.line + self.text.count(chr(10), 0, offset)}: {problem}")

    def offset_of(self, path: Path_) -> int:
        return next(offset for found, offset in _places(self.text) if found == path)


class _Refused(ValueError):
    """Valid for the ``json`` module, but not here: a ``literal``, or a ``key`` that is twice in its object."""

    def __init__(self, problem: str, literal: str | None = None, key: str | None = None) -> None:
        self.problem, self.literal, self.key = problem, literal, key


def _read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for k, name in enumerate(names) if name in names[:k])
        raise _Refused(f"{twice!r:.{MAX_SHOWN}} is twice in one object", key=twice)
    return found


def _read_float(literal: str) -> float:
    value = float(literal)
    if math.isinf(value) or len(literal) > MAX_DIGITS:
        raise _Refused(f"not a number that a float can hold: {literal:.{MAX_SHOWN}}", literal)
    return value


def _read_int(literal: str) -> int:
    if len(literal) > MAX_DIGITS:
        raise _Refused(f"a number of more than {MAX_DIGITS} digits: {literal:.20}…", literal)
    return int(literal)


def _read_constant(literal: str) -> NoReturn:
    raise _Refused(f"{literal} is not a number in JSON", literal)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_read_object, parse_float=_read_float, parse_int=_read_int, parse_constant=_read_constant
)
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'
_BRACKET = re.compile(rf"{_STRING}|[\[\]{{}}]", re.DOTALL)
_TOKEN = re.compile(rf"{_STRING}|[\[\]{{}},:]|[^\s\[\]{{}},:\"]+", re.DOTALL)


def _check_depth(content: _Text) -> None:
    """Before parsing, which recurses."""
    text = content.text
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return
    depth = 0
    for token in _BRACKET.finditer(text):
        bracket = token.group()[0]
        depth += (bracket in "[{") - (bracket in "]}")
        if depth > MAX_DEPTH:
            raise content.error(token.start(), f"arrays and objects are nested more than {MAX_DEPTH} deep")


def _places(text: str) -> Iterator[tuple[Path_, int]]:
    """Path and offset of every value in a text, in order, as far as the text is valid JSON."""
    path: list[str | int] = []
    key_next = False
    for token in _TOKEN.finditer(text):
        word = token.group()
        if word in ("]", "}"):
            path.pop()
            key_next = False
        elif word == ",":
            last = path[-1]
            key_next = isinstance(last, str)
            path[-1] = last if isinstance(last, str) else last + 1
        elif key_next and word != ":":
            path[-1] = json.loads(word)
            key_next = False
        elif word != ":":
            yield tuple(path), token.start()
            if word in ("[", "{"):
                key_next = word == "{"
                path.append("" if key_next else 0)


def _offset_of_refused(text: str, refused: _Refused) -> int:
    """Where the first such literal stands, or the first value under a key that its object has already."""
    seen: set[Path_] = set()
    for path, offset in _places(text):
        if refused.literal is not None and text.startswith(refused.literal, offset):
            return offset
        if refused.key is not None and path in seen and path[-1] == refused.key:
            return offset
        seen.add(path)
    return 0


def _place(path: Path_) -> str:
    """``opponents[2].games``: where in the text."""
    plain = (isinstance(step, str) and step.isidentifier() for step in path)
    words = [f".{step}" if named else f"[{step!r:.{MAX_SHOWN}}]" for named, step in zip(plain, path)]
    return "".join(words).removeprefix(".")
