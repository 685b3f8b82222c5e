"""What has been compiled in this process."""

from __future__ import annotations

import gc
from typing import Any

from numba.core.registry import CPUDispatcher

from parlour.engine.games import Games
from parlour.rulebook.compiler.cache import KernelCache


def call(games: Games, kernel: Any, *arguments: Any) -> Any:
    """Calls a kernel of the engine, which takes the functions of the game first."""
    return kernel(games.functions_for(kernel), *arguments)


def compiled_kernels() -> list[Any]:
    """All kernels, those that were compiled or loaded and those that were not yet."""
    return [thing for thing in gc.get_objects() if issubclass(type(thing), CPUDispatcher)]


def signatures() -> dict[str, int]:
    """For how many types of arguments each kernel was compiled or loaded, by name; none that was not."""
    found: dict[str, int] = {}
    for kernel in compiled_kernels():
        if kernel.signatures:
            name = f"{kernel.py_func.__module__}.{kernel.py_func.__qualname__}"
            found[name] = found.get(name, 0) + len(kernel.signatures)
    return found


def misses_and_hits() -> tuple[int, int]:
    """How many kernels that are kept on disk were compiled, and how many loaded."""
    stats = [kernel.stats for kernel in compiled_kernels() if isinstance(kernel._cache, KernelCache)]
    return sum(sum(one.cache_misses.values()) for one in stats), sum(sum(one.cache_hits.values()) for one in stats)
