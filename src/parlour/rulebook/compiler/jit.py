"""The decorator behind ``kernel``, and the versions of Numba with which kernels are compiled in one piece."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

TESTED = ((0, 61), (0, 68))
"""The oldest and the newest version of Numba with which `linking` was tested; it needs parts that are not public.

With any other version Numba compiles each kernel separately: the results are the same, but the first call takes about
twice as long.
"""
IN_ONE_PIECE: bool = TESTED[0] <= numba.version_info.short <= TESTED[1]


def jit(function: Callable[..., Any], inline: bool, cache: Any = None, allocates: bool = False) -> Any:
    """``function`` as a compiled function like that of `numba.njit`: compiled at the first call with each combination
    of argument types.

    Args:
        function: the kernel.
        inline: whether it is inlined into the kernels that call it.
        cache: a cache for machine code, such as `parlour.rulebook.compiler.cache.KernelCache`; None for no cache.
        allocates: whether it can allocate memory. Then Numba counts references to arrays, which takes longer than most
            rules.
    """
    options = {
        "nogil": True, "error_model": "numpy", "forceinline": inline, "_nrt": allocates,
        "no_cfunc_wrapper": True,  # nothing calls a kernel as a function of C
    }  # fmt: skip
    if IN_ONE_PIECE:
        from parlour.rulebook.compiler.linking import Kernel

        compiled = Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
    else:
        compiled = numba.njit(**options)(function)
    if cache is not None:
        compiled._cache = cache
    return compiled
