"""Jobs: parts of a round that do not depend on each other, done here or on the machines of a cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol, TypeVar

J = TypeVar("J")
R = TypeVar("R")

SHARES = 4
"""The number of jobs of a round, whatever the number of workers, so that the result does not depend on it."""


class RunJobs(Protocol):
    """A function that does jobs."""

    def __call__(self, function: Callable[[J], R], jobs: Sequence[J]) -> list[R]:
        """``[function(job) for job in jobs]``. ``function`` has no side effects, so that it may be called again when
        a worker dies."""


def run_here(function: Callable[[J], R], jobs: Sequence[J]) -> list[R]:
    """Does jobs in this process, one after another."""
    return [function(job) for job in jobs]
