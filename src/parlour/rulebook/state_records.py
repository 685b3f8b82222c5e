"""Records of states and of option values: arrays of records for kernels, and single records for plain Python."""

from __future__ import annotations

import copyreg
from collections.abc import Sequence
from functools import cache
from operator import itemgetter
from typing import Any

import numpy as np

from parlour.rulebook.compiling import COMPILED
from parlour.rulebook.options import Option, Variant, fill, resolve, variant_dtype
from parlour.rulebook.protocol import Record


def records(count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """``count`` zeroed records that kernels can read as ``records[i].field``.

    Compiled kernels take plain structured arrays, which are the fastest to pass. The interpreter needs records with
    attributes (`readable`).
    """
    return np.zeros(count, dtype if COMPILED else readable(dtype))


def copied(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """A copy of a one-dimensional array of records, byte by byte: NumPy copies them field by field, which takes seven
    times as long. (Any other array is copied, too.)"""
    if array.ndim > 1 or not COMPILED:
        return array.copy()
    return np.frombuffer(bytearray(array.tobytes()), array.dtype)


def as_record(array: np.ndarray[Any, Any], i: int) -> Record:
    """Record i of an array, with fields as attributes, for plain Python. Writing to it changes the array."""
    return array.view(readable(array.dtype))[i]


@cache
def readable(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The dtype whose single records have ``dtype``'s fields as attributes.

    ``np.record`` does the same by looking each name up in Python at every access, which takes eight times as long.
    """
    return np.dtype((_record_class(*(dtype.names or ())), dtype))


class _RecordClass(type):
    """The type of the classes of records. Pickle can't import such a class, so it makes it anew from its names."""


@cache
def _record_class(*names: str) -> _RecordClass:
    fields = {name: property(itemgetter(name), _setter(name)) for name in names}
    return _RecordClass("StateRecord", (np.void,), {"__slots__": (), **fields})


def _reduced(kind: _RecordClass) -> tuple[Any, ...]:
    return _record_class, tuple(name for name, field in vars(kind).items() if isinstance(field, property))


copyreg.pickle(_RecordClass, _reduced)


def _setter(name: str) -> Any:
    def put(record: Any, value: Any) -> None:
        record[name] = value

    return put


def variant_record(options: Sequence[Option], variants: Sequence[Variant], **values: object) -> Record:
    """The variant record of the first variant with these values, of a game without dependent options. See `resolve`."""
    _, resolved = resolve("the game", options, variants, lambda values, explicit: None, None, values)
    record = as_record(records(1, variant_dtype(options)), 0)
    fill(record, options, resolved)
    return record


def as_bytes(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Records (N,) as a view of their bytes (N, size). NumPy copies bytes faster than records."""
    return rows.view(np.uint8, np.ndarray).reshape(len(rows), rows.dtype.itemsize)


def as_words(rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Records (N,) as a view of their 64-bit words (N, size / 8), as the engine takes them; in the interpreter the
    records themselves."""
    return rows.view(np.uint64, np.ndarray).reshape(len(rows), rows.dtype.itemsize // 8) if COMPILED else rows


def as_states(words: np.ndarray[Any, Any], dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """The opposite of `as_words`: words as a view of the records that they are."""
    return words.view(dtype)[:, 0] if COMPILED else words


def changes(before: np.dtype[Any], now: np.dtype[Any]) -> str:
    """How the fields of a record differ from what they were, for messages: ``added extra (int64); gone pile (int8)``.
    Empty if they are the same, in whatever order (see `placed_as`)."""
    old, new = _formats(before), _formats(now)
    both = [name for name in old if name in new and old[name] != new[name]]
    kinds = {
        "added": [f"{name} ({new[name]})" for name in new if name not in old],
        "gone": [f"{name} ({old[name]})" for name in old if name not in new],
        "changed": [f"{name} (from {old[name]} to {new[name]})" for name in both],
    }
    return "; ".join(f"{kind} {', '.join(names)}" for kind, names in kinds.items() if names)


def placed_as(dtype: np.dtype[Any], array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Records with their fields at the places that they have in ``dtype``: the array itself if they lie there already,
    else a copy. Version 0.3.0 kept the fields of a state in another order."""
    if array.dtype == dtype:
        return array
    placed = records(len(array), dtype)
    for name in dtype.names or ():
        placed[name] = array[name]
    return placed


def _formats(dtype: np.dtype[Any]) -> dict[str, str]:
    """Each field with its type, such as ``int8`` or ``int8 (2,)``."""
    kinds = {name: dtype[name] for name in dtype.names or ()}
    return {name: f"{kind.base} {kind.shape}" if kind.shape else f"{kind}" for name, kind in kinds.items()}
