"""Jobs: parts of some work that do not depend on each other, done here, in threads, or on the machines of a cluster.

A job is a function without arguments, such as ``functools.partial(play_positions, network, …)``.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

R = TypeVar("R")

MAX_THREADS = 1024
"""A limit, since each thread uses memory of its own."""
SHARES = 4
"""The number of jobs of a round of learning, whatever the number of workers: the result does not depend on it."""


class RunJobs(Protocol):
    """A function that does jobs."""

    def __call__(self, jobs: Sequence[Callable[[], R]]) -> list[R]:
        """``[job() for job in jobs]``. Jobs have no side effects, so that one may be done again when a worker dies."""


def run_here(jobs: Sequence[Callable[[], R]]) -> list[R]:
    """Does jobs in this process, one after another."""
    return [job() for job in jobs]


class ThreadJobs(ThreadPoolExecutor):
    """Does jobs in threads of this process. They should run compiled code, which runs in parallel."""

    def __init__(self, threads: int | None = None) -> None:
        """``threads``: how many; None for one per core that this process may use."""
        super().__init__(threads or usable_cores(), "parlour jobs")

    def __call__(self, jobs: Sequence[Callable[[], R]]) -> list[R]:
        """See `RunJobs`."""
        return list(self.map(lambda job: job(), jobs))


def usable_cores() -> int:
    """How many cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
