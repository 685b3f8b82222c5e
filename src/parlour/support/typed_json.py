"""JSON of others, such as configurations, manifests and records: read into a type, and refused if it is anything else.

The types are `Struct`s, whose fields say what is valid, also by ``msgspec.Meta`` (ranges, patterns) and by a
``__post_init__`` that raises ValueError. Use no ``Any`` in them: what each field may hold also limits how deeply the
text may be nested.

Stricter than the ``json`` module: unknown entries, a key that is twice in one object, NaN, Infinity, numbers too large
for a float and half a surrogate pair are refused.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Annotated, Any, TypeVar

import msgspec

from parlour.support.errors import listing, shortened
from parlour.support.files import read_file

T = TypeVar("T")
MAX_COUNT = 10**18
Count = Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]
"""A number of games, plies, snapshots and the like."""


class Struct(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An object of a JSON text: its entries, with their types. No other entries are valid."""


def read_json(path: Path, kind: type[T], *, follow_links: bool = True) -> T:
    """The content of a JSON file. ``follow_links`` and OSError: see `parlour.support.files.read_file`.
    ValueError, which begins with the path, for what is not such a file."""
    return decode_json(read_file(path, follow_links=follow_links), kind, str(path))


def decode_json(content: str | bytes, kind: type[T], source: str) -> T:
    """A JSON text as a ``kind``, such as a `Struct`. ``source``: where it is from, for messages. ValueError, such as
    ``source: opponents[2].games: Expected `int`, got `str```, for any other text."""
    try:
        value = msgspec.json.decode(content, type=kind)
        json.loads(content, object_pairs_hook=_refuse_twice)
    except msgspec.ValidationError as error:
        raise ValueError(f"{source}: {shortened(_problem(str(error), kind))}") from None
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise ValueError(f"{source}: not valid JSON ({error})") from None
    return value


def _refuse_twice(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        ((twice, _),) = Counter(name for name, _ in pairs).most_common(1)
        raise ValueError(f"{twice!r:.80} is twice in one object")


def _problem(message: str, kind: Any) -> str:
    """Msgspec's message with the place first, and the valid entries if it is about the whole."""
    problem, _, place = message.partition(" - at `$")
    if place:
        return f"{place.rstrip('`').removeprefix('.')}: {problem}"
    fields = getattr(kind, "__struct_fields__", ())
    return f"{problem}; entries: {listing(fields)}" if fields else problem
