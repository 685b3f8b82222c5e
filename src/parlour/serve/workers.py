"""The threads of a server. Work that may take long never runs in the event loop, so no game waits for another."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")
PAGE_THREADS, PLAYER_THREADS, REPLAY_THREADS = 6, 6, 2
MAX_REPLAYS = 12
"""How many replay pages are made, or wait to be made, at a time."""
NAME = "parlour-serve"


class Busy(Exception):
    """There is too much work waiting."""


class ThreadPools:
    """Three thread pools, so that no page waits for a player that searches for seconds, or for a long replay.

    The first pool makes pages, plays the plies of people and of fast players, and opens games. Each of these may
    compile rules first, which takes seconds. So it has several threads, although Python runs one at a time. The second
    pool is for players that search, and for hints. The third reads records and makes replay pages of them.
    """

    def __init__(self) -> None:
        """Makes the pools. Threads are started when they are needed."""
        self._pages = ThreadPoolExecutor(PAGE_THREADS, NAME)
        self._players = ThreadPoolExecutor(PLAYER_THREADS, NAME)
        self._replays = ThreadPoolExecutor(REPLAY_THREADS, NAME)
        self.replaying = 0

    async def run(self, work: Callable[..., Result], *arguments: object) -> Result:
        """The result of ``work(*arguments)``, run in the pool for pages and fast players."""
        return await asyncio.get_running_loop().run_in_executor(self._pages, work, *arguments)

    async def think(self, work: Callable[..., Result], *arguments: object) -> Result:
        """The result of ``work(*arguments)``, run in the pool for players that search."""
        return await asyncio.get_running_loop().run_in_executor(self._players, work, *arguments)

    async def replay(self, work: Callable[[], Result]) -> Result:
        """The result of ``work()``, run in the pool for replay pages. `Busy` if too many are waiting."""
        if self.replaying >= MAX_REPLAYS:
            raise Busy("Too many replays are being prepared. Try again in a moment.")
        self.replaying += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._replays, work)
        finally:
            self.replaying -= 1

    def close(self) -> None:
        """Stops the threads. Work that has not begun is dropped."""
        for pool in (self._pages, self._players, self._replays):
            pool.shutdown(wait=False, cancel_futures=True)


def still_at_work(seconds: float) -> bool:
    """Whether threads of a server that was closed are still busy after this time."""
    end = time.monotonic() + seconds
    threads = [thread for thread in threading.enumerate() if thread.name.startswith(NAME)]
    for thread in threads:
        thread.join(max(end - time.monotonic(), 0))
    return any(thread.is_alive() for thread in threads)
