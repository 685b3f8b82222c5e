"""Whether two nests of containers, arrays and numbers are the same."""

from __future__ import annotations

from typing import Any

import numpy as np


def assert_same(ours: Any, theirs: Any, where: str = "") -> None:
    """Dicts, tuples, lists and arrays alike, types and all."""
    assert type(ours) is type(theirs), where
    if isinstance(ours, dict):
        assert set(ours) == set(theirs), where
        for key in ours:
            assert_same(ours[key], theirs[key], f"{where}.{key}")
    elif isinstance(ours, (tuple, list)) or (isinstance(ours, np.ndarray) and ours.dtype == object):
        for k, (one, other) in enumerate(zip(ours, theirs, strict=True)):
            assert_same(one, other, f"{where}[{k}]")
    elif isinstance(ours, np.ndarray):
        assert ours.dtype == theirs.dtype, where
        np.testing.assert_array_equal(ours, theirs, where)
    else:
        assert ours == theirs, where
