"""The threads of a server. Work that may take long never runs in the event loop, so no game waits for another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")
PAGE_THREADS, PLAYER_THREADS = 6, 6


class Workers:
    """Two thread pools, so that no page waits for a player that searches for seconds.

    The first pool makes pages, plays the plies of people and of fast players, and opens games. Each of these may
    compile rules first, which takes seconds. So it has several threads, although Python runs one at a time. The second
    pool is for players that search, and for hints.
    """

    def __init__(self) -> None:
        """Makes the pools. Threads are started when they are needed."""
        self._pages = ThreadPoolExecutor(PAGE_THREADS, "page")
        self._players = ThreadPoolExecutor(PLAYER_THREADS, "player")

    async def run(self, work: Callable[..., Result], *arguments: object) -> Result:
        """The result of ``work(*arguments)``, run in the pool for pages and fast players."""
        return await asyncio.get_running_loop().run_in_executor(self._pages, work, *arguments)

    async def think(self, work: Callable[..., Result], *arguments: object) -> Result:
        """The result of ``work(*arguments)``, run in the pool for players that search."""
        return await asyncio.get_running_loop().run_in_executor(self._players, work, *arguments)

    def close(self) -> None:
        """Stops the threads. Work that has not begun is dropped."""
        for pool in (self._pages, self._players):
            pool.shutdown(wait=False, cancel_futures=True)
