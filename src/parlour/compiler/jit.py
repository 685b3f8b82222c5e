"""The decorator behind ``kernel``, and with which versions of Numba kernels are compiled in one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

TESTED = ((0, 61), (0, 68))
"""The oldest and the newest version of Numba that `linking`, which needs parts that are not public, was tested with.

With any other version Numba compiles each kernel by itself: the results are the same, but the first call takes about
twice as long.
"""
IN_ONE_PIECE: bool = TESTED[0] <= numba.version_info.short <= TESTED[1]


def jit(function: Callable[..., Any], inline: bool, cache: Any = None) -> Any:
    """``function`` as `numba.njit` makes it: compiled when first called, for each combination of types of arguments.

    Args:
        function: the kernel.
        inline: right inside whatever kernel calls it, and unable to allocate anything, so that Numba need not count who
            holds each array that is handed on: that would take longer than most rules.
        cache: where machine code is kept, if anywhere, such as a `parlour.compiler.cache.KernelCache`.
    """
    options = {"nogil": True, "error_model": "numpy", "forceinline": inline, "_nrt": not inline}
    if IN_ONE_PIECE:
        from parlour.compiler.linking import Kernel

        compiled = Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
    else:
        compiled = numba.njit(**options)(function)
    if cache is not None:
        compiled._cache = cache
    return compiled
