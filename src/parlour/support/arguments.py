"""Checks of arguments: each returns a plain value, or its ValueError says which, what was given, what is valid."""

from __future__ import annotations

import math
import operator
from collections.abc import Mapping, Sequence
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from parlour.support.errors import listing

MAX_AMOUNT = 1e30
"""The largest reward that can be asked for: even the sum of a hundred million of them fits a batch's float32."""
INT64_MAX = 2**63 - 1


def shown(value: object) -> str:
    """A value as error messages show it, at most 80 characters."""
    try:
        text = repr(value)
    except ValueError:  # Python does not write out integers of thousands of digits
        return "so large a number"
    return text if len(text) <= 80 else text[:79] + "…"


def is_whole(value: object) -> TypeGuard[int]:
    """Whether it is one integer of Python or NumPy; a bool is not one."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def is_number(value: object) -> TypeGuard[float]:
    """Whether it is one finite number of Python or NumPy; a bool is not one."""
    if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an integer beyond all floats
        return False


def whole_number(name: str, value: object, low: int = 0, high: int | None = None) -> int:
    """``value`` as int if it is an integer from ``low`` to ``high`` (None: without limit)."""
    if not is_whole(value) or value < low or (high is not None and value > high):
        upper = "up" if high is None else f"to {high}"
        raise ValueError(f"{name} must be a whole number from {low} {upper}, not {shown(value)}")
    return int(value)


def real_number(name: str, value: object, low: float, high: float = math.inf, *, above: bool = False) -> float:
    """``value`` as float if it is a finite number from ``low`` to ``high``; with ``above``, above ``low``."""
    if not (is_number(value) and low <= value <= high and not (above and value == low)):
        if above:
            valid = f"above {low:g}" + ("" if high == math.inf else f", up to {high:g}")
        else:
            valid = f"from {low:g} " + ("up" if high == math.inf else f"to {high:g}")
        raise ValueError(f"{name} must be a finite number {valid}, not {shown(value)}")
    return float(value)


def flag(name: str, value: object) -> bool:
    """``value`` as bool if it is True or False."""
    if not isinstance(value, (bool, np.bool_)):
        raise ValueError(f"{name} must be True or False, not {shown(value)}")
    return bool(value)


def as_index(action: object) -> int:
    """An action as int. TypeError for anything but a whole number; a bool is not one."""
    if isinstance(action, (bool, np.bool_)) or getattr(action, "dtype", None) == np.bool_:
        raise TypeError
    return operator.index(action)  # type: ignore[arg-type]


def one_of(name: str, value: object, valid: Sequence[str], or_none: bool = False) -> str:
    """``value`` if it is one of the words ``valid``. ``or_none``: None is valid too; callers handle it."""
    if not isinstance(value, str) or value not in valid:
        words = listing([*valid, None] if or_none else valid)
        raise ValueError(f"{name} {shown(value)} is not valid; valid: {words}")
    return value


def reset_options(options: object) -> dict[str, Any]:
    """The ``options`` of a `reset`, a mapping or None, as a new dict. The caller checks what the keys mean."""
    if options is None:
        return {}
    if not isinstance(options, Mapping):
        raise ValueError(f"the options of reset must be a mapping or None, not {shown(options)}")
    return dict(options)


def whole_numbers(name: str, values: object, shape: tuple[int, ...] | None = None) -> NDArray[np.int64]:
    """``values`` as int64, if they are integers of this ``shape`` (None: a list of any length (M,), also empty).

    Unsigned numbers beyond int64 are refused, since a cast would make them negative.
    """
    try:
        array = np.asarray(values)
    except ValueError:  # rows of different lengths
        array = np.asarray(None)
    fits = array.ndim == 1 if shape is None else array.shape == shape
    if not fits or (array.dtype.kind not in "iu" and array.size):
        wanted = "(M,)" if shape is None else str(shape)
        raise ValueError(f"{name} must be whole numbers of shape {wanted}, not {array.dtype} of shape {array.shape}")
    if array.dtype == np.uint64 and array.size and array.max() > INT64_MAX:
        raise ValueError(f"{name}: {array.max()} is not valid; whole numbers go up to {INT64_MAX}")
    return array.astype(np.int64, copy=False)
