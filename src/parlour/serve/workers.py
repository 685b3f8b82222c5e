"""The threads of a server. Nothing that may take long runs in the event loop, so no game waits for another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Made = TypeVar("Made")
PAGE_THREADS, PLAYER_THREADS = 6, 6


class Workers:
    """Two groups of threads: a player that thinks for seconds never keeps a page waiting.

    The first group makes pages, plays the plies of people and of quick players, and opens games. Any of these may
    compile rules first, which takes seconds; therefore it has several threads, though Python runs one at a time. The
    second group is for players that search, and for hints.
    """

    def __init__(self) -> None:
        """Threads are started when they are needed."""
        self._pages = ThreadPoolExecutor(PAGE_THREADS, "page")
        self._players = ThreadPoolExecutor(PLAYER_THREADS, "player")

    async def run(self, work: Callable[..., Made], *arguments: object) -> Made:
        """What ``work(*arguments)`` returns, in a thread for pages and quick plies."""
        return await asyncio.get_running_loop().run_in_executor(self._pages, work, *arguments)

    async def think(self, work: Callable[..., Made], *arguments: object) -> Made:
        """What ``work(*arguments)`` returns, in a thread for players that search."""
        return await asyncio.get_running_loop().run_in_executor(self._players, work, *arguments)

    def close(self) -> None:
        """Ends the threads; what has not begun is dropped."""
        for pool in (self._pages, self._players):
            pool.shutdown(wait=False, cancel_futures=True)
