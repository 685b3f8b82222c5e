"""Dtypes of records that are whole 64-bit words."""

from __future__ import annotations

from typing import Any

import numpy as np


def in_words(fields: list[tuple[Any, ...]]) -> np.dtype[Any]:
    """An aligned record of whole 64-bit words."""
    unpadded: Any = np.dtype(fields, align=True)
    return placed([(name, *unpadded.fields[name][:2]) for name in unpadded.names])


def placed(fields: list[tuple[str, Any, int]]) -> np.dtype[Any]:
    """A record of whole words with these fields: name, dtype, offset."""
    names, formats, offsets = map(list, zip(*fields))
    size = offsets[-1] + formats[-1].itemsize
    record: Any = {"names": names, "formats": formats, "offsets": offsets, "itemsize": -(-size // 8) * 8}
    return np.dtype(record, align=True)
