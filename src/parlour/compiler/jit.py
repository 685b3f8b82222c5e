"""The decorator of kernels, and with which versions of Numba they are compiled in one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

TESTED = ((0, 61), (0, 68))
"""The oldest and the newest version of Numba that `linking`, which needs parts that are not public, was tested with.

With any other version Numba compiles each kernel by itself: the results are the same, but the first call takes about
three times as long.
"""
IN_ONE_PIECE: bool = TESTED[0] <= numba.version_info.short <= TESTED[1]


def jit(inline: bool) -> Callable[[Callable[..., Any]], Any]:
    """A decorator that makes a function a compiled one, as `numba.njit` does; nothing is compiled before it is called.

    ``inline``: right inside whatever kernel calls it, and unable to allocate anything, so that Numba need not count who
    holds each array that is handed on: that would take longer than most rules.
    """
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline, "_nrt": not inline}
    if not IN_ONE_PIECE:
        return numba.njit(**options)
    from parlour.compiler.linking import Kernel

    return lambda function: Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
